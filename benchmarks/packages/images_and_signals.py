"""Images, convolutions, spectra, audio and time series."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from benchmarks.packages.claims import false, held, layer, of_numpy, of_torch, one, true, using
from benchmarks.packages.libraries import (
    L,
    M,
    O,
    T,
    mlp_mixer,
    timm,
    torchvision,
    tv,
    vision_transformer,
)


class SpectralFilter(nn.Module):  # A polynomial of a graph's Laplacian
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(3))
    def forward(self, a, x):
        lap = torch.diag(a.sum(1)) - a
        out, h = self.w[0] * x, x
        for k in range(1, 3):
            h = lap @ h
            out = out + self.w[k] * h
        return out

def autocorr_direct(x):
    n = len(x)
    return np.array([np.dot(x, np.roll(x, k)) for k in range(3)]) / n

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

class SelectiveScan(nn.Module):  # A state space with steps that depend on the input
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
    D = ((x[:, None] - y[None]) ** 2).sum(-1)
    n, m = D.shape
    R = np.full((n + 1, m + 1), np.inf)
    R[0, 0] = 0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            r = np.array([R[i - 1, j], R[i, j - 1], R[i - 1, j - 1]])
            low = r.min()
            R[i, j] = D[i - 1, j - 1] + low - gamma * np.log(np.exp(-(r - low) / gamma).sum())
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

def vit(depth=2, img_size=8, **options):
    return vision_transformer.VisionTransformer(
        img_size=img_size, patch_size=4, embed_dim=8, depth=depth, num_heads=2, num_classes=3, **options
    )

def tokens(module, x):
    """A ViT after its patches."""
    return module.forward_head(module.norm(module.blocks(x)))

def picture(module, x):
    """A ViT of a column of two patches, of one picture."""
    return module(x.reshape(1, 3, 8, 4))[0]

CLAIMS = [
    of_torch(layer(tv.EncoderBlock, 2, 8, 16, 0.0, 0.0, call=one), "x: n 8 -> n 8", true("torchvision EncoderBlock", "S(n)")),
    of_torch(layer(O.MLP, 4, [8, 3]), "x: n 4 -> n 3", true("torchvision MLP", "S(n)")),
    of_torch(layer(O.SqueezeExcitation, 4, 2, call=one), "x: 4 n m -> 4 n m", true("torchvision SqueezeExcitation", "S(n) x S(m)")),
    of_torch(O.box_area, "b: n 4 -> n", true("torchvision box_area", "S(n)")),
    of_torch(O.box_iou, "a: n 4, b: m 4 -> n m", true("torchvision box_iou", "S(n) x S(m)"), draw="positive"),
    of_torch(lambda x, y: O.sigmoid_focal_loss(x, y, reduction="mean"), "x: n, y: n -> ()", true("torchvision sigmoid_focal_loss", "S(n)"), draw="positive"),
    of_torch(lambda b: O.box_convert(b, "xyxy", "cxcywh"), "b: n 4 -> n 4", true("torchvision box_convert", "S(n)")),
    of_torch(layer(torchvision.models.resnet18, num_classes=3), "x: n 3 32 32 -> n 3", true("torchvision resnet18 batch", "S(n)")),
    of_torch(layer(torchvision.models.convnext.LayerNorm2d, 4), "x: n 4 3 3 -> n 4 3 3", true("torchvision LayerNorm2d batch", "S(n)")),
    of_torch(lambda x: torchvision.transforms.functional.rgb_to_grayscale(x), "x: 3 h w -> 1 h w", true("torchvision rgb_to_grayscale", "S(h) x S(w)"), false("torchvision rgb_to_grayscale channels", "S(3)")),
    of_torch(layer(vision_transformer.Block, 8, 2, call=one), "x: n 8 -> n 8", true("timm Block", "S(n)")),
    of_torch(layer(vision_transformer.Attention, 8, 2, call=one), "x: n 8 -> n 8", true("timm Attention", "S(n)"), false("timm Attention rotations", "O(8)")),
    of_torch(layer(vit, global_pool="avg", class_token=False, call=lambda m, x: tokens(m, x[None])[0]), "x: n 8 -> 3", true("timm ViT average pool", "S(n)")),
    of_torch(layer(vit, call=lambda m, c, x: tokens(m, torch.cat([c[None], x])[None])[0]), "c: 8, x: n 8 -> 3", true("timm ViT class token", "S(n)")),
    of_torch(layer(vit, depth=1), "x: b 3 8 8 -> b 3", true("timm ViT batch", "S(b)"), false("timm ViT pixels", "S(3)")),
    of_torch(layer(vit, depth=1, img_size=(8, 4), pos_embed="none", call=picture), "x: 3 2 4 4 -> 3", true("timm ViT patches", "S(2)")),
    of_torch(layer(vit, depth=1, img_size=(8, 4), call=picture), "x: 3 2 4 4 -> 3", false("timm ViT patches with positions", "S(2)")),
    of_torch(layer(vit, depth=1, img_size=(8, 4), pos_embed="none", call=picture), "x: 3 2 v 4 -> 3", false("timm ViT rows in a patch", "S(v)"), v=4),
    of_torch(layer(L.Mlp, 4, 8, 3), "x: n 4 -> n 3", true("timm Mlp", "S(n)")),
    of_torch(layer(L.SwiGLU, 4, 8, 3), "x: n 4 -> n 3", true("timm SwiGLU", "S(n)")),
    of_torch(layer(vision_transformer.LayerScale, 4, 0.1), "x: n 4 -> n 4", true("timm LayerScale", "S(n)")),
    of_torch(layer(L.EcaModule, 8, call=one), "x: 8 h w -> 8 h w", true("timm EcaModule space", "S(h) x S(w)"), false("timm EcaModule channels", "S(8)")),
    of_torch(layer(L.AttentionPoolLatent, 8, 8, num_heads=2, call=one), "x: n 8 -> 8", true("timm AttentionPoolLatent", "S(n)")),
    of_torch(layer(mlp_mixer.MixerBlock, 8, 4), "x: b 4 8 -> b 4 8", true("timm MixerBlock batch", "S(b)")),
    of_torch(layer(L.SelectAdaptivePool2d, pool_type="avg", flatten=True), "x: b c h w -> b c", true("timm global average pool", "S(h) x S(w)")),
    of_torch(layer(mlp_mixer.MixerBlock, 8, 4, call=one), "x: 4 8 -> 4 8", false("timm MixerBlock tokens", "S(4)")),
    of_torch(layer(vit, call=tokens), "x: b n 8 -> b 3", false("timm ViT class token moves", "S(n)")),
    of_torch(O.box_iou, "a: n v, b: m v -> n m", false("torchvision box_iou coordinates", "S(v)"), v=4, draw="positive"),
    of_torch(layer(torchvision.models.resnet18, num_classes=3), "x: 1 3 16 16 -> 1 3", false("torchvision resnet18 shifts", "C(16)")),
    of_numpy(lambda x: np.abs(np.fft.fft(x)) ** 2 @ np.ones(len(x)), "x: n -> ()", true("power spectrum", "C(n)")),
    of_torch(layer(SpectralFilter), "a: n n, x: n c -> n c", true("spectral filter", "S(n)")),
    of_numpy(lambda x: np.convolve(x, np.ones(3) / 3, mode="same"), "x: n -> n", false("moving average cut", "C(n)"), n=(3, 8)),
    of_torch(M.scale_invariant_signal_noise_ratio, "x: n, y: n -> ()", true("torchmetrics scale_invariant_sdr", "S(n)")),
    of_torch(lambda x, y: M.peak_signal_noise_ratio(x, y, data_range=1.0), "x: n m, y: n m -> ()", true("torchmetrics psnr", "S(n) x S(m)")),
    of_torch(layer(O.Permute, [0, 2, 1]), "x: b n c -> b c n", true("torchvision Permute", "S(n) x S(c)")),
    of_torch(layer(O.StochasticDepth, 0.3, "row"), "x: n d -> n d", true("torchvision StochasticDepth eval", "S(n) x O(d)")),
    of_torch(layer(O.FrozenBatchNorm2d, 3), "x: b 3 h w -> b 3 h w", true("torchvision FrozenBatchNorm2d", "S(h) x S(w)")),
    of_torch(lambda b: O.clip_boxes_to_image(b, (32, 32)), "b: n 4 -> n 4", true("torchvision clip_boxes_to_image", "S(n)")),
    of_torch(layer(lambda: nn.Sequential(nn.Conv1d(3, 8, 1), nn.GELU(), nn.AdaptiveMaxPool1d(1))), "x: b 3 n -> b 8 1", true("torch SetConv pool", "S(n)")),
    of_torch(layer(L.GlobalResponseNormMlp, 4), "x: b h w 4 -> b h w 4", true("timm GlobalResponseNorm", "S(h) x S(w)")),
    of_torch(layer(L.LayerNorm, 8), "x: n 8 -> n 8", true("timm LayerNorm", "S(n)")),
    of_torch(layer(L.SelectAdaptivePool2d, pool_type="avgmax", flatten=True), "x: b c h w -> b c", true("timm SelectAdaptivePool2d catavgmax", "S(h) x S(w) x S(c)")),
    of_torch(layer(L.ClassifierHead, 4, 3), "x: b 4 h w -> b 3", true("timm ClassifierHead", "S(h) x S(w)")),
    of_torch(layer(L.SEModule, 16), "x: b 16 h w -> b 16 h w", true("timm SEModule", "S(h) x S(w)"), false("timm SE channels", "S(16)")),
    of_torch(layer(L.GluMlp, 4, 8), "x: n 4 -> n 4", true("timm GatedMlp", "S(n)")),
    of_torch(layer(timm.create_model, "mobilenetv3_small_050", num_classes=2), "x: b 3 32 32 -> b 2", true("timm mobilenet batch", "S(b)"), b=(2, 3)),
    of_torch(layer(lambda: T.ConvNextModel(T.ConvNextConfig(hidden_sizes=[4, 8], depths=[1, 1], num_stages=2, patch_size=2)), call=lambda m, x: m(x).pooler_output), "x: b 3 8 8 -> b 8", true("ConvNeXt batch", "S(b)")),
    of_torch(M.spearman_corrcoef, "x: n, y: n -> ()", true("torchmetrics spearman", "S(n)")),
    of_torch(layer(L.RmsNorm2d, 4), "x: b 4 h w -> b 4 h w", true("timm RmsNorm2d", "S(h) x S(w)")),
    of_torch(layer(L.ConvMlp, 4, 8), "x: b 4 h w -> b 4 h w", true("timm ConvMlp", "S(h) x S(w)")),
    of_torch(layer(L.GlobalContext, 16), "x: b 16 h w -> b 16 h w", true("timm GlobalContext space", "S(h) x S(w)"), false("timm GlobalContext channels", "S(16)")),
    of_torch(layer(lambda: nn.Sequential(L.DropPath(0.2), L.LayerScale(6))), "x: n 6 -> n 6", true("timm DropPath LayerScale", "S(n)")),
    of_numpy(autocorr_direct, "x: n -> 3", true("signals autocorrelation lags", "C(n)")),
    of_numpy(lambda x: np.roll(x, len(x) // 2) + x, "x: n -> n", true("signals half turn", "C(n)")),
    of_numpy(lambda x: np.roll(x, len(x) // 2) + np.arange(len(x)) * x, "x: n -> n", false("signals half turn reversed", "C(n)")),
    of_numpy(pca_spectrum, "X: n d -> d!", true("PCA spectrum", "S(n) x E(d)"), n=(3, 6), d=3),
    of_numpy(circular_acf, "x: n -> n!", true("circular autocorrelation", "C(n)", n=(3, 8)), false("autocorrelation shuffled", "S(n)", n=(4, 7)), true("circular autocorrelation of all sizes", "C(n)")),
    of_numpy(circular_conv, "x: n, k: n! -> n", true("circular convolution by an index table", "C(n)")),
    of_numpy(spectral_centroid, "x: n -> ()", true("spectral centroid", "C(n)", n=(3, 8)), false("spectral centroid shuffled", "S(n)", n=(4, 7))),
    of_numpy(persistence_image, "B: n, D: n -> 3", true("persistence image", "S(n)")),
    of_torch(lambda x, w: torch.stack([(x * torch.roll(w, s, 0)).sum() for s in range(x.shape[0])]), "x: n, w: n! -> n", true("group convolution", "C(n)")),
    of_numpy(dtw, "x: n, y: m -> ()", false("dynamic time warping shuffled", "S(n)"), n=(3, 4), m=(3, 3)),
    of_numpy(acf, "x: n -> 3", false("autocorrelation of a window", "C(n)"), n=(4, 7)),
    of_numpy(lambda x: np.convolve(x, [1.0, 0.5], "full")[: len(x)], "x: n -> n", false("circular convolution without wrap", "C(n)"), n=(3, 7)),
    of_numpy(lambda B, D: np.cumsum(D - B)[0] * (D - B).sum(), "B: n, D: n -> ()", false("persistence image in order", "S(n)")),
    of_torch("kornia.color:rgb_to_grayscale", "x: b 3 h w -> b 1 h w", true("kornia grayscale", "S(h) x S(w)"), false("kornia grayscale channels", "S(3)")),
    of_torch("kornia.color:rgb_to_hsv", "x: b 3 h w -> b 3 h w", true("kornia hsv", "S(h) x S(w)"), draw="positive"),
    of_torch(using("kornia.filters:gaussian_blur2d", lambda f, x: f(x, (3, 3), (1.0, 1.0), border_type="circular")), "x: b c h w -> b c h w", true("kornia blur", "C(h) x C(w)"), h=(4, 6), w=(4, 6)),
    of_torch(using("kornia.filters:gaussian_blur2d", lambda f, x: f(x, (3, 3), (1.0, 1.0))), "x: b c h w -> b c h w", false("kornia blur reflect", "C(h)"), h=(4, 6), w=(4, 6)),
    of_numpy(lambda x, k: np.real(np.fft.ifft(np.fft.fft(x) * np.fft.fft(k))), "x: n, k: n! -> n", true("convolution by FFT", "C(n)"), n=(3, 6)),
    of_numpy(spectral_pool, "x: c n -> m", true("spectrum pooled", "S(c) x C(n)"), n=(3, 6)),
    of_numpy(wrap_conv, "x: n -> n", true("wrapped convolution by a list", "C(n)")),
    of_torch(layer(RingNet), "x: b 2 n -> b 3", true("network of a ring", "S(b) x C(n)"), n=(5, 7)),
    of_torch(layer(GroupConvZn), "x: b n -> b n", true("group convolution on Z_n", "S(b) x C(n)")),
    of_numpy(lambda x: np.abs(np.fft.rfft(x * np.hanning(x.shape[-1]), axis=-1)).sum(0), "x: c n -> m", false("spectrum of a window", "C(n)"), n=(4, 6)),
    of_torch(layer(lambda: nn.Sequential(nn.Conv1d(2, 4, 3, padding=1), nn.ReLU(), nn.AdaptiveMaxPool1d(1))), "x: b 2 n -> b 4 1", false("network of a path", "C(n)")),
    of_torch(ema_filter, "x: t d -> t d", true("EMA filter", "E(d)"), false("EMA filter reversed", "D(t)"), backend="torch"),
    of_numpy(circular_autocorr, "x: n -> n!", true("circular autocorrelation by fft", "C(n)"), n=(2, 6)),
    of_numpy(power_centroid, "x: n -> ()", true("spectral centroid shifted", "C(n)")),
    of_numpy(lambda x: power_centroid(x) + np.abs(x).sum(), "x: n -> ()", false("spectral centroid scaled", "Scale(n)")),
    of_torch(layer("diffusers.models.resnet:ResnetBlock2D", in_channels=4, temb_channels=6, groups=2, call=lambda m, x, t: m(x, t)), "x: b 4 3 3, t: b 6 -> b 4 3 3", true("diffusers ResNet block", "S(b)")),
    of_torch(layer("conformer:ConformerBlock", dim=8, dim_head=4, heads=2, ff_mult=2, conv_kernel_size=3), "x: b 5 8 -> b 5 8", true("conformer batch", "S(b)")),
    of_torch(layer("pytorch_wavelets:DWTForward", J=1, wave="haar", mode="periodization", call=lambda w, x: w(x)[0]), "x: b c 4 4 -> b c 2 2", true("wavelets, channels", "S(b) x S(c)")),
    of_torch(layer(CircularUNet), "x: b 2 h w, t: b -> b 2 h w", true("U-Net step on a torus", "S(b) x C(h) x C(w)"), false("U-Net step mirrored", "D(w)")),
    of_torch(layer(P4Average), "x: b 1 h w -> b 2 h w", true("p4 average", "C(h) x C(w)")),
    of_torch(layer(SelectiveScan), "x: b 4 3 -> b 4 3", true("selective scan, batch", "S(b)")),
    of_numpy(soft_dtw, "x: n d, y: m d -> ()", true("soft DTW by loops", "E(d)"), false("soft DTW of a set", "S(n)"), n=(2, 3), m=(2, 3)),
    of_numpy(circular_power, "x: n -> n!", true("autocorrelation by FFT", "C(n)"), n=(2, 6)),
    of_torch(layer(CircularUNet, mode="zeros"), "x: b 2 h w, t: b -> b 2 h w", false("U-Net step with zeros", "C(h)")),
    of_torch(layer(SelectiveScan), "x: b n 3 -> b n 3", false("selective scan of a set", "S(n)"), n=(2, 4)),
    of_torch(layer("conformer:ConformerBlock", dim=8, dim_head=4, heads=2, ff_mult=2, conv_kernel_size=3), "x: b n 8 -> b n 8", false("conformer of a set", "S(n)"), n=(3, 5)),
    of_torch(layer("pytorch_wavelets:DWTForward", J=1, wave="haar", mode="periodization", call=lambda w, x: w(x)[0]), "x: b c n n -> b c 2 2", false("wavelets shifted", "C(n)"), n=4),
    of_numpy(hu_moments, "I: h w -> 2", false("Hu moments shifted", "C(h)"), h=(3, 4), w=(3, 4), draw="positive"),
    of_numpy(kalman, "y: n -> ()", false("Kalman shuffled", "S(n)"), n=(3, 5)),
    of_torch(layer(PPGNBlock), "x: b 2 n n -> b 2 n n", true("PPGN block", "S(n)")),
    of_torch(layer(NetVLAD), "x: b 4 h w -> b 12", true("NetVLAD", "S(h) x S(w)")),
    of_numpy(bispectrum_diag, "x: n -> n!", false("bispectrum shuffled", "S(n)")),
    of_torch(held("kornia", "lambda x: kornia.filters.gaussian_blur2d(x, (3, 3), (1.0, 1.0))"), "x: b 1 5 5 -> b 1 5 5", true("kornia gaussian_blur2d", "S(b)")),
    of_torch(held("kornia", "lambda x: kornia.filters.sobel(x)"), "x: b 1 5 5 -> b 1 5 5", true("kornia sobel", "S(b)")),
    of_torch(held("kornia", "lambda x: kornia.color.rgb_to_grayscale(x)"), "x: 3 h w -> 1 h w", true("kornia rgb_to_grayscale", "S(h) x S(w)")),
    of_torch(held("kornia", "lambda x: kornia.color.rgb_to_grayscale(x)"), "x: 3 4 4 -> 1 4 4", false("kornia rgb_to_grayscale colours", "S(3)")),
    of_torch(held("kornia", "lambda x, y: kornia.metrics.ssim(x, y, 3)"), "x: b 1 6 6, y: b 1 6 6 -> b 1 6 6", true("kornia ssim", "S(b)")),
    of_torch(layer(Spline), "x: n 3, f: n 3! -> n 3!", true("radial filters", "S(n) x E(3)"), false("radial filters scaled", "Scale(3)")),
    of_numpy(periodic_autocorrelation, "x: n -> n!", true("periodic autocorrelation", "C(n)"), false("periodic autocorrelation shuffled", "S(n)")),
    of_torch(layer(VNLinearMax), "x: b 1 3 n -> b 4 3", true("VN maximum by direction", "O(3)"), b=(1, 2)),
    of_numpy(hampel, "x: n -> n", true("Hampel filter on a ring", "D(n)", n=(4, 6)), false("Hampel filter shuffled", "S(n)", n=(5, 6))),
    of_numpy(spectral_burgers, "u: n -> n", true("Burgers by FFT", "C(n)"), false("Burgers reflected", "D(n)")),
]  # fmt: skip
