"""Methods that keep a ratio keep it in persons and in records: random data in which persons have several records."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from datasets import _mixed, _table, build
from oracles import HOLDS
from sfumato.catalogue import method_class
from sfumato.errors import Infeasible

# seeds that have met something: clusters that share their labels and a person
SEEDS = (*range(16), 28, 41, 111)


def people(kind: str, draw: Random) -> Any:
    """Records of up to eight persons, of whom one has three or more in every other case."""
    n = draw.randint(6, 16)
    who = [f"person-{draw.choice('uvwxyzst')}" for _ in range(n)]
    if draw.random() < 0.5:
        for record in draw.sample(range(n), 3):
            who[record] = "person-u"
    rows = [[draw.choice("aabbccddeef") for _ in range(draw.randint(0, 4))] for _ in range(n)]
    age = [30, 31, 44, None]
    if kind == "table":
        towns, ills = ["Rome", "Oslo", None], ["flu", "cold"]
        return _table([(draw.choice(age), draw.choice(towns), draw.choice(ills)) for _ in range(n)], who)
    if kind == "mixed":
        towns, jobs = ["a", "b", "e", "f", None], ["cook", "none"]
        return _mixed([(draw.choice(age), draw.choice(towns), draw.choice(jobs)) for _ in range(n)], rows, who)
    return build(kind, rows, who)


def chosen(name: str, draw: Random) -> dict[str, Any]:
    """Parameters that ask for a ratio."""
    k, l, m = draw.choice([2, 2, 3]), draw.choice([2, 2, 3]), draw.choice([1, 2])  # noqa: E741
    if name in ("zga", "sga"):
        return {"k": k, "l": l, "m": m, "clusters": draw.choice(["auto", 1, 2])}
    if name in ("apriori", "lra", "vpa"):
        return {"k": k, "l": l, "m": m} | ({} if name == "apriori" else {"parts": draw.choice([1, 2, 4])})
    if name in ("incognito", "top-down", "bottom-up", "cluster", "local"):
        return {"k": k, "l": draw.choice([1, 2]), "t": draw.choice([0.1, 0.2, 0.3, 0.5])}
    if name == "cast":
        return {"c": draw.choice([0.2, 0.4, 0.6]), "group_size": 2}
    if name in ("gsup", "lsup", "split", "mix"):
        return {"threshold": draw.choice([0.3, 0.5, 0.7])}
    more: dict[str, Any] = {"transaction": draw.choice(["apriori", "lra", "vpa"])}
    if name == "r-first":
        more |= {"relational": draw.choice(["cluster", "local", "incognito", "top-down"])}
    if name in ("rum-bound", "tum-bound"):
        more |= {"delta": draw.choice([0.3, 0.6, 1.0]), "relational": draw.choice(["cluster", "local", "incognito"])}
        more |= {"merge": draw.choice(["r", "t", "rt"])}
    return {"k": k, "l": l, "m": m, **more}


NAMES = (
    *("zga", "sga", "gsup", "lsup", "split", "mix", "cast", "apriori", "lra", "vpa"),
    *("incognito", "top-down", "bottom-up", "cluster", "local", "r-first", "t-first", "rum-bound", "tum-bound"),
)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_method_publishes_keeps_both_by_the_twin(name: str) -> None:
    method, kept = method_class(name), 0
    for seed in SEEDS:
        draw = Random(f"{name}{seed}")
        data = people(method.kind, draw)
        try:
            release = method.from_json(chosen(name, draw)).anonymize(data, seed=seed)
        except Infeasible:
            continue
        kept += 1
        known = release.data.with_persons(release.persons)
        for model, verdict in release.verdicts:
            assert verdict.holds is True
            assert HOLDS[type(model)](model, known, data)
            assert model.check(release.data).holds is True  # by the files alone
    assert kept >= 5
