"""Random Programs over all operations, up to thirty steps deep, with random claims about them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from eqvproof.claims.groups import FAMILIES, Group, parse_group
from eqvproof.claims.signature import Signature, parse_signature
from eqvproof.programs import Program
from eqvproof.support.errors import EqvproofError
from tests.engines import programs as layers
from tests.programs.evaluate.programs import Grower

#: Larger groups on two axes at once, now and then.
PAIRS = ("O(d) x S(n)", "SO(d) x S(n)", "Signs(d) x C(n)", "S(d) x S(n)", "E(d) x S(n)", "Scale(d) x A(n)")


def program_of(seed: int) -> tuple[Program, str]:
    """A Program and the typing of its inputs."""
    r = random.Random(f"program {seed}")
    if r.random() < 0.5:
        return layers.random_program(r, r.randint(2, 30)), "X: d n, Z: d k"
    return Grower(r.randrange(2**32), rational=r.random() < 0.5).grow(r.randint(2, 30)), "X: n d, v: n"


def claims_of(program: Program, inputs: str, seed: int) -> Iterator[tuple[Signature, Group]]:
    """Random claims whose output fits the shape of the Program."""
    r = random.Random(f"claims {seed}")
    for _ in range(8):
        output = []
        for s in program.shape:
            text = str(s)
            if text not in ("n", "d", "k") and s.constant is None:
                text = f"o{len(output)}"  # an axis that stands in the output only: no group acts on it
            elif text in ("n", "d", "k") and r.random() < 0.3:
                text += r.choice("!!^") if text == "d" else "!"
            output.append(text)
        axes = ["d", "n", "k"] if "Z" in inputs else ["d", "n"]
        under = r.choice(PAIRS) if r.random() < 0.15 else f"{r.choice([*FAMILIES])}({r.choice(axes)})"
        try:
            signature = parse_signature(f"{inputs} -> {' '.join(output) or '()'}")
            yield signature, parse_group(under, signature)
        except EqvproofError:
            continue
