"""Sizes of certificates of proofs, and how long the kernel takes for them.

    python benchmarks/certificates.py [--earlier FOLDER] [--out benchmarks/certificates.md]

*Layers*: residual layers on sets, each with weights of its own, one after another. *Encoder*: torch's own, of
12 layers of width 768. *Collections*: the proofs of `tests/gallery`, `tests/corpus` and of the library's
review. Sizes are of the JSON text without spaces; seconds are of the processor, of three checks the quickest.

With ``--earlier``, a checkout of an earlier version, that is measured in a process of its own, and the page
says what the ratios are; ``--json`` prints the figures of one version alone.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, os.environ.get("EQVPROOF_MEASURED") or str(Path(__file__).resolve().parent.parent))

LAYERS = (10, 30, 100, 300, 1000)
#: A proof: bytes of its certificate, and seconds of a check by the kernel.
Measured = tuple[int, float]


def measured(certificate: Any) -> Measured:
    """The size of an accepted certificate, and the time of a check."""
    from eqvproof.kernel import check_certificate

    text = json.dumps(certificate, separators=(",", ":"))
    found = []
    for _ in range(3):
        start = time.process_time()
        report = check_certificate(text)
        found.append(time.process_time() - start)
        if not report.accepted:
            raise SystemExit(report.reason)
    return len(text), min(found)


def of_layers() -> Iterator[tuple[str, Measured]]:
    """Numbers of layers on sets."""
    import numpy as np

    import eqvproof as ep

    rng = np.random.default_rng(0)
    for count in LAYERS:
        weights = rng.integers(-9, 10, (count, 2, 2, 2)).astype(float)

        def f(x: Any, weights: Any = weights) -> Any:
            for own, mean in weights:
                x = x + np.tanh(x @ own + x.mean(axis=0) @ mean)
            return x

        verdict = ep.prove(f, "x: n 2 -> n 2", "S(n)", budget=600.0)
        yield str(count), measured(verdict.certificate)


def of_encoder() -> Iterator[tuple[str, Measured]]:
    """Torch's encoder."""
    import torch

    import eqvproof as ep

    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(768, 12, 4 * 768, batch_first=True)
    encoder = torch.nn.TransformerEncoder(layer, 12, enable_nested_tensor=False).eval()
    verdict = ep.check(
        lambda x: encoder(x[None])[0], "x: n 768 -> n 768", under="S(n)", backend="torch", budget=300.0
    )
    yield "12 x 768", measured(verdict.certificate)


def of_collections() -> Iterator[tuple[str, Measured]]:
    """The proofs of the collections, each with the name of its collection."""
    import eqvproof as ep
    from eqvproof.papers import library
    from tests.corpus import right
    from tests.gallery.test_gallery import LAYERS, TORCH, verdict_of

    given: list[tuple[str, Any]] = []
    for family, layer in LAYERS:
        if family not in TORCH:
            given.append(("gallery", verdict_of(family, layer.name).certificate))
    for case in right.CORPUS.cases:
        verdict = ep.prove(case.function, case.signature, case.under, budget=2.0, **case.options)
        given.append(("corpus", verdict.certificate))
    given += [("library", data) for row in library.review().rows for _, data in row.certificates]
    for name, data in given:
        if data is not None and data["kind"] == "proof" and data["claim"]["kind"] == "equivariance":
            yield name, measured(data)


SOURCES = {"layers": of_layers, "encoder": of_encoder, "collections": of_collections}


def measured_here(only: list[str]) -> dict[str, list[tuple[str, Measured]]]:
    """The figures of the version that this process imports."""
    return {name: list(SOURCES[name]()) for name in only}


def measured_there(folder: Path, only: list[str]) -> dict[str, list[tuple[str, Measured]]]:
    """The figures of a checkout."""
    environment = {**os.environ, "EQVPROOF_MEASURED": str(folder), "PYTHONPATH": str(folder)}
    command = [sys.executable, __file__, "--json", "--only", *only]
    done = subprocess.run(
        command, cwd=folder, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    found: dict[str, list[tuple[str, Measured]]] = json.loads(done.stdout.splitlines()[-1])
    return found


def beside(now: float, before: float | None) -> str:
    """What the figure is times the earlier one, as a cell."""
    return "" if before is None else f" {now / before:.2f} |"


def of_each(rows: list[tuple[str, Measured]], earlier: list[tuple[str, Measured]] | None) -> Iterator[str]:
    """The lines of a table of single certificates."""
    old = dict(earlier or [])
    for name, (size, seconds) in rows:
        before = old.get(name, (None, None))
        ratios = beside(size, before[0]) + beside(seconds, before[1])
        yield f"| {name} | {size:,} | {1000 * seconds:.1f} |{ratios}"


def of_groups(rows: list[tuple[str, Measured]], earlier: list[tuple[str, Measured]] | None) -> Iterator[str]:
    """The lines of the table of collections."""

    def medians(given: list[tuple[str, Measured]], name: str) -> tuple[float, float]:
        own = [m for n, m in given if n == name]
        return statistics.median(s for s, _ in own), statistics.median(t for _, t in own)

    for name in dict.fromkeys(n for n, _ in rows):
        own = [m for n, m in rows if n == name]
        size, seconds = medians(rows, name)
        before = medians(earlier, name) if earlier else (None, None)
        yield (
            f"| {name} | {len(own)} | {size:,.0f} | {max(own)[0]:,} | {1000 * seconds:.1f} |"
            f" {1000 * max(t for _, t in own):.1f} |{beside(size, before[0])}{beside(seconds, before[1])}"
        )


def page(now: dict[str, Any], before: dict[str, Any] | None, name: str) -> str:
    """The page."""
    more = rule = about = ""
    if before is not None:
        more, rule = " size, times the earlier one | check, times the earlier one |", "---|---|"
        about = f" The earlier version is {name}, whose certificates held operations in place of forms."
    small, large = (dict(now["layers"])[str(count)] for count in (LAYERS[-2], LAYERS[-1]))
    growth = LAYERS[-1] / LAYERS[-2]
    lines = [
        "# Certificates of proofs", "",
        f"Written by `benchmarks/certificates.py` (Python {platform.python_version()}), which says what is"
        f" measured.{about}", "",
        f"| layers | bytes | check, ms |{more}", f"|---|---|---|{rule}",
        *of_each(now["layers"], before and before["layers"]), "",
        f"From {LAYERS[-2]} layers to {LAYERS[-1]}, {growth:.2f} times as many, the certificate grows"
        f" {large[0] / small[0]:.2f} times and the check {large[1] / small[1]:.2f} times.", "",
        f"| encoder | bytes | check, ms |{more}", f"|---|---|---|{rule}",
        *of_each(now["encoder"], before and before["encoder"]), "",
        f"| proofs of | number | median bytes | most bytes | median check, ms | longest check, ms |{more}",
        f"|---|---|---|---|---|---|{rule}",
        *of_groups(now["collections"], before and before["collections"]), "",
    ]  # fmt: skip
    return "\n".join(lines)


def main() -> None:
    """Measures and writes the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--earlier", type=Path, help="a checkout of an earlier version")
    parser.add_argument("--only", choices=SOURCES, nargs="+", default=[*SOURCES])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    options = parser.parse_args()
    now = measured_here(options.only)
    if options.json:
        print(json.dumps(now))
        return
    before, name = None, ""
    if options.earlier:
        before = measured_there(options.earlier, options.only)
        command = ["git", "-C", str(options.earlier), "log", "-1", "--format=%h of %as"]
        name = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    text = page(now, before, name)
    options.out.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
