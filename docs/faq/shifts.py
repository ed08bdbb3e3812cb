"""Is a convolutional network shift equivariant?

With circular padding and stride 1 it is, under cyclic shifts. Zeros at the border mark the
position of the border; a stride of 2 keeps the even positions and drops the odd ones. Both errors
are easy to miss if the object is in the middle of the image.

Asked in [truly_shift_invariant_cnns #8](https://github.com/achaman2/truly_shift_invariant_cnns/issues/8),
[MLQuestions #10](https://github.com/andrewekhalel/MLQuestions/issues/10),
[antialiased-cnns #22](https://github.com/adobe/antialiased-cnns/issues/22).
"""

import numpy as np

import eqvproof as ep


@ep.claim("x: m -> m", under="C(m)")
def circular(x):
    return np.maximum(np.roll(x, 1) - 2 * x + np.roll(x, -1), 0)


@ep.claim("x: m -> m", under="C(m)")
def zero_padded(x):
    padded = np.concatenate([np.zeros(1), x, np.zeros(1)])
    return np.maximum(padded[:-2] - 2 * x + padded[2:], 0)


@ep.claim("x: m -> ()", under="C(m)")
def stride_two(x):
    return np.maximum(np.roll(x, 1) - x, 0)[::2].sum()
