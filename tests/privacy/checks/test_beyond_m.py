"""What one piece of knowledge more gives away: against brute force, by hand, and within its bounds."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from datasets import records
from sfumato import Mixed, Places, SeqAnon, Trajectories, Transactions, verify
from sfumato.data import Chunks
from sfumato.privacy import (
    Epsilon,
    KAnonymity,
    KkmAnonymity,
    KlmAnonymity,
    KlmDiversity,
    KmAnonymity,
    LmDiversity,
    ReconstructionAnonymity,
)
from sfumato.privacy.checks import beyond_m as one_more

SHAPES = {"trajectories": Trajectories, "transactions": Transactions}
PLACES = Places.planar({name: (at, 0) for at, name in enumerate("abcyz")}).with_sensitive("yz")


@pytest.mark.parametrize("kind", SHAPES)
@settings(max_examples=80, deadline=None)
@given(rows=records("abcd"), m=st.integers(1, 3))
def test_crowds_are_those_of_brute_force(kind: str, rows: Any, m: int) -> None:
    data = SHAPES[kind].from_lists(rows)
    said = KmAnonymity(k=2, m=m).beyond(data)
    counted = oracles.supports(data.to_lists(), list(range(len(data))), m + 1)
    alone = [
        any(count == 1 and oracles.contains(row, pattern) for pattern, count in counted.items())
        for row in data.to_lists()
    ]
    assert said["known"] == m + 1
    assert said["unit"] == "record"
    assert said["smallest_anonymity_set"] == min(counted.values(), default=None)
    assert said["share_unique"] == (round(float(np.mean(alone)), 6) if counted else 0.0)


@settings(max_examples=60, deadline=None)
@given(rows=records("abcyz"), m=st.integers(1, 2))
def test_secrets_are_those_of_brute_force(rows: Any, m: int) -> None:
    shown = [[label for label in row if label not in "yz"] for row in rows]
    counted = oracles.supports(shown, list(range(len(rows))), m + 1)
    worst = 0.0
    for pattern, crowd in counted.items():
        fits = [row for row, seen in zip(rows, shown, strict=True) if oracles.contains(seen, pattern)]
        worst = max(worst, *(sum(secret in row for row in fits) / crowd for secret in "yz"))
    walks = Trajectories.from_lists(rows, places=PLACES)
    said = KlmAnonymity(k=2, l=2, m=m).beyond(walks)
    assert said == {
        "known": m + 1,
        "unit": "record",
        "smallest_anonymity_set": min(counted.values(), default=None),
        "highest_probability": pytest.approx(worst, abs=1e-6),
    }


def test_sets_with_secrets_by_hand() -> None:
    """a and b: three records, two with the secret.  One more than m = 1 is two."""
    data = Transactions.from_lists([["a", "b", "y"], ["a", "b", "y"], ["a", "b"], ["a"]]).with_sensitive(["y"])
    said = LmDiversity(l=2, m=1).beyond(data)
    assert said == {"known": 2, "unit": "record", "smallest_anonymity_set": 3, "highest_probability": 0.666667}


@settings(max_examples=40, deadline=None)
@given(
    rows=st.lists(
        st.tuples(st.sampled_from([30, 40]), st.sets(st.sampled_from("abc"), max_size=3)), min_size=1, max_size=8
    ),
    m=st.integers(1, 2),
)
def test_rows_with_items_are_those_of_brute_force(rows: Any, m: int) -> None:
    data = Mixed.from_frame({"age": [age for age, _ in rows], "items": [" ".join(sorted(own)) for _, own in rows]})
    crowds = [
        sum(other == age and set(known) <= theirs for other, theirs in rows)
        for age, own in rows
        for size in range(min(m + 1, len(own)) + 1)
        for known in combinations(sorted(own), size)
    ]
    said = KkmAnonymity(k=2, m=m).beyond(data)
    assert said == {"known": m + 1, "unit": "record", "smallest_anonymity_set": min(crowds)}


def test_rows_with_secret_items_by_hand() -> None:
    """Of the two who are 30 and have a and b, both have the secret; of the three with a alone, two."""
    rows = [(30, "a b c"), (30, "a b c"), (30, "a"), (40, "a b")]
    data = Mixed.from_frame({"age": [age for age, _ in rows], "items": [own for _, own in rows]}).with_sensitive(["c"])
    said = KlmDiversity(k=2, l=2, m=1).beyond(data)
    assert said == {"known": 2, "unit": "record", "smallest_anonymity_set": 1, "highest_probability": 1.0}


def test_chunks_by_hand() -> None:
    """Pairs come three times, the triple once."""
    rows = [["a", "b"], ["a", "b"], ["a", "b", "c"], ["b", "c"], ["a", "c"], ["b", "c"], ["a", "c"]]
    data = Chunks.of([{"size": 7, "chunks": [rows], "terms": ["d"]}])
    said = ReconstructionAnonymity(k=3, m=2).beyond(data)
    assert said == {"known": 3, "unit": "record", "smallest_support_in_a_chunk": 1}
    assert ReconstructionAnonymity(k=3, m=1).beyond(data)["smallest_support_in_a_chunk"] == 3


def test_promises_that_count_no_pieces_look_at_nothing_beyond() -> None:
    assert KAnonymity(k=2).beyond(None) == {}
    assert Epsilon(epsilon=1.0).beyond(None) == {}


def test_an_empty_release_has_nobody_alone() -> None:
    said = KmAnonymity(k=2, m=1).beyond(Trajectories.from_lists([[]]))
    assert said == {"known": 2, "unit": "record", "smallest_anonymity_set": None, "share_unique": 0.0}


def test_the_work_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_more, "WORK", 40)
    rows = [list("abcdef")] * 2  # 2 x 15 pairs, 2 x 20 triples, 2 x 15 of four
    assert KmAnonymity(k=2, m=1).beyond(Trajectories.from_lists(rows))["share_unique"] == 0.0
    assert KmAnonymity(k=2, m=2).beyond(Trajectories.from_lists(rows))["share_unique"] == 0.0
    longer = Trajectories.from_lists([[*"abcdefg"]] * 2)  # 2 x 21 pairs, 2 x 35 triples: too many
    said = KmAnonymity(k=2, m=2).beyond(longer)
    assert (said["smallest_anonymity_set"], said["share_unique"]) == ("not measured", "not measured")
    lonely = Trajectories.from_lists([[*"abcdefg"], [*"gfedcba"]])  # pairs are too many to count, one is soon alone
    said = KmAnonymity(k=2, m=1).beyond(lonely)
    assert (said["smallest_anonymity_set"], said["share_unique"]) == (1, "not measured")


def test_the_certificate_says_it_from_the_published_data_alone() -> None:
    """By person the verdict's figures are private; what lies beyond counts records, as anybody may."""
    rows = ["dace", "baec", "ade", "bdec", "dc", "de"] * 2
    where = {"a": (0, 0), "b": (-1, 0), "c": (1, 0), "d": (-1, 1.5), "e": (1, 1.6)}
    walks = Trajectories.from_lists(rows, places=where, persons=[str(at % 6) for at in range(12)])
    release = SeqAnon(k=2, m=2).anonymize(walks)
    (guarantee,) = release.certificate().guarantees
    assert guarantee.verdict["measured"] == {}
    assert guarantee.beyond == KmAnonymity(k=2, m=2).beyond(release.data)
    assert guarantee.beyond["smallest_anonymity_set"] == 2
    json.dumps(guarantee.to_json())


def test_a_certificate_that_plays_it_down_is_found_out(tmp_path: Path) -> None:
    walks = Trajectories.from_lists(["ab", "ab", "b", "ba"], places={"a": (0, 0), "b": (1, 0)})
    SeqAnon(k=2, m=1).anonymize(walks).write(tmp_path / "out")
    assert verify(tmp_path / "out").problems == ()
    path = tmp_path / "out" / "certificate.json"
    certificate = json.loads(path.read_text())
    assert certificate["guarantees"][0]["beyond"]["smallest_anonymity_set"] == 1
    certificate["guarantees"][0]["beyond"]["smallest_anonymity_set"] = 4
    path.write_text(json.dumps(certificate, indent=2, ensure_ascii=False) + "\n")
    (problem,) = verify(tmp_path / "out").problems
    assert "certificate.json" in problem
    assert "'beyond'" in problem
