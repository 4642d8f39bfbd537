"""Record linkage: equal to trying every pair, near certain on an unprotected copy, honest about what it cannot tell."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import build
from sfumato.attacks import AttackSetting, Exposed, Linkage
from sfumato.attacks.view.private_report import correspondence
from sfumato.data import Chunks, Mixed, Table, Trajectories, Transactions
from sfumato.errors import DataError
from sfumato.methods.relational.cluster import Cluster
from sfumato.methods.trajectories.ngrams.ngrams import NGrams
from sfumato.methods.trajectories.seqanon.seqanon import SeqAnon
from twins.attacks_fits import covering_rows, link_chances

brief = settings(max_examples=30, deadline=None)
LABELS = {"g1": ("a", "b"), "g2": ("b", "c")}
rows_of = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4), min_size=1, max_size=7)


@st.composite
def releases(draw: st.DrawFn) -> tuple[list[list[str]], list[list[str]], list[int]]:
    """Rows, what they were published as (labels that overlap, visits suppressed), and which row each was."""
    rows = draw(rows_of)
    published, behind = [], []
    for number, row in enumerate(rows):
        choices = {leaf: [leaf, *(label for label, group in LABELS.items() if leaf in group), None] for leaf in "abcd"}
        seen = [draw(st.sampled_from(choices[leaf])) for leaf in row]
        kept = [label for label in seen if label is not None]
        if kept:
            published.append(kept)
            behind.append(number)
    return rows, published, behind


def exposed(kind: Any, published: list[list[str]], behind: list[int], **more: Any) -> Exposed:
    data = kind.from_lists(published, **more)
    members = {label: group for label, group in LABELS.items() if label in data.names}
    return Exposed(replace(data, members=members, ids=None), np.array(behind, dtype=np.int64))


@pytest.mark.parametrize("people", [False, True])
@brief
@given(drawn=releases())
def test_sequences_as_the_twin(drawn: Any, people: bool) -> None:
    rows, published, behind = drawn
    units = [number // 2 for number in range(len(rows))] if people else list(range(len(rows)))
    original = Trajectories.from_lists(rows, persons=units if people else None)
    found = (
        Linkage(control=False).run(AttackSetting.of(original, exposed(Trajectories, published, behind)))
        if published
        else None
    )
    if found is None:
        return
    twin = link_chances(rows, published, LABELS, behind, units, ordered=True)
    assert found.successes.tolist() == pytest.approx(twin)


@brief
@given(drawn=releases())
def test_sets_as_the_twin(drawn: Any) -> None:
    rows, published, behind = drawn
    rows = [sorted(set(row)) for row in rows]
    # two labels of a record never share a member: no verifier lets such a record through
    published = [sorted(set(row) - {"b"} if {"g1", "g2"} & set(row) else set(row)) for row in published]
    published = [[label for label in row if not (label == "g2" and "g1" in row)] for row in published]
    kept = [at for at, row in enumerate(published) if row and not ({"a"} & set(row) and "g1" in row)]
    kept = [at for at in kept if not ("c" in published[at] and "g2" in published[at])]
    published, behind = [published[at] for at in kept], [behind[at] for at in kept]
    if not published:
        return
    original = Transactions.from_lists(rows)
    found = Linkage(control=False).run(AttackSetting.of(original, exposed(Transactions, published, behind)))
    twin = link_chances(rows, published, LABELS, behind, list(range(len(rows))), ordered=False)
    assert found.successes.tolist() == pytest.approx(twin)


def test_by_hand() -> None:
    walks = Trajectories.from_lists([["a", "b"], ["a", "c"], ["d"]])
    release = Trajectories.from_lists([["g"], ["g"], ["d"]])
    release = replace(release, members={"g": ("a", "b", "c")}, ids=None)
    found = Linkage().run(AttackSetting.of(walks, Exposed(release, np.array([0, 1, 2]))))
    assert found.successes.tolist() == [0.5, 0.5, 1.0]
    assert found.baseline == pytest.approx(1 / 3)
    assert found.control == 1.0
    assert not found.at_most
    assert found.facts["fewest_ties"] == 1


@pytest.mark.parametrize("kind", ["trajectories", "transactions", "table", "mixed"])
def test_an_unprotected_copy_is_linked_wherever_records_differ(kind: str) -> None:
    chance = Random(3)
    rows = [[chance.choice("abcdef") for _ in range(chance.randint(1, 5))] for _ in range(60)]
    data = build(kind, rows, None)
    found = Linkage().run(AttackSetting.of(data, Exposed(*data.published())))
    plain = data.to_polars() if kind in ("table", "mixed") else None
    content = [tuple(row) for row in plain.rows()] if plain is not None else [tuple(row) for row in data.to_lists()]
    alone = [1 / content.count(one) for one in content]
    assert found.mean == pytest.approx(sum(alone) / len(alone))
    assert found.control == pytest.approx(found.mean)


@brief
@given(
    ages=st.lists(st.integers(20, 25), min_size=1, max_size=8),
    cuts=st.lists(st.sampled_from(["own", "[20:22]", "[22:25]", "[20:25]"]), min_size=8, max_size=8),
)
def test_rows_as_the_twin(ages: list[int], cuts: list[str]) -> None:
    covers = {f"[{low}:{high}]": {str(n) for n in range(low, high + 1)} for low, high in ((20, 22), (22, 25), (20, 25))}
    seen = [
        str(age) if cut == "own" or str(age) not in covers[cut] else cut for age, cut in zip(ages, cuts, strict=False)
    ]
    sex = ["f" if age % 2 else "m" for age in ages]
    original = Table({"age": ages, "sex": sex})
    release = Table({"age": seen, "sex": sex})
    found = Linkage(knows="quasi-identifiers", control=False).run(
        AttackSetting.of(original, Exposed(release, np.arange(len(ages))))
    )
    table = list(zip(seen, sex, strict=True))
    twin = [1 / len(covering_rows((str(a), s), table, [covers, {}])) for a, s in zip(ages, sex, strict=True)]
    assert found.successes.tolist() == pytest.approx(twin)


def test_everything_about_a_row_is_more_than_its_quasi_identifiers() -> None:
    people = Table({"age": [30, 30, 30], "ill": ["flu", None, "flu"]}, sensitive=("ill",))
    setting = AttackSetting.of(people, Exposed(people, np.arange(3)))
    assert Linkage(knows="quasi-identifiers").run(setting).successes.tolist() == pytest.approx([1 / 3] * 3)
    assert Linkage().run(setting).successes.tolist() == [0.5, 1.0, 0.5]


def test_mixed_records_by_row_and_items() -> None:
    people = Mixed.from_frame({"age": [30, 30, 31], "items": ["a b", "a", "a"]})
    setting = AttackSetting.of(people, Exposed(people, np.arange(3)))
    assert Linkage().run(setting).successes.tolist() == [1.0, 1.0, 1.0]
    assert Linkage(knows="quasi-identifiers").run(setting).successes.tolist() == [0.5, 0.5, 1.0]


def test_a_release_of_rows_from_files_tells_as_much() -> None:
    people = Table({"age": [30, 31, 40, 41], "ill": ["a", "b", "a", "b"]}, sensitive=("ill",))
    release = Cluster(k=2).anonymize(people)
    told = Linkage(knows="quasi-identifiers").run(AttackSetting.of(people, release))
    untold = Linkage(knows="quasi-identifiers").run(AttackSetting.of(people, release.data))
    assert told.successes.tolist() == untold.successes.tolist()
    assert told.at_most is untold.at_most is False


def test_clusters_of_chunks() -> None:
    baskets = Transactions.from_lists([["a", "b"], ["a"], ["c"], ["c"]])
    chunks = Chunks.of(
        [
            {"size": 2, "chunks": [[["a"], ["a"]]], "terms": ["b"]},
            {"size": 2, "chunks": [[["c"], ["c"]]], "terms": []},
        ]
    )
    found = Linkage(control=False).run(AttackSetting.of(baskets, chunks))
    assert found.successes.tolist() == [0.5, 0.5, 0.5, 0.5]
    assert found.at_most


def test_without_a_correspondence_it_is_a_bound() -> None:
    walks = Trajectories.from_lists([["a", "b"], ["a", "c"]])
    release = Trajectories.from_lists([["a"], ["a", "c"]])
    found = Linkage(control=False).run(AttackSetting.of(walks, replace(release, ids=None)))
    assert found.at_most
    assert "at most" in found.sentences[1]


def test_the_bound_knows_that_one_person_may_be_behind_all_that_fit() -> None:
    """Both records that fit ann's can be hers; of the three that fit bob's only one can."""
    walks = Trajectories.from_lists(["ab", "ac", "d", "d", "d"], persons=["ann", "ann", "bob", "cem", "dia"])
    release = replace(Trajectories.from_lists(["a", "a", "d", "d", "d"]), ids=None)
    found = Linkage(control=False).run(AttackSetting.of(walks, release))
    assert found.at_most
    assert found.successes.tolist() == pytest.approx([1.0, 1.0, 1 / 3, 1 / 3, 1 / 3])
    told = Linkage(control=False).run(AttackSetting.of(walks, Exposed(release, np.arange(5))))
    assert told.successes.tolist() == pytest.approx(found.successes.tolist())


def test_some_targets_carry_an_interval() -> None:
    walks = Trajectories.from_lists([[a, b] for a in "abcdef" for b in "abcdef"])
    found = Linkage(targets=10, control=False).run(AttackSetting.of(walks, Exposed(*walks.published())), seed=1)
    assert (found.tried, found.of) == (10, 36)
    assert found.interval[0] < 1.0
    assert found.interval[1] == 1.0


def test_the_report_tells_who_is_who(tmp_path: Any) -> None:
    from sfumato.attacks.view.private_report import with_report
    from sfumato.errors import FileError
    from sfumato.io.atomic_writes import write_json

    walks = build("trajectories", [list("ab"), list("ab"), list("ac")], None)
    release = SeqAnon(k=2, m=1).anonymize(walks)
    write_json(release.report(), tmp_path / "report.json")
    bare = Exposed(release.data, certificate=release.certificate())
    told = with_report(bare, tmp_path / "report.json", walks)
    behind = correspondence(walks, release.data, release.origin)
    assert (told.correspondence + 1).tolist() == behind
    with pytest.raises(FileError, match="a run on other data"):
        with_report(bare, tmp_path / "report.json", build("trajectories", [list("ab")], None))
    with pytest.raises(FileError, match="the report of another release"):
        with_report(
            replace(bare, certificate=replace(release.certificate(), method="gsup")), tmp_path / "report.json", walks
        )
    (tmp_path / "report.json").write_text("{}")
    with pytest.raises(FileError, match="wanted the private report of a run with its correspondence"):
        with_report(bare, tmp_path / "report.json", walks)


def test_nobody_is_behind_noise() -> None:
    walks = build("trajectories", [list("ab")] * 5, None)
    release = NGrams(epsilon=1.0).anonymize(walks, seed=1)
    assert "records of a noisy release belong to no person" in str(Linkage().unfit(AttackSetting.of(walks, release)))


def test_a_release_of_other_data() -> None:
    walks = Trajectories.from_lists([["a", "b"]])
    with pytest.raises(DataError, match="labels for 2 of its visits that stand for nothing"):
        _ = AttackSetting.of(walks, Trajectories.from_lists([["x", "y", "a"]])).seen
    with pytest.raises(DataError, match="the original holds trajectories, the release transactions"):
        AttackSetting.of(walks, Transactions.from_lists([["a"]]))
    people = Table({"age": [1]})
    with pytest.raises(DataError, match="a column 'id' that the original does not have"):
        AttackSetting.of(people, Table({"age": [1], "id": [1]}))
