"""Terms of (3.2) with two factors Y."""

from itertools import product

from eqvproof.papers.statements import Conjunction, ProductShapes, Remark, Typing

FACTORS = {"Y": "k n", "Y^T": "n k"}

STATEMENT = Remark(
    id="my23.sec3.3.quadratic-term",
    place="§3.3, (3.2)",
    printed="a term with K_i = 2 of (3.2), W^(i,0) Y~ W^(i,1) Y~ W^(i,2), no W^(i,j) depending on"
    " n, can have the shape n x n for every n",
    claim=ProductShapes(
        {
            f"W^(i,0) {y} W^(i,1) {z} W^(i,2)": (
                f"W0: a b, {y}: {FACTORS[y]}, W1: c e, {z}: {FACTORS[z]}, W2: f g"
            )
            for y, z in product(FACTORS, FACTORS)
        },
        shape="n n",
        sizes="k n",
        varies="n",
    ),
    reading=(
        "the three parameter matrices stand where (3.2) prints them, the first and the last at the"
        " ends of the product; each Y~ is "
        "Y (k x n) or Y^T",
        "their shapes may be any (they may depend on k), but are the same for every n",
    ),
).repaired_as(
    printed="a term Y~ W^(i,1) Y~ without matrices at its ends can have the shape n x n for every"
    " n: Y^T W^(i,1) Y",
    claim=Conjunction(
        {
            "dimensions": ProductShapes(
                {
                    f"{y} W^(i,1) {z}": f"{y}: {FACTORS[y]}, W1: b c, {z}: {FACTORS[z]}"
                    for y, z in product(FACTORS, FACTORS)
                },
                shape="n n",
                sizes="k n",
                varies="n",
            ),
            "Y^T W Y": Typing(lambda W, Y: Y.T @ W @ Y, "W: k k, Y: k n -> n n"),
        }
    ),
    reading="the ends W^(i,0), W^(i,2) left out (or identity matrices, whose size is n); then"
    " W^(i,1) is k x k",
)
