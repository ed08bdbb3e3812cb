"""Terms of (3.2) with no or one factor Y."""

from eqvproof.papers.statements import ProductShapes, Remark

STATEMENT = Remark(
    id="my23.sec3.3.low-order",
    place="§3.3, after (3.2)",
    printed="terms with K_i = 0 or 1 of (3.2) cannot have the shape n x n for every n when no"
    " parameter matrix depends on n",
    claim=ProductShapes(
        {
            "W^(i,0)": "W0: a b",
            "W^(i,0) Y W^(i,1)": "W0: a b, Y: k n, W1: c r",
            "W^(i,0) Y^T W^(i,1)": "W0: a b, Y^T: n k, W1: c r",
        },
        shape="n n",
        sizes="k n",
        varies="n",
        possible=False,
    ),
    reading=(
        "a term is the product W^(i,0) Y~ W^(i,1) .. Y~ W^(i,K_i), each Y~ being Y (k x n) or Y^T;"
        " all of them are tried",
        "the shapes of the W^(i,j) may be any (they may depend on k), but are the same for every"
        " n; 1 x 1 matrices are matrices, "
        "not numbers",
    ),
)
