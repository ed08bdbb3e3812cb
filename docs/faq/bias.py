"""May a linear layer on vector features have a bias?

No: a constant vector has a direction, and does not rotate with the input. Mixing channels is
allowed. `torch.nn.Linear` has a bias by default, and it is small at first, so trained models fail
more than new ones.

Asked in [torchmd-net #57](https://github.com/torchmd/torchmd-net/issues/57),
[e2cnn #13](https://github.com/QUVA-Lab/e2cnn/issues/13),
[cuEquivariance #118](https://github.com/NVIDIA/cuEquivariance/issues/118).
"""

import eqvproof as ep


@ep.claim("V: c d, W: k c -> k d", under="O(d)")
def mixed(V, W):
    return W @ V


@ep.claim("V: c d, W: k c, b: k -> k d", under="O(d)")
def mixed_with_bias(V, W, b):
    return W @ V + b[:, None]
