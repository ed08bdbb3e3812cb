"""`sum_k phi(x_k)` as one CUDA kernel: its source is written from the formula, node by node.

Operations are the intrinsics that round once and are never fused (`__dadd_rn`, `__fmul_rn`, ...), constants
are given by their bits: the values phi(x_k) are those of NumPy, bit for bit. Each thread adds its values with
an exact error term (Knuth's two-sum), a block merges its threads in shared memory, the host adds the blocks
exactly.

With N rows a thread, u = 2^-53 and values of at most t: each addition loses at most `u N t` into the error
term, which is at most `u N^2 t`; adding to that loses at most `u^2 N^3 t` a thread. Merging a block of 256 in
eight steps loses at most `24 u` of its error terms. Together below `2^-97 (N + 48)^3 t` a block.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np

from eqvproof.deepsets.phi.expand import expand
from eqvproof.deepsets.phi.formula import FOREIGN, Formula, Node
from eqvproof.deepsets.phi.rewrite import pruned

#: threads of a block
THREADS = 256
#: features of one kernel: three float64 each are kept in registers
FEATURES = 20
LOSS = -97
_FOREIGN = {"arctan": "atan", "arcsin": "asin", "arccos": "acos", "arcsinh": "asinh"}


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel's source and its name.

    Args:
        source: CUDA C++ that needs no header.
        name: ``pool``, with arguments (x, rows, stride of rows, stride of columns, out); ``out`` has for each
            block and feature the sum, its error term and the largest absolute value.
        features: of this kernel.
    """

    source: str
    name: str
    features: int


def kernels(formula: Formula, *, single: bool, plain: bool = False) -> tuple[Kernel, ...]:
    """The kernels of a formula, at most `FEATURES` features each."""
    made = []
    for start in range(0, formula.features, FEATURES):
        part = Formula(formula.columns, formula.nodes, formula.outputs[start : start + FEATURES])
        made.append(_kernel(pruned(part), single=single, plain=plain))
    return tuple(made)


def _kernel(formula: Formula, *, single: bool, plain: bool) -> Kernel:
    formula = expand(formula)
    real, m = "float" if single else "double", formula.features
    body = [
        f"        const {real} v{i} = {_node(node, single=single)};" for i, node in enumerate(formula.nodes)
    ]
    for f, o in enumerate(formula.outputs):
        value = f"(double)v{o}"
        if plain:
            body.append(f"        h{f} += {value};")
        else:
            body.append(f"        add(h{f}, l{f}, t{f}, {value});")
    state = [f"    double h{f} = 0.0, l{f} = 0.0, t{f} = 0.0;" for f in range(m)]
    ends = [f"    merge(h{f}, l{f}, t{f}, out + 3 * ((long long)blockIdx.x * {m} + {f}));" for f in range(m)]
    source = "\n".join(
        [
            _PRELUDE.replace("THREADS", str(THREADS)),
            f'extern "C" __global__ void pool(const {real}* __restrict__ x, long long rows,',
            "        long long row_stride, long long column_stride, double* __restrict__ out) {",
            *state,
            "    const long long step = (long long)gridDim.x * blockDim.x;",
            "    for (long long r = (long long)blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += step) {",
            f"        const {real}* row = x + r * row_stride;",
            *body,
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


def _constant(value: float, *, single: bool) -> str:
    if single:
        bits = _bits_single(value)
        return f"__uint_as_float(0x{bits:08x}u)"
    (bits,) = struct.unpack("<Q", struct.pack("<d", value))
    return f"__longlong_as_double(0x{bits:016x}ll)"


def _bits_single(value: float) -> int:
    """The bits of the nearest float32."""
    with np.errstate(over="ignore"):
        return int(np.float32(value).view(np.uint32))


def _node(node: Node, *, single: bool) -> str:
    op, kind = node.op, "f" if single else "d"
    a = [f"v{i}" for i in node.args]
    if op == "column":
        return f"row[{int(node.value)} * column_stride]"
    if op == "const":
        return _constant(node.value, single=single)
    if op in ("add", "sub", "mul", "div"):
        return f"__{kind}{op}_rn({a[0]}, {a[1]})"
    if op == "sqrt":
        return f"__{kind}sqrt_rn({a[0]})"
    if op == "neg":
        return f"-{a[0]}"
    suffix = "f" if single else ""
    if op in ("abs", "rint"):
        return f"{'fabs' if op == 'abs' else 'rint'}{suffix}({a[0]})"
    one, zero = (_constant(v, single=single) for v in (1.0, 0.0))
    if op in ("max", "min"):
        return f"({a[0]} {'>' if op == 'max' else '<'} {a[1]} || {a[0]} != {a[0]}) ? {a[0]} : {a[1]}"
    if op in ("lt", "le", "eq"):
        sign = {"lt": "<", "le": "<=", "eq": "=="}[op]
        return f"({a[0]} {sign} {a[1]}) ? {one} : {zero}"
    if op == "select":
        return f"({a[0]} != {zero}) ? {a[1]} : {a[2]}"
    if op in FOREIGN:
        return f"{_FOREIGN.get(op, op)}{suffix}({a[0]})"
    bits = f"__double_as_longlong({a[0]})"
    if op == "pow2":
        return f"__longlong_as_double(((long long){a[0]} + 1023ll) << 52)"
    if op == "mantissa":
        return f"__longlong_as_double(({bits} & 0x000fffffffffffffll) | 0x3ff0000000000000ll)"
    return f"__dsub_rn((double)(({bits} >> 52) & 2047ll), {_constant(1023.0, single=False)})"
