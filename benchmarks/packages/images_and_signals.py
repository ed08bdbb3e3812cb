"""Images, convolutions, spectra, audio and time series."""

from __future__ import annotations

import functools
import math

import numpy as np
import timm.layers as L
import torch
import torch.nn.functional as F
import torchmetrics.functional as M
import torchvision
import torchvision.ops as O
from timm.models import mlp_mixer, vision_transformer
from torch import nn
from torchvision import ops
from torchvision.models import vision_transformer as tv

from benchmarks.packages.claims import numpy_false, numpy_true, torch_false, torch_true
from benchmarks.packages.helpers import (
    DIMENSION,
    IMAGES,
    built,
    built_2,
    held,
    keras,
    mods_2,
    named,
    rows,
    seeded,
    siglip,
    timm_layer,
    timm_model,
    using,
)


def patches(**options):
    """A small ViT after its patches, as a function of the tokens."""
    model = vision_transformer.VisionTransformer(
        img_size=8, patch_size=4, embed_dim=8, depth=2, num_heads=2, num_classes=3, **options
    )
    return lambda x: model.forward_head(model.norm(model.blocks(x)))


def vit():
    torch.manual_seed(0)
    return patches()


def average():
    torch.manual_seed(0)
    return (lambda f: lambda x: f(x[None])[0])(patches(global_pool="avg", class_token=False))


def tokens():
    torch.manual_seed(0)
    f = patches()
    return lambda c, x: f(torch.cat([c[None], x])[None])[0]


def whole():
    torch.manual_seed(0)
    return vision_transformer.VisionTransformer(
        img_size=8, patch_size=4, embed_dim=8, depth=1, num_heads=2, num_classes=3
    ).eval()


def patched(**options):
    """A small ViT of a column of two patches, as a function of one picture."""
    torch.manual_seed(0)
    model = vision_transformer.VisionTransformer(
        img_size=(8, 4), patch_size=4, embed_dim=8, depth=1, num_heads=2, num_classes=3, **options
    ).eval()
    return lambda x: model(x.reshape(1, 3, 8, 4))[0]


class SpectralFilter(nn.Module):
    """A polynomial of a graph's Laplacian."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(3))

    def forward(self, a, x):
        """The layer."""
        lap = torch.diag(a.sum(1)) - a
        out, h = self.w[0] * x, x
        for k in range(1, 3):
            h = lap @ h
            out = out + self.w[k] * h
        return out


def convnext():
    from transformers import ConvNextConfig, ConvNextModel

    torch.manual_seed(0)
    model = ConvNextModel(
        ConvNextConfig(hidden_sizes=[4, 8], depths=[1, 1], num_stages=2, patch_size=2)
    ).eval()
    return lambda x: model(x).pooler_output


def autocorr_direct(x):
    n = len(x)
    return np.array([np.dot(x, np.roll(x, k)) for k in range(3)]) / n


def half_turn(x):
    return np.roll(x, len(x) // 2) + x


def pca_spectrum(X):
    Xc = X - X.mean(axis=0)
    cov = np.cov(Xc, rowvar=False)
    return np.sort(np.linalg.eigvalsh(cov))[::-1]


def dtw(x, y):
    n, m = len(x), len(y)
    D = np.full((n + 1, m + 1), np.inf)
    D[0, 0] = 0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            D[i, j] = abs(x[i - 1] - y[j - 1]) + min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1])
    return D[n, m]


def acf(x, lags=3):
    x = x - x.mean()
    return np.array([1.0] + [np.sum(x[k:] * x[:-k]) for k in range(1, lags)]) / np.sum(x * x)


def circular_acf(x):
    x = x - x.mean()
    f = np.fft.rfft(x)
    r = np.fft.irfft(np.abs(f) ** 2, n=len(x))
    return r / r[0]


def circular_conv(x, k):
    n = len(x)
    i = (np.arange(n)[:, None] - np.arange(n)[None, :]) % n
    return k[i] @ x


def spectral_centroid(x):
    s = np.abs(np.fft.rfft(x))
    return (np.arange(len(s)) * s).sum() / s.sum()


def persistence_image(B, D):
    life = D - B
    u = np.linspace(0, 1, 3)
    return (life[:, None] * np.exp(-((B[:, None] - u) ** 2 + (life[:, None] - u) ** 2))).sum(0)


def group_conv(x, w):
    return torch.stack([(x * torch.roll(w, s, 0)).sum() for s in range(x.shape[0])])


IMAGE = "x: b c h w -> b c h w"


def fft_conv(x, k):
    return np.real(np.fft.ifft(np.fft.fft(x) * np.fft.fft(k)))


def spectral_pool(x):
    s = np.abs(np.fft.rfft(x, axis=-1))
    return np.log1p(s).sum(axis=0)


def wrap_conv(x, w=(0.25, 0.5, 0.25)):
    padded = np.pad(x, 1, mode="wrap")
    return np.array([np.dot(padded[i : i + 3], w) for i in range(len(x))])


class RingNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(2, 4, 3, padding=1, padding_mode="circular"), nn.ReLU(),
            nn.Conv1d(4, 4, 5, padding=2, padding_mode="circular"), nn.ReLU(),
            nn.AdaptiveMaxPool1d(1), nn.Flatten(), nn.Linear(4, 3),
        )  # fmt: skip

    def forward(self, x):
        return self.body(x)


class GroupConvZn(nn.Module):
    def __init__(self):
        super().__init__()
        self.psi = nn.Parameter(torch.randn(5))

    def forward(self, x):
        n = x.shape[-1]
        out = torch.zeros_like(x)
        for g in range(5):
            out = out + self.psi[g] * torch.roll(x, shifts=g, dims=-1)
        return F.relu(out) / n


def ema_filter(x, alpha=0.3):
    out = torch.zeros_like(x)
    out[0] = x[0]
    for t in range(1, x.shape[0]):
        out[t] = alpha * x[t] + (1 - alpha) * out[t - 1]
    return out


def circular_autocorr(x):
    f = np.fft.fft(x - np.mean(x))
    r = np.fft.ifft(f * np.conj(f)).real
    return r / r[0]


def power_centroid(x):
    f = np.fft.fftshift(np.fft.fft(x))
    p = np.abs(f) ** 2
    return np.sum(np.arange(len(x)) * p) / np.sum(p)


def wavelet():
    from pytorch_wavelets import DWTForward

    return (lambda w: lambda x: w(x)[0])(DWTForward(J=1, wave="haar", mode="periodization"))


class CircularUNet(nn.Module):
    def __init__(self, mode="circular"):
        super().__init__()
        self.c1 = nn.Conv2d(2, 4, 3, padding=1, padding_mode=mode)
        self.c2 = nn.Conv2d(4, 2, 3, padding=1, padding_mode=mode)
        self.norm = nn.GroupNorm(2, 4)

    def forward(self, x, t):
        emb = torch.cat([torch.sin(t[:, None] * torch.arange(1, 3)), torch.cos(t[:, None] * torch.arange(1, 3))], -1)
        h = F.silu(self.norm(self.c1(x))) + emb[:, :, None, None]
        return self.c2(h) + x


class P4Average(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(2, 1, 3, 3))

    def forward(self, x):
        x = F.pad(x, (1, 1, 1, 1), mode="circular")
        return sum(F.conv2d(x, torch.rot90(self.w, k, (2, 3))) for k in range(4))


class SelectiveScan(nn.Module):
    """A state space with steps that depend on the input."""

    def __init__(self, d=3, s=2):
        super().__init__()
        self.A_log = nn.Parameter(torch.log(torch.arange(1, s + 1, dtype=torch.float32).repeat(d, 1)))
        self.proj, self.dt, self.D = nn.Linear(d, 1 + 2 * s), nn.Linear(1, d), nn.Parameter(torch.ones(d))
        self.s = s

    def forward(self, x):
        b, L, d = x.shape
        delta, B, C = self.proj(x).split([1, self.s, self.s], dim=-1)
        delta = F.softplus(self.dt(delta))
        A = -torch.exp(self.A_log)
        dA = torch.exp(torch.einsum("bld,dn->bldn", delta, A))
        dBu = torch.einsum("bld,bln,bld->bldn", delta, B, x)
        h, ys = torch.zeros(b, d, self.s, dtype=x.dtype), []
        for i in range(L):
            h = dA[:, i] * h + dBu[:, i]
            ys.append(torch.einsum("bdn,bn->bd", h, C[:, i]))
        return torch.stack(ys, dim=1) + x * self.D


def soft_dtw(x, y, gamma=1.0):
    DIMENSION = ((x[:, None] - y[None]) ** 2).sum(-1)
    n, m = DIMENSION.shape
    R = np.full((n + 1, m + 1), np.inf)
    R[0, 0] = 0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            r = np.array([R[i - 1, j], R[i, j - 1], R[i - 1, j - 1]])
            low = r.min()
            R[i, j] = DIMENSION[i - 1, j - 1] + low - gamma * np.log(np.exp(-(r - low) / gamma).sum())
    return R[n, m]


def hu_moments(image):
    h, w = image.shape
    y, x = np.mgrid[:h, :w]
    m = image.sum()
    cx, cy = (x * image).sum() / m, (y * image).sum() / m
    mu = lambda p, q: ((x - cx) ** p * (y - cy) ** q * image).sum() / m ** (1 + (p + q) / 2)
    return np.array([mu(2, 0) + mu(0, 2), (mu(2, 0) - mu(0, 2)) ** 2 + 4 * mu(1, 1) ** 2])


def circular_power(x):
    X = np.fft.fft(x)
    return np.real(np.fft.ifft(X * np.conj(X)))


def kalman(ys, q=0.1, r=0.5):
    m, p, total = 0.0, 1.0, 0.0
    for y in ys:
        p = p + q
        s = p + r
        total += 0.5 * np.log(2 * np.pi * s) + 0.5 * (y - m) ** 2 / s
        k = p / s
        m, p = m + k * (y - m), (1 - k) * p
    return total


class PPGNBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.m1, self.m2, self.skip = nn.Conv2d(2, 3, 1), nn.Conv2d(2, 3, 1), nn.Conv2d(5, 2, 1)

    def forward(self, x):
        mult = torch.matmul(F.relu(self.m1(x)), F.relu(self.m2(x)))
        return self.skip(torch.cat((x, mult), 1))


class NetVLAD(nn.Module):
    def __init__(self, k=3, d=4):
        super().__init__()
        self.conv, self.centroids = nn.Conv2d(d, k, 1, bias=True), nn.Parameter(torch.rand(k, d))

    def forward(self, x):
        N, C = x.shape[:2]
        x = F.normalize(x, p=2, dim=1)
        soft = F.softmax(self.conv(x).view(N, 3, -1), dim=1)
        flat = x.view(N, C, -1)
        residual = flat.expand(3, -1, -1, -1).permute(1, 0, 2, 3) - self.centroids.expand(flat.size(-1), -1, -1).permute(1, 2, 0).unsqueeze(0)
        residual = residual * soft.unsqueeze(2)
        vlad = F.normalize(residual.sum(dim=-1), p=2, dim=2)
        return F.normalize(vlad.view(N, -1), p=2, dim=1)


def autocorr_rfft(x):
    f = np.fft.rfft(x - x.mean())
    ac = np.fft.irfft(np.abs(f) ** 2, n=len(x))
    return ac / ac[0]


def bispectrum_diag(x):
    f = np.fft.fft(x)
    n = len(x)
    k = np.arange(n)
    return (f * f * np.conj(f[(2 * k) % n])).real


class Spline(nn.Module):  # radial basis, cosine cutoff, learned filter
    def __init__(self, rc=5.0):
        super().__init__()
        self.register_buffer("mu", torch.linspace(0, rc, 6))
        self.w, self.rc = nn.Linear(6, 3), rc

    def forward(self, x, f):
        r = x[:, None] - x[None]
        d = r.norm(dim=-1).masked_fill(torch.eye(len(x), dtype=torch.bool), 1.0)
        rbf = torch.exp(-((d[..., None] - self.mu) ** 2))
        cut = 0.5 * (torch.cos(d * math.pi / self.rc) + 1) * (d < self.rc)
        w = self.w(rbf) * cut[..., None]
        w = w.masked_fill(torch.eye(len(x), dtype=torch.bool)[..., None], 0.0)
        return torch.einsum("ijc,jc->ic", w, f)


def periodic_autocorrelation(x):
    n = len(x)
    x = x - x.mean()
    return np.array([np.dot(x, np.roll(x, k)) for k in range(n)]) / np.dot(x, x)


class VNLinearMax(nn.Module):
    def __init__(self, cin=1, cout=4):
        super().__init__()
        self.map = nn.Linear(cin, cout, bias=False)
        self.direction = nn.Linear(cout, cout, bias=False)

    def forward(self, x):  # b c 3 n
        x = self.map(x.transpose(1, -1)).transpose(1, -1)
        d = self.direction(x.transpose(1, -1)).transpose(1, -1)
        dots = (x * d).sum(2, keepdims=True)
        best = dots.max(dim=-1, keepdim=False)[1]
        grid = torch.meshgrid([torch.arange(j) for j in x.size()[:-1]], indexing="ij")
        return x[(*grid, best.expand(-1, -1, 3))]


def hampel(x, width=1, n_sigma=3.0):  # on a ring
    n = len(x)
    win = np.stack([np.roll(x, s) for s in range(-width, width + 1)])
    med = np.median(win, axis=0)
    mad = 1.4826 * np.median(np.abs(win - med), axis=0)
    return np.where(np.abs(x - med) > n_sigma * mad, med, x)[:n]


def spectral_burgers(u, nu=0.1, dt=0.01):
    n = u.shape[0]
    k = np.fft.fftfreq(n, d=1.0 / n)
    uh = np.fft.fft(u)
    ux = np.real(np.fft.ifft(1j * k * uh))
    uxx = np.real(np.fft.ifft(-(k**2) * uh))
    return u + dt * (-u * ux + nu * uxx)


CLAIMS = [
    torch_true("torchvision EncoderBlock", rows(lambda: tv.EncoderBlock(2, 8, 16, 0.0, 0.0)), "x: n 8 -> n 8", "S(n)"),
    torch_true("torchvision MLP", seeded(lambda: ops.MLP(4, [8, 3])), "x: n 4 -> n 3", "S(n)"),
    torch_true("torchvision SqueezeExcitation", rows(lambda: ops.SqueezeExcitation(4, 2)), "x: 4 n m -> 4 n m", "S(n) x S(m)"),
    torch_true("torchvision box_area", lambda: ops.box_area, "b: n 4 -> n", "S(n)"),
    torch_true("torchvision box_iou", lambda: ops.box_iou, "a: n 4, b: m 4 -> n m", "S(n) x S(m)", draw="positive"),
    torch_true("torchvision sigmoid_focal_loss", lambda: lambda x, y: ops.sigmoid_focal_loss(x, y, reduction="mean"), "x: n, y: n -> ()", "S(n)", draw="positive"),
    torch_true("torchvision box_convert", lambda: lambda b: ops.box_convert(b, "xyxy", "cxcywh"), "b: n 4 -> n 4", "S(n)"),
    torch_true("torchvision resnet18 batch", seeded(lambda: torchvision.models.resnet18(num_classes=3)), "x: n 3 32 32 -> n 3", "S(n)"),
    torch_true("torchvision LayerNorm2d batch", seeded(lambda: torchvision.models.convnext.LayerNorm2d(4)), "x: n 4 3 3 -> n 4 3 3", "S(n)"),
    torch_true("torchvision rgb_to_grayscale", lambda: lambda x: torchvision.transforms.functional.rgb_to_grayscale(x), "x: 3 h w -> 1 h w", "S(h) x S(w)"),
    torch_true("timm Block", rows(lambda: vision_transformer.Block(8, 2)), "x: n 8 -> n 8", "S(n)"),
    torch_true("timm Attention", rows(lambda: vision_transformer.Attention(8, 2)), "x: n 8 -> n 8", "S(n)"),
    torch_true("timm ViT average pool", average, "x: n 8 -> 3", "S(n)"),
    torch_true("timm ViT class token", tokens, "c: 8, x: n 8 -> 3", "S(n)"),
    torch_true("timm ViT batch", whole, "x: b 3 8 8 -> b 3", "S(b)"),
    torch_true("timm ViT patches", lambda: patched(pos_embed="none"), "x: 3 2 4 4 -> 3", "S(2)"),
    torch_false("timm ViT patches with positions", patched, "x: 3 2 4 4 -> 3", "S(2)"),
    torch_false("timm ViT rows in a patch", lambda: patched(pos_embed="none"), "x: 3 2 v 4 -> 3", "S(v)", sizes={"v": 4}),
    torch_true("timm Mlp", seeded(lambda: L.Mlp(4, 8, 3)), "x: n 4 -> n 3", "S(n)"),
    torch_true("timm SwiGLU", seeded(lambda: L.SwiGLU(4, 8, 3)), "x: n 4 -> n 3", "S(n)"),
    torch_true("timm LayerScale", seeded(lambda: vision_transformer.LayerScale(4, 0.1)), "x: n 4 -> n 4", "S(n)"),
    torch_true("timm EcaModule space", rows(lambda: L.EcaModule(8)), "x: 8 h w -> 8 h w", "S(h) x S(w)"),
    torch_true("timm AttentionPoolLatent", rows(lambda: L.AttentionPoolLatent(8, 8, num_heads=2)), "x: n 8 -> 8", "S(n)"),
    torch_true("timm MixerBlock batch", seeded(lambda: mlp_mixer.MixerBlock(8, 4)), "x: b 4 8 -> b 4 8", "S(b)"),
    torch_true("timm global average pool", lambda: L.SelectAdaptivePool2d(pool_type="avg", flatten=True), "x: b c h w -> b c", "S(h) x S(w)"),
    torch_false("timm MixerBlock tokens", rows(lambda: mlp_mixer.MixerBlock(8, 4)), "x: 4 8 -> 4 8", "S(4)"),
    torch_false("timm ViT pixels", whole, "x: b 3 8 8 -> b 3", "S(3)"),
    torch_false("timm ViT class token moves", vit, "x: b n 8 -> b 3", "S(n)"),
    torch_false("timm Attention rotations", rows(lambda: vision_transformer.Attention(8, 2)), "x: n 8 -> n 8", "O(8)"),
    torch_false("torchvision box_iou coordinates", lambda: ops.box_iou, "a: n v, b: m v -> n m", "S(v)", sizes={"v": 4}, draw="positive"),
    torch_false("torchvision resnet18 shifts", seeded(lambda: torchvision.models.resnet18(num_classes=3)), "x: 1 3 16 16 -> 1 3", "C(16)"),
    torch_false("torchvision rgb_to_grayscale channels", lambda: lambda x: torchvision.transforms.functional.rgb_to_grayscale(x), "x: 3 h w -> 1 h w", "S(3)"),
    torch_false("timm EcaModule channels", rows(lambda: L.EcaModule(8)), "x: 8 h w -> 8 h w", "S(8)"),
    numpy_true("power spectrum", lambda: lambda x: np.abs(np.fft.fft(x)) ** 2 @ np.ones(len(x)), "x: n -> ()", "C(n)"),
    torch_true("spectral filter", built(SpectralFilter), "a: n n, x: n c -> n c", "S(n)"),
    numpy_false("moving average cut", lambda: lambda x: np.convolve(x, np.ones(3) / 3, mode="same"), "x: n -> n", "C(n)", sizes={"n": (3, 8)}),
    torch_true("torchmetrics scale_invariant_sdr", lambda: M.scale_invariant_signal_noise_ratio, "x: n, y: n -> ()", "S(n)"),
    torch_true("torchmetrics psnr", lambda: lambda x, y: M.peak_signal_noise_ratio(x, y, data_range=1.0), "x: n m, y: n m -> ()", "S(n) x S(m)"),
    torch_true("torchvision Permute", lambda: O.Permute([0, 2, 1]), "x: b n c -> b c n", "S(n) x S(c)"),
    torch_true("torchvision StochasticDepth eval", lambda: O.StochasticDepth(0.3, "row").eval(), "x: n d -> n d", "S(n) x O(d)"),
    torch_true("torchvision FrozenBatchNorm2d", lambda: O.FrozenBatchNorm2d(3), "x: b 3 h w -> b 3 h w", "S(h) x S(w)"),
    torch_true("torchvision clip_boxes_to_image", lambda: lambda b: O.clip_boxes_to_image(b, (32, 32)), "b: n 4 -> n 4", "S(n)"),
    torch_true("torch SetConv pool", seeded(lambda: nn.Sequential(nn.Conv1d(3, 8, 1), nn.GELU(), nn.AdaptiveMaxPool1d(1))), "x: b 3 n -> b 8 1", "S(n)"),
    torch_true("timm GlobalResponseNorm", timm_layer("GlobalResponseNormMlp", 4), "x: b h w 4 -> b h w 4", "S(h) x S(w)"),
    torch_true("timm LayerNorm", timm_layer("LayerNorm", 8), "x: n 8 -> n 8", "S(n)"),
    torch_true("timm SelectAdaptivePool2d catavgmax", timm_layer("SelectAdaptivePool2d", pool_type="avgmax", flatten=True), "x: b c h w -> b c", "S(h) x S(w) x S(c)"),
    torch_true("timm ClassifierHead", timm_layer("ClassifierHead", 4, 3), "x: b 4 h w -> b 3", "S(h) x S(w)"),
    torch_true("timm SEModule", timm_layer("SEModule", 16), "x: b 16 h w -> b 16 h w", "S(h) x S(w)"),
    torch_true("timm GatedMlp", timm_layer("GluMlp", 4, 8), "x: n 4 -> n 4", "S(n)"),
    torch_true("timm mobilenet batch", timm_model("mobilenetv3_small_050", num_classes=2), "x: b 3 32 32 -> b 2", "S(b)", sizes={"b": (2, 3)}),
    torch_true("ConvNeXt batch", convnext, "x: b 3 8 8 -> b 8", "S(b)"),
    torch_false("timm SE channels", timm_layer("SEModule", 16), "x: b 16 h w -> b 16 h w", "S(16)"),
    torch_true("torchmetrics spearman", lambda: M.spearman_corrcoef, "x: n, y: n -> ()", "S(n)"),
    torch_true("timm RmsNorm2d", timm_layer("RmsNorm2d", 4), "x: b 4 h w -> b 4 h w", "S(h) x S(w)"),
    torch_true("timm ConvMlp", timm_layer("ConvMlp", 4, 8), "x: b 4 h w -> b 4 h w", "S(h) x S(w)"),
    torch_true("timm GlobalContext space", timm_layer("GlobalContext", 16), "x: b 16 h w -> b 16 h w", "S(h) x S(w)"),
    torch_true("timm DropPath LayerScale", lambda: nn.Sequential(timm_layer("DropPath", 0.2)(), timm_layer("LayerScale", 6)()).eval(), "x: n 6 -> n 6", "S(n)"),
    numpy_true("signals autocorrelation lags", lambda: autocorr_direct, "x: n -> 3", "C(n)"),
    numpy_true("signals half turn", lambda: half_turn, "x: n -> n", "C(n)"),
    torch_false("timm GlobalContext channels", timm_layer("GlobalContext", 16), "x: b 16 h w -> b 16 h w", "S(16)"),
    numpy_false("signals half turn reversed", lambda: lambda x: np.roll(x, len(x) // 2) + np.arange(len(x)) * x, "x: n -> n", "C(n)"),
    numpy_true("PCA spectrum", lambda: pca_spectrum, "X: n d -> d!", "S(n) x E(d)", sizes={"n": (3, 6), "d": 3}),
    numpy_true("circular autocorrelation", lambda: circular_acf, "x: n -> n!", "C(n)", sizes={"n": (3, 8)}),
    numpy_true("circular convolution by an index table", lambda: circular_conv, "x: n, k: n! -> n", "C(n)"),
    numpy_true("spectral centroid", lambda: spectral_centroid, "x: n -> ()", "C(n)", sizes={"n": (3, 8)}),
    numpy_true("persistence image", lambda: persistence_image, "B: n, D: n -> 3", "S(n)"),
    torch_true("group convolution", lambda: group_conv, "x: n, w: n! -> n", "C(n)"),
    numpy_false("dynamic time warping shuffled", lambda: dtw, "x: n, y: m -> ()", "S(n)", sizes={"n": (3, 4), "m": (3, 3)}),
    numpy_false("autocorrelation of a window", lambda: acf, "x: n -> 3", "C(n)", sizes={"n": (4, 7)}),
    numpy_false("autocorrelation shuffled", lambda: circular_acf, "x: n -> n!", "S(n)", sizes={"n": (4, 7)}),
    numpy_false("spectral centroid shuffled", lambda: spectral_centroid, "x: n -> ()", "S(n)", sizes={"n": (4, 7)}),
    numpy_false("circular convolution without wrap", lambda: lambda x: np.convolve(x, [1.0, 0.5], "full")[: len(x)], "x: n -> n", "C(n)", sizes={"n": (3, 7)}),
    numpy_false("persistence image in order", lambda: lambda B, D: np.cumsum(D - B)[0] * (D - B).sum(), "B: n, D: n -> ()", "S(n)"),
    torch_true("kornia grayscale", named("kornia.color:rgb_to_grayscale"), "x: b 3 h w -> b 1 h w", "S(h) x S(w)"),
    torch_true("kornia hsv", named("kornia.color:rgb_to_hsv"), "x: b 3 h w -> b 3 h w", "S(h) x S(w)", draw="positive"),
    torch_true("kornia blur", using("kornia.filters:gaussian_blur2d", lambda f, x: f(x, (3, 3), (1.0, 1.0), border_type="circular")), IMAGE, "C(h) x C(w)", sizes={"h": (4, 6), "w": (4, 6)}),
    torch_false("kornia grayscale channels", named("kornia.color:rgb_to_grayscale"), "x: b 3 h w -> b 1 h w", "S(3)"),
    torch_false("kornia blur reflect", using("kornia.filters:gaussian_blur2d", lambda f, x: f(x, (3, 3), (1.0, 1.0))), IMAGE, "C(h)", sizes={"h": (4, 6), "w": (4, 6)}),
    numpy_true("convolution by FFT", lambda: fft_conv, "x: n, k: n! -> n", "C(n)", sizes={"n": (3, 6)}),
    numpy_true("spectrum pooled", lambda: spectral_pool, "x: c n -> m", "S(c) x C(n)", sizes={"n": (3, 6)}),
    numpy_true("wrapped convolution by a list", lambda: wrap_conv, "x: n -> n", "C(n)"),
    torch_true("network of a ring", seeded(RingNet), "x: b 2 n -> b 3", "S(b) x C(n)", sizes={"n": (5, 7)}),
    torch_true("group convolution on Z_n", seeded(GroupConvZn), "x: b n -> b n", "S(b) x C(n)"),
    numpy_false("spectrum of a window", lambda: lambda x: np.abs(np.fft.rfft(x * np.hanning(x.shape[-1]), axis=-1)).sum(0), "x: c n -> m", "C(n)", sizes={"n": (4, 6)}),
    torch_false("network of a path", seeded(lambda: nn.Sequential(nn.Conv1d(2, 4, 3, padding=1), nn.ReLU(), nn.AdaptiveMaxPool1d(1))), "x: b 2 n -> b 4 1", "C(n)"),
    torch_true("EMA filter", lambda: ema_filter, "x: t d -> t d", "E(d)", backend="torch"),
    numpy_true("circular autocorrelation by fft", lambda: circular_autocorr, "x: n -> n!", "C(n)", sizes={"n": (2, 6)}),
    numpy_true("spectral centroid shifted", lambda: power_centroid, "x: n -> ()", "C(n)"),
    torch_false("EMA filter reversed", lambda: ema_filter, "x: t d -> t d", "D(t)", backend="torch"),
    numpy_false("spectral centroid scaled", lambda: lambda x: power_centroid(x) + np.abs(x).sum(), "x: n -> ()", "Scale(n)"),
    torch_true("diffusers ResNet block", built_2(DIMENSION + "resnet:ResnetBlock2D", in_channels=4, temb_channels=6, groups=2, call=lambda m, x, t: m(x, t)), "x: b 4 3 3, t: b 6 -> b 4 3 3", "S(b)"),
    torch_true("conformer batch", built_2("conformer:ConformerBlock", dim=8, dim_head=4, heads=2, ff_mult=2, conv_kernel_size=3), "x: b 5 8 -> b 5 8", "S(b)"),
    torch_true("wavelets, channels", wavelet, "x: b c 4 4 -> b c 2 2", "S(b) x S(c)"),
    torch_true("U-Net step on a torus", mods_2(CircularUNet), "x: b 2 h w, t: b -> b 2 h w", "S(b) x C(h) x C(w)"),
    torch_true("p4 average", mods_2(P4Average), "x: b 1 h w -> b 2 h w", "C(h) x C(w)"),
    torch_true("selective scan, batch", mods_2(SelectiveScan), "x: b 4 3 -> b 4 3", "S(b)"),
    numpy_true("soft DTW by loops", lambda: soft_dtw, "x: n d, y: m d -> ()", "E(d)", sizes={"n": (2, 3), "m": (2, 3)}),
    numpy_true("autocorrelation by FFT", lambda: circular_power, "x: n -> n!", "C(n)", sizes={"n": (2, 6)}),
    torch_false("U-Net step with zeros", mods_2(functools.partial(CircularUNet, mode="zeros")), "x: b 2 h w, t: b -> b 2 h w", "C(h)"),
    torch_false("U-Net step mirrored", mods_2(CircularUNet), "x: b 2 h w, t: b -> b 2 h w", "D(w)"),
    torch_false("selective scan of a set", mods_2(SelectiveScan), "x: b n 3 -> b n 3", "S(n)", sizes={"n": (2, 4)}),
    torch_false("conformer of a set", built_2("conformer:ConformerBlock", dim=8, dim_head=4, heads=2, ff_mult=2, conv_kernel_size=3), "x: b n 8 -> b n 8", "S(n)", sizes={"n": (3, 5)}),
    torch_false("wavelets shifted", wavelet, "x: b c n n -> b c 2 2", "C(n)", sizes={"n": 4}),
    numpy_false("soft DTW of a set", lambda: soft_dtw, "x: n d, y: m d -> ()", "S(n)", sizes={"n": (2, 3), "m": (2, 3)}),
    numpy_false("Hu moments shifted", lambda: hu_moments, "I: h w -> 2", "C(h)", draw="positive", sizes={"h": (3, 4), "w": (3, 4)}),
    numpy_false("Kalman shuffled", lambda: kalman, "y: n -> ()", "S(n)", sizes={"n": (3, 5)}),
    torch_true("PPGN block", seeded(PPGNBlock), "x: b 2 n n -> b 2 n n", "S(n)"),
    torch_true("NetVLAD", seeded(NetVLAD), "x: b 4 h w -> b 12", "S(h) x S(w)"),
    numpy_true("circular autocorrelation of all sizes", lambda: autocorr_rfft, "x: n -> n!", "C(n)"),
    numpy_false("bispectrum shuffled", lambda: bispectrum_diag, "x: n -> n!", "S(n)"),
    torch_true("kornia gaussian_blur2d", held("kornia", "lambda x: kornia.filters.gaussian_blur2d(x, (3, 3), (1.0, 1.0))"),
         IMAGES, "S(b)"),
    torch_true("kornia sobel", held("kornia", "lambda x: kornia.filters.sobel(x)"), IMAGES, "S(b)"),
    torch_true("kornia rgb_to_grayscale", held("kornia", "lambda x: kornia.color.rgb_to_grayscale(x)"),
         "x: 3 h w -> 1 h w", "S(h) x S(w)"),
    torch_false("kornia rgb_to_grayscale colours", held("kornia", "lambda x: kornia.color.rgb_to_grayscale(x)"),
          "x: 3 4 4 -> 1 4 4", "S(3)"),
    torch_true("kornia ssim", held("kornia", "lambda x, y: kornia.metrics.ssim(x, y, 3)"),
         "x: b 1 6 6, y: b 1 6 6 -> b 1 6 6", "S(b)"),
    torch_true("radial filters", seeded(Spline), "x: n 3, f: n 3! -> n 3!", "S(n) x E(3)"),
    torch_false("radial filters scaled", seeded(Spline), "x: n 3, f: n 3! -> n 3!", "Scale(3)"),
    numpy_true("periodic autocorrelation", lambda: periodic_autocorrelation, "x: n -> n!", "C(n)"),
    numpy_false("periodic autocorrelation shuffled", lambda: periodic_autocorrelation, "x: n -> n!", "S(n)"),
    torch_false("keras Conv1D causal", keras("keras.layers.Conv1D(3, 3, padding='causal')", None, None, 4), "x: b n 4 -> b n 3", "S(n)", sizes={"n": (4, 6)}),
    torch_true("VN maximum by direction", seeded(VNLinearMax), "x: b 1 3 n -> b 4 3", "O(3)", sizes={"b": (1, 2)}),
    numpy_true("Hampel filter on a ring", lambda: hampel, "x: n -> n", "D(n)", sizes={"n": (4, 6)}),
    numpy_true("Burgers by FFT", lambda: spectral_burgers, "u: n -> n", "C(n)"),
    torch_false("SigLIP, images alone", lambda: siglip, "x: n d, y: n! d -> ()", "S(n)"),
    numpy_false("Hampel filter shuffled", lambda: hampel, "x: n -> n", "S(n)", sizes={"n": (5, 6)}),
    numpy_false("Burgers reflected", lambda: spectral_burgers, "u: n -> n", "D(n)"),
]  # fmt: skip
