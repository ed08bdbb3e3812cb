"""Writes docs/faq.md: every answer is the verdict on a function of docs/faq/, computed by this script.

    python docs/make_faq.py           rewrites the page
    python docs/make_faq.py --check   exits 1 if the page is out of date

A file of docs/faq/ is one question: its docstring asks, explains and names the threads where people asked;
its functions carry claims (`@ep.claim`), and the verdicts on these are the answer.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import re
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "faq.md"
sys.path.insert(0, str(ROOT))

import eqvproof as ep  # noqa: E402
from docs.generated import keep  # noqa: E402
from eqvproof.interface.testing.claims import declared_claims  # noqa: E402

#: The order of the page.
QUESTIONS = (
    "float32_or_bug", "layer_norm", "bias", "relu", "egnn_batch_norm", "o3_or_so3", "translations",
    "directions", "eigenvectors", "regulariser", "equivariant_or_invariant", "positional_encoding",
    "linear_attention", "max_pooling", "sort_pooling", "graph_axes", "reproducible", "shifts",
)  # fmt: skip
ANSWERS = {"HOLDS": "Yes", "FAILS": "No", "UNDECIDED": "Not decided"}
INTRODUCTION = """# FAQ

These questions are from the issue trackers of equivariant-network libraries. Every answer is the
verdict on the code above it: `docs/make_faq.py` writes this page from the files in `docs/faq`. In
that folder, `eqvproof check layer_norm` checks the claims of `layer_norm.py`.
"""


def load(path: Path) -> ModuleType:
    """The module of a question."""
    spec = importlib.util.spec_from_file_location(f"faq_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError(str(path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def judge(function: Any, claim: Any) -> ep.Verdict:
    """The verdict on a claim, its certificate re-checked."""
    verdict = ep.check(function, claim.signature, claim.under, **claim.options)
    if verdict.certificate is not None and not ep.verify(verdict.certificate).accepted:
        raise RuntimeError(f"the kernel rejects the certificate of {claim}")
    return verdict


def answer(name: str, claim: Any, verdict: ep.Verdict) -> str:
    """The verdict in words: one line, and the counterexample where there is one."""
    about = ' about="floats"' if claim.options.get("about") == "floats" else ""
    line = (
        f"**{ANSWERS[verdict.outcome]}**: `{name}`, `{claim.signature}` under `{claim.under}`{about}:"
        f" {verdict.outcome}, {verdict.grade or verdict.reason}"
    )
    if verdict.holds:
        return f"{line}, {verdict.scope}."
    if verdict.counterexample is None:
        return f"{line}."
    return f"{line}.\n\n```text\n{str(verdict.counterexample).strip()}\n```"


def source(path: Path) -> str:
    """The code of a question, without its docstring."""
    text = path.read_text(encoding="utf-8")
    docstring = ast.parse(text).body[0]
    return "\n".join(text.splitlines()[docstring.end_lineno :]).strip()


def section(path: Path) -> str:
    """A question, its explanation, the code and the verdicts."""
    module = load(path)
    title, _, rest = inspect.cleandoc(module.__doc__ or "").partition("\n\n")
    explanation, _, asked = rest.rpartition("\n\n")
    answers = [
        answer(name.rpartition(":")[2], claim, judge(function, claim))
        for name, function, claim in declared_claims(module)
    ]
    parts = [f"## {title}", explanation, f"```python\n{source(path)}\n```", *answers, asked]
    return "\n\n".join(parts) + "\n"


def slug(title: str) -> str:
    """The anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


@cache
def page() -> str:
    """The whole page."""
    sections = [section(ROOT / "docs" / "faq" / f"{name}.py") for name in QUESTIONS]
    titles = [text.split("\n", 1)[0].removeprefix("## ") for text in sections]
    contents = "".join(f"- [{title}](#{slug(title)})\n" for title in titles)
    return "\n".join([INTRODUCTION, contents, *sections])


if __name__ == "__main__":
    sys.exit(keep(PAGE, page()))
