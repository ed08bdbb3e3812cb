"""The glossary is in order, has an entry for each outcome and grade, and its links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import eqvproof as ep

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
TERMS = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
LINK = re.compile(r"\]\(([\w./-]*\.md)?(?:#([\w-]+))?\)")
LINKING = [
    ROOT / "README.md",
    *(
        ROOT / "docs" / f"{name}.md"
        for name in ("glossary", "getting-started", "trust", "architecture")
    ),
]


def anchors(page: Path) -> set[str]:
    """Returns the anchors of the headings of a page."""
    text = re.sub(
        r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    headings = re.findall(r"^#{1,3} (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(page: Path) -> list[str]:
    """Returns the links of a page whose heading does not exist."""
    found = []
    for match in LINK.finditer(page.read_text(encoding="utf-8")):
        name, anchor = match.groups()
        if anchor and anchor not in anchors(page.parent / name if name else page):
            found.append(match[0])
    return found


def test_terms_are_in_alphabetical_order() -> None:
    plain = [term.replace("`", "").lower() for term in TERMS]
    assert plain == sorted(plain) and len(set(plain)) == len(plain)


def test_every_outcome_and_grade_has_an_entry() -> None:
    words = {str(word) for word in (*ep.Outcome, *ep.Grade)} - {""}
    assert words <= set(TERMS)


def test_every_entry_links_to_the_page_that_tells_more() -> None:
    for entry in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        assert re.search(r"^More:\s\[[^\]]+\]\([\w-]+\.md", entry, re.MULTILINE), entry


@pytest.mark.parametrize("page", LINKING, ids=lambda page: page.name)
def test_links_to_headings_lead_somewhere(page: Path) -> None:
    assert broken(page) == []


def test_a_link_to_a_missing_heading_is_found(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    page.write_text(
        "# A `d!` (b)\n[x](#a-d-b) [y](#c) [z](a.md#a-d-b) [w](a.md#e)\n", encoding="utf-8"
    )
    assert broken(page) == ["](#c)", "](a.md#e)"]
