"""Capture of a torch target: its ATen operations, recorded in one run on symbolic sizes.

A dispatch mode stands above torch's fake tensors, which have shapes and no entries. Each axis name
of the signature is one symbol, at least 2 (size 1 is read separately). Questions of Python or torch
about a size are answered for an example and recorded as conditions, also where C++ code takes the
size for a plain integer; questions about a value are answered as the path that is read says. Writes
in place become new values, of bases and of other views as well. Parameters, buffers and other
tensors of the target are constants, referred to and not copied.
"""

from __future__ import annotations

import contextlib
import functools
import io
import logging
import math
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import sympy
import torch
from torch._dispatch.python import enable_python_dispatcher
from torch._dynamo.source import ConstantSource
from torch._ops import OpOverload
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.fx.experimental.sym_node import SymNode
from torch.fx.experimental.symbolic_shapes import DimDynamic, GuardOnDataDependentSymNode, ShapeEnv
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes
from torch.utils._pytree import tree_flatten, tree_map_only

from eqvproof.claims.signature import Signature
from eqvproof.support.deadline import is_question, require_time
from eqvproof.support.errors import EqvproofError, ErrorCode, TraceError
from eqvproof.tracing.arrays.paths import MOST_QUESTIONS, raised_on_purpose
from eqvproof.tracing.observing.frames import at_place, owner_of_file
from eqvproof.tracing.observing.monitoring import pause, resume
from eqvproof.tracing.observing.texts import texts_only_told
from eqvproof.tracing.samples import NO_SPANS, Spans, within
from eqvproof.tracing.torch import rewrites
from eqvproof.tracing.torch.conditions import implied_answer
from eqvproof.tracing.torch.decompositions import decompositions, name_of
from eqvproof.tracing.torch.parameters import unfused_encoder_layers
from eqvproof.tracing.torch.places import places_from
from eqvproof.tracing.torch.random_draws import (
    SEEDS,
    draw,
    is_reproducible_draw,
    with_seed,
)
from eqvproof.tracing.torch.sizes import Expression

aten = torch.ops.aten
#: The arguments of an operation: tensors, sizes, numbers, and lists of these.
Arguments: TypeAlias = tuple[Any, ...]
#: Sizes of the example: distinct primes, so that no condition holds by chance.
PRIMES = (5, 7, 11, 13, 17, 19, 23, 29, 31)
#: Sizes of a second run, for targets that need more entries, such as the 20 nearest points.
LARGER = (37, 41, 43, 47, 53, 59, 61, 67, 71)
#: Largest number of integers of one tensor whose values are recorded.
MOST_KNOWN = 64
#: Operations whose result depends on memory content, or on rounding.
UNSURE = ("empty", "linalg", "cholesky", "eig", "svd")
#: Operations that ask for sizes without depending on the answers.
UNSIZED = ("convolution", "nonzero")
#: Views of a tensor with all its entries: they are undone by restoring its shape.
RESHAPED = frozenset(
    {"view", "_unsafe_view", "unsqueeze", "squeeze", "alias", "detach", "_reshape_alias"}
)


#: Operations that map tensors of equal entries to tensors of the same entry.
UNIFORM = RESHAPED | {"max", "amax", "min", "amin", "expand", "select", "slice", "clone", "permute"}


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference to a value of the captured steps.

    Attributes:
        number: its number.
    """

    number: int


@dataclass(frozen=True, slots=True)
class Kind:
    """The type and shape of a value."""

    dtype: torch.dtype
    shape: tuple[int | torch.SymInt, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """An operation as it ran.

    Attributes:
        target: the ATen operation.
        args, kwargs: its arguments, tensors as `Ref`, sizes as torch has them.
        made: the numbers of the results; None for what is no tensor.
        single: whether there is one result, and no tuple.
        places: (file, line) of the user's code, innermost first.
    """

    target: OpOverload
    args: Arguments
    kwargs: Mapping[str, object]
    made: tuple[int | None, ...]
    single: bool
    places: tuple[tuple[str, int], ...]

    @property
    def name(self) -> str:
        """Returns the name of the operation, without its overload."""
        return name_of(self.target)


@dataclass(frozen=True, slots=True)
class _View:
    """The operation that made a tensor as a view of another one."""

    parent: torch.Tensor
    target: OpOverload
    args: Arguments
    kwargs: Mapping[str, object]
    outputs: tuple[object, ...]
    place: int


#: From so many operations on, torch keeps the shapes that an operation gives: to keep them takes as long as
#: to find them, which repeated layers alone repay.
FIRST_REPEATED = 200


class _Env(ShapeEnv):
    """An environment of conditions: those on sizes are recorded, those on values are asked for.

    Args:
        answer: returns the truth value of a condition on values.
    """

    def __init__(self, answer: Callable[[Expression], bool]) -> None:
        super().__init__(specialize_zero_one=True, duck_shape=False)
        self._answer_question = answer

    def evaluate_expr(self, orig_expr: Expression, *args: Any, **options: Any) -> Expression:
        """Returns the truth value of a condition."""
        try:
            return super().evaluate_expr(orig_expr, *args, **options)
        except GuardOnDataDependentSymNode:
            if not isinstance(orig_expr, (sympy.Rel, sympy.logic.boolalg.BooleanFunction)):
                raise
            if self._answer_question(orig_expr):
                return sympy.true
            return sympy.false


class Capture(TorchDispatchMode):
    """A record of the operations of a target.

    Attributes:
        steps: the operations.
        kinds: number of a value -> its type and shape.
        inputs: the numbers of the arguments.
        constants: number -> a tensor that the target holds.
        changed: the memory addresses of the constants that the target writes into.
        draws: the states of the generator before each draw.
        asked: (question, answer): the truth values that were asked for, each as the number of its
            tensor, or as a condition on numbers that the inputs decide.
        numbers: torch's symbol -> the number of the tensor whose entry it is.
        uniform: the number of a tensor of integers -> the number in the code that all its entries
            equal.
        output: the number of the result.
        names: torch's symbol -> the axis name.
        env: the conditions.
    """

    def __init__(self, script: tuple[bool, ...] = (), *, gradients: bool = False) -> None:
        super().__init__()  # type: ignore[no-untyped-call,unused-ignore]
        self.asked: list[tuple[Expression | int, bool]] = []
        self.numbers: dict[str, int] = {}
        self.uniform: dict[int, int] = {}
        self._answers_given, self._gradients = script, gradients
        self.env: Any = _Env(self._answer_question)
        self.fake = FakeTensorMode(shape_env=self.env, allow_non_fake_inputs=True)
        self.fake.cache_enabled = False  # until layers may repeat
        self.steps: list[Step] = []
        self.kinds: list[Kind] = []
        self.inputs: list[int] = []
        self.constants: dict[int, torch.Tensor] = {}
        self.changed: set[int] = set()
        self.draws: list[str] = []
        self.output = -1
        self.names: dict[str, str] = {}
        self._table = decompositions()
        self._known: dict[
            int, torch.Tensor
        ] = {}  # number of a value -> integers that depend on nothing
        self._current_numbers: dict[int, int] = {}  # id of a tensor -> the value that it has now
        self._sizes_from_values: dict[
            str, int
        ] = {}  # a size that the inputs decide -> a value with an axis of that size
        self._kept_alive: list[object] = []  # so that no id is used twice
        self._views: dict[int, _View] = {}
        self._writes: dict[int, int] = {}  # id of a base -> how often it was written into
        self._refreshed_after: dict[
            int, int
        ] = {}  # id of a view -> after how many of these writes it was made
        self._outermost_frame: object = None

    def symbol(self, name: str, example: int) -> Any:
        """Returns the size for which an axis name stands."""
        source = ConstantSource(name)
        found = self.env.create_symbol(example, source, DimDynamic.DYNAMIC, None)
        self.names[str(found)] = name
        return self.env.create_symintnode(found, hint=example, source=source)

    def argument(self, shape: Sequence[int | torch.SymInt], dtype: torch.dtype) -> torch.Tensor:
        """Returns a new argument of the target, a tensor of some shape."""
        with self.fake:
            made = torch.empty(shape, dtype=dtype)
        self.inputs.append(self._number_new_tensor(made))
        return made

    def run(self, target: Callable[..., object], arguments: Sequence[object]) -> None:
        """Calls the target and records its operations.

        Where it raises by its own decision, after a question about values, there is no output.

        Raises:
            TraceError: it does what torch cannot do without entries.
        """
        self._outermost_frame = sys._getframe()
        try:
            gradients = torch.set_grad_enabled(self._gradients)
            with (
                _unfused_and_silent(),
                gradients,
                enable_python_dispatcher(),
                self.fake,
                self,
                rewrites.replacing_torch_functions(),
                texts_only_told((torch.Tensor, torch.SymInt, torch.SymFloat, torch.SymBool)),
            ):
                made = target(*arguments)
        except EqvproofError:
            raise
        except Exception as error:
            if self.asked and raised_on_purpose(error, _raised_by_target):
                return
            raise TraceError(
                f"torch could not run the target for all sizes: {_failure_reason(error)}{at_place(error)}",
                given=_first_line(error),
                hint="branches on values or sizes, and operations without a fixed shape, cannot be"
                " traced",
                code=ErrorCode.TRACE_TORCH,
            ) from error
        if not isinstance(made, torch.Tensor):
            raise TraceError("a target that does not return one tensor", expected="one tensor")
        self.output = self._current_number(made)

    def used(self) -> set[int]:
        """Returns the numbers of the values on which the result depends."""
        makers = {n: step for step in self.steps for n in step.made if n is not None}
        used, waiting = set[int](), list[int]()
        if self.output >= 0:
            waiting.append(self.output)
        for question, _ in self.asked:
            if isinstance(question, int):
                waiting.append(question)
            else:
                waiting += self._deciding_values(question)
        while waiting:
            number = waiting.pop()
            if number not in used:
                used.add(number)
                if number in makers:
                    step = makers[number]
                    for value in tree_flatten((step.args, dict(step.kwargs)))[0]:
                        if isinstance(value, Ref):
                            waiting.append(value.number)
                        elif isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
                            waiting += self._deciding_values(value.node.expr)
        return used

    def _deciding_values(self, expression: Expression) -> list[int]:
        """Returns the values that determine the numbers in an expression.

        These are entries of tensors, and tensors whose size is the number.
        """
        names = map(str, expression.free_symbols)
        return [
            (self.numbers | self._sizes_from_values)[n]
            for n in names
            if n in self.numbers or n in self._sizes_from_values
        ]

    def __torch_dispatch__(
        self, func: OpOverload, types: object, args: Any = (), kwargs: Any = None
    ) -> object:
        paused = pause()
        try:
            if not is_question(func):
                require_time()
            return self._record_operation(func, args, kwargs or {})
        finally:
            resume(paused)

    def _record_operation(
        self, func: OpOverload, args: Arguments, kwargs: dict[str, object]
    ) -> object:
        if name_of(func) == "squeeze" and self._may_be_one(args[0], *args[1:2]):
            dropped = "an axis that a mask picks may be dropped"
            raise TraceError(dropped, hint="name axes", code=ErrorCode.TRACE_SIZE)
        if is_reproducible_draw(func, args, kwargs):
            return self._record_draw(*draw(func, args, kwargs))
        formula = self._table.get(func)
        if formula is None and _is_composite(func):
            formula = func.decompose
        if formula is not None:
            with self:
                made = formula(*args, **kwargs)
            if made is not NotImplemented:
                return made
        if func is aten._local_scalar_dense.default:
            return self._read_only_entry(args[0])
        if func._schema.is_mutable:
            return self._record_write(func, args, kwargs)
        recorded = self._with_references(args), self._with_references(kwargs)
        # Torch asks for sizes here only to choose a kernel, a memory layout, or 32-bit indices.
        if name_of(func) in UNSIZED:
            with self.env.suppress_guards():
                made = self._run_without_entries(func, args, kwargs)
        else:
            made = self._run_without_entries(func, args, kwargs)
        outputs = tuple(made) if isinstance(made, (tuple, list)) else (made,)
        fresh = [
            isinstance(t, torch.Tensor) and id(t) not in self._current_numbers for t in outputs
        ]
        if any(fresh):
            numbers = [
                self._number_new_tensor(t) if new else None
                for t, new in zip(outputs, fresh, strict=True)
            ]
            self._record_uniform(name_of(func), args, numbers)
            self._record_known(func, args, kwargs, numbers, outputs)
            self._record_step(func, *recorded, numbers, single=made is outputs[0])
        if name_of(func) != "lift_fresh" and any(r.alias_info for r in func._schema.returns):
            for k, view in enumerate(outputs):
                if fresh[k]:
                    self._views[id(view)] = _View(args[0], func, args[1:], kwargs, outputs, k)
                    self._refreshed_after[id(view)] = self._writes.get(id(self._base(view)), 0)
        return made

    def _may_be_one(self, x: torch.Tensor, dims: Any = None) -> bool:
        """Checks whether the inputs decide the size of one of some axes (None: of all axes)."""
        if dims is None:
            dims = range(x.dim())
        elif not isinstance(dims, (list, tuple)):
            dims = [dims]
        sizes: list[Any] = [x.shape[d] for d in dims if x.dim()]
        return any(str(getattr(s, "node", s)) in self._sizes_from_values for s in sizes)

    def _record_draw(self, tensor: torch.Tensor, state: str) -> object:
        """Records drawn numbers as a constant, which follows from the seed the target set."""
        self.draws.append(state)
        made = self._fake_of(tensor)
        self.constants[self._number_new_tensor(made)] = tensor
        return made

    def _record_uniform(
        self, name: str, args: tuple[object, ...], numbers: list[int | None]
    ) -> None:
        """Records tensors of integers whose entries all equal a number written in the code."""
        value: object = None
        if name in ("full", "full_like") and len(args) > 1:
            value = args[1]
        elif name in UNIFORM and isinstance(args[0], torch.Tensor):
            value = self.uniform.get(self._current_number(args[0]))
        if type(value) is int and numbers[0] is not None:
            self.uniform[numbers[0]] = value

    def _record_known(
        self,
        func: OpOverload,
        args: tuple[object, ...],
        kwargs: dict[str, object],
        numbers: list[int | None],
        made: tuple[object, ...],
    ) -> None:
        """Records small tensors that depend on no argument and on no size."""
        flat = tree_flatten((args, kwargs))[0]
        tensors = (a for a in flat if isinstance(a, torch.Tensor))
        given = {id(a): self._known.get(self._current_numbers.get(id(a), -1)) for a in tensors}
        if name_of(func) == "lift_fresh":
            literal = args[0]  # written in the code
            if isinstance(literal, torch.Tensor) and not isinstance(literal, FakeTensor):
                with _disable_current_modes():
                    given[id(literal)] = literal.clone()
        sized = any(isinstance(a, (torch.SymInt, torch.SymFloat, torch.SymBool)) for a in flat)
        unsure = any(part in name_of(func) for part in UNSURE)
        if sized or unsure or None in given.values() or not all(map(_is_small_and_real, made)):
            return
        with _disable_current_modes():
            args, kwargs = tree_map_only(torch.Tensor, lambda a: given[id(a)], (args, kwargs))
            found = func(*args, **kwargs)
            if not isinstance(found, (tuple, list)):
                found = [found]
            self._known |= {n: t for n, t in zip(numbers, found, strict=True) if n is not None}

    def _read_only_entry(self, tensor: torch.Tensor) -> object:
        """Returns the only entry of a tensor: an answer for a truth value, else a symbol."""
        number = self._current_number(tensor)
        if tensor.dtype == torch.bool:
            known = dict(self.asked).get(number)
            if number in self._known:
                with _disable_current_modes():
                    return self._known[number].item()
            if known is None:
                return self._answer_question(number)
            return known
        if tensor.dtype.is_complex:
            raise TraceError("a number is made of a complex tensor", code="trace.value")
        if number in self.uniform and not tensor.dtype.is_floating_point:
            return self.uniform[number]
        real = tensor.dtype.is_floating_point
        if number in self._known and not real:  # a real number differs from its rounded value
            with _disable_current_modes():
                return self._known[number].item()
        if real:
            made = self.env.create_unbacked_symfloat()
        else:
            made = self.env.create_unbacked_symint()
        self.numbers[str(made.node.expr)] = number
        return made

    def _answer_question(self, question: Expression | int) -> bool:
        """Returns the answer to a question about values: implied by others, or from the script."""
        if not isinstance(question, int):
            if not all(
                str(s) in {*self.numbers, *self._sizes_from_values, *self.names}
                for s in question.free_symbols
            ):
                raise TraceError(
                    "a question about numbers of which nothing is known", code="trace.value"
                )
            others = [(q, a) for q, a in self.asked if not isinstance(q, int)]
            known = implied_answer(question, others, self._sizes_from_values)
            if known is not None:
                return known
        if len(self.asked) >= MOST_QUESTIONS:
            raise TraceError("too many branches on values", code="trace.value")
        count = len(self.asked)
        answer = count >= len(self._answers_given) or self._answers_given[count]
        self.asked.append((question, answer))
        return answer

    def _record_write(self, func: OpOverload, args: Arguments, kwargs: dict[str, object]) -> object:
        """Handles an operation that writes: records its pure form, and replaces the target."""
        places = [
            a
            for a in enumerate(func._schema.arguments)
            if a[1].alias_info and a[1].alias_info.is_write
        ]
        where, argument = places[0]
        out, name = argument.is_out, name_of(func)
        target: Any
        if out:
            pure, target = getattr(aten, name, None), kwargs.get(argument.name)
        else:
            pure, target = getattr(aten, name.removesuffix("_"), None), args[where]
        moves = torch.Tag.inplace_view in func.tags
        shared = id(target) in self._views or any(v.parent is target for v in self._views.values())
        shared = shared or not isinstance(target, FakeTensor)
        if len(places) > 1 or pure is None or not (out or name.endswith("_")) or (moves and shared):
            raise TraceError(
                f"the torch operation {func} writes in a way that is not read",
                code="trace.operation",
            )
        self._current_number(target)  # with it, of what it is a view
        with self:
            given = list(args)
            # the pure form has other default arguments
            if torch.Tag.nondeterministic_seeded in func.tags:
                given += [
                    a.default_value for a in func._schema.arguments[len(args) :] if not a.kwarg_only
                ]
            if name == "copy_" and args[1].dtype != target.dtype:
                given[1] = aten._to_copy.default(args[1], dtype=target.dtype)
            made = pure(
                *given, **{k: v for k, v in kwargs.items() if not out or k != argument.name}
            )
            if made.dtype != target.dtype:
                made = aten._to_copy.default(made, dtype=target.dtype)
        self._run_without_entries(func, args, kwargs)
        if not moves and made.dim() != target.dim():
            raise TraceError(
                f"the torch operation {func} gives a tensor another shape", code="trace.operation"
            )
        self._replace_value(target, self._current_number(made))
        return target

    def _run_without_entries(
        self, func: OpOverload, args: tuple[object, ...], kwargs: dict[str, object]
    ) -> object:
        """Runs an operation on fake tensors, also in place of the target's own, which are kept."""
        if name_of(func) != "lift_fresh":  # a number or a list, made a tensor, is known
            args, kwargs = tree_map_only(torch.Tensor, self._fake_of, (args, kwargs))
        self.fake.cache_enabled = len(self.steps) >= FIRST_REPEATED
        return func(*args, **kwargs)

    def _fake_of(self, tensor: torch.Tensor) -> torch.Tensor:
        if isinstance(tensor, FakeTensor):
            return tensor
        return self.fake.from_tensor(tensor, static_shapes=True)

    def _replace_value(self, target: object, number: int) -> None:
        """Replaces the value of a tensor, and the part of its bases of which it is a view."""
        base = self._base(target)
        if not isinstance(base, FakeTensor):
            self.changed.add(base.untyped_storage().data_ptr())
        self._writes[id(base)] = now = self._writes.get(id(base), 0) + 1
        while True:
            self._current_numbers[id(target)], self._refreshed_after[id(target)] = number, now
            view = self._views.get(id(target))
            if view is None:
                return
            number, target = self._write_into_parent(view, number), view.parent

    def _write_into_parent(self, view: _View, number: int) -> int:
        """Returns the value of a base after a view of it has got another value."""
        whole, name, shape = (
            self._current_numbers[id(view.parent)],
            name_of(view.target),
            view.parent.shape,
        )
        target, args, whole_first = view.target, view.args, False
        if name in RESHAPED:
            target, args = aten.view.default, (list(shape),)
        elif name == "permute":
            order = [d % len(shape) for d in args[0]]
            args = ([order.index(d) for d in range(len(shape))],)
        elif name in ("select", "slice", "diagonal"):
            target, whole_first = getattr(aten, f"{name}_scatter").default, True
        elif name == "split_with_sizes":
            dim = args[1] if len(args) > 1 else 0
            start = sum(args[0][: view.place])
            target, whole_first = aten.slice_scatter.default, True
            args = (dim, start, start + args[0][view.place])
        elif name not in ("t", "transpose"):
            raise TraceError(
                f"a write into what {view.target} gives is not read", code="trace.operation"
            )
        made = self._new_number(view.parent)
        self._record_step(
            target,
            (*[Ref(whole)][:whole_first], Ref(number), *self._with_references(args)),
            {},
            [made],
        )
        return made

    def _base(self, tensor: object) -> Any:
        while id(tensor) in self._views:
            tensor = self._views[id(tensor)].parent
        return tensor

    def _new_number(self, tensor: torch.Tensor) -> int:
        self.kinds.append(Kind(tensor.dtype, tuple(tensor.shape)))
        for size in self.kinds[-1].shape:
            if isinstance(size, torch.SymInt) and str(size.node.expr) not in self.names:
                self._sizes_from_values.setdefault(str(size.node.expr), len(self.kinds) - 1)
        return len(self.kinds) - 1

    def _number_new_tensor(self, tensor: torch.Tensor) -> int:
        self._kept_alive.append(tensor)
        self._current_numbers[id(tensor)] = number = self._new_number(tensor)
        return number

    def _current_number(self, tensor: torch.Tensor) -> int:
        """Returns the number of a tensor's current value; refreshes a view after a write."""
        if id(tensor) not in self._current_numbers:
            if isinstance(tensor, FakeTensor):
                raise TraceError("a tensor that no operation made", code="trace.operation")
            self.constants[self._number_new_tensor(tensor)] = tensor
        view = self._views.get(id(tensor))
        if view is not None:
            now = self._writes.get(id(self._base(tensor)), 0)
            if self._refreshed_after[id(tensor)] != now:
                args = Ref(self._current_number(view.parent)), *self._with_references(view.args)
                numbers: list[int | None] = [None] * len(view.outputs)
                numbers[view.place] = self._current_numbers[id(tensor)] = self._new_number(tensor)
                single = len(numbers) == 1 and name_of(view.target) != "split_with_sizes"
                self._record_step(
                    view.target, args, self._with_references(view.kwargs), numbers, single=single
                )
                self._refreshed_after[id(tensor)] = now
        return self._current_numbers[id(tensor)]

    def _with_references(self, value: object) -> Any:
        """Returns arguments with references in place of tensors."""
        if isinstance(value, torch.Tensor):
            return Ref(self._current_number(value))
        if isinstance(value, (tuple, list)):
            return tuple(map(self._with_references, value))
        if isinstance(value, dict):
            return {k: self._with_references(v) for k, v in value.items()}
        return value

    def _record_step(
        self, target: OpOverload, args: tuple[object, ...], kwargs: Mapping[str, object],
        made: Sequence[int | None], *, single: bool = True,
    ) -> None:  # fmt: skip
        """Records a step, with the user's lines that led to it, or else the submodule."""
        places = places_from(sys._getframe(1), self._outermost_frame)
        self.steps.append(Step(target, args, kwargs, tuple(made), single, places))


@functools.cache
def _is_composite(target: OpOverload) -> bool:
    """Checks whether torch itself can decompose an operation into others."""
    try:
        return bool(target._can_decompose())
    except RuntimeError:  # no operation of the dispatcher
        return False


def _is_small_and_real(made: object) -> bool:
    """Checks whether a result is a small tensor of real numbers or truth values."""
    return (
        isinstance(made, torch.Tensor)
        and not made.dtype.is_complex
        and bool(made.numel() <= MOST_KNOWN)
    )


def _failure_reason(error: Exception) -> str:
    """Returns the reason why torch could not run a target without entries."""
    if isinstance(error, GuardOnDataDependentSymNode):
        return "a size, a number in Python or a branch depends on the values of a tensor"
    return _first_line(error)


def _first_line(error: Exception) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0] if text else ''}"


def _raised_by_target(filename: str) -> bool:
    """Checks whether a raise statement in a file belongs to the target or a layer it calls."""
    if owner_of_file(filename) not in ("user", "arrays"):
        return False
    home, inside = os.path.dirname(torch.__file__), os.path.abspath(filename)
    if not inside.startswith(home + os.sep):
        return True
    return os.path.relpath(inside, home).split(os.sep)[0] in ("distributions", "nn")


def _exact_sym_float(self: Any, number: float) -> Any:
    """Returns a float that meets a size as an exact rational: SymPy would round products."""
    if math.isfinite(number):
        found = sympy.Rational(*number.as_integer_ratio())
    else:
        found = sympy.Float(number)
    return SymNode(found, self.shape_env, float, number, constant=number, fx_node=number)


@contextlib.contextmanager
def _unfused_and_silent() -> Iterator[None]:
    """Runs torch without warnings and without fused operations, which hide their parts.

    Floats that meet sizes are exact, and products of several factors keep their order.
    """
    log = logging.getLogger("torch")
    traces = logging.getLogger("torch.__trace")  # its level does not follow that of "torch"
    handlers, level, wrap, node = traces.handlers, log.level, SymNode.wrap_float, cast(Any, SymNode)
    fused: Any = torch.backends.mkldnn
    enabled = fused.enabled
    try:
        log.setLevel(logging.CRITICAL)
        traces.handlers = []
        fused.enabled = False
        node.wrap_float = _exact_sym_float
        math = sdpa_kernel(SDPBackend.MATH)
        with (
            warnings.catch_warnings(),
            contextlib.redirect_stderr(io.StringIO()),
            math,
            unfused_encoder_layers(),
        ):
            warnings.simplefilter("ignore")
            with (
                torch.backends.mkldnn.flags(enabled=False),
                torch.backends.opt_einsum.flags(enabled=False),
            ):
                yield
    finally:
        node.wrap_float = wrap
        fused.enabled = enabled
        log.setLevel(level)
        traces.handlers = handlers


def capture_target(
    target: Callable[..., object],
    signature: Signature,
    pins: Mapping[str, int],
    dtype: torch.dtype,
    script: tuple[bool, ...] = (),
    spans: Spans = NO_SPANS,
    *,
    gradients: bool = False,
) -> Capture:
    """Runs the target for all sizes from 2 up, with those in `pins` fixed, and records it.

    `script` holds the answers to the first questions about values.

    With `gradients`, torch records what it needs for gradients, and their computation is captured
    as well.

    Raises:
        TraceError: it cannot be run so, or draws numbers that do not follow from a seed that it
            sets.
    """

    def run(seed: int, examples: Sequence[int]) -> Capture:
        with with_seed(seed):
            return _capture_once(
                target, signature, pins, dtype, script, spans, examples, gradients=gradients
            )

    first, second = SEEDS
    examples = PRIMES
    try:
        capture = run(first, examples)
    except TraceError as error:
        decided_by_values = isinstance(error.__cause__, GuardOnDataDependentSymNode)
        if error.code != ErrorCode.TRACE_TORCH or decided_by_values:
            raise  # other sizes would not help
        examples = LARGER
        try:
            capture = run(first, examples)
        except TraceError:
            raise error from error.__cause__
    if capture.draws:
        again = run(second, examples)
        if again.draws != capture.draws:
            raise TraceError(
                "the target draws random numbers",
                expected="equal results for equal arguments",
                hint="set the seed within the function, call module.eval(), or pass the numbers as"
                " arguments",
                code=ErrorCode.TRACE_RANDOM,
            )
    return capture


def _capture_once(
    target: Callable[..., object],
    signature: Signature,
    pins: Mapping[str, int],
    dtype: torch.dtype,
    script: tuple[bool, ...],
    spans: Spans,
    primes: Sequence[int],
    *,
    gradients: bool,
) -> Capture:
    free = [n for n in signature.input_names if n not in pins]
    if len(free) > len(primes):
        raise TraceError("too many axis names for one trace", given=str(len(free)))
    capture = Capture(script, gradients=gradients)
    fixed = {axis.size.constant for argument in signature.inputs for axis in argument.axes} | {
        *pins.values()
    }
    others = sorted(primes, key=lambda p: p in fixed)
    examples = within(dict(zip(free, others, strict=False)), spans)
    sizes = {n: capture.symbol(n, example) for n, example in examples.items()}
    kinds = {"bool": torch.bool, "index": torch.int64}
    arguments = []
    for argument in signature.inputs:
        shape = [axis.size.substitute(dict(pins)).value(sizes) for axis in argument.axes]
        arguments.append(capture.argument(shape, kinds.get(argument.kind, dtype)))
    capture.run(target, arguments)
    return capture
