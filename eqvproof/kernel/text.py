"""Parses the text of certificates strictly, checks version and digest; reads numbers and sizes.

What cannot be read is refused with the place where it stands.

Everything is refused that is not exactly of the known form: unknown or missing keys, duplicate
keys, floats, NaN, booleans for integers, numbers that are not in canonical form.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate
from typing import Any

from .report import Rejected, Unreadable, spend
from .sizes import Size

FORMAT, VERSION = "eqvproof-certificate", 1
#: Largest number of characters of a certificate, of nested brackets, of digits of a rational, and
#: largest integer.
MOST_BYTES, MOST_DEPTH, MOST_DIGITS, MOST_INTEGER = 4_000_000, 24, 4000, 10**15
#: Largest number of some bytes, which bounds the memory of the data.
MOST_MARKS = {ord("{"): 250_000, ord("["): 600_000, ord(","): 1_000_000, ord(":"): 500_000}
#: Largest number of lines of a program, of axes of an array, and of factors of a monomial in a
#: size.
MOST_NODES, MOST_RANK, MOST_DEGREE = 50_000, 32, 12
RATIONAL = re.compile(r"(-?)(0|[1-9][0-9]*)(?:/([1-9][0-9]*))?", re.ASCII)
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}", re.ASCII)
LABEL = re.compile(r"[A-Za-z_][A-Za-z0-9_.]{0,127}", re.ASCII)
SHA256 = re.compile(r"sha256:[0-9a-f]{64}", re.ASCII)
REPEATED = re.compile(r"([1-9][0-9]{0,8})[*](.*)", re.ASCII)


# -- text
# ------------------------------------------------------------------------------------------------


def parse(text: str | bytes) -> dict[str, Any]:
    """Parses the strict JSON of a certificate, and checks its format, version and digest."""
    try:
        if len(text) > MOST_BYTES:
            raise Unreadable(f"longer than {MOST_BYTES} bytes")
        if isinstance(text, str):
            raw = text.encode("utf-8")
        else:
            raw = bytes(text)
        for mark, most in MOST_MARKS.items():
            if raw.count(mark) > most:
                raise Unreadable(f"more than {most} times {chr(mark)}")
        brackets = raw.translate(None, delete=bytes(set(range(256)) - set(b"[]{}")))
        step = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
        if max(accumulate(map(step.__getitem__, brackets)), default=0) > MOST_DEPTH:
            raise Unreadable(f"nested more than {MOST_DEPTH} deep")
        data = json.loads(
            raw.decode("utf-8"),
            object_pairs_hook=_object,
            parse_float=_no_number,
            parse_int=_integer,
            parse_constant=_no_number,
        )
    except Unreadable:
        raise
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not JSON: {str(error)[:200]}") from None
    return sealed(data)


def sealed(data: Any) -> dict[str, Any]:
    """Checks the format, version and digest of the data of a certificate, and returns it."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise Unreadable(f'not an object with "format": "{FORMAT}"')
    if type(data.get("version")) is not int or data["version"] != VERSION:
        raise Rejected(f"$.version: this kernel knows version {VERSION} only")
    if data.get("digest") != digest({k: v for k, v in data.items() if k != "digest"}):
        raise Rejected("$.digest: the content has another digest")
    return data


def digest(data: Any) -> str:
    """Returns the SHA-256 of the canonical JSON text."""
    try:
        text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not JSON: {error}") from None
    return "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise Unreadable("an object with two equal keys")
    return result


def _integer(digits: str) -> int:
    if len(digits) > 16 or digits == "-0":
        raise Unreadable(f"an integer that is too long or not canonical: {digits[:20]}")
    return int(digits)


def _no_number(text: str) -> Any:
    raise Unreadable(f"a number that is not an integer: {text[:20]}")


# -- small parts
# -----------------------------------------------------------------------------------------


def entry_of(value: Any, key: str) -> Any:
    """Returns an entry of an object, or None, also where the value is no object."""
    if isinstance(value, dict):
        return value.get(key)
    return None


def fields(value: Any, path: str, *keys: str) -> list[Any]:
    """Returns the values of an object that has exactly these keys."""
    if not isinstance(value, dict) or value.keys() != set(keys):
        raise Rejected(f"{path}: expected an object with exactly the keys {', '.join(keys)}")
    return [value[key] for key in keys]


def items(value: Any, path: str, most: int = MOST_BYTES) -> list[Any]:
    """Reads a list."""
    if not isinstance(value, list) or len(value) > most:
        raise Rejected(f"{path}: expected a list of at most {most}")
    return value


def integer(value: Any, path: str, low: int = -MOST_INTEGER, high: int = MOST_INTEGER) -> int:
    """Reads an integer in a range; a boolean is none."""
    if type(value) is not int or not low <= value <= high:
        raise Rejected(f"{path}: expected an integer from {low} to {high}")
    return value


def boolean(value: Any, path: str) -> bool:
    """Reads true or false."""
    if type(value) is not bool:
        raise Rejected(f"{path}: expected true or false")
    return value


def read_name(value: Any, path: str, pattern: re.Pattern[str] = NAME) -> str:
    """Reads a text that matches a pattern entirely."""
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise Rejected(f"{path}: expected a name")
    return value


def one_of(value: Any, path: str, choices: Mapping[str, Any] | tuple[str, ...]) -> str:
    """Reads one of some texts."""
    if not isinstance(value, str) or value not in choices:
        raise Rejected(f"{path}: expected one of {', '.join(choices)}")
    return value


def read_rational(value: Any, path: str) -> Fraction:
    """Reads a rational written "p" or "p/q" in lowest terms, q >= 2."""
    if isinstance(value, str) and len(value) <= 2 * MOST_DIGITS:
        match = RATIONAL.fullmatch(value)
        if match and value != "-0" and max(map(len, match.groups(""))) <= MOST_DIGITS:
            spend(3 + len(value) // 16)
            denominator = int(match[3] or "1")
            result = Fraction(int(match[1] + match[2]), denominator)
            if result.denominator == denominator and match[3] != "1":
                return result
    raise Rejected(f"{path}: expected a rational as text in lowest terms")


def rationals(value: Any, path: str) -> list[Fraction]:
    """Reads numbers in one text: rationals, or floats as ``float.hex`` writes them.

    ``k*x`` stands for k equal numbers x.
    """
    if not isinstance(value, str):
        raise Rejected(f"{path}: expected a text of numbers")
    found: list[Fraction] = []
    for part in value.split(" ") if value else ():
        spend(2)
        repeated = REPEATED.fullmatch(part)
        count, number = 1, part
        if repeated:
            count, number = int(repeated[1]), repeated[2]
        if "x" in number:
            try:
                binary = float.fromhex(number)
            except (ValueError, OverflowError):
                binary = 0.0
            if binary == 0 or binary - binary != 0 or binary.hex() != number:
                raise Rejected(f"{path}: expected a float as float.hex writes it, not 0, finite")
            exact = Fraction(binary)
        else:
            exact = read_rational(number, path)
        spend(count // 8)
        found += [exact] * count
    return found


def read_size(value: Any, path: str, pins: Mapping[str, int]) -> Size:
    """Reads a size in canonical form, with pinned names replaced by their sizes.

    The form is an int, a name, or [[coefficient, [names]], ...].
    """
    spend(2)
    if type(value) is int:
        return Size.of(integer(value, path))
    if isinstance(value, str):
        name = read_name(value, path)
        return Size.of(pins.get(name, name))
    terms = []
    for term in items(value, path, 64):
        coefficient, names = read_pair(term, path)
        monomial = tuple(read_name(name, path) for name in items(names, path, MOST_DEGREE))
        terms.append((monomial, integer(coefficient, path)))
    keys = [names for names, _ in terms]
    plain = len(terms) == 1 and (keys[0] == () or (terms[0][1] == 1 and len(keys[0]) == 1))
    if (
        not terms or plain or any(c == 0 for _, c in terms) or keys != sorted(set(keys))
        or any(list(names) != sorted(names) for names in keys)
    ):  # fmt: skip
        raise Rejected(f"{path}: a size that is not in canonical form")
    result = Size(tuple(terms))
    if result.names & pins.keys():
        result = result.substitute({name: Size.of(value) for name, value in pins.items()})
    return result


def read_pair(value: Any, path: str) -> list[Any]:
    """Reads a list of two."""
    if len(items(value, path)) != 2:
        raise Rejected(f"{path}: expected a pair")
    return items(value, path)
