"""Reconstruction anonymity: each condition broken once, by hand; agreement with Guarantee 1 where conditions hold."""

from __future__ import annotations

from copy import deepcopy
from random import Random

import pytest

from sfumato import Transactions
from sfumato.data import Chunks
from sfumato.errors import DataError
from sfumato.privacy import ReconstructionAnonymity
from twins.chunks import guarantee_1_holds, reconstruction_holds

MODEL = ReconstructionAnonymity(k=2, m=2)
LEFT = {"size": 4, "chunks": [[["a", "b"], ["a", "b"], ["a", "b"]], [["c"], ["c"]]], "terms": ["x"]}
RIGHT = {"size": 3, "chunks": [[["d"], ["d"], ["d"]]], "terms": ["y"]}
GOOD = {"size": 7, "children": [LEFT, RIGHT], "chunks": [[["e"], ["e", "f"], ["e", "f"]]]}


def broken(nested: list[dict], model: ReconstructionAnonymity = MODEL, **more: object) -> list[str]:
    chunks = Chunks.of(nested, **more)
    verdict = model.check(chunks)
    assert verdict.holds is reconstruction_holds(model, chunks)
    assert verdict.checked_from == "files"
    return [witness["broken"] for witness in verdict.witnesses]


def test_a_good_release() -> None:
    assert broken([GOOD]) == []
    assert guarantee_1_holds([GOOD], 2, 2)
    assert MODEL.check(Chunks.of([GOOD])).measured == {
        "unit": "record",
        "clusters": 2,
        "joint_clusters": 1,
        "smallest_cluster": 3,
        "smallest_support": 2,
    }


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda j: j["children"][1].update(size=1), "too few records in a cluster"),
        (lambda j: j.update(size=8), "a joint cluster has not the size of its children"),
        (lambda j: j["children"][0]["chunks"][1].pop(), "a rare set of items in a chunk"),
        (lambda j: j["children"][0]["chunks"][0][0].append("g"), "a rare set of items in a chunk"),
        (lambda j: j["chunks"][0].append(["f", "h"]), "a rare set of items in a chunk"),
        (lambda j: j["children"][0]["terms"].append("a"), "an item in two chunks of a cluster"),
        (lambda j: j["children"][0]["chunks"].append([["a"], ["a"]]), "an item in two chunks of a cluster"),
        (lambda j: j["children"][1]["chunks"][0].append(["d"]), "more subrecords in a chunk than records"),
        (lambda j: j["children"][1]["terms"].append("e"), "a shared item in a term chunk below"),
        (
            lambda j: j["children"][0].update(terms=[]),
            "too few subrecords for a cluster without a term chunk (Lemma 2)",
        ),
        (
            lambda j: j["chunks"].append([["d"], ["d", "g"], ["d", "g"]]),
            "a rare subrecord in a shared chunk with items from below (Property 1)",
        ),
        (lambda j: j["chunks"].append([["d"]] * 3), "too little room for the subrecords of a shared chunk"),
    ],
)
def test_every_condition_is_checked(change: object, sentence: str) -> None:
    joint = deepcopy(GOOD)
    change(joint)
    assert sentence in broken([joint])


def test_items_from_below_are_fine_where_there_is_room() -> None:
    joint = deepcopy(GOOD)
    joint["chunks"].append([["d"]] * 2)  # in the four records of the first child
    assert broken([joint]) == []
    assert guarantee_1_holds([joint], 2, 2)


def test_a_cluster_of_empty_records_may_stand_alone() -> None:
    nothing = {"size": 2, "chunks": [], "terms": []}
    assert broken([nothing]) == []
    assert broken([{"size": 1, "chunks": [], "terms": []}]) == ["too few records in a cluster"]
    inside = {"size": 5, "children": [RIGHT, nothing], "chunks": [[["e"], ["e"]]]}
    assert broken([inside]) == ["too few subrecords for a cluster without a term chunk (Lemma 2)"]


def test_sensitive_items() -> None:
    assert broken([GOOD], sensitive=["x"]) == []
    assert broken([GOOD], sensitive=["a"]) == ["a sensitive item outside the term chunks"]
    strict = ReconstructionAnonymity(k=2, m=2, l=4)
    assert broken([GOOD], strict, sensitive=["x"]) == []
    assert broken([GOOD], strict, sensitive=["y"]) == ["fewer than l records with a sensitive item"]


def test_no_records_at_all() -> None:
    assert broken([]) == []


def test_where_persons_are_known_records_are_persons() -> None:
    chunks = Chunks.of([{"size": 2, "chunks": [[["a"], ["a"]]], "terms": []}])
    two = Transactions.from_lists([["a"], ["a"], ["a"]], persons=["u", "u", "v"])
    one = Transactions.from_lists([["a"], ["a"]], persons=["u", "u"])
    other = Transactions.from_lists([["a"], ["b"]], persons=["u", "v"])
    assert (MODEL.check(chunks, two).holds, MODEL.check(chunks, two).checked_from) == (True, "original")
    assert [w["broken"] for w in MODEL.check(chunks, one).witnesses] == [
        "more records than persons",
        "an item of more records than persons have it",
    ]
    assert MODEL.check(chunks, other).holds is False
    assert MODEL.check(chunks, Transactions.from_lists([["a"]])).checked_from == "files"


def test_other_data_are_refused() -> None:
    with pytest.raises(DataError, match="reconstruction: wanted chunks, got transactions"):
        MODEL.check(Transactions.from_lists([["a"]]))


def random_cluster(chance: Random, items: str) -> dict:
    size = chance.randint(2, 4)
    cut = chance.randint(0, len(items))
    rows = [
        [row for row in ([i for i in part if chance.random() < 0.7] for _ in range(size)) if row]
        for part in (items[: cut // 2], items[cut // 2 : cut])
    ]
    return {"size": size, "chunks": [chunk for chunk in rows if chunk], "terms": list(items[cut:])}


@pytest.mark.parametrize("seed", range(150))
def test_what_passes_keeps_guarantee_1(seed: int) -> None:
    """Random chunks that no method made: the conditions are sufficient."""
    chance = Random(seed)
    one, two = random_cluster(chance, "abc"), random_cluster(chance, "acd")
    shared = [chance.choice([["a"], ["e"], ["e"], ["c", "e"]]) for _ in range(chance.randint(0, 5))]
    nested = [{"size": one["size"] + two["size"], "children": [one, two], "chunks": [shared] if shared else []}]
    verdict = MODEL.check(Chunks.of(nested))
    assert verdict.holds is reconstruction_holds(MODEL, Chunks.of(nested))
    if verdict.holds:
        assert guarantee_1_holds(Chunks.of(nested).to_nested(), 2, 2)
