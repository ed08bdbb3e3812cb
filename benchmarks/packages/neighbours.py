"""Keras over torch beyond single layers, and libraries beside those that other families look at."""

from __future__ import annotations

from benchmarks.packages.callers import held
from benchmarks.packages.claims import family

true, false = family("torch")
jax_true, jax_false = family("jax")
J = {"backend": "jax"}
FEATURES = "x: n v -> n v"
V = {"v": 4}
STEPS = {"b": (1, 3), "n": (3, 5)}


def keras(of, function="lambda x: f(x)", build=""):
    """A function that holds something of Keras, which runs over torch."""
    before = f"os.environ.setdefault('KERAS_BACKEND', 'torch'); import keras; K = keras.layers; f = {of}"
    return held("os", function, before + (f"; f.build({build})" if build else ""))


def ops(function):
    """A function of tensors that is written in the operations of Keras."""
    return held("os", function, "os.environ.setdefault('KERAS_BACKEND', 'torch'); import keras; ops = keras.ops")


def loss(of):
    return keras(of, "lambda x, y: f(x, y)")


DENSE = "keras.Sequential([keras.Input((None, 4)), K.Dense(8, activation='relu'), K.Dense(3)])"
POOLED = "keras.Sequential([keras.Input((None, 4)), K.Dense(8, 'gelu'), K.GlobalMaxPooling1D(), K.Dense(3, 'softmax')])"
RESIDUAL = "(lambda i: keras.Model(i, K.LayerNormalization()(K.Add()([i, K.MultiHeadAttention(2, 3)(i, i)]))))(keras.Input((None, 4)))"
MIXER = "(lambda i: keras.Model(i, K.Permute((2, 1))(K.Dense(5)(K.Permute((2, 1))(i)))))(keras.Input((5, 4)))"
BLOCK = "(lambda i: keras.Model(i, K.Concatenate()([i, K.Dense(2)(i), K.Multiply()([i, i])])))(keras.Input((None, 4)))"
VGG = "keras.Sequential([keras.Input((6, 6, 2)), K.Conv2D(4, 3, padding='same', activation='relu'), K.MaxPooling2D(), K.GlobalAveragePooling2D()])"

K_TRUE = [
    true("keras Sequential of Dense", keras(DENSE), "x: b n 4 -> b n 3", "S(b) x S(n)", single=True),
    true("keras Sequential pooled", keras(POOLED), "x: b n 4 -> b 3", "S(b) x S(n)", single=True),
    true("keras residual attention", keras(RESIDUAL), "x: b n 4 -> b n 4", "S(b) x S(n)", sizes=STEPS, single=True),
    true("keras functional block", keras(BLOCK), "x: b n 4 -> b n 10", "S(b) x S(n)", single=True),
    true("keras mixer, batch", keras(MIXER), "x: b 5 4 -> b 5 4", "S(b)", single=True),
    true("keras small image network", keras(VGG), "x: b 6 6 2 -> b 4", "S(b)", sizes={"b": (1, 3)}, single=True),
    true("keras Attention", keras("K.Attention()", "lambda q, v: f([q, v])"), "q: b n d, v: b m d -> b n d", "S(b) x S(n) x S(m) x S(d)", sizes={"b": (1, 2), "n": (2, 4), "m": (2, 4), "d": (2, 4)}, single=True),
    true("keras AdditiveAttention", keras("K.AdditiveAttention()", "lambda q, v: f([q, v])", "[(None, None, 4), (None, None, 4)]"), "q: b n 4, v: b m 4 -> b n 4", "S(b) x S(n) x S(m)", sizes={"b": (1, 2), "n": (2, 4), "m": (2, 4)}, single=True),
    true("keras EinsumDense", keras("K.EinsumDense('bnc,cd->bnd', output_shape=(None, 5), bias_axes='d')", build="(None, None, 4)"), "x: b n 4 -> b n 5", "S(b) x S(n)", single=True),
    true("keras RMSNormalization", keras("K.RMSNormalization()", build="(None, 4)"), "x: n 4 -> n 4", "S(n)", single=True),
    true("keras UnitNormalization", keras("K.UnitNormalization()"), "x: n d -> n d", "S(n) x O(d)", single=True),
    true("keras BatchNormalization", keras("K.BatchNormalization()", build="(None, None, 4)"), "x: b n 4 -> b n 4", "S(b) x S(n)", single=True),
    true("keras MaxPooling1D, batch", keras("K.MaxPooling1D(2)"), "x: b n c -> b h c", "S(b) x S(c)", sizes={"n": (4, 6)}, single=True),
    true("keras GlobalMaxPooling2D", keras("K.GlobalMaxPooling2D()"), "x: b h w c -> b c", "S(b) x S(h) x S(w) x S(c)", sizes={"b": (1, 2), "h": (2, 3), "w": (2, 3), "c": (1, 3)}, single=True),
    true("keras GroupQueryAttention", keras("K.GroupQueryAttention(3, 4, 2)", "lambda x: f(x, x)", "(None, None, 4), (None, None, 4)"), "x: b n 4 -> b n 4", "S(b) x S(n)", sizes=STEPS, single=True),
    true("keras Embedding, averaged", keras("K.Embedding(10, 4)", "lambda z: f(z).mean(0)", "(None,)"), "z[10]: n -> 4", "S(n)", single=True),
    true("keras PReLU shared", keras("K.PReLU(shared_axes=[1])", build="(None, None, 4)"), "x: b n 4 -> b n 4", "S(b) x S(n)", single=True),
    true("keras TimeDistributed", keras("K.TimeDistributed(K.Dense(3))", build="(None, 5, 4)"), "x: b 5 4 -> b 5 3", "S(b)", sizes={"b": (1, 3)}, single=True),
    true("keras GRU, batch", keras("K.GRU(3)", build="(None, 5, 4)"), "x: b 5 4 -> b 3", "S(b)", sizes={"b": (1, 3)}, single=True),
    true("keras Dot of two", keras("K.Dot(axes=-1, normalize=False)", "lambda x, y: f([x, y])"), "x: b d, y: b d -> b 1", "S(b) x O(d)", single=True),
    true("keras mean squared error", loss("keras.losses.MeanSquaredError()"), "x: b d, y: b d -> ()", "S(b) x E(d)", single=True),
    true("keras Huber", loss("keras.losses.Huber()"), "x: b d, y: b d -> ()", "S(b) x S(d)", single=True),
    true("keras categorical crossentropy", loss("keras.losses.CategoricalCrossentropy(from_logits=True)"), "x: b c, y: b c -> ()", "S(b) x S(c)", single=True),
    true("keras KL divergence", loss("keras.losses.kl_divergence"), "x: b c, y: b c -> b", "S(b) x S(c)", single=True, draw="positive"),
    true("keras log-cosh", loss("keras.losses.log_cosh"), "x: b d, y: b d -> b", "S(b) x S(d)", single=True),
    true("keras Dice", loss("keras.losses.Dice()"), "x: b d, y: b d -> ()", "S(b) x S(d)", single=True, draw="positive"),
    true("keras ops attention", ops("lambda x: ops.matmul(ops.softmax(ops.matmul(x, ops.transpose(x))), x)"), "x: n d -> n d", "S(n) x O(d)", sizes={"n": (2, 4), "d": (2, 3)}, single=True),
    true("keras ops distances", ops("lambda x: ops.sqrt(ops.sum(ops.square(x[:, None] - x[None]), -1) + 1e-6)"), "x: n d -> n n", "S(n) x E(d)", single=True),
    true("keras ops segments", ops("lambda x, s: ops.matmul(ops.transpose(ops.one_hot(s, 3)), ops.cast(x, 'float32'))"), "x: n c, s[3]: n -> 3 c", "S(n) x S(c)", single=True),
    true("keras ops moments", ops("lambda x: ops.stack([ops.mean(x, 0), ops.std(x, 0), ops.max(x, 0)])"), "x: n c -> 3 c", "S(n) x S(c)", single=True),
    true("keras ops logsumexp", ops("lambda x: ops.logsumexp(x, axis=-1)"), "x: n c -> n", "S(n) x S(c)", single=True),
    true("keras ops top-k", ops("lambda x: ops.sum(ops.top_k(x, 2)[0], -1)"), "x: n c -> n", "S(n) x S(c)", sizes={"c": (2, 5)}, single=True),
    true("keras ops einsum", ops("lambda x, y: ops.einsum('nd,md->nm', x, y)"), "x: n d, y: m d -> n m", "S(n) x S(m) x O(d)", single=True),
    true("keras cosine similarity loss", loss("keras.losses.CosineSimilarity()"), "x: b d, y: b d -> ()", "S(b) x O(d)", single=True),
    true("keras activation of a name", keras("keras.activations.get('mish')"), "x: n c -> n c", "S(n) x S(c)", single=True),
]
K_FALSE = [
    false("keras Sequential of features", keras("keras.Sequential([keras.Input((4,)), K.Dense(4, activation='tanh')])"), FEATURES, "S(v)", sizes=V, single=True),
    false("keras mixer of tokens", keras(MIXER), "x: b n 4 -> b n 4", "S(n)", sizes={"n": 5, "b": (1, 2)}, single=True),
    false("keras causal attention", keras("K.MultiHeadAttention(2, 3)", "lambda x: f(x, x, use_causal_mask=True)", "(None, None, 4), (None, None, 4)"), "x: b n 4 -> b n 4", "S(n)", sizes=STEPS, single=True),
    false("keras GRU of steps", keras("K.GRU(3, return_sequences=True)", build="(None, 4, 3)"), "x: b n 3 -> b n 3", "S(n)", sizes={"n": 4, "b": (1, 2)}, single=True),
    false("keras LayerNormalization under O", keras("K.LayerNormalization()", build="(None, 4)"), FEATURES, "O(v)", sizes=V, single=True),
    false("keras MaxPooling1D of steps", keras("K.MaxPooling1D(2)"), "x: b n c -> b 2 c", "S(n)", sizes={"n": 4}, single=True),
    false("keras Flatten and Dense", keras("keras.Sequential([keras.Input((4, 2)), K.Flatten(), K.Dense(3)])"), "x: b n 2 -> b 3", "S(n)", sizes={"n": 4}, single=True),
    false("keras GroupNormalization of channels", keras("K.GroupNormalization(2)", build="(None, None, 4)"), "x: b n v -> b n v", "S(v)", sizes=V, single=True),
    false("keras KL divergence exchanged", keras("keras.losses.kl_divergence", "lambda z: f(z[0], z[1]) - f(z[1], z[0])"), "z: k b c -> b", "S(k)", sizes={"k": 2}, single=True, draw="positive"),
    false("keras ops cumulative", ops("lambda x: ops.cumsum(x, axis=0)"), "x: n c -> n c", "S(n)", single=True),
    false("keras ops softmax over tokens, one rotated", ops("lambda x: ops.softmax(x, axis=0) * x"), "x: n d -> n d", "O(d)", single=True),
    false("keras Embedding in order", keras("K.Embedding(10, 4)", "lambda z: f(z)[0] - f(z)[-1]", "(None,)"), "z[10]: n -> 4", "S(n)", sizes={"n": (2, 5)}, single=True),
]


def tfp(imports, function, before="pass"):
    return held(f"tensorflow_probability.substrates.jax as tfp, jax, jax.numpy as jnp{imports}", function, before)


def nnx(of, function="lambda x: f(x)"):
    return held("jax, jax.numpy as jnp", function, f"from flax import nnx; r = nnx.Rngs(0); f = {of}")


OTHERS = [
    jax_true("tfp Matern kernel", tfp("", "lambda x, y: k.matrix(x, y)", "k = tfp.math.psd_kernels.MaternFiveHalves()"), "x: n d, y: m d -> n m", "S(n) x S(m) x E(d)", **J),
    jax_true("tfp quadratic kernel", tfp("", "lambda x: k.matrix(x, x)", "k = tfp.math.psd_kernels.RationalQuadratic()"), "x: n d -> n n", "S(n) x E(d)", **J),
    jax_true("tfp Dirichlet", tfp("", "lambda a, x: tfp.distributions.Dirichlet(a).log_prob(x / x.sum(-1, keepdims=True))"), "a: c, x: n c -> n", "S(n) x S(c)", draw="positive", **J),
    jax_true("tfp multivariate normal", tfp("", "lambda x: tfp.distributions.MultivariateNormalDiag(jnp.zeros(x.shape[-1]), jnp.ones(x.shape[-1])).log_prob(x)"), "x: n d -> n", "S(n) x O(d)", **J),
    jax_true("tfp softmax bijector", tfp("", "lambda x: b.forward(x)", "b = tfp.bijectors.Softplus()"), "x: n c -> n c", "S(n) x S(c)", **J),
    jax_true("tfp log-sum", tfp("", "lambda x: tfp.math.reduce_logmeanexp(x, axis=0)"), "x: n c -> c", "S(n) x S(c)", **J),
    jax_false("tfp ordered", tfp("", "lambda x: b.forward(x)", "b = tfp.bijectors.Ascending()"), "x: n v -> n v", "S(v)", sizes={"v": 4}, **J),
    jax_false("tfp Matern kernel scaled", tfp("", "lambda x: k.matrix(x, x)", "k = tfp.math.psd_kernels.MaternOneHalf()"), "x: n d -> n n", "Scale(d)", **J),
    jax_true("nnx attention", nnx("nnx.MultiHeadAttention(num_heads=2, in_features=4, qkv_features=6, decode=False, rngs=r)"), "x: b n 4 -> b n 4", "S(b) x S(n)", sizes=STEPS, single=True),
    jax_true("nnx Sequential", nnx("nnx.Sequential(nnx.Linear(4, 8, rngs=r), nnx.gelu, nnx.LayerNorm(8, rngs=r), nnx.Linear(8, 3, rngs=r))"), "x: b n 4 -> b n 3", "S(b) x S(n)", single=True),
    jax_true("nnx RMSNorm", nnx("nnx.RMSNorm(4, rngs=r)"), "x: n 4 -> n 4", "S(n)", single=True),
    jax_false("nnx Conv", nnx("nnx.Conv(4, 3, kernel_size=(3,), rngs=r)"), "x: b n 4 -> b n 3", "S(n)", sizes={"n": (4, 5), "b": (1, 2)}, single=True),
    true("torchrl MLP", held("torchrl.modules as m", "lambda x: f(x)", "f = m.MLP(in_features=4, out_features=3, num_cells=[8])"), "x: b n 4 -> b n 3", "S(b) x S(n)"),
    true("torchrl symlog", held("torchrl.modules.utils as u, torchrl.objectives.value.functional as v", "lambda r, w, z: v.vec_td1_return_estimate(0.9, w, r, torch.zeros_like(r).bool(), torch.zeros_like(r).bool())"), "r: b 4 1, w: b 4 1, z: b -> b 4 1", "S(b)", sizes={"b": (1, 3)}),
    true("torchrl generalized advantage", held("torchrl.objectives.value.functional as v", "lambda r, w, u: v.generalized_advantage_estimate(0.9, 0.95, w, u, r, torch.zeros_like(r).bool())[0]"), "r: b 4 1, w: b 4 1, u: b 4 1 -> b 4 1", "S(b)", sizes={"b": (1, 3)}),
    false("torchrl advantage of steps", held("torchrl.objectives.value.functional as v", "lambda r, w, u: v.generalized_advantage_estimate(0.9, 0.95, w, u, r, torch.zeros_like(r).bool())[0]"), "r: b n 1, w: b n 1, u: b n 1 -> b n 1", "S(n)", sizes={"b": (1, 2), "n": 4}),
    true("torchrl distance loss", held("torchrl.objectives.utils as u", "lambda x, y: u.distance_loss(x, y, loss_function='smooth_l1')"), "x: b d, y: b d -> b d", "S(b) x S(d)"),
    true("tensordict module", held("tensordict.nn as t, tensordict", "lambda x: f(tensordict.TensorDict({'x': x}, [x.shape[0]]))['y']", "f = t.TensorDictModule(torch.nn.Linear(4, 3), in_keys=['x'], out_keys=['y'])"), "x: n 4 -> n 3", "S(n)"),
    true("lightning module", held("lightning as L", "made", "made = type('Net', (L.LightningModule,), {'__module__': '__main__', 'forward': lambda self, x: torch.tanh(x).mean(1)})()"), "x: b n c -> b c", "S(b) x S(n) x S(c)"),
    false("lightning module of rows", held("lightning as L", "made", "made = type('Net', (L.LightningModule,), {'__module__': '__main__', 'forward': lambda self, x: torch.cumsum(x, 1)})()"), "x: b n c -> b n c", "S(n)"),
    jax_true("jaxopt projection onto a simplex", held("jaxopt.projection as p", "lambda x: p.projection_simplex(x)"), "x: c -> c", "S(c)", **J),
    jax_true("jaxopt Huber loss", held("jaxopt.loss as l", "lambda x, y: l.huber_loss(x, y)"), "x: n d, y: n d -> n d", "S(n) x S(d)", **J),
    jax_true("jaxopt logistic loss", held("jaxopt.loss as l, jax", "lambda y, x: jax.vmap(l.multiclass_logistic_loss)(y, x)"), "y[4]: n, x: n 4 -> n", "S(n)", **J),
]

CLAIMS = [*K_TRUE, *K_FALSE, *OTHERS]
