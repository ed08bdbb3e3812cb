"""Layers, networks and losses of packages that accompany papers, each as its users call it.

    pip install absl-py beartype einops-exts flax gcsfs h5py huggingface-hub optax pandas pyarrow pydantic scikit-learn
    pip install --no-deps aft-pytorch agent-attention-pytorch allrank attnax azula colt5-attention
        compositional-attention-pytorch coral-pytorch deel-torchlip deepctr-torch diffsort equimo
        fast-transformer-pytorch fightingcv-attention gateloop-transformer geometric-algebra-attention
        geometric-vector-perceptron hyper-connections hypll itransformer lgatr lightning lightning-utilities
        local-attention molecule-attention-transformer ncps normflows pelican-lite pointnet product-key-memory
        pycox pytorch-adapt pytorch-crf pytorch-metric-learning pytorch-ood regex rotary-embedding-torch
        rtdl-num-embeddings rtdl-revisiting-models safetensors sake-gnn signax simplicial-attention
        sklearn-pandas soft-moe-pytorch tabm taylor-series-linear-attention tokenizers topomodelx
        torch-einops-utils torch-rechub torchdeq torchmetrics torchtuples torchvision transformers
        universal-set-transformers vn-transformer

They come beside torch, torch_geometric, jax, equinox, einops and opt_einsum; --no-deps, for some pin an old torch.
Written by a session that did not read the engines and did not run them on these claims, so that a first run measures
what eqvproof does with code that nobody has looked at. `labels.py` confirms the labels.
Losses of survival and ranking take times and grades as small integers where users have days or stars: ties occur.
"""

import torch
from torch import nn

from benchmarks.packages.claims import built, false, layer, of_jax, of_torch, one, true, using


def pairs(x):
    """All directed pairs of nodes, as an array of two rows."""
    n = x.shape[0]
    return torch.cartesian_prod(torch.arange(n), torch.arange(n)).T

def lorentz_products(p):
    """Minkowski products of all pairs of momenta, as features of edges."""
    i, j = pairs(p)
    return (p[i, :1] * p[j, :1] - (p[i, 1:] * p[j, 1:]).sum(-1, keepdim=True))

def pelican(products):
    def call(net, p):
        return net(pairs(p), torch.zeros(p.shape[0], dtype=torch.long), in_rank2=products(p), num_graphs=1)
    return lambda rank: layer("pelican:PELICAN", 1, 0, 0, rank, 3, 2, 4, call=lambda net, p: call(net, p)[0] if rank == 0 else call(net, p))

def euclidean_products(p):
    i, j = pairs(p)
    return (p[i] * p[j]).sum(-1, keepdim=True)

def slim(readout):
    def call(net, p):
        return readout(*net(p[:, None], torch.ones_like(p[:, :1])))
    return layer("lgatr:LGATrSlim", 2, 1, 1, 4, 1, 1, 4, 2, call=call)

def multivectors(**options):
    """Products of three multivectors that linear layers of L-GATr make of the momenta of a jet."""
    def build():
        import lgatr
        from lgatr.layers import EquiLinear
        from lgatr.primitives.bilinear import geometric_product
        torch.manual_seed(0)
        config = lgatr.PrimitivesConfig(**options)
        first = EquiLinear(1, 3, config).eval()
        def call(p):
            x, y, z = first(lgatr.embed_vector(p)[:, None])[0].unbind(1)
            z = z * (p[:, :1] ** 2 - (p[:, 1:] ** 2).sum(1, keepdim=True))
            pairs = geometric_product(x, y.sum(0).expand_as(x), config=config)
            return lgatr.extract_vector(geometric_product(pairs, z.sum(0).expand_as(x), config=config))
        return call
    return built(build)

def clifford_attention(**options):
    """Geometric algebra attention of vectors with features, with small MLPs."""
    def build():
        from geometric_algebra_attention import pytorch as gala
        torch.manual_seed(0)
        def mlp(i, o):
            return nn.Sequential(nn.Linear(i, 8), nn.SiLU(), nn.Linear(8, o))
        kind = gala.VectorAttention
        if "scale" in options:
            kind = gala.Vector2VectorAttention
            made = kind(4, mlp(4, 1), mlp(2, 4), mlp(4, 1), reduce=False)
        else:
            made = kind(4, mlp(4, 1), mlp(2, 4), **options)
        made = made.eval()
        return lambda r, v: made((r, v))
    return built(build)

def sake(make, read, *, velocity=False):
    """A layer of flax on features and positions of a molecule."""
    def build():
        import jax
        import jax.numpy as jnp
        from sake import layers, models
        module = make(layers, models)
        given = (jnp.zeros((3, 4)), jnp.ones((3, 3))) + ((jnp.ones((3, 3)),) if velocity else ())
        weights = module.init(jax.random.PRNGKey(0), *given)
        return lambda *arrays: module.apply(weights, *arrays)[read]
    return built(build)

def attnax(call, **options):
    def build():
        from attnax.attention import MultiHeadAttention
        from flax import nnx
        made = MultiHeadAttention(nnx.Rngs(0), num_heads=2, in_features=8, **options)
        return lambda x: call(made, x)
    return built(build)

def causal(made, x):
    import jax.numpy as jnp
    return made(x[None], mask=jnp.tril(jnp.ones((x.shape[0], x.shape[0]), bool))[None, None], deterministic=True)[0]

def equimo(make, call):
    def build():
        import jax
        from equimo import layers
        key = jax.random.PRNGKey(0)
        made = make(layers, key)
        return lambda x: call(made, x, key)
    return built(build)

def deq(update, steps):
    """A deep equilibrium layer: the fixed point of an update, after a number of steps of a solver."""
    def build():
        from torchdeq import get_deq
        torch.manual_seed(0)
        solve = get_deq(f_solver="fixed_point_iter", f_max_iter=steps, f_tol=0.0).eval()
        w, u = 0.3 * torch.randn(4, 4), torch.randn(4, 4)
        return lambda x: solve(lambda z: update(z, x, w, u), torch.zeros_like(x))[0][-1]
    return built(build)

def hyperbolic(call):
    """Functions of the Poincaré ball, of tangent vectors at its origin."""
    def build():
        from hypll.manifolds.poincare_ball import Curvature, PoincareBall
        from hypll.tensors import ManifoldTensor, TangentTensor
        torch.manual_seed(0)
        ball = PoincareBall(Curvature(1.0))
        def point(v):
            return ball.expmap(TangentTensor(data=v, man_dim=-1, manifold=ball))
        return lambda *v: call(ball, ManifoldTensor, *map(point, v))
    return built(build)

def hyperbolic_linear():
    from hypll import nn as hnn
    from hypll.manifolds.poincare_ball import Curvature, PoincareBall
    from hypll.tensors import TangentTensor
    torch.manual_seed(0)
    ball = PoincareBall(Curvature(1.0))
    made = hnn.HLinear(4, 4, manifold=ball)
    return lambda v: made(ball.expmap(TangentTensor(data=v, man_dim=-1, manifold=ball))).tensor

def ranking_transformer(position):
    def build():
        from allrank.config import PositionalEncoding
        from allrank.models.transformer import make_transformer
        torch.manual_seed(0)
        encoding = PositionalEncoding("fixed", 16) if position else None
        made = make_transformer(2, 16, 2, 0.0, 8, encoding).eval()
        def call(x):
            n = x.shape[0]
            return made(x[None], torch.zeros(1, n, dtype=torch.bool), torch.arange(n)[None])[0]
        return call
    return built(build)

def hyper(name, *arguments, read=0, **options):
    """A layer of hypergraphs, of features of nodes and a dense incidence matrix."""
    path = f"topomodelx.nn.hypergraph.{name}"
    return layer(path, *arguments, call=lambda made, x, b: made(x, b.to_sparse())[read], **options)

def hnhn():
    from topomodelx.nn.hypergraph.hnhn_layer import HNHNLayer
    torch.manual_seed(0)
    made = HNHNLayer(4, 2, torch.ones(5, 3)).eval()
    return lambda x, b: made(x, b)[0]

def ordinal(call):
    """A network with the layer of CORAL and its loss."""
    def build():
        from coral_pytorch import dataset, layers, losses
        torch.manual_seed(0)
        made = layers.CoralLayer(4, 4)
        return lambda *arrays: call(dataset, made, losses, *arrays)
    return built(build)

def preconditioned(field, schedule="VPSchedule"):
    """The denoiser of Karras et al. around a network of clouds, at one time."""
    def build():
        import azula.denoise
        import azula.noise
        class Backbone(nn.Module):
            def forward(self, x, t, **options):
                return field(x) * torch.cos(t)
        made = azula.denoise.KarrasDenoiser(Backbone(), getattr(azula.noise, schedule)())
        return lambda x: made(x, torch.tensor(0.4).to(x)).mean
    return built(build)

def attraction(x):
    d = x[:, None] - x[None]
    return (d * torch.exp(-(d**2).sum(-1, keepdim=True))).sum(1)

def svdd(center):
    def build():
        from pytorch_ood.loss import DeepSVDDLoss
        return DeepSVDDLoss(3, center=torch.tensor(center)).eval()
    return built(build)

def radial():
    from normflows.flows import Radial
    torch.manual_seed(0)
    return Radial((3,), z_0=torch.zeros(1, 3))

def padded(module, x, keep):
    return module(x[None], mask=keep[None])[0]

def cox(name, **options):
    return using(f"pycox.models.loss:{name}", lambda loss, *arrays: loss(*arrays, **options))

def expected(path, **options):
    return using(path, lambda loss, x, y: loss(x, y.to(x.dtype), **options))

CLAIMS = [
    # attention and mixtures of experts
    of_torch(
        layer("agent_attention_pytorch.agent_transformer:AgentSelfAttention", 8, num_agent_tokens=3, dim_head=4, heads=2, call=lambda f, x, a: f(x[None], agent_tokens=a[None])[0]),
        "x: n 8, a: m 8 -> n 8",
        true("AgentSelfAttention tokens and agents", "S(n) x S(m)"),
    ),
    of_torch(
        layer("agent_attention_pytorch:AgentTransformer", 8, num_agent_tokens=3, depth=1, dim_head=4, heads=2, call=one),
        "x: n 8 -> n 8",
        true("AgentTransformer learned agents", "S(n)"),
    ),
    of_torch(
        layer("soft_moe_pytorch:SoftMoE", 8, num_slots=2, num_experts=2, call=one),
        "x: n 8 -> n 8",
        true("SoftMoE", "S(n)"),
        false("SoftMoE features", "S(8)"),
    ),
    of_torch(
        layer("soft_moe_pytorch:SoftMoE", 8, num_slots=2, num_experts=2, geglu=True, use_layernorm=True, call=padded),
        "x: n 8, keep[bool]: n -> n 8",
        true("SoftMoE geglu masked", "S(n)"),
    ),
    of_torch(
        using("simplicial_attention:naive_two_simplicial_attend", lambda f, q, k, v: f(q[None, None], (k[None, None], k[None, None]), (v[None, None], v[None, None]))[0, 0]),
        "q: m d, k: n d, v: n c -> m c",
        true("naive_two_simplicial_attend keys and queries", "S(n) x S(m)"),
        false("naive_two_simplicial_attend trilinear scores", "O(d)"),
    ),
    of_torch(
        using("simplicial_attention:naive_two_simplicial_attend", lambda f, x: f(x[None, None], (x[None, None],) * 2, (x[None, None],) * 2, causal=True)[0, 0]),
        "x: n 4 -> n 4",
        false("naive_two_simplicial_attend causal", "S(n)"),
    ),
    of_torch(
        using("simplicial_attention:signed_determinant", lambda f, q, k, l: f(q[None, None], k[None, None], l[None, None])[0, 0]),
        "q: m 3, k: n 3, l: n 3 -> m n n",
        true("signed_determinant", "SO(3) x S(m) x S(n)"),
        false("signed_determinant reflections", "O(3)"),
    ),
    of_torch(
        using("simplicial_attention:tri_directional_attend", lambda f, *a: tuple(y[0, 0] for y in f(*(x[None, None] for x in a)))),
        "a: i 4, u: i c, b: j 4, v: j c, e: k 4, w: k c -> i c, j c, k c",
        true("tri_directional_attend three sets", "S(i) x S(j) x S(k)", i=(2, 4), j=(2, 4), k=(2, 4)),
    ),
    of_torch(
        layer("aft_pytorch.aft_pytorch:AFTSimple", 8, 4, 6, call=one), "x: n 4 -> n 4", true("AFTSimple", "S(n)")
    ),
    of_torch(
        layer("aft_pytorch.aft_pytorch:AFTFull", 8, 4, 6, call=one),
        "x: n 4 -> n 4",
        false("AFTFull biases of positions", "S(n)"),
    ),
    of_torch(
        layer("fightingcv_attention.attention.ExternalAttention:ExternalAttention", 8, 4, call=one),
        "x: n 8 -> n 8",
        true("fightingcv ExternalAttention", "S(n)"),
    ),
    of_torch(
        layer("fightingcv_attention.attention.SimAM:SimAM", call=one),
        "x: c h w -> c h w",
        true("fightingcv SimAM pixels", "S(c) x S(h) x S(w)"),
    ),
    of_torch(
        layer("fightingcv_attention.attention.ECAAttention:ECAAttention", call=one),
        "x: c h w -> c h w",
        true("fightingcv ECAAttention pixels", "S(h) x S(w)"),
        false("fightingcv ECAAttention channels", "S(c)"),
    ),
    of_torch(
        layer("fightingcv_attention.attention.UFOAttention:UFOAttention", 8, 3, 4, 2, call=lambda f, x, y: f(x[None], y[None], y[None])[0]),
        "x: m 8, y: n 8 -> m 8",
        true("fightingcv UFOAttention", "S(m) x S(n)"),
    ),
    of_torch(
        layer("fast_transformer_pytorch.fast_transformer_pytorch:FastAttention", 8, heads=2, dim_head=4, call=padded),
        "x: n 8, keep[bool]: n -> n 8",
        true("FastAttention masked", "S(n)"),
    ),
    of_torch(
        layer("fast_transformer_pytorch:FastTransformer", num_tokens=11, dim=8, depth=1, max_seq_len=16, heads=2, dim_head=8, absolute_pos_emb=True, call=lambda f, i: f(i[None], mask=torch.ones(1, i.shape[0], dtype=torch.bool))[0]),
        "i[11]: n -> n 11",
        false("FastTransformer absolute positions", "S(n)"),
    ),
    of_torch(
        layer("taylor_series_linear_attention:TaylorSeriesLinearAttn", 8, dim_head=4, heads=2, call=one),
        "x: n 8 -> n 8",
        true("TaylorSeriesLinearAttn", "S(n)"),
    ),
    of_torch(
        layer("taylor_series_linear_attention:TaylorSeriesLinearAttn", 8, dim_head=4, heads=2, shift_tokens=True, call=one),
        "x: n 8 -> n 8",
        false("TaylorSeriesLinearAttn shifted tokens", "S(n)"),
    ),
    of_torch(
        layer("compositional_attention_pytorch:CompositionalAttention", dim=8, dim_head=4, num_searches=2, num_retrievals=2, call=one),
        "x: n 8 -> n 8",
        true("CompositionalAttention", "S(n)"),
    ),
    of_torch(
        layer("compositional_attention_pytorch:CompositionalAttention", dim=8, dim_head=4, num_searches=2, num_retrievals=2, causal=True, call=one),
        "x: n 8 -> n 8",
        false("CompositionalAttention causal", "S(n)"),
    ),
    of_torch(
        layer("product_key_memory:PKM", 8, heads=2, num_keys=4, topk=2, dim_head=4, call=one),
        "x: n 8 -> n 8",
        true("PKM product keys", "S(n)"),
    ),
    of_torch(
        layer("azula.nn.attention:MultiheadSelfAttention", 8, 2, 2, rope=True),
        "x: n 8, p: n 2 -> n 8",
        true("azula MultiheadSelfAttention rope moves with positions", "S(n)"),
        true("azula MultiheadSelfAttention rope translations", "T(2)"),
        false("azula MultiheadSelfAttention rope rotations", "O(2)"),
    ),
    of_torch(preconditioned(attraction), "x: n d -> n d", true("azula KarrasDenoiser forces", "S(n) x O(d)"), false("azula KarrasDenoiser translations", "T(d)")),
    # sets, tables, series, recommenders
    of_torch(
        layer("ust.modules.set_transformer:SelfSetAttentionBlock", 8, 2, 16, call=one),
        "x: n 8 -> n 8",
        true("ust SelfSetAttentionBlock", "S(n)"),
    ),
    of_torch(
        layer("ust.modules.set_transformer:CrossSetAttentionBlock", 8, 2, 16, call=lambda f, x, y, m: f(x[None], y[None], m[None])[0]),
        "x: m 8, y: n 8, w: n -> m 8",
        true("ust CrossSetAttentionBlock multiplicities", "S(m) x S(n)", draw="positive"),
    ),
    of_torch(
        layer("iTransformer:iTransformer", num_variates=4, lookback_len=6, depth=1, dim=8, pred_length=3, dim_head=4, heads=2, use_reversible_instance_norm=True, flash_attn=False, call=lambda f, x: f(x[None])[0]),
        "x: 6 4 -> 3 4",
        true("iTransformer variates", "S(4)"),
        false("iTransformer time", "C(6)"),
    ),
    of_torch(
        layer("rtdl_revisiting_models:FTTransformer", n_cont_features=3, cat_cardinalities=[4], d_out=2, n_blocks=1, d_block=8, attention_n_heads=2, attention_dropout=0.0, ffn_d_hidden=8, ffn_d_hidden_multiplier=None, ffn_dropout=0.0, residual_dropout=0.0, call=lambda f, x, k: f(x, k[:, None])),
        "x: n 3, k[4]: n -> n 2",
        true("rtdl FTTransformer rows", "S(n)"),
        false("rtdl FTTransformer columns", "S(3)"),
    ),
    of_torch(
        layer("rtdl_num_embeddings:PeriodicEmbeddings", 4, 3, n_frequencies=5, lite=True),
        "x: n 4 -> n 4 3",
        true("rtdl PeriodicEmbeddings lite rows", "S(n)"),
        false("rtdl PeriodicEmbeddings lite columns", "S(4)"),
    ),
    of_torch(
        layer("tabm:TabM", n_num_features=4, d_out=1, n_blocks=1, d_block=8, dropout=0.0, k=3, start_scaling_init="random-signs", call=lambda f, x: f(x).squeeze(-1)),
        "x: n 4 -> n 3",
        true("tabm TabM rows", "S(n)"),
        false("tabm TabM columns", "S(4)"),
    ),
    of_torch(
        layer("torch_rechub.basic.layers:FM", reduce_sum=True),
        "x: n f d -> n 1",
        true("torch_rechub FM fields", "S(f) x O(d) x S(n)"),
    ),
    of_torch(
        layer("torch_rechub.basic.layers:InteractingLayer", 4),
        "x: n f 4 -> n f 4",
        true("torch_rechub InteractingLayer fields", "S(f) x S(n)"),
        false("torch_rechub InteractingLayer embeddings", "O(4)"),
    ),
    of_torch(
        layer("torch_rechub.basic.layers:SENETLayer", 6, 2),
        "x: n 6 d -> n 6 d",
        true("torch_rechub SENETLayer embeddings", "S(d)"),
        false("torch_rechub SENETLayer fields", "S(6)"),
    ),
    of_torch(
        layer("deepctr_torch.layers.interaction:AFMLayer", 4, call=lambda f, x: f(list(x.split(1, 1)))),
        "x: n 5 4 -> n 1",
        true("deepctr AFMLayer fields", "S(5)"),
    ),
    of_torch(
        layer("deepctr_torch.layers.interaction:CrossNet", 6),
        "x: n 6 -> n 6",
        true("deepctr CrossNet rows", "S(n)"),
        false("deepctr CrossNet features", "S(6)"),
    ),
    of_torch(
        layer("ncps.torch:CfC", 3, 4, call=lambda f, x: f(x)[0]),
        "x: b t 3 -> b t 4",
        true("ncps CfC batch", "S(b)"),
        false("ncps CfC time", "S(t)"),
    ),
    of_torch(
        layer("torchcrf:CRF", 3, batch_first=True, call=lambda f, e, y: f(e, y, reduction="none")),
        "e: b t 3, y[3]: b t -> b",
        true("torchcrf CRF batch", "S(b)"),
        false("torchcrf CRF time", "S(t)"),
    ),
    # molecules, clouds, vectors
    of_torch(
        layer("VN_transformer:VNTransformer", dim=4, depth=1, dim_head=4, heads=2, translation_equivariance=True, call=one),
        "x: n 3 -> n 3",
        true("VNTransformer translation_equivariance", "E(3) x S(n)"),
    ),
    of_torch(
        layer("VN_transformer:VNTransformer", dim=4, depth=1, dim_head=4, heads=2, bias_epsilon=0.1, call=one),
        "x: n 3 -> n 3",
        true("VNTransformer bias_epsilon points", "S(n)"),
        false("VNTransformer bias_epsilon", "SO(3)"),
    ),
    of_torch(
        layer("VN_transformer:VNInvariant", 4, call=one),
        "x: n 4 3 -> n 3!",
        true("VNInvariant", "O(3) x S(n)"),
        false("VNInvariant channels", "S(4)"),
    ),
    of_torch(
        layer("geometric_vector_perceptron:GVP", dim_vectors_in=4, dim_vectors_out=2, dim_feats_in=5, dim_feats_out=3, vector_gating=True, call=lambda f, s, v: f((s, v))),
        "s: n 5, v: n 4 3 -> n 3!, n 2 3",
        true("GVP vector_gating", "O(3) x S(n)"),
        false("GVP of positions", "T(3)"),
    ),
    of_torch(
        layer("geometric_vector_perceptron:GVPLayerNorm", 5),
        "s: n 5, v: n 4 3 -> n 5, n 4 3",
        true("GVPLayerNorm", "O(3) x S(4) x S(n)"),
    ),
    of_torch(
        clifford_attention(rank=2),
        "r: n 3, v: n 4 -> 4",
        true("geometric_algebra_attention VectorAttention rank 2", "SO(3) x S(n)"),
        false("geometric_algebra_attention VectorAttention positions not centred", "T(3)"),
    ),
    of_torch(
        clifford_attention(rank=2, reduce=False),
        "r: n 3, v: n 4 -> n 4",
        true("geometric_algebra_attention VectorAttention reduce=False", "O(3) x S(n)"),
    ),
    of_torch(
        layer("molecule_attention_transformer.molecule_attention_transformer:Attention", 8, heads=2, dim_head=4, call=lambda f, x, a, d: f(x[None], adjacency_mat=a[None], distance_mat=d[None])[0]),
        "x: n 8, a: n n, d: n n -> n 8",
        true("molecule_attention_transformer Attention", "S(n)", draw="positive"),
    ),
    of_torch(
        layer("molecule_attention_transformer:MAT", dim_in=5, model_dim=8, dim_out=2, depth=1, heads=2, Lg=0.5, call=lambda f, x, r: f(x[None], adjacency_mat=torch.exp(-torch.cdist(r, r))[None], distance_mat=torch.cdist(r, r)[None])[0]),
        "x: n 5, r: n 3 -> 2",
        true("molecule_attention_transformer MAT distances", "E(3) x S(n)"),
    ),
    of_torch(
        layer("pointnet:PointNetCls", in_dim=3, out_dim=2, stn_3d=None, call=one),
        "x: 3 n -> 2",
        true("pointnet PointNetCls points", "S(n)", n=(3, 4)),
        false("pointnet PointNetCls rotations", "SO(3)", n=4),
    ),
    of_torch(pelican(lorentz_products)(0), "p: n 4 -> 3", true("PELICAN graph of Minkowski products", "Lorentz(4) x S(n)")),
    of_torch(pelican(lorentz_products)(1), "p: n 4 -> n 3", true("PELICAN nodes of Minkowski products", "Lorentz(4) x S(n)")),
    of_torch(pelican(euclidean_products)(1), "p: n 4 -> n 3", true("PELICAN nodes of Euclidean products", "O(4) x S(n)"), false("PELICAN Euclidean products under boosts", "Lorentz(4)")),
    of_torch(slim(lambda v, s: v[:, 0]), "p: n 4 -> n 4", true("LGATrSlim vectors", "Lorentz(4) x S(n)")),
    of_torch(slim(lambda v, s: v[:, 0] + s), "p: n 4 -> n 4", false("LGATrSlim scalars added to vectors", "Lorentz(4)")),
    of_torch(multivectors(subgroup=False), "p: n 4 -> n 4", true("lgatr EquiLinear and geometric_product", "Lorentz(4) x S(n)")),
    of_torch(multivectors(), "p: n 4 -> n 4", true("lgatr geometric_product default subgroup", "S(n)"), false("lgatr geometric_product default subgroup under reflections", "Lorentz(4)")),
    of_jax(
        sake(lambda L, M: L.DenseSAKELayer(out_features=4, hidden_features=4, n_heads=2), 1),
        "h: n 4, x: n 3 -> n 3",
        true("sake DenseSAKELayer positions", "E(3) x S(n)", n=(2, 4)),
    ),
    of_jax(
        sake(lambda L, M: M.DenseSAKEModel(hidden_features=4, out_features=2, depth=1, n_heads=2), 0),
        "h: n 4, x: n 3 -> n 2",
        true("sake DenseSAKEModel features", "E(3) x S(n)", n=(2, 4)),
    ),
    of_jax(
        sake(lambda L, M: L.EquivariantGraphConvolutionalLayer(out_features=4, hidden_features=4, update=True), 1, velocity=True),
        "h: n 4, x: n 3, v: n 3 -> n 3",
        true("sake EquivariantGraphConvolutionalLayer nodes", "S(n)", n=(2, 4)),
        false("sake EquivariantGraphConvolutionalLayer adds scalars to velocities", "SO(3)", n=(2, 4)),
    ),
    # hypergraphs
    of_torch(hyper("unigin_layer:UniGINLayer", 4), "x: n 4, b: n e -> n 4", true("topomodelx UniGINLayer", "S(n) x S(e)", draw="positive")),
    of_torch(built(hnhn), "x: 5 4, b: 5 3 -> 5 2", true("topomodelx HNHNLayer", "S(5) x S(3)", draw="positive")),
    of_torch(hyper("unigin_layer:UniGINLayer", 4, read=1), "x: n 4, b: n e -> e 4", true("topomodelx UniGINLayer hyperedges", "S(n) x S(e)", draw="positive"), false("topomodelx UniGINLayer channels of hyperedges shifted", "T(4)", draw="positive")),
    # survival, ranking, ordinal regression
    of_torch(using("pycox.models.loss:nll_logistic_hazard", lambda f, phi, t, e: f(phi, t, e.to(phi.dtype))), "phi: n 4, t[4]: n, e[bool]: n -> ()", true("pycox nll_logistic_hazard", "S(n)")),
    of_torch(using("pycox.models.loss:nll_pmf", lambda f, phi, t: f(phi, t, torch.ones_like(phi[:, 0]))), "phi: n c, t[c]: n -> ()", true("pycox nll_pmf events only", "S(c) x S(n)")),
    of_torch(using("pycox.models.loss:nll_pmf", lambda f, phi, t: f(phi, t, torch.zeros_like(phi[:, 0]))), "phi: n c, t[c]: n -> ()", true("pycox nll_pmf censored", "S(n)"), false("pycox nll_pmf censored, times reordered", "S(c)")),
    of_torch(cox("cox_ph_loss_sorted"), "h: n, e: n -> ()", false("pycox cox_ph_loss_sorted", "S(n)", draw="positive")),
    of_torch(using("pycox.models.loss:cox_ph_loss", lambda f, h, t, e: f(h, t, e.to(h.dtype))), "h: n, t[4]: n, e[bool]: n -> ()", false("pycox cox_ph_loss tied days", "S(n)", n=(5, 8))),
    of_torch(cox("cox_cc_loss_single_ctrl"), "g: n, h: n -> ()", true("pycox cox_cc_loss_single_ctrl", "S(n)")),
    of_torch(expected("allrank.models.losses:listNet"), "s: b n, y[5]: b n -> ()", true("allrank listNet", "S(n) x S(b)")),
    of_torch(expected("allrank.models.losses:approxNDCGLoss"), "s: b n, y[5]: b n -> ()", true("allrank approxNDCGLoss", "S(n) x S(b)")),
    of_torch(expected("allrank.models.losses:pointwise_rmse", no_of_levels=5), "s: b n, y[5]: b n -> ()", true("allrank pointwise_rmse", "S(n) x S(b)")),
    of_torch(ranking_transformer(False), "x: n 8 -> n 8", true("allrank transformer", "S(n)")),
    of_torch(ranking_transformer(True), "x: n 8 -> n 8", false("allrank transformer positional encoding", "S(n)")),
    of_torch(ordinal(lambda data, made, losses, x: made(x)), "x: n 4 -> n 3", true("coral_pytorch CoralLayer", "S(n)"), false("coral_pytorch CoralLayer features", "S(4)")),
    of_torch(using("coral_pytorch.losses:coral_loss", lambda f, x, y: f(x, y.to(x.dtype))), "x: n c, y[bool]: n c -> ()", true("coral_pytorch coral_loss tasks", "S(n) x S(c)")),
    of_torch(using("coral_pytorch.losses:corn_loss", lambda f, x, y: f(x, y, 4)), "x: n 3, y[4]: n -> ()", true("coral_pytorch corn_loss", "S(n)"), false("coral_pytorch corn_loss tasks", "S(3)")),
    of_torch(layer("diffsort:DiffSortNet", "odd_even", 4, call=lambda f, x: f(x)[0]), "x: b 4 -> b 4", true("DiffSortNet rows, shifted", "S(b) x T(b)"), false("DiffSortNet order of entries", "S(4)")),
    # adaptation of domains, detection of outliers, Lipschitz layers
    of_torch(layer("pytorch_adapt.layers:CORALLoss"), "x: n d, y: m d -> ()", true("pytorch_adapt CORALLoss", "E(d) x S(n) x S(m)")),
    of_torch(layer("pytorch_adapt.layers:MMDLoss", mmd_type="quadratic"), "x: n d, y: m d -> ()", true("pytorch_adapt MMDLoss quadratic", "E(d) x S(n) x S(m)")),
    of_torch(layer("pytorch_adapt.layers:MMDLoss"), "x: n d, y: n d -> ()", true("pytorch_adapt MMDLoss linear isometries", "E(d)", n=4), false("pytorch_adapt MMDLoss linear order", "S(n)", n=6)),
    of_torch(layer("pytorch_adapt.layers:BNMLoss"), "x: n c -> ()", true("pytorch_adapt BNMLoss", "S(n) x S(c)"), false("pytorch_adapt BNMLoss logits rotated", "O(c)")),
    of_torch(layer("pytorch_adapt.layers:MCCLoss"), "x: n c -> ()", true("pytorch_adapt MCCLoss", "S(n) x S(c)")),
    of_torch(layer("pytorch_adapt.layers:BatchSpectralLoss", 2), "x: n d -> ()", true("pytorch_adapt BatchSpectralLoss", "O(n) x O(d)"), false("pytorch_adapt BatchSpectralLoss translations", "T(d)")),
    of_torch(svdd([0.0, 0.0, 0.0]), "x: n 3 -> ()", true("pytorch_ood DeepSVDDLoss centred", "O(3) x S(n)")),
    of_torch(svdd([0.3, 0.1, 0.0]), "x: n 3 -> ()", false("pytorch_ood DeepSVDDLoss with a centre", "O(3)")),
    of_torch(using("pytorch_ood.detector:EnergyBased", lambda f, x: f.score(x)), "x: n c -> n", true("pytorch_ood EnergyBased", "S(n) x S(c)")),
    of_torch(layer("pytorch_ood.loss:LogitNorm", 0.1), "x: n c, y[c]: n -> ()", true("pytorch_ood LogitNorm", "S(n) x S(c)")),
    of_torch(layer("deel.torchlip:FullSort"), "x: n d -> n d!", true("torchlip FullSort features", "S(d) x S(n)")),
    of_torch(layer("deel.torchlip:GroupSort2"), "x: n 6 -> n 6", true("torchlip GroupSort2 rows", "S(n)"), false("torchlip GroupSort2 features", "S(6)")),
    of_torch(layer("deel.torchlip.modules:HouseHolder", 6), "x: n 6 -> n 6", false("torchlip HouseHolder features", "S(6)")),
    # implicit layers, flows, hyperbolic space, paths
    of_torch(deq(lambda z, x, w, u: torch.tanh(z @ w + z.mean(0) + x @ u), 6), "x: n 4 -> n 4", true("torchdeq deep sets", "S(n)"), false("torchdeq rotated features", "O(4)")),
    of_torch(built(radial), "z: n 3 -> n 3, n", true("normflows Radial about the origin", "O(3) x S(n)")),
    of_torch(layer("normflows.flows:Planar", (3,), call=lambda f, z: f(z)), "z: n 3 -> n 3, n", true("normflows Planar rows", "S(n)"), false("normflows Planar rotations", "O(3)")),
    of_torch(hyperbolic(lambda ball, T, x, y: ball.dist(x, y)), "x: n d, y: n d -> n", true("hypll dist", "O(d) x S(n)"), false("hypll dist translations of tangent vectors", "T(d)")),
    of_torch(built(hyperbolic_linear), "x: n 4 -> n 4", true("hypll HLinear rows", "S(n)"), true("hypll HLinear at its first weights", "O(4)")),
    of_jax(using("signax:signature", lambda f, x: f(x, 2, flatten=False)[1]), "x: n d -> d d", true("signax signature depth 2", "GL(d)"), false("signax signature order of the path", "S(n)")),
    of_jax(using("signax:logsignature", lambda f, x: f(x, 2)), "x: n 3 -> 6", true("signax logsignature", "T(3)"), false("signax logsignature reversed path", "D(n)")),
    of_jax(equimo(lambda L, key: L.attention.Attention(8, 2, key=key), lambda f, x, key: f(x, key, inference=True)), "x: n 8 -> n 8", true("equimo Attention", "S(n)", single=True)),
    of_jax(attnax(lambda f, x: f(x[None], deterministic=True)[0]), "x: n 8 -> n 8", true("attnax MultiHeadAttention", "S(n)")),
    of_jax(attnax(causal), "x: n 8 -> n 8", false("attnax MultiHeadAttention causal", "S(n)")),
]
