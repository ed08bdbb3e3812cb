"""Declared claims: ``@claim("X: d n -> d n", under="O(d)")`` attaches a claim to a function.

The function itself does not change.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from eqvproof.interface.testing.checked_claims import CHECKED
from eqvproof.support.errors import OptionTypeError
from eqvproof.support.short_tracebacks import shortens_tracebacks
from eqvproof.tracing.observing.modules import imported

if TYPE_CHECKING:
    from typing import Unpack

    from eqvproof.claims.groups import Under
    from eqvproof.engines.options import CheckOptions

ATTRIBUTE = "__eqvproof_claims__"
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class DeclaredClaim:
    """A declared claim about a function.

    Attributes:
        signature: the typing.
        under: the group.
        options: further options of `eqvproof.check` (`sizes`, `budget`, `domain`, ...).
        invariant: True if the group acts on no axis of the result, even if the names agree.
    """

    signature: str
    under: Under
    options: Mapping[str, Any] = field(default_factory=dict)
    invariant: bool = False

    def __str__(self) -> str:
        if isinstance(self.under, (list, tuple)):
            parts = self.under
        else:
            parts = [self.under]
        return f"[{self.signature}] under {' x '.join(map(str, parts))}"


@shortens_tracebacks
def claim(signature: str, under: Under = "", **options: Unpack[CheckOptions]) -> Callable[[F], F]:
    """Declares that a function is equivariant.

    ``eqvproof check pkg.mod`` and `declared_claims` find the claim.

    Nothing is checked when the function is defined or called, and the function itself is returned.
    A function may have several claims.

    Args:
        signature: its arguments and result, ``"X: d n -> d n"``.
        under: the group, ``"O(d) x S(n)"``.
        options: other options of `eqvproof.check`.

    Raises:
        SignatureError, GroupError: the claim cannot be read; raised when it is declared.

    >>> @claim("X: d n -> d n", under="O(d)")
    ... def gram_layer(X):
    ...     return X @ (X.T @ X)
    """
    if callable(signature):
        raise OptionTypeError(
            "@claim stands above a function without the claim",
            given=f"@claim above {getattr(signature, '__name__', 'an object')}",
            expected="a signature and a group",
            hint='@ep.claim("X: d n -> d n", under="O(d)")',
            code="claim.target",
        )
    declared = DeclaredClaim(signature, under, dict(options))
    if not isinstance(under, str) or str(declared) not in CHECKED.parsed:
        from eqvproof.claims.groups import parse_group
        from eqvproof.claims.groups.flips import with_flips
        from eqvproof.claims.signature import parse_form

        for one in with_flips(parse_form(signature), under).signatures:
            parse_group(under, one, each=True)
        if options:
            from eqvproof.api import check
            from eqvproof.engines.option_errors import unknown_option

            shown = inspect.signature(check).parameters
            for name in options:
                if name not in shown:
                    raise unknown_option("claim", name, shown)

    def attach(f: F) -> F:
        if isinstance(f, type) or _takes_self(f, signature):
            raise OptionTypeError(
                "a claim is declared above a class, or above a method, which takes the instance",
                given=f.__qualname__,
                expected="a function of the arguments in the signature",
                hint="declare it above a function that calls an instance:"
                f" def f({signature.partition(':')[0].strip()}): ...",
                code="claim.target",
            )
        if not callable(f):
            raise OptionTypeError(
                "a claim is declared above an object that cannot be called",
                given=type(f).__name__,
                expected="a function",
                hint="in a class, write @staticmethod above @claim",
                code="claim.target",
            )
        setattr(f, ATTRIBUTE, (declared, *claims_of(f)))
        return f

    return attach


def _takes_self(f: object, signature: str) -> bool:
    """Checks whether a function takes an instance, of which the signature says nothing."""
    names = getattr(getattr(f, "__code__", None), "co_varnames", ())
    return names[:1] == ("self",) and not re.search(r"\bself\b", signature)


@shortens_tracebacks
def claims_of(f: Any) -> tuple[DeclaredClaim, ...]:
    """Returns the claims declared above a function, from top to bottom."""
    found = getattr(f, ATTRIBUTE, ())
    if isinstance(found, tuple):
        return tuple(c for c in found if isinstance(c, DeclaredClaim))
    return ()


@shortens_tracebacks
def declared_claims(module: ModuleType) -> Iterator[tuple[str, Any, DeclaredClaim]]:
    """Yields (name, function, claim) for each claim in a module or in all modules of a package.

    Functions that a module imports from elsewhere are left to the module that defines them.

    Raises:
        TargetError: a module of the package cannot be imported.
    """
    for part in _modules(module):
        for name, value in list(vars(part).items()):
            yield from _claims(value, part.__name__, name)
            if isinstance(value, type) and value.__module__ == part.__name__:
                for inner in vars(value):
                    yield from _claims(
                        getattr(value, inner, None), part.__name__, f"{name}.{inner}"
                    )


def _claims(value: Any, module: str, name: str) -> Iterator[tuple[str, Any, DeclaredClaim]]:
    if not isinstance(value, type) and getattr(value, "__module__", None) == module:
        for declared in claims_of(value):
            yield f"{module}:{name}", value, declared


def _modules(module: ModuleType) -> Iterator[ModuleType]:
    yield module
    for found in pkgutil.walk_packages(getattr(module, "__path__", ()), f"{module.__name__}."):
        if found.name.rpartition(".")[2] == "__main__":
            continue
        yield imported(found.name)
