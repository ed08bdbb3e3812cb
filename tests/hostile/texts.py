"""Texts that are no signatures, groups, sizes, reports, records or rows: by reader, and by name."""

from __future__ import annotations

from collections.abc import Iterator

DEEP = 100_000
HUGE = "9" * 1_000_000

#: Signatures.
SIGNATURES: dict[str, str] = {
    "empty": "",
    "blank": " \t\n",
    "arrow": "->",
    "no-arrow": "X: d n",
    "two-arrows": "X: d -> d -> d",
    "no-name": ": d -> d",
    "no-colon": "X d -> d",
    "two-colons": "X:: d -> d",
    "twice": "X: d, X: d -> d",
    "code": "__import__('os').system('true'): d -> d",
    "code-axis": "X: __import__('os') -> d",
    "format": "X: {0.__class__} -> d",
    "percent": "X: %s -> d",
    "lookalike": "Х: d -> d",
    "lookalike-axis": "X: ԁ -> d",
    "fullwidth": "X: ３ -> d",
    "arabic": "X: ٣ -> d",
    "superscript": "X: n² -> n",
    "joiner": "X: d\u200b -> d",
    "right-to-left": "X: \u202ed -> d",
    "nul": "X: d\0 -> d",
    "surrogate": "X: \ud800 -> d",
    "combining": "X: d\u0301 -> d",
    "huge-literal": f"X: {HUGE} -> d",
    "huge-coefficient": f"X: {HUGE}n -> n",
    "zero": "X: 0 -> d",
    "zero-coefficient": "X: 0n -> n",
    "leading-zero": "X: 03 -> d",
    "negative": "X: -3 -> d",
    "float": "X: 1.5 -> d",
    "hexadecimal": "X: 0X10! -> 0x@",
    "nan": "X: n -> nan()",
    "open-bracket": "X: (d -> d",
    "deep": "X: " + "(" * DEEP + ")" * DEEP + " -> d",
    "plus": "X: n+ -> n",
    "plus-plus": "X: n++k -> n",
    "marks": "X: d" + "!" * DEEP + " -> d",
    "two-marks": "X: d!^ -> d",
    "only-mark": "X: ! -> d",
    "type": "X[]: n -> n",
    "other-type": "X[complex]: n -> n",
    "open-type": "X[bool: n -> n",
    "index-of-nothing": "E[q]: 2 m -> m",
    "slash": "X: d/2 -> d",
    "star": "X: 2*n -> n",
    "equals": "X: d=3 -> d",
    "quote": "X: 'd' -> d",
    "newline": "X: d\n; import os -> d",
    "very-long": "X: " + "d " * 500_000 + "-> q@",
    "many-inputs": ", ".join(f"x{i}: n" for i in range(50_000)) + " -> @",
    "long-name": "X" * 1_000_000 + ": d -> d@",
    "many-arrows": "->" * DEEP,
    "many-colons": ":" * DEEP,
    "many-commas": "," * DEEP + " -> d",
    "many-pluses": "X: n" + "+" * DEEP + " -> n",
}

#: Groups, for the signature `X: d n -> d n`.
GROUPS: dict[str, str] = {
    "empty": "",
    "blank": " ",
    "unknown": "U(d)",
    "no-axis": "O()",
    "no-bracket": "O",
    "open": "O(d",
    "other-axis": "O(q)",
    "code": "__import__('os').system('true')",
    "code-axis": "O(__import__('os'))",
    "lookalike": "О(d)",
    "lookalike-axis": "O(ԁ)",
    "dangling": "O(d) x",
    "twice": "O(d) x O(d)",
    "deep": "O(" * DEEP + "d" + ")" * DEEP,
    "huge": f"O({HUGE})",
    "zero": "O(0)",
    "negative": "O(-3)",
    "float": "O(1.5)",
    "fullwidth": "O(３)",
    "nul": "O(d\0)",
    "many": " x ".join(["O(q)"] * 50_000),
    "long": "O(" + "d" * 1_000_000 + ")",
}

#: Sizes on the command line.
SIZES: dict[str, str] = {
    "empty": "",
    "no-equals": "d",
    "no-value": "d=",
    "zero": "d=0",
    "negative": "d=-1",
    "huge": f"d={HUGE}",
    "fullwidth": "d=３",
    "underscore": "d=1_0",
    "float": "d=1.5",
    "backwards": "d=3:2",
    "code": "__import__('os')=1",
    "three": "d=1:2:3",
}

#: JSON that is no report, no record and no kept row.
JSON: dict[str, bytes] = {
    "empty": b"",
    "null": b"null",
    "list": b"[]",
    "object": b"{}",
    "nan": b"NaN",
    "infinity": b'{"statements":Infinity}',
    "no-rows": b'{"statements":{}}',
    "rows-of-lists": b'{"statements":[[]]}',
    "no-ids": b'{"statements":[{}]}',
    "number-ids": b'{"statements":[{"id":1}]}',
    "deep-lists": b"[" * DEEP,
    "deep-closed": b"[" * DEEP + b"]" * DEEP,
    "deep-objects": b'{"statements":' * DEEP + b"1" + b"}" * DEEP,
    "million-digits": b'{"statements":' + HUGE.encode() + b"}",
    "open": b'{"statements":[',
    "binary": bytes(range(256)) * 1000,
    "utf16": '{"statements":[]}x'.encode("utf-16"),
    "surrogate": b'{"statements":"\\ud800"}',
    "two": b"{}{}",
    "code": b"__import__('os').system('true')",
    "pickle": b"\x80\x04\x95\x1f\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix\x8c\x06system\x93.",
}


def texts() -> Iterator[tuple[str, str, str | bytes]]:
    """Everything: (what should read it, its name, the text)."""
    for kind, table in (("signature", SIGNATURES), ("group", GROUPS), ("size", SIZES)):
        yield from ((kind, name, text) for name, text in table.items())
    for kind in ("report", "record", "row"):
        yield from ((kind, name, text) for name, text in JSON.items())
