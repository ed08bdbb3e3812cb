"""The checker of shapes, `rocq/Shapes.v`: no entry outside of an array is read.

It has the rules of `rocq/Shapes.v` under the same names.

The shapes of the lines of a program follow from those of the arguments, by one rule for each form,
and every entry that is read lies inside of the array in which it is read. Then no entry outside of
the arrays has an influence, as `rocq/Shapes.v` proves.

Of the variables of which sizes are made it is known what they are: numbers, or sums of products of
others, which may be any numbers. A size n that is 1 or more is u + 1, and n - 1 is u. Where there
is an index below n - 1, u is 1 or more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from .form_program import FormProgram
from .forms import (
    Add,
    Choose,
    Contract,
    Delta,
    Fold,
    Form,
    Input,
    Join,
    Lab,
    Leaf,
    Map,
    Minus,
    Modulo,
    Num,
    Over,
    Place,
    Plus,
    Program,
    Scalar,
    SizePlace,
    Sort,
    Times,
    View,
    Whole,
    labels_of,
    lines_follow,
    view_sizes,
)
from .report import Rejected, spend
from .sizes import ONE, ZERO, Size

Shape = tuple[Size, ...]
#: The size of each label.
LabelSizes = Callable[[int], Size]


def covers(size: Size, other: Size) -> bool:
    """Checks whether a size has each monomial of another at least as often.

    It is then as large for all values of the variables, which may be 0.
    """
    counts = dict(size.terms)
    return all(count <= counts.get(names, 0) for names, count in other.terms)


def size_at(place: Place) -> Size | None:
    """Returns the size that a place is, if it is one whatever the labels are."""
    match place:
        case Num(number):
            return Size.of(number)
        case SizePlace(size):
            return size
    return None


@dataclass(frozen=True, slots=True)
class ShapeRules:
    """The rules of shapes.

    Attributes:
        known: what variables are; others may be any numbers.
        given: the shapes of the arguments.
    """

    known: Mapping[str, Size]
    given: Sequence[Shape]

    def expand(self, size: Size) -> Size:
        """Returns a size with what is known of its variables in their place."""
        return size.substitute(self.known)

    def equal_size(self, size: Size, other: Size) -> bool:
        """Checks whether two sizes are equal."""
        return size == other or self.expand(size) == self.expand(other)

    def alike(self, shape: Shape, other: Shape) -> bool:
        """Checks whether two shapes are equal."""
        return len(shape) == len(other) and all(map(self.equal_size, shape, other))

    def positive(self, size: Size) -> set[str]:
        """Returns the variables that are 1 or more where there is an index below a size.

        They are those in all of its monomials.
        """
        terms = self.expand(size).terms
        if not terms:
            return set()
        return set.intersection(*({*names} for names, _ in terms))

    def present(self, sizes: Iterable[Size]) -> set[str]:
        """Returns the variables that are 1 or more where there are indices below sizes."""
        return {name for size in sizes for name in self.positive(size)}

    def above(self, some: set[str]) -> ShapeRules:
        """Returns the rules where some variables are 1 or more: each is 1 and any number."""
        if not some:
            return self
        more = {name: Size.of(name) + ONE for name in some}
        known = {name: size.substitute(more) for name, size in self.known.items()}
        return replace(self, known={**more, **known})

    def bound(self, size_of: LabelSizes, place: Place) -> tuple[Size, Size]:
        """Returns two sizes: the place and the second one together are at most the first one."""
        match place:
            case Lab(label):
                return self.expand(size_of(label)), ONE
            case Num(number):
                return Size.of(number), ZERO
            case SizePlace(size):
                return self.expand(size), ZERO
            case Plus(a, b):
                (p, n), (q, k) = self.bound(size_of, a), self.bound(size_of, b)
                return p + q, n + k
            case Times(a, b):
                (p, n), (q, k) = self.bound(size_of, a), self.bound(size_of, b)
                return p * q + n * k, p * k + n * q
            case Minus(a, b):
                p, n = self.bound(size_of, a)
                less = size_at(b)
                if less is not None and covers(p, n + self.expand(less)):
                    return p, n + self.expand(less)
                return p, n
            case Over(a, _):
                return self.bound(size_of, a)
            case Modulo(a, b):
                whole = size_at(b)
                if whole is not None and covers(self.expand(whole), ONE):
                    return self.expand(whole), ONE
                return self.bound(size_of, a)

    def bounded(self, size_of: LabelSizes, place: Place, size: Size) -> bool:
        """Checks by its bound that a place is below a size."""
        p, n = self.bound(size_of, place)
        return covers(self.expand(size) + n, ONE + p)

    def below(self, size_of: LabelSizes, place: Place, size: Size) -> bool:
        """Checks that a place is below a size."""
        if self.bounded(size_of, place, size):
            return True
        match place:
            case Over(a, b):
                divisor = size_at(b)
                return divisor is not None and self.below(size_of, a, divisor * size)
            case Minus(a, _) | Modulo(a, _):
                return self.below(size_of, a, size)
        return False

    def has_shape(self, context: Sequence[Shape], shape: Shape, line: int) -> bool:
        """Checks whether an earlier line has a shape."""
        return line < len(context) and self.alike(context[line], shape)

    def contract_shape(self, context: Sequence[Shape], form: Contract, shape: Shape) -> bool:
        """Checks a sum of products.

        A label has one size, that of the axes at which it is read; one of the result may be shorter
        at a single place.
        """
        spend(len(form.rows) + len(form.summed) + len(form.out))
        if len(shape) != len(form.out):
            return False
        sizes = dict([*zip(form.out, shape, strict=True), *form.summed])
        if len(sizes) != len(form.out) + len(form.summed):
            return False
        read = Counter(x for _, places in form.rows for place in places for x in labels_of(place))
        if not sizes.keys() >= read.keys():
            return False
        kept, inside = {*form.out}, self.above(self.present(sizes.values()))

        def read_ok(place: Place, size: Size) -> bool:
            if not isinstance(place, Lab):
                return inside.below(sizes.__getitem__, place, size)
            if self.equal_size(sizes[place.label], size):
                return True
            single = place.label in kept and read[place.label] == 1
            return single and inside.below(sizes.__getitem__, place, size)

        return all(
            line < len(context)
            and len(places) == len(context[line])
            and all(map(read_ok, places, context[line]))
            for line, places in form.rows
        )

    def shape_rule(self, context: Sequence[Shape], form: Form, shape: Shape) -> bool:
        """Checks whether a line of a form has the stated shape, by the shapes of those before."""
        match form:
            case Input(number):
                return number < len(self.given) and self.alike(self.given[number], shape)
            case Scalar() | Leaf():
                return True
            case Delta(size):
                return self.alike((size, size), shape)
            case Contract():
                return self.contract_shape(context, form, shape)
            case Add(arguments) | Map(_, arguments):
                return all(self.has_shape(context, shape, a) for a in arguments)
            case Choose(condition, axes, chosen, other):
                if any(p >= len(shape) for p in axes):
                    return False
                read = tuple(shape[p] for p in axes)
                return (
                    self.has_shape(context, read, condition)
                    and self.has_shape(context, shape, chosen)
                    and self.has_shape(context, shape, other)
                )
            case Fold(_, argument, axis, size):
                longer = (*shape[:axis], size, *shape[axis:])
                return axis <= len(shape) and self.has_shape(context, longer, argument)
            case Sort(_, argument, axis, size):
                in_range = axis < len(shape) and self.equal_size(size, shape[axis])
                return in_range and self.has_shape(context, shape, argument)
            case Join(rows, axis):
                if axis >= len(shape):
                    return False
                total = ZERO
                for _, size in rows:
                    total = total + size
                before, after = shape[:axis], shape[axis + 1 :]
                return self.equal_size(total, shape[axis]) and all(
                    self.has_shape(context, (*before, size, *after), a) for a, size in rows
                )
            case Whole(_, batch, arguments):
                return batch <= len(shape) and all(
                    self.has_shape(context, (*shape[:batch], *sizes), a) for a, sizes in arguments
                )
            case View():
                return self.view_shape(context, form, shape)

    def view_shape(self, context: Sequence[Shape], form: View, shape: Shape) -> bool:
        """Checks a view: its own axes, those that it sees, and that a part ends in its axis."""
        z, w, p = form.first, form.second, form.axis
        own = view_sizes(form.view, z, w)
        if not self.alike(own, shape[p : p + len(own)]):
            return False
        theirs = context[form.argument] if form.argument < len(context) else ()
        cut = theirs[p] if p < len(theirs) else ZERO
        seen = {"Cut": (cut,), "Split": (z * w,), "Merge": (z, w)}[form.view]
        whole = (*shape[:p], *seen, *shape[p + len(own) :])
        inside = form.view != "Cut" or covers(self.expand(cut), self.expand(z + w))
        return inside and self.has_shape(context, whole, form.argument)


def shaped(
    known: Mapping[str, Size],
    given: Sequence[Shape],
    program: Program,
    shapes: Sequence[Shape],
    claimed: Shape,
    kinds: Sequence[int] | None = None,
) -> bool:
    """Checks that the shapes of all lines follow by the rules; the last is as claimed.

    The `kinds` are the numbers of the kinds of lines, see `forms.lines_follow`.
    """
    rule = ShapeRules(known, given).shape_rule
    return lines_follow(program, shapes, rule, kinds) and shapes[-1] == claimed


def require_shapes(
    program: FormProgram, given: Sequence[Shape], lows: Mapping[str, int], path: str
) -> None:
    """Requires that all shapes of a program follow from those of the arguments.

    The shape of the last line is compared with the claim elsewhere, by `form_program.bind_names`.

    Raises:
        Rejected: they do not, or an entry outside of an array is read.
    """
    known = {name: Size.of(name) + Size.of(low) for name, low in lows.items()}
    last = program.shapes[-1]
    if not shaped(known, given, program.lines, program.shapes, last, program.kinds):
        raise Rejected(f"{path}: the shapes do not follow, or an entry outside of an array is read")
