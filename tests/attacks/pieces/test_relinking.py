"""Relinking pieces of trajectories: twins, the control, where nothing can be linked, and seeds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import KmSplit, SeqAnon, Table, Trajectories
from sfumato.attacks import AttackSetting, Exposed, Relinking
from sfumato.attacks.attack_report import attack_releases
from sfumato.kernels.verify.compatibility import explained_together
from twins.relinking import evidence, explained, picked

MEMBERS = {"g": ("a", "b"), "h": ("b", "c", "d")}
LABELS = "abcdgh"
brief = settings(max_examples=25, deadline=None)
pieces_of = st.lists(st.lists(st.sampled_from(LABELS), min_size=1, max_size=3), min_size=1, max_size=3)
records_of = st.lists(st.tuples(pieces_of, st.sampled_from(["ab", "ca", "dcb", "a"])), min_size=2, max_size=4)


@brief
@given(
    first=st.lists(st.sampled_from(LABELS), max_size=4),
    others=pieces_of,
    known=st.lists(st.sampled_from("abcd"), max_size=5),
)
def test_explained_together_as_the_twin(first: list[str], others: list[list[str]], known: list[str]) -> None:
    hits = np.array([[place in MEMBERS.get(label, (label,)) for label in LABELS] for place in known], dtype=bool)
    codes = np.array([LABELS.index(label) for piece in others for label in piece], dtype=np.int32)
    offsets = np.concatenate(([0], np.cumsum([len(piece) for piece in others]))).astype(np.int64)
    given = np.array([LABELS.index(label) for label in first], dtype=np.int32)
    found = explained_together(given, codes, offsets, hits.reshape(len(known), len(LABELS)))
    assert found.tolist() == [explained(first, piece, MEMBERS, known) for piece in others]


def setting_of(records: list[tuple[list[list[str]], str]], persons: int) -> AttackSetting:
    """Pieces by record, beside any visits as the original: the attack does not need one to come from the other."""
    original = [list(visits) for _, visits in records] + [list("abcd")]
    published = [piece for pieces, _ in records for piece in pieces]
    behind = np.repeat(np.arange(len(records)), [len(pieces) for pieces, _ in records])
    walks = Trajectories.from_lists(original, persons=[number % persons for number in range(len(original))])
    release = replace(Trajectories.from_lists([*published, list(LABELS)]), ids=None, members=MEMBERS)
    return AttackSetting(walks, (Exposed(release.take(np.arange(len(published))), behind),))


@brief
@given(records=records_of, persons=st.integers(1, 3))
def test_attacks_as_the_twins(records: list[tuple[list[list[str]], str]], persons: int) -> None:
    setting = setting_of(records, persons)
    behind = setting.release.correspondence.tolist()
    targets = [piece for piece, record in enumerate(behind) if behind.count(record) > 1]
    if not targets:
        assert "publishes each trajectory as one record" in str(Relinking().unfit(setting))
        return
    published, original = setting.release.data.to_lists(), setting.original.to_lists()
    units = [record % persons for record in behind]
    everybody = [place for row in original for place in row]
    by_visits, by_style = [], []
    for target in targets:
        known = original[behind[target]]
        own = [
            place
            for record, row in enumerate(original)
            if record % persons == units[target] and record != behind[target]
            for place in row
        ]
        by_visits.append({p: explained(published[target], row, MEMBERS, known) for p, row in enumerate(published)})
        by_style.append({p: evidence(row, MEMBERS, own, everybody) for p, row in enumerate(published)})
    for knows, scores in (("visits", by_visits), ("style", by_style)):
        found = Relinking(knows=knows, known=20).run(setting, seed=1)
        chances = [picked(of_target, behind, target) for of_target, target in zip(scores, targets, strict=True)]
        assert found.successes.tolist() == pytest.approx(chances)
        assert found.exact
        guessing = np.mean([(behind.count(behind[target]) - 1) / (len(behind) - 1) for target in targets])
        assert found.baseline == pytest.approx(guessing)
        persons_found = [picked(of_target, units, target) for of_target, target in zip(scores, targets, strict=True)]
        assert found.facts["same_person"] == pytest.approx(np.mean(persons_found))


@pytest.fixture(scope="module")
def walks() -> Trajectories:
    """Two groups of towns that people rarely combine."""
    rows = [*["ab"] * 4, *["cd"] * 4, "abcd", "efab", *["ef"] * 4]
    where = {place: (number, number % 2) for number, place in enumerate("abcdef")}
    return Trajectories.from_lists(rows, persons=[number // 2 for number in range(len(rows))], places=where)


def test_the_control_succeeds_where_places_identify(walks: Trajectories) -> None:
    release = KmSplit(k=2, m=2).anonymize(walks)
    setting = AttackSetting.of(walks, release)
    found = Relinking().run(setting, seed=1)
    assert found.control is not None
    assert 0 <= found.mean <= found.control
    assert Relinking(control=False).run(setting, seed=1).control is None
    assert "one piece of a trajectory, and 4 random visits of this trajectory, in order" in found.sentences[0]
    assert found.sentences[-1].startswith("The picked piece belongs to the same person with a probability of ")


def test_a_seed_repeats_and_a_sample_has_an_interval(walks: Trajectories) -> None:
    setting = AttackSetting.of(walks, KmSplit(k=2, m=2).anonymize(walks))
    attack = Relinking(known=2, targets=2)
    assert attack.run(setting, seed=3).to_json() == attack.run(setting, seed=3).to_json()
    drawn = attack.run(setting, seed=3)
    assert not drawn.exact
    assert (drawn.tried, drawn.to_json()["seed"]) == (2, 3)
    low, high = drawn.interval
    assert low <= drawn.mean <= high
    assert Relinking(knows="style").run(setting).exact


def test_where_nothing_can_be_linked(walks: Trajectories, tmp_path: Path) -> None:
    whole = AttackSetting.of(walks, SeqAnon(k=2, m=2).anonymize(walks))
    assert str(Relinking().unfit(whole)) == (
        "relinking links pieces of one trajectory, and this release publishes each trajectory as one record"
    )
    release = KmSplit(k=2, m=2).anonymize(walks)
    assert "give the private report of the run" in str(Relinking().unfit(AttackSetting.of(walks, release.data)))
    strangers = walks.with_persons(None)
    unknown = AttackSetting.of(strangers, KmSplit(k=2, m=2).anonymize(strangers))
    assert "relinking by style needs persons" in str(Relinking(knows="style").unfit(unknown))
    assert Relinking(knows="visits").run(unknown, seed=1).tried > 0
    assert "fits trajectories" in str(Relinking().unfit(AttackSetting.of(Table({"age": [1]}))))
    written = release.write(tmp_path / "release").path
    assert any("relinking needs the original record" in why for why in attack_releases(walks, [written]).unfit)
    tried = attack_releases(walks, [release]).findings
    assert "relinking" in [finding.attack for finding in tried]
