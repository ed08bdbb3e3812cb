"""What a check of a transformer costs as it grows: torch's own encoder layers, through `eqvproof.check`.

    python benchmarks/encoders.py [--out FILE]

Each model is checked in a process of its own: its seconds with the imports of the first check of torch and
without, the greatest memory of the process, and beside it one call of the model on 16 rows in the same run.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

#: Layers and widths; heads of width 64, or one.
MODELS = ((1, 64), (3, 64), (3, 128), (3, 256), (3, 512), (6, 512), (12, 768))
BUDGET = 60.0


def one(layers: int, width: int) -> dict[str, object]:
    """One model, in this process."""
    import torch

    import eqvproof as ep

    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(width, max(1, width // 64), 4 * width, batch_first=True)
    encoder = torch.nn.TransformerEncoder(layer, layers, enable_nested_tensor=False).eval()

    def model(x: torch.Tensor) -> torch.Tensor:
        return encoder(x[None])[0]

    start = time.monotonic()
    ep.check(torch.nn.Linear(3, 3).eval(), "x: n 3 -> n 3", under="S(n)")
    imports = time.monotonic() - start
    rows = torch.randn(16, width)
    with torch.no_grad():
        model(rows)
        start = time.monotonic()
        model(rows)
        call = time.monotonic() - start
    start = time.monotonic()
    verdict = ep.check(model, f"x: n {width} -> n {width}", under="S(n)", budget=BUDGET)
    seconds = time.monotonic() - start
    start = time.monotonic()
    accepted = verdict.certificate is not None and ep.verify(verdict.certificate).accepted
    usage = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return {
        "layers": layers, "width": width, "weights": sum(p.numel() for p in encoder.parameters()),
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
        f" {platform.python_version()}, torch {torch.__version__}): `TransformerEncoder` under S(n), random"
        " weights, a process for each. Seconds of the call, after the imports of a first check.", "",
        "| layers | width | weights | verdict | seconds | one call of the model | re-check | memory, GB |",
        "|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for r in rows:
        again = "" if r["verify"] is None else f"{r['verify']:.2f}"
        lines.append(
            f"| {r['layers']} | {r['width']} | {r['weights']:,} | {r['verdict']} | {r['seconds']:.1f}"
            f" | {r['call']:.3f} | {again} | {r['memory']:.2f} |"
        )
    imports = [float(str(r["imports"])) for r in rows]
    lines += ["", f"A first check, mostly imports: {min(imports):.1f} to {max(imports):.1f} s."]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Each model in a process of its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    parser.add_argument("--one", type=int, nargs=2)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(one(*options.one)))
        return
    rows = []
    for layers, width in MODELS:
        command = [sys.executable, __file__, "--one", str(layers), str(width)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        rows.append(json.loads(done.stdout.splitlines()[-1]))
        print(rows[-1], flush=True)
    options.out.write_text(report(rows))


if __name__ == "__main__":
    main()
