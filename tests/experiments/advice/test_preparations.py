"""Preparations that the advisor tries: which they are, fair figures, and the commands that repeat them."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from sfumato import KmSplit, Places, SeqAnon, Table, Taxonomy, Trajectories, Transactions
from sfumato.catalogue import measure_class
from sfumato.cli.advise import commands_of
from sfumato.experiments.advice import advising
from sfumato.experiments.advice.advice import Advice, Trial
from sfumato.experiments.advice.advising import advise
from sfumato.experiments.advice.candidates import Candidate, candidates_for
from sfumato.experiments.advice.preparations import preparations_for
from sfumato.methods.preparation_texts import text_of_step
from sfumato.methods.prepared_release import seen_from_original
from sfumato.prepare import Grid, RegionsOfInterest, SplitByDay, StaysAtPlaces, prepare
from sfumato.prepare.base import prepared_visits
from sfumato.privacy import Epsilon, KAnonymity, KmAnonymity

PROMISE = KmAnonymity(k=3, m=1)


def walks(*, times: bool = True, persons: bool = True) -> Trajectories:
    """Sixteen people, three days each, among 60 places of a town."""
    rng = np.random.default_rng(8)
    names = [f"p{number:02}" for number in range(60)]
    places = Places.planar({name: tuple(rng.normal(0, 1000, 2)) for name in names})
    visits = [
        {"trajectory": person, "location": names[rng.integers(0, 60)], "person": f"u{person}"}
        | {"time": 86_400 * day + 3600 * hour}
        for person in range(16)
        for day in range(3)
        for hour in (9, 14)
    ]
    kept = ["trajectory", "location", *(["time"] if times else []), *(["person"] if persons else [])]
    return Trajectories.from_frame({name: [visit[name] for visit in visits] for name in kept}, places=places)


def texts(data: Any, promise: Any = PROMISE) -> list[str]:
    return [" ".join(map(text_of_step, tried.steps)) for tried in preparations_for(data, [promise])]


def test_grids_from_fine_to_coarse_and_single_days() -> None:
    grids = ["grid:cells=10"]
    assert texts(walks(times=False)) == texts(walks(persons=False)) == grids
    assert texts(walks()) == [*grids, "split-by-day", *(f"{grid} split-by-day" for grid in grids)]
    for tried in preparations_for(walks(), [PROMISE]):
        assert tried.data.to_lists() == prepare(walks(), *tried.steps).data.to_lists()


def stays(*, times: bool = True) -> Trajectories:
    """Forty people who stay at two of 30 places, seen every 10 minutes for an hour at each of them."""
    rng = np.random.default_rng(4)
    where = {f"p{at:02}": tuple(rng.uniform(0, 9000, 2)) for at in range(30)}
    rows = [
        {"trajectory": person, "location": f"p{place:02}", "person": person, "time": 7200 * at + second}
        for person in range(40)
        for at, place in enumerate(rng.choice(30, 2, replace=False, p=[0.02] * 20 + [0.06] * 10))
        for second in range(0, 3601, 600)
    ]
    kept = pl.DataFrame(rows) if times else pl.DataFrame(rows).drop("time")
    return Trajectories.from_frame(kept, places=Places.planar(where))


def test_stops_where_most_visits_are_part_of_one() -> None:
    found = [tried for tried in preparations_for(stays(), [PROMISE]) if tried.steps == (StaysAtPlaces(),)]
    assert [len(tried.data.codes) for tried in found] == [80]
    assert found[0].data.to_lists() == [list(dict.fromkeys(row)) for row in stays().to_lists()]
    assert "stays-at-places" not in texts(stays(times=False))
    assert "stays-at-places" not in texts(walks()), "visits of one moment"


def test_regions_where_they_hold_most_visits() -> None:
    rng = np.random.default_rng(5)
    names = [f"p{at:03}" for at in range(800)]
    rows = [[name] for name in rng.choice(names, 400).tolist()]
    centres = rng.uniform(0, 1000, (20, 2))
    clumped = {name: tuple(centres[at % 20] + rng.uniform(0, 1, 2)) for at, name in enumerate(names)}
    spread = {name: tuple(rng.uniform(0, 1000, 2)) for name in names}
    regions = "regions-of-interest:cells=100,density=0.005"
    assert regions in texts(Trajectories.from_lists(rows, places=Places.planar(clumped)))
    assert not any("regions" in text for text in texts(Trajectories.from_lists(rows, places=Places.planar(spread))))


def test_regions_and_stops_are_seen_from_the_visits_before() -> None:
    data = stays()
    for step in (RegionsOfInterest(cells=4, density=0.1), StaysAtPlaces()):
        candidate = Candidate(KmSplit(k=3, m=1), preparation=(step,))
        ready = prepared_visits(data, step)
        release = candidate.anonymize(data, seed=1)
        seen = seen_from_original(release, data, ready, [step])
        assert len(seen.origin) == len(release.data.codes)
        for label, visit in zip(seen.data.codes.tolist(), seen.origin.tolist(), strict=True):
            name = seen.data.names[label]
            assert data.names[data.codes[visit]] in seen.data.members.get(name, (name,))


def test_what_is_not_prepared() -> None:
    assert texts(walks(), Epsilon(epsilon=1.0)) == [], "the choice depends on the data"
    assert texts(SeqAnon(k=3, m=1).anonymize(walks()).data) == [], "labels have no point"
    assert texts(Trajectories.from_lists([["a"], ["b"]])) == [], "no coordinates"
    assert texts(Trajectories.from_lists([["a"], ["b"]], places={"a": (0, 0), "b": (9, 9)})) == [], "not coarser"
    assert texts(Trajectories.from_lists([])) == []
    assert texts(Table({"age": [1]}, quasi_identifiers=("age",)), KAnonymity(k=2)) == []
    assert texts(Transactions.from_lists([["a"]])) == []


def test_every_method_whose_knowledge_stays_is_tried_on_prepared_data() -> None:
    from dataclasses import replace

    data = walks()
    known = replace(data, taxonomy=Taxonomy.balanced(data.names, 4))
    found = candidates_for(PROMISE, known, preparations=preparations_for(known, [PROMISE])).found
    by_steps: dict[str, set[str]] = {}
    for one in found:
        by_steps.setdefault(" ".join(map(text_of_step, one.preparation)), set()).add(one.method.name)
    assert by_steps["split-by-day"] == by_steps[""] >= {"seqanon", "sd-seqanon", "km-split"}
    assert by_steps["grid:cells=10"] == by_steps[""] - {"sd-seqanon"}, "cells are not in the taxonomy"
    assert len({one.name for one in found}) == len(found)


@pytest.fixture(scope="module")
def found() -> Advice:
    return advise(walks(), PROMISE, ["displacement"], seconds=300, seed=5, jobs=1)


def test_figures_compare_with_the_visits_before_the_preparation(found: Advice) -> None:
    assert [measure.name for measure in found.cared] == ["displacement", "visits-kept"]
    assert found.complete
    prepared = [one for one in found.trials if one.candidate.preparation]
    assert len({one.candidate.prepared_data for one in prepared}) == 3
    data = walks()
    for one in prepared[:6]:
        ready = prepare(data, *one.candidate.preparation)
        release = one.candidate.method.anonymize(ready.data, seed=5)
        seen = seen_from_original(release, data, ready, one.candidate.preparation)
        for measure in found.cared:
            assert one.figures[measure.name][0] == pytest.approx(measure(data, seen).value)
        assert one.candidate.anonymize(data, seed=5).data.to_lists() == release.data.to_lists()
    rows = {row["candidate"]: row for row in found.to_json()["trials"]}
    assert rows["seqanon, suppression=0"]["preparation"] is None
    assert rows["seqanon, suppression=0 on single days"]["preparation"] == "split-by-day"
    assert rows["seqanon, suppression=0 on a grid of 10 x 10 cells, single days"]["preparation"] == (
        "grid:cells=10 split-by-day"
    )


def single(candidate: Candidate, figures: dict[str, float], **more: Any) -> Trial:
    return Trial(candidate, "ran", figures={name: (value, "") for name, value in figures.items()}, seconds=1.0, **more)


def advice(*trials: Trial) -> Advice:
    cared = (measure_class("displacement")(), measure_class("visits-kept")())
    advising._rank(trials, cared)
    return Advice((KmAnonymity(k=5, m=2),), cared, trials, (), 7, 60.0, 1.0)


def test_who_suppresses_nearly_everything_is_not_recommended() -> None:
    """Without the share of the visits, the candidate without a visit would have no error."""
    far, none, fair = (SeqAnon(k=5, m=2, suppression=share) for share in (0.0, 0.9, 0.4))
    said = advice(
        single(Candidate(far), {"displacement": 5000, "visits-kept": 100}),
        single(Candidate(none), {"displacement": 0, "visits-kept": 10}),
        single(Candidate(fair), {"displacement": 900, "visits-kept": 60}),
    )
    assert said.recommended is not None
    assert said.recommended.candidate.method == fair


def test_the_commands_prepare_first() -> None:
    steps = (Grid(cells=20), SplitByDay())
    said = advice(single(Candidate(SeqAnon(k=5, m=2), preparation=steps), {"displacement": 1, "visits-kept": 50}))
    typed = {"columns": "trajectory=tid", "person": "user", "places": "town.csv", "kind": None, "sheet": "one"}
    assert [" ".join(words) for words in commands_of(said, "in.csv", typed)] == [
        "sfumato prepare grid in.csv --cells 20 --columns trajectory=tid --person user --places town.csv "
        "--out PREPARED.csv",
        "sfumato prepare split PREPARED.csv --by day --out PREPARED-2.csv",
        "sfumato anonymize seqanon PREPARED-2.csv --k 5 --m 2 --seed 7 --out RELEASE",
    ]
    typed = {"places": "town.csv", "taxonomy": "tree.csv"}
    for step, sides in ((SplitByDay(), " --places town.csv --taxonomy tree.csv"), (StaysAtPlaces(), "")):
        said = advice(single(Candidate(KmSplit(k=5, m=2), preparation=(step,)), {"displacement": 1, "visits-kept": 50}))
        last = " ".join(commands_of(said, "in.csv", typed)[-1])
        assert last == f"sfumato anonymize km-split PREPARED.csv --k 5 --m 2{sides} --seed 7 --out RELEASE"


def test_it_is_said_where_nothing_keeps_much() -> None:
    lost: dict[str, Any] = {"heavy_losses": ("900 places -> 2 labels",)}
    figures = {"displacement": 5000.0, "visits-kept": 100.0}
    plain, cells = Candidate(SeqAnon(k=5, m=2)), Candidate(SeqAnon(k=5, m=2), preparation=(Grid(cells=10),))
    sentence = (
        "No candidate keeps much: the loss is near-total for all 2 compared candidates, also on a grid of 10 x 10 "
        "cells. Ask for a smaller m or a smaller k, or prepare coarser data."
    )
    assert sentence in advice(single(plain, figures, **lost), single(cells, figures, **lost)).sentences
    assert sentence not in advice(single(plain, figures, **lost), single(cells, figures)).sentences
