"""What a check of a transformer costs as it grows, through `eqvproof.check`.

Torch's own encoder layers, and two whole models of `transformers` as their default configurations make them.

    python benchmarks/encoders.py [--out FILE]

Each model is checked in three processes of its own, of which the quickest counts: its seconds with the
imports of the first check of torch and without, the greatest memory of the process, and beside it one call
of the model on 16 rows in the same run.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import json
import platform
import resource
import subprocess
import sys
import time
from datetime import date
from operator import itemgetter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

#: Layers and widths of torch's encoder, heads of width 64, or one; and models with a name.
MODELS = ("1x64", "3x64", "3x128", "3x256", "3x512", "3x1024", "6x512", "12x768", "BERT-base", "ViT-B/16")
BUDGET = 60.0
#: Processes for each model.
TIMES = 3


def made(name: str) -> tuple[Any, Any, str, str, Any]:
    """The module, a call of it, its signature, the group claimed, and inputs for one call."""
    import torch

    importlib.import_module("benchmarks.packages")  # declares torchvision's operations where its differs
    torch.manual_seed(0)
    if name == "BERT-base":
        from transformers import BertConfig, BertModel

        bert = BertModel(BertConfig()).eval()
        ids = torch.randint(30522, (2, 16))
        return bert, lambda i: bert(i).last_hidden_state, "i[30522]: b 16 -> b 16 768", "S(b)", ids
    if name == "ViT-B/16":
        from transformers import ViTConfig, ViTModel

        vit = ViTModel(ViTConfig()).eval()
        pixels = torch.randn(2, 3, 224, 224)
        return vit, lambda x: vit(x).last_hidden_state, "x: b 3 224 224 -> b 197 768", "S(b)", pixels
    layers, width = map(int, name.split("x"))
    layer = torch.nn.TransformerEncoderLayer(width, max(1, width // 64), 4 * width, batch_first=True)
    encoder = torch.nn.TransformerEncoder(layer, layers, enable_nested_tensor=False).eval()
    signature = f"x: n {width} -> n {width}"
    return encoder, lambda x: encoder(x[None])[0], signature, "S(n)", torch.randn(16, width)


def one(name: str) -> dict[str, object]:
    """One model, in this process."""
    import torch

    import eqvproof as ep

    module, model, signature, under, rows = made(name)
    start = time.monotonic()
    ep.check(torch.nn.Linear(3, 3).eval(), "x: n 3 -> n 3", under="S(n)")
    imports = time.monotonic() - start
    with torch.no_grad():
        model(rows)
        start = time.monotonic()
        model(rows)
        call = time.monotonic() - start
    start = time.monotonic()
    verdict = ep.check(model, signature, under=under, backend="torch", budget=BUDGET)
    seconds = time.monotonic() - start
    start = time.monotonic()
    accepted = verdict.certificate is not None and ep.verify(verdict.certificate).accepted
    usage = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return {
        "model": name, "claim": f"{signature} · {under}",
        "weights": sum(p.numel() for p in module.parameters()),
        "verdict": f"{verdict.outcome} {verdict.grade}".strip(), "seconds": seconds, "imports": imports,
        "call": call, "verify": time.monotonic() - start if accepted else None, "memory": usage / 2**20,
    }  # fmt: skip


def report(rows: list[dict[str, object]]) -> str:
    """The table."""
    import torch

    import eqvproof as ep

    lines = [
        "# Encoders as they grow", "",
        f"Written by `benchmarks/encoders.py` on {date.today()} (eqvproof {ep.__version__}, Python"
        f" {platform.python_version()}, torch {torch.__version__}): `TransformerEncoder` of layers x"
        " width, and models of `transformers` with their default configurations; random weights; of"
        f" {TIMES} processes for each the quickest. Seconds of the call, after the imports of a first"
        " check.", "",
        "| model | claim | weights | verdict | seconds | one call of the model | re-check | memory, GB |",
        "|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for r in rows:
        again = "" if r["verify"] is None else f"{r['verify']:.2f}"
        lines.append(
            f"| {r['model']} | `{r['claim']}` | {r['weights']:,} | {r['verdict']} | {r['seconds']:.1f}"
            f" | {r['call']:.3f} | {again} | {r['memory']:.2f} |"
        )
    imports = [float(str(r["imports"])) for r in rows]
    wider = [float(str(r["seconds"])) for r in rows if str(r["model"]).startswith("3x")]
    ratios = ", ".join(f"{b / a:.2f}" for a, b in itertools.pairwise(wider))
    lines += [
        "", f"Three layers of twice the width, from 64 to 1024: {ratios} times the time.", "",
        f"A first check, mostly imports: {min(imports):.1f} to {max(imports):.1f} s.",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def main() -> None:
    """Each model in a process of its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    parser.add_argument("--one")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(one(options.one)))
        return
    rows = []
    for name in MODELS:
        command = [sys.executable, __file__, "--one", name]
        done = [subprocess.run(command, check=True, capture_output=True, text=True) for _ in range(TIMES)]
        rows.append(min((json.loads(d.stdout.splitlines()[-1]) for d in done), key=itemgetter("seconds")))
        print(rows[-1], flush=True)
    options.out.write_text(report(rows))


if __name__ == "__main__":
    main()
