"""Writes CUDA kernels that compute `sum_k phi(x_k)`.

Each thread adds its values with an exact error term (Knuth's two-sum), a block merges its threads
in shared memory, the host adds the blocks exactly.

With N rows a thread, u = 2^-53 and values of at most t: each addition loses at most `u N t` into
the error term, which is at most `u N^2 t`; adding to that loses at most `u^2 N^3 t` a thread.
Merging a block of 256 in eight steps loses at most `24 u` of its error terms. Together below
`2^-97 (N + 48)^3 t` a block.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from eqvproof.deepsets.emit.cuda import Source
from eqvproof.deepsets.phi.formula import Formula
from eqvproof.deepsets.phi.numbers import evaluate

#: threads of a block
THREADS = 256
#: features of one kernel: three float64 each are kept in registers
FEATURES = 20
LOSS = -97


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel's source and its name.

    Args:
        source: CUDA C++ that needs no header.
        name: ``pool``, with arguments (x, rows, stride of rows, stride of columns, out); ``out``
            has for each block and feature the sum, its error term and the largest absolute value.
        features: the number of features of this kernel.
    """

    source: str
    name: str
    features: int


def write_kernels(formula: Formula, *, single: bool, plain: bool = False) -> tuple[Kernel, ...]:
    """Writes the kernels of a formula, with at most `FEATURES` features each."""
    made = []
    for start in range(0, formula.features, FEATURES):
        part = formula.of(formula.outputs[start : start + FEATURES])
        made.append(_write_kernel(part, single=single, plain=plain))
    return tuple(made)


def _write_kernel(formula: Formula, *, single: bool, plain: bool) -> Kernel:
    code, m = Source(single=single), formula.features
    columns: list[Any] = [None] * formula.columns
    for j in sorted({int(node.value) for node in formula.nodes if node.op == "column"}):
        columns[j] = code.put(code.real, f"row[{j} * column_stride]")
    for f, value in enumerate(evaluate(formula, columns, code)):
        if plain:
            addition = f"h{f} += (double){value};"
        else:
            addition = f"add(h{f}, l{f}, t{f}, (double){value});"
        code.lines.append(f"        {addition}")
    state = [f"    double h{f} = 0.0, l{f} = 0.0, t{f} = 0.0;" for f in range(m)]
    ends = [
        f"    merge(h{f}, l{f}, t{f}, out + 3 * ((long long)blockIdx.x * {m} + {f}));"
        for f in range(m)
    ]
    source = "\n".join(
        [
            _PRELUDE.replace("THREADS", str(THREADS)),
            f'extern "C" __global__ void pool(const {code.real}* __restrict__ x, long long rows,',
            "        long long row_stride, long long column_stride, double* __restrict__ out) {",
            *state,
            "    const long long step = (long long)gridDim.x * blockDim.x;",
            "    for (long long r = (long long)blockIdx.x * blockDim.x + threadIdx.x; r < rows; r"
            " += step) {",
            f"        const {code.real}* row = x + r * row_stride;",
            *code.lines,
            "    }",
            *ends,
            "}",
            "",
        ]
    )
    return Kernel(source, "pool", m)


_PRELUDE = """\
__device__ __forceinline__ void add(double& h, double& l, double& t, double x) {
    const double s = __dadd_rn(h, x);
    const double z = __dsub_rn(s, h);
    l = __dadd_rn(l, __dadd_rn(__dsub_rn(h, __dsub_rn(s, z)), __dsub_rn(x, z)));
    h = s;
    const double a = fabs(x);
    t = (a > t || a != a) ? a : t;
}

__device__ void merge(double h, double l, double t, double* out) {
    __shared__ double sums[THREADS], errors[THREADS], tops[THREADS];
    const int me = threadIdx.x;
    sums[me] = h; errors[me] = l; tops[me] = t;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (me < half) {
            double s = sums[me], e = errors[me], a = tops[me];
            add(s, e, a, sums[me + half]);
            const double b = tops[me + half];
            sums[me] = s;
            errors[me] = __dadd_rn(e, errors[me + half]);
            tops[me] = (b > tops[me] || b != b) ? b : tops[me];
        }
        __syncthreads();
    }
    if (me == 0) { out[0] = sums[0]; out[1] = errors[0]; out[2] = tops[0]; }
    __syncthreads();
}
"""
