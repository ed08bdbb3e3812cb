"""torchvision and timm."""

from __future__ import annotations

import timm.layers as L
import torch
import torchvision
from timm.models import mlp_mixer, vision_transformer
from torchvision import ops
from torchvision.models import vision_transformer as tv

from benchmarks.packages.claims import family
from benchmarks.packages.layers import rows, seeded

true, false = family("torch")


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


CLAIMS = [
    true("torchvision EncoderBlock", rows(lambda: tv.EncoderBlock(2, 8, 16, 0.0, 0.0)), "x: n 8 -> n 8", "S(n)"),
    true("torchvision MLP", seeded(lambda: ops.MLP(4, [8, 3])), "x: n 4 -> n 3", "S(n)"),
    true("torchvision SqueezeExcitation", rows(lambda: ops.SqueezeExcitation(4, 2)), "x: 4 n m -> 4 n m", "S(n) x S(m)"),
    true("torchvision box_area", lambda: ops.box_area, "b: n 4 -> n", "S(n)"),
    true("torchvision box_iou", lambda: ops.box_iou, "a: n 4, b: m 4 -> n m", "S(n) x S(m)", draw="positive"),
    true("torchvision sigmoid_focal_loss", lambda: lambda x, y: ops.sigmoid_focal_loss(x, y, reduction="mean"), "x: n, y: n -> ()", "S(n)", draw="positive"),
    true("torchvision box_convert", lambda: lambda b: ops.box_convert(b, "xyxy", "cxcywh"), "b: n 4 -> n 4", "S(n)"),
    true("torchvision resnet18 batch", seeded(lambda: torchvision.models.resnet18(num_classes=3)), "x: n 3 32 32 -> n 3", "S(n)"),
    true("torchvision LayerNorm2d batch", seeded(lambda: torchvision.models.convnext.LayerNorm2d(4)), "x: n 4 3 3 -> n 4 3 3", "S(n)"),
    true("torchvision rgb_to_grayscale", lambda: lambda x: torchvision.transforms.functional.rgb_to_grayscale(x), "x: 3 h w -> 1 h w", "S(h) x S(w)"),
    true("timm Block", rows(lambda: vision_transformer.Block(8, 2)), "x: n 8 -> n 8", "S(n)"),
    true("timm Attention", rows(lambda: vision_transformer.Attention(8, 2)), "x: n 8 -> n 8", "S(n)"),
    true("timm ViT average pool", average, "x: n 8 -> 3", "S(n)"),
    true("timm ViT class token", tokens, "c: 8, x: n 8 -> 3", "S(n)"),
    true("timm ViT batch", whole, "x: b 3 8 8 -> b 3", "S(b)"),
    true("timm ViT patches", lambda: patched(pos_embed="none"), "x: 3 2 4 4 -> 3", "S(2)"),
    false("timm ViT patches with positions", patched, "x: 3 2 4 4 -> 3", "S(2)"),
    false("timm ViT rows in a patch", lambda: patched(pos_embed="none"), "x: 3 2 v 4 -> 3", "S(v)", sizes={"v": 4}),
    true("timm Mlp", seeded(lambda: L.Mlp(4, 8, 3)), "x: n 4 -> n 3", "S(n)"),
    true("timm SwiGLU", seeded(lambda: L.SwiGLU(4, 8, 3)), "x: n 4 -> n 3", "S(n)"),
    true("timm LayerScale", seeded(lambda: vision_transformer.LayerScale(4, 0.1)), "x: n 4 -> n 4", "S(n)"),
    true("timm EcaModule space", rows(lambda: L.EcaModule(8)), "x: 8 h w -> 8 h w", "S(h) x S(w)"),
    true("timm AttentionPoolLatent", rows(lambda: L.AttentionPoolLatent(8, 8, num_heads=2)), "x: n 8 -> 8", "S(n)"),
    true("timm MixerBlock batch", seeded(lambda: mlp_mixer.MixerBlock(8, 4)), "x: b 4 8 -> b 4 8", "S(b)"),
    true("timm global average pool", lambda: L.SelectAdaptivePool2d(pool_type="avg", flatten=True), "x: b c h w -> b c", "S(h) x S(w)"),
    false("timm MixerBlock tokens", rows(lambda: mlp_mixer.MixerBlock(8, 4)), "x: 4 8 -> 4 8", "S(4)"),
    false("timm ViT pixels", whole, "x: b 3 8 8 -> b 3", "S(3)"),
    false("timm ViT class token moves", vit, "x: b n 8 -> b 3", "S(n)"),
    false("timm Attention rotations", rows(lambda: vision_transformer.Attention(8, 2)), "x: n 8 -> n 8", "O(8)"),
    false("torchvision box_iou coordinates", lambda: ops.box_iou, "a: n v, b: m v -> n m", "S(v)", sizes={"v": 4}, draw="positive"),
    false("torchvision resnet18 shifts", seeded(lambda: torchvision.models.resnet18(num_classes=3)), "x: 1 3 16 16 -> 1 3", "C(16)"),
    false("torchvision rgb_to_grayscale channels", lambda: lambda x: torchvision.transforms.functional.rgb_to_grayscale(x), "x: 3 h w -> 1 h w", "S(3)"),
    false("timm EcaModule channels", rows(lambda: L.EcaModule(8)), "x: 8 h w -> 8 h w", "S(8)"),
]  # fmt: skip
