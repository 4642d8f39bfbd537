"""Two releases of the same people: records that were shortened, secrets that are left, and what is not attacked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attacks.recoded_rows import ONE, TWO, seen_as
from sfumato.attacks import AttackSetting, Composition, Exposed
from sfumato.attacks.view.same_person import kept_of
from sfumato.data import Chunks, Mixed, Table, Trajectories, Transactions
from twins.composition import crowd_with_shortened, secrets_left

brief = settings(max_examples=40, deadline=None)
rows_of = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4), min_size=1, max_size=6)


def through(labels: dict[str, tuple[str, ...]], rows: list[list[str]], *, ordered: bool) -> list[list[str]]:
    label_of = {member: label for label, group in labels.items() for member in group}
    read = [[label_of[leaf] for leaf in row] for row in rows]
    return read if ordered else [sorted(set(row)) for row in read]


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("kind", [Trajectories, Transactions])
@brief
@given(rows=rows_of, drawn=st.data())
def test_a_shortened_release_beside_a_whole_one_as_the_twin(
    kind: Any, swapped: bool, rows: list[list[str]], drawn: Any
) -> None:
    ordered = kind is Trajectories
    rows = rows if ordered else [sorted(set(row)) for row in rows]
    flags = drawn.draw(st.lists(st.booleans(), min_size=24, max_size=24))
    cut = [[leaf for at, leaf in enumerate(row) if flags[4 * n + at]] for n, row in enumerate(rows)]
    cut = [part or row for part, row in zip(cut, rows, strict=True)]
    first, second = through(ONE, cut, ordered=ordered), through(TWO, rows, ordered=ordered)
    releases = [
        Exposed(seen_as(kind, part, labels), np.arange(len(rows))) for part, labels in ((first, ONE), (second, TWO))
    ]
    original = kind.from_lists(rows)
    kept = [kept_of(original, one, AttackSetting(original, (one,)).seen) for one in releases]
    assert kept[1] == "whole"
    assert kept[0] in ("whole", "shortened")
    setting = AttackSetting(original, tuple(reversed(releases)) if swapped else tuple(releases))
    found = Composition(known=4, tries=1).run(setting, seed=1)
    assert found.facts["not_attacked"] is None
    if kept[0] == "whole":
        return
    for row, success, own in zip(rows, found.successes.tolist(), first, strict=True):
        labels = {leaf: label for label, group in ONE.items() for leaf in group}
        if len(own) < len(through(ONE, [row], ordered=ordered)[0]) or own != [labels[leaf] for leaf in row]:
            continue  # what is known of this one is not in its shortened record
        crowd = crowd_with_shortened(row, (first, ONE), (second, TWO), ordered=ordered)
        assert success == pytest.approx(1 / crowd)


def test_whole_records_that_are_missing_do_not_stop_the_attack() -> None:
    """Two labels of a and b, of a and c: whoever knows a finds two in each, and one who is in both."""
    walks = Trajectories.from_lists(["ax", "by", "ct", "dx"])
    one = seen_as(Trajectories, [["g", "x"], ["g", "y"], ["c", "t"]], {"g": ("a", "b")})
    two = seen_as(Trajectories, [["h", "x"], ["b", "y"], ["h", "t"], ["d", "x"]], {"h": ("a", "c")})
    found = Composition(known=1, tries=20).run(AttackSetting.of(walks, one, two), seed=1)
    assert found.facts["not_attacked"] is None
    assert found.facts["smallest_anonymity_set_gained"] == 1


def test_records_without_anything_are_whole_where_they_had_nothing() -> None:
    baskets = Transactions.from_lists([["a"], [], ["b"]])
    for rows, behind, wanted in (
        ([["a"], [], ["b"]], [0, -1, 2], "whole"),
        ([["a"], [], []], [0, -1, -1], "shortened"),
    ):
        exposed = Exposed(replace(Transactions.from_lists(rows), ids=None), np.array(behind))
        assert kept_of(baskets, exposed, AttackSetting(baskets, (exposed,)).seen) == wanted


def test_what_cannot_be_compared_is_said_not_to_be_attacked() -> None:
    walks = Trajectories.from_lists(["ab", "ac", "ad"])
    cut = Exposed(replace(Trajectories.from_lists(["a", "ac", "ad"]), ids=None), np.arange(3))
    found = Composition(known=1).run(AttackSetting(walks, (cut, cut)), seed=1)
    assert found.facts["not_attacked"] == "both releases suppressed parts of their records"
    assert found.sentences[-1].startswith("Not attacked: both releases suppressed")
    baskets = Transactions.from_lists([["a", "b"], ["a"], ["a"], ["c"]])
    chunks = Chunks.of([{"size": 4, "chunks": [[["a"], ["a"], ["a"]]], "terms": ["b", "c"]}])
    found = Composition(known=1).run(AttackSetting.of(baskets, chunks, chunks), seed=1)
    assert "Not attacked: chunks do not show" in found.sentences[-1]
    assert (found.facts["gained"], found.facts["smallest_anonymity_set_gained"]) == (0.0, None)


def test_crowds_that_are_too_large_are_counted_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.attacks.view.same_person._PAIRS", 3)
    walks = Trajectories.from_lists(["ab", "ac"])
    found = Composition(known=1, tries=1).run(
        AttackSetting.of(walks, walks.published()[0], walks.published()[0]), seed=2
    )
    assert found.facts["unrefined"] > 0
    assert f"Not attacked: {found.facts['unrefined']} of 4 choices" in found.sentences[-1]


@brief
@given(
    people=st.lists(st.tuples(st.integers(20, 26), st.sampled_from(["flu", "hiv", "cold"])), min_size=2, max_size=9),
    cuts=st.tuples(st.integers(1, 4), st.integers(1, 4)),
)
def test_secrets_left_as_the_twin(people: list[tuple[int, str]], cuts: tuple[int, int]) -> None:
    people.sort()
    ages, ills = [age for age, _ in people], [ill for _, ill in people]
    releases, plain = [], []
    for cut in cuts:
        groups = [list(range(at, min(at + cut, len(people)))) for at in range(0, len(people), cut)]
        spans = {row: (ages[group[0]], ages[group[-1]]) for group in groups for row in group}
        cells = [f"[{a}:{b}]" if a < b else str(a) for a, b in (spans[row] for row in range(len(people)))]
        releases.append(Table({"age": cells, "ill": ills}, sensitive=("ill",)))
        plain.append(
            [(frozenset(range(spans[row][0], spans[row][1] + 1)), ill) for row, ill in enumerate(ills)],
        )
    original = Table({"age": ages, "ill": ills}, sensitive=("ill",))
    facts = Composition().run(AttackSetting.of(original, *releases), seed=1).facts
    for key, wanted in secrets_left(ages, plain[0], plain[1]).items():
        assert facts[key] == (None if wanted is None else pytest.approx(wanted)), key


def test_a_secret_item_that_is_left_for_certain() -> None:
    """Whoever knows age 30 and tea finds two in each release, one with hiv; in both is only the one with hiv."""
    people = Mixed.from_frame({"age": [30, 31, 32], "items": ["tea hiv", "tea", "tea ale"]}).with_sensitive(["hiv"])
    one = Mixed.from_frame({"age": ["[30:31]", "[30:31]", "32"], "items": ["tea hiv", "tea", "tea ale"]})
    two = Mixed.from_frame({"age": ["[30:32]", "31", "[30:32]"], "items": ["tea hiv", "tea", "tea ale"]})
    setting = AttackSetting.of(people, one, two)
    facts = Composition(known=1, tries=20).run(setting, seed=1).facts
    assert (facts["highest_probability"], facts["highest_probability_gained"]) == (1.0, 1.0)
    alone = Composition(known=1, tries=20).run(AttackSetting.of(people, one, one), seed=1).facts
    assert alone["highest_probability_gained"] is None
    assert facts["fewest_sensitive_values"] is None


def test_persons_are_attacked_where_both_releases_show_them() -> None:
    walks = Trajectories.from_lists(["ab", "ab", "ab", "ac"], persons=["u", "u", "v", "v"])
    published, order = walks.published()
    known, unknown = Exposed(published, order), Exposed(published)
    both = Composition(known=1).run(AttackSetting(walks, (known, known)), seed=1)
    assert (both.of, both.unit, both.successes.tolist(), both.exact) == (2, "person", [0.5, 1.0], True)
    one = Composition(known=1).run(AttackSetting(walks, (known, unknown)), seed=1)
    assert (one.of, one.unit, one.exact) == (4, "record", True)
