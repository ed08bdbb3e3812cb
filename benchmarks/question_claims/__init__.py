"""Claims that answer the questions of `docs/questions.md`, for functions as people write them.

Written from the documentation, before anybody saw what the package answers.
"""

from importlib import import_module

from benchmarks.question_claims.claim import Claim, Item

ITEMS: list[Item] = [
    import_module(f"benchmarks.question_claims.item_{n}").ITEM for n in range(1, 11)
]
CLAIMS: list[Claim] = [claim for item in ITEMS for claim in item.claims]

__all__ = ["CLAIMS", "ITEMS", "Claim", "Item"]
