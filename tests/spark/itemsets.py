"""Random sets of items for tests on Spark, some items far more frequent than others."""

from random import Random

from sfumato import Taxonomy, Transactions

FOOD = Taxonomy({"any": None, **{f"g{n}": "any" for n in range(6)}, **{f"i{n:02}": f"g{n // 5}" for n in range(30)}})


def purchases(seed: int, n: int, *, persons: bool = False) -> Transactions:
    chance = Random(seed)
    rows = [{f"i{int(chance.paretovariate(0.6)) % 30:02}" for _ in range(chance.randint(1, 6))} for _ in range(n)]
    people = [f"u{chance.randrange(n // 2)}" for _ in rows] if persons else None
    return Transactions.from_lists([sorted(row) for row in rows], persons=people, taxonomy=FOOD)
