"""The checkers of the trials: each finds a planted violation, and none sees one where there is none."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import trials
from sfumato.catalogue import METHODS, MODELS
from trials.checkers import CHECKERS
from trials.checkers.possible_originals import unprotected_sets
from trials.files import Behind, Cluster, Seen, parse_csv
from trials.releases import AIMS

ROOT = Path(trials.__file__).parent


def walks(*records: str, **more: Any) -> Seen:
    return Seen("trajectories", records=[tuple(record) for record in records], **more)


def baskets(*records: str, **more: Any) -> Seen:
    return Seen("transactions", records=[tuple(sorted(record)) for record in records], **more)


def people(*rows: tuple[str, str], items: list[str] | None = None, **more: Any) -> Seen:
    cells: list[Any] = [{"age": age, "ill": ill} for age, ill in rows]
    roles = {"age": "quasi-identifier", "ill": "sensitive"}
    if items is None:
        return Seen("table", records=cells, roles=roles, **more)
    held = [tuple(sorted(row)) for row in items]
    return Seen("mixed", records=cells, items=held, roles=roles | {"items": "items"}, **more)


def drives(*paths: tuple[str, str]) -> Seen:
    records = [(when, tuple((way[0], way[1]) for way in path.split())) for when, path in paths]
    return Seen("roads", records=records, ends={"r": ("a", "b"), "s": ("b", "c"), "t": ("b", "d")})


FLAGS: dict[str, dict[str, str | None]] = {
    **{name: {"sensitive": "false"} for name in "abc"},
    "x": {"sensitive": "true"},
}
OWNERS: dict[str, dict[str, str | None]] = {"a": {"owner": "A"}, "b": {"owner": "B"}, "c": {"owner": None}}
TREE: dict[str, str | None] = {"all": None, "bar": "all", "inn": "all", "clinic": "all", "c1": "clinic", "c2": "clinic"}


def nodes(*records: tuple[str, ...]) -> Seen:
    return Seen("trajectories", records=list(records), parents=TREE, flagged={"clinic"})


def apart(*clusters: Cluster, sensitive: set[str] | None = None) -> Seen:
    return Seen("chunks", clusters=list(clusters), sensitive=sensitive)


def spends(**more: Any) -> Behind:
    made = {"parents": [-1, 0], "branches": [0, 1], "shares": [1 << 39, 1 << 39], "epsilon": 1.0}
    return Behind(spends=SimpleNamespace(**{**made, "at_most": 1, "largest": 1, **more}))


NOBODY = Behind()
JOINT = (
    Cluster(1, 8, None, [[("x",)] * 2]),
    Cluster(2, 4, 1, [[("x",)] * 4]),
    Cluster(3, 4, 1, [[("y",)] * 4]),
)
CROSSING = {"items": {"g": ("a", "b"), "h": ("b", "c")}}
OVERLAPPING = [("[3:4]", "f"), ("[3:4]", "f"), ("[4:5]", "f"), ("[4:5]", "f")]
AGES: list[Any] = [({"age": age}, ()) for age in "3445"]
PRIVACY = {"privacy_policy": {"size": 0, "sets": [frozenset("ab")]}}
# model: parameters, what keeps the promise, what breaks it
PLANTED: list[tuple[str, dict[str, Any], Seen, Behind, Seen, Behind]] = [
    ("km", {"k": 2, "m": 2}, walks("ab", "ab"), NOBODY, walks("ab", "ba", "a", "b"), NOBODY),
    ("km", {"k": 2, "m": 1}, walks("a", "a"), Behind(["u", "v"]), walks("a", "a"), Behind(["u", "u"])),
    ("km", {"k": 2, "m": 2}, baskets("ab", "ba"), NOBODY, baskets("ab", "a", "b"), NOBODY),
    (
        "km",
        {"k": 2, "m": 1},
        walks("g", "g", members={"location": {"g": ("a", "b")}}),
        NOBODY,
        walks("ga", "ga", members={"location": {"g": ("a", "b")}}),
        NOBODY,
    ),
    (
        "klm",
        {"k": 2, "l": 2, "m": 1},
        walks("ax", "a", places=FLAGS),
        NOBODY,
        walks("ax", "ax", "a", places=FLAGS),
        NOBODY,
    ),
    (  # half of the persons, two thirds of the records
        "klm",
        {"k": 2, "l": 2, "m": 1},
        walks("ax", "a", places=FLAGS),
        Behind(["u", "v"]),
        walks("ax", "ax", "a", places=FLAGS),
        Behind(["u", "u", "v"]),
    ),
    (  # one person in two clusters: each image alone is safe, both together are not
        "klm",
        {"k": 2, "l": 2, "m": 1},
        walks("gx", "g", "hx", "h", places=FLAGS, members={"location": {"g": ("a", "b"), "h": ("b", "c")}}),
        Behind(["u", "v", "u", "w"]),
        walks("gx", "g", "hx", "h", places=FLAGS, members={"location": {"g": ("a", "b"), "h": ("b", "c")}}),
        Behind(["u", "v", "w", "v"]),
    ),
    (  # the same for items; one label of two known items is enough
        "lm",
        {"k": 2, "l": 2, "m": 2},
        baskets("gx", "g", "hx", "h", sensitive={"x"}, members={"item": {"g": ("a", "b"), "h": ("b", "c")}}),
        Behind(["u", "v", "u", "w"]),
        baskets("gx", "g", "hx", "h", sensitive={"x"}, members={"item": {"g": ("a", "b"), "h": ("b", "c")}}),
        Behind(["u", "v", "v", "u"]),
    ),
    (
        "lm",
        {"k": 1, "l": 2, "m": 1},
        baskets("ax", "a", sensitive={"x"}),
        NOBODY,
        baskets("ax", "ax", "a", sensitive={"x"}),
        NOBODY,
    ),
    (
        "projection",
        {"threshold": 0.5, "collude": None},
        walks("ab", "a", "b", places=OWNERS),
        NOBODY,
        walks("ab", "b", places=OWNERS),
        NOBODY,
    ),
    (
        "projection",
        {"threshold": 0.5, "collude": "A,B"},
        walks("ab", "ab", places=OWNERS),
        NOBODY,
        walks("abc", "ab", "abc", places=OWNERS),
        NOBODY,
    ),
    (
        "c-safety",
        {"c": 0.5},
        nodes(("bar", "clinic"), ("bar",)),
        NOBODY,
        nodes(("bar", "c1"), ("bar", "clinic"), ("inn",)),
        NOBODY,
    ),
    (
        "sequence-k",
        {"k": 2},
        walks("ab"),
        Behind(None, [("a", "c", "b"), ("a", "b")]),
        walks("ab"),
        Behind(None, [("a", "b"), ("b", "a")]),
    ),
    ("strict-k", {"k": 2}, drives(("1", "r+ s+"), ("1", "r+ s+")), NOBODY, drives(("1", "r+"), ("2", "r+")), NOBODY),
    ("strict-k", {"k": 2}, drives(), NOBODY, drives(("1", "r+ s-"), ("1", "r+ s-")), NOBODY),
    (
        "inference-route",
        {"k": 2},
        drives(("1", "r+ s+"), ("1", "r+ s+"), ("1", "t+")),
        NOBODY,
        drives(("1", "r+ s+"), ("1", "r+ s+"), ("1", "r+ t+")),
        NOBODY,
    ),
    ("k-anonymity", {"k": 2}, people(("3", "f"), ("3", "g")), NOBODY, people(("3", "f"), ("4", "g")), NOBODY),
    ("l-diversity", {"l": 2}, people(("3", "f"), ("3", "g")), NOBODY, people(("3", "f"), ("3", "f")), NOBODY),
    (
        "l-diversity",
        {"l": 2},
        people(("3", "f"), ("3", "g")),
        Behind(["u", "v"]),
        people(("3", "f"), ("3", "g")),
        Behind(["u", "u"]),
    ),
    (
        "l-diversity",
        {"l": 2, "variant": "entropy"},
        people(("3", "f"), ("3", "g")),
        NOBODY,
        people(("3", "f"), ("3", "f"), ("3", "g")),
        NOBODY,
    ),
    (
        "t-closeness",
        {"t": 0.25, "distance": "equal"},
        people(("3", "f"), ("3", "g"), ("4", "f"), ("4", "f")),
        NOBODY,
        people(("3", "f"), ("3", "f"), ("4", "g"), ("4", "f")),
        Behind(["u", "u", "v", "w"]),
    ),
    (
        "t-closeness",
        {"t": 0.2, "distance": "ordered"},
        people(("3", "1"), ("3", "9"), ("4", "2"), ("4", "3")),
        NOBODY,
        people(("3", "1"), ("3", "2"), ("4", "3"), ("4", "9")),
        NOBODY,
    ),
    ("reconstruction", {"k": 2, "m": 2, "l": 1}, apart(Cluster(1, 2, None, [[("a",)] * 2])), NOBODY,
     apart(Cluster(1, 3, None, [[("a",)] * 2, [("b",)] * 2])), NOBODY),
    ("reconstruction", {"k": 2, "m": 1, "l": 1}, apart(*JOINT), NOBODY,
     apart(replace(JOINT[0], chunks=[[("x",), ("x", "z"), ("z",)]]), *JOINT[1:]), NOBODY),
    ("reconstruction", {"k": 2, "m": 1, "l": 1}, apart(*JOINT), NOBODY,
     apart(replace(JOINT[0], chunks=[[("x",)] * 3]), *JOINT[1:]), NOBODY),
    ("reconstruction", {"k": 2, "m": 1, "l": 3}, apart(Cluster(1, 3, None, [], ["a"]), sensitive={"a"}), NOBODY,
     apart(Cluster(1, 2, None, [], ["a"]), sensitive={"a"}), NOBODY),
    ("kkm", {"k": 2, "m": 1}, people(("3", "f"), ("3", "g"), items=["a", "a"]), NOBODY,
     people(("3", "f"), ("3", "g"), items=["a", "b"]), NOBODY),
    ("klm-diversity", {"k": 2, "l": 2, "m": 1},
     people(("3", "f"), ("3", "g"), items=["ax", "a"], sensitive={"x"}), NOBODY,
     people(("3", "f"), ("3", "g"), ("3", "g"), items=["ax", "a", "x"], sensitive={"x"}), NOBODY),
    ("klm-diversity", {"k": 2, "l": 2, "m": 1},  # one class, in which an item has two labels
     people(*[("3", "f")] * 4, items=["gx", "g", "hx", "h"], sensitive={"x"}, members=CROSSING),
     Behind(["u", "v", "u", "w"]),
     people(*[("3", "f")] * 4, items=["gx", "g", "hx", "h"], sensitive={"x"}, members=CROSSING),
     Behind(["u", "v", "v", "u"])),
    ("klm-diversity", {"k": 2, "l": 2, "m": 1},  # two classes, both of which fit the age of 4
     people(*OVERLAPPING, items=["x", "", "x", ""], sensitive={"x"}), Behind(["u", "v", "u", "v"], AGES),
     people(*OVERLAPPING, items=["x", "", "x", ""], sensitive={"x"}), Behind(["u", "v", "v", "u"], AGES)),
    ("policy", {"k": 2, "suppression": 0.5}, baskets("ab", "ab", policies=PRIVACY), NOBODY,
     baskets("ab", "a", "b", policies=PRIVACY), NOBODY),
    ("policy", {"k": 2, "suppression": 0.5}, baskets("a", "a", policies=PRIVACY), Behind(None, [("a", "b"), ("a",)]),
     baskets("a", "a", policies=PRIVACY), Behind(None, [("a", "b", "c"), ("a",)])),
    ("k-policy", {"k": 2}, people(("3", "f"), ("3", "g"), items=["ab", "ab"], policies=PRIVACY), NOBODY,
     people(("3", "f"), ("3", "g"), items=["ab", "b"], policies=PRIVACY), NOBODY),
    ("k-policy", {"k": 2}, people(("3", "f"), ("3", "g"), items=["c", ""], policies=PRIVACY), NOBODY,
     people(("3", "f"), ("4", "g"), items=["c", "c"], policies=PRIVACY), NOBODY),
    ("epsilon", {"epsilon": 1.0}, walks("a"), spends(), walks("a"), spends(shares=[1 << 39, (1 << 39) + 1])),
    ("epsilon", {"epsilon": 1.0}, walks("a"), replace(spends(), public={"a"}),
     walks("b"), replace(spends(), public={"a"})),
]  # fmt: skip


def test_every_model_has_a_checker_and_methods() -> None:
    assert set(CHECKERS) == set(MODELS) == set(AIMS)
    assert {method for methods in AIMS.values() for method in methods} == set(METHODS)
    assert {model for model, *_ in PLANTED} == set(MODELS)


@pytest.mark.parametrize("planted", PLANTED, ids=[f"{at}-{case[0]}" for at, case in enumerate(PLANTED)])
def test_a_planted_violation_is_found(planted: Any) -> None:
    model, parameters, kept, behind_kept, broken, behind_broken = planted
    assert CHECKERS[model](kept, parameters, behind_kept) == []
    assert CHECKERS[model](broken, parameters, behind_broken)


def test_possible_originals_are_put_together() -> None:
    """The paper's Example 1, and a shared chunk whose subrecords leave too little room."""
    apart_twice = Cluster(1, 5, None, [[("a",)] * 3, [("b", "c")] * 3])
    assert list(unprotected_sets([apart_twice], 3, 1)) == []
    assert any("['a', 'b']" in one for one in unprotected_sets([apart_twice], 3, 2))
    assert list(unprotected_sets([replace(apart_twice, terms=["d"])], 3, 2)) == []
    # the shared x cannot be of the second cluster, so that it leaves little of the third for z
    lower = [Cluster(2, 4, 1, [[("x",)] * 4]), Cluster(3, 4, 1, [[("y",)] * 4])]
    full = Cluster(1, 8, None, [[("x",)] * 3 + [("z",)] * 2])
    found = list(unprotected_sets([full, *lower], 2, 2))
    assert found == ["['y', 'z'] fits 1 records of one possible original, below k=2"]
    roomy = Cluster(1, 8, None, [[("x",)] * 2 + [("z",)] * 2])
    assert list(unprotected_sets([roomy, *lower], 2, 2)) == []


def test_checkers_share_no_code_with_the_product() -> None:
    for path in (ROOT / "files.py", *(ROOT / "checkers").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(name.split(".")[0] in ("sfumato", "numpy", "polars") for name in names), path


def test_cells_are_read_as_they_stand() -> None:
    assert parse_csv('a,"b,""c"\n,""\n"x\ny",\n') == [["a", 'b,"c'], [None, ""], ["x\ny", None]]
    assert parse_csv("") == []
