"""Advice: what is tried, what is said, what repeats, and what there is no time for."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sfumato import Lra, Table, Taxonomy, Transactions
from sfumato.catalogue import measure_class
from sfumato.cli.advise import commands_of
from sfumato.errors import DataError, OutputError, ParameterError
from sfumato.experiments.advice import advising, schedule
from sfumato.experiments.advice.advice import Advice, Trial
from sfumato.experiments.advice.advising import advise, cared_for
from sfumato.experiments.advice.candidates import Candidate, candidates_for
from sfumato.experiments.advice.reasons import reason_of
from sfumato.experiments.reports.advice_page import write_advice
from sfumato.methods.time_estimates import extrapolated
from sfumato.privacy import Epsilon, KAnonymity, KmAnonymity, LDiversity, ReconstructionAnonymity
from sfumato.utility.queries import Are

ITEMS = [f"i{at}" for at in range(6)]
TREE = Taxonomy(
    {"all": None, "low": "all", "high": "all"} | {name: ("low", "high")[at > 2] for at, name in enumerate(ITEMS)}
)
PROMISE = KmAnonymity(k=3, m=2)
LITTLE = "It keeps little: its answers to counting queries are no better than the answer 0 to every query."


def baskets(number: int = 40) -> Transactions:
    rng = np.random.default_rng(3)
    rows = [[ITEMS[at] for at in sorted(set(rng.integers(0, 6, 3).tolist()))] for _ in range(number)]
    return Transactions.from_lists(rows, taxonomy=TREE)


def trial(name: str, figures: dict[str, float], **more: Any) -> Trial:
    candidate = next(one for one in candidates_for(PROMISE, baskets()).found if one.name == name)
    return Trial(candidate, "ran", figures={key: (value, "") for key, value in figures.items()}, seconds=0.1, **more)


def advice(*trials: Trial, promise: Any = PROMISE, care: tuple[str, ...] = ("are", "patterns-preserved")) -> Advice:
    cared = tuple(measure_class(name)() for name in care)
    advising._rank(trials, cared)
    return Advice((promise,), cared, trials, (), 7, 60.0, 1.0, advising._notes((promise,)))


@pytest.fixture(scope="module")
def found() -> Advice:
    return advise(baskets(), PROMISE, ["are", "patterns-preserved"], seconds=300, seed=5, jobs=1)


def test_every_candidate_ran_and_the_best_is_recommended(found: Advice) -> None:
    assert {one.name for one in found.trials} == {one.name for one in candidates_for(PROMISE, baskets()).found}
    assert {one.state for one in found.trials} == {"ran"}
    assert found.recommended is found.trials[0]
    assert found.recommended in found.front
    assert found.unfinished == []
    assert found.complete
    assert found.seconds < found.budget_s


def test_figures_are_those_of_the_run_that_the_command_repeats(found: Advice) -> None:
    best = found.recommended
    assert best is not None
    release = best.candidate.method.anonymize(baskets(), seed=5)
    assert release.holds
    for measure in found.cared:
        assert measure(baskets(), release).value == best.figures[measure.name][0]


def test_the_same_advice_again_while_the_machine_is_busy() -> None:
    promise, care = ReconstructionAnonymity(k=2, m=2), ["are", "kl"]
    quiet = advise(baskets(), promise, care, seconds=300, seed=5, jobs=1)
    load = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        again = advise(baskets(), promise, care, seconds=300, seed=5, jobs=2)
    finally:
        load.kill()
        load.wait()
    assert again.sentences == quiet.sentences
    assert again.to_polars().drop("seconds").equals(quiet.to_polars().drop("seconds"))


def test_policies_of_all_sets_keep_km(found: Advice) -> None:
    """COAT and PCTA under the policy all:2, and the command that gives it; the release states both guarantees."""
    trials = {one.name: one for one in found.trials}
    candidate = trials["coat, suppression=0.1"].candidate
    assert candidate.options == {"privacy_policy": "all:2", "k": "3"}
    release = candidate.anonymize(baskets(), seed=5)
    assert [model.name for model, _ in release.verdicts] == ["policy", "km"]
    assert release.holds
    assert KmAnonymity(k=3, m=2).check(release.data, baskets()).holds is True
    assert "pcta, suppression=0.1" in trials


def test_disassociation_is_compared_under_the_same_m_and_not_recommended_in_place_of_km(found: Advice) -> None:
    """Its figures are those of the same workload; the sentence says what it promises in its place."""
    other = found.other
    assert other is not None
    assert other.candidate.instead == ReconstructionAnonymity(k=3, m=2)
    assert not any(one.front or one.recommended for one in found.trials if one.candidate.instead)
    release = other.candidate.anonymize(baskets(), seed=5)
    assert release.verdicts[0][0] == other.candidate.instead
    assert other.figures["are"][0] == Are()(baskets(), release).value
    best = found.recommended
    assert best is not None
    assert found.sentences[-1].startswith(f"Under the same k and m, {other.name} has are ")
    assert "in at least one possible original, not in 3 published records." in found.sentences[-1]
    assert reason_of(other, found).endswith("(k=3, m=2, l=1), not the promise that was asked for.")
    assert not any(other.name in reason_of(one, found) for one in found.trials if one.candidate.instead is None)
    (words,) = commands_of(found, "b.csv", {}, other)
    assert words[:3] == ["sfumato", "anonymize", "disassociate"]
    asked = advise(baskets(), ReconstructionAnonymity(k=3, m=2), ["are"], seconds=60, jobs=1)
    assert "It keeps k^m-anonymity, which is stronger" in asked.sentences[-1]
    losses = [one.figures["are"][0] for one in asked.trials if one.candidate.instead and one.state == "ran"]
    assert losses == sorted(losses), "ranked"


def test_a_near_total_loss_is_named_with_a_candidate_that_avoids_it() -> None:
    lost = trial("apriori", {"are": 0.8, "patterns-preserved": 0.1}, heavy_losses=("6 items -> 1 label",))
    better = trial("coat, suppression=0.1", {"are": 0.25, "patterns-preserved": 0.5})
    assert advice(lost, better).near_total == [
        "apriori: near-total loss: 6 items -> 1 label; coat, suppression=0.1 was tried, too: are 0.25, not 0.8"
    ]
    worse = trial("coat, suppression=0.1", {"are": 0.9, "patterns-preserved": 0.5})
    assert advice(lost, worse).near_total == ["apriori: near-total loss: 6 items -> 1 label"]


def test_measures_with_parameters() -> None:
    said = advise(baskets(), ReconstructionAnonymity(k=2, m=2), [Are(queries=50)], seconds=60, jobs=1)
    best = said.recommended
    assert best is not None
    release = best.candidate.anonymize(baskets(), seed=0)
    assert best.figures["are"][0] == Are(queries=50)(baskets(), release).value
    with pytest.raises(ParameterError, match="care: wanted are with one choice of parameters, found two"):
        cared_for(["are", Are(queries=50)], "transactions")


def test_several_promises_and_one_that_is_verified() -> None:
    people = Table(
        {"age": [30, 30, 31, 31, 52, 52, 53, 53], "ill": list("aabcaabc")},
        quasi_identifiers=("age",),
        sensitive=("ill",),
    )
    both = advise(people, [KAnonymity(k=2), LDiversity(l=3)], ["ncp"], seconds=60, jobs=1)
    assert all(one.candidate.verified == () for one in both.trials)
    assert both.promise == "k-anonymity (k=2) and l-diversity (l=3, variant=distinct)"
    best = both.recommended
    assert best is not None
    assert {model.name for model, _ in best.candidate.anonymize(people).verdicts} == {"k-anonymity", "l-diversity"}
    # no method promises entropy l-diversity: what a release has of it is verified
    entropy = LDiversity(l=3, variant="entropy")
    said = advise(people, [KAnonymity(k=2), entropy], ["ncp"], seconds=60, jobs=1)
    assert {one.state for one in said.trials} == {"not kept"}
    assert all(one.candidate.verified == (entropy,) for one in said.trials)
    assert "does not promise l-diversity(l=3, variant=entropy), and its release does not keep it" in said.unfinished[0]
    with pytest.raises(DataError, match="advise: km fits trajectories or transactions, and these are table"):
        advise(people, [KAnonymity(k=2), PROMISE])


def test_a_table_of_it_all(found: Advice) -> None:
    frame = found.to_polars()
    assert frame.columns == [
        "candidate", "method", "parameters", "preparation", "state", "why", "front", "recommended", "seconds",
        "instead", "near_total_loss", "are", "patterns-preserved",
    ]  # fmt: skip
    assert len(frame) == len(found.trials)
    assert frame["recommended"].sum() == 1
    json.dumps(found.to_json())


def test_the_directory_is_whole_and_private(found: Advice, tmp_path: Path) -> None:
    pytest.importorskip("altair")
    assert write_advice(found, tmp_path / "out", command="sfumato anonymize lra", about="baskets.csv") == ""
    names = {file.name for file in (tmp_path / "out").iterdir()}
    assert names == {"results.csv", "report.html", "command.txt", "front.svg", "front.png", "front.pdf"}
    page = (tmp_path / "out" / "report.html").read_text()
    assert "Private." in page
    assert "sfumato anonymize lra" in page
    with pytest.raises(OutputError):
        write_advice(found, tmp_path / "out", command="", about="")


def test_words_for_a_compromise_and_for_those_who_care_for_one_thing() -> None:
    said = advice(
        trial("apriori", {"are": 1.0, "patterns-preserved": 10.0}),
        trial("lra, parts=2", {"are": 1.5, "patterns-preserved": 80.0}),
        trial("lra, parts=4", {"are": 9.0, "patterns-preserved": 90.0}),
        trial("vpa, parts=2", {"are": 9.0, "patterns-preserved": 10.0}),
    )
    assert said.recommended is not None
    assert said.recommended.name == "lra, parts=2"
    assert said.sentences == [
        "Recommended: lra, parts=2 (are 1.5, patterns-preserved 80).",
        LITTLE,
        "Of 4 compared candidates, 3 are on the Pareto front. "
        "Of those, this one has the smallest loss on its worst measure.",
        "Best on are alone: apriori (are 1).",
        "Best on patterns-preserved alone: lra, parts=4 (patterns-preserved 90).",
    ]


def test_words_for_one_measure_and_for_none() -> None:
    said = advice(trial("apriori", {"are": 1.0}), trial("lra, parts=2", {"are": 0.5}), care=("are",))
    assert said.sentences == ["Recommended: lra, parts=2 (are 0.5).", "It is the best of 2 compared candidates."]
    lonely = replace(trial("apriori", {"are": 1.0}), state="stopped", why="did not finish", figures={})
    nothing = advice(lonely, care=("are",))
    assert nothing.recommended is None
    assert nothing.sentences[0].startswith("No candidate can be recommended")
    assert commands_of(nothing, "baskets.csv", {}) == []


def test_words_for_equals() -> None:
    same = {"are": 1.0, "patterns-preserved": 10.0}
    said = advice(trial("apriori", same), trial("lra, parts=2", same), trial("lra, parts=4", {**same, "are": 2.0}))
    assert said.sentences == [
        "Recommended: apriori (are 1, patterns-preserved 10).",
        LITTLE,
        "No other of the 3 compared candidates is better on either measure; equally good: lra, parts=2.",
    ]


def test_a_release_without_a_figure_is_not_compared() -> None:
    said = advice(trial("apriori", {"are": 1.0}), trial("lra, parts=2", {"are": 2.0, "patterns-preserved": 1.0}))
    assert said.recommended is not None
    assert said.recommended.name == "lra, parts=2"
    assert said.unfinished == ["apriori: cannot be compared: no figure for patterns-preserved"]


def test_the_command() -> None:
    said = advice(trial("lra, parts=2", {"are": 1.0}), care=("are",))
    (words,) = commands_of(said, "my data.csv", {"taxonomy": "t.csv", "places": "p.csv", "kind": None})
    assert words == [
        "sfumato", "anonymize", "lra", "my data.csv", "--k", "3", "--m", "2", "--parts", "2", "--taxonomy", "t.csv",
        "--seed", "7", "--out", "RELEASE",
    ]  # fmt: skip


def test_noise_is_not_to_be_repeated_and_choosing_is_not_covered() -> None:
    said = advice(trial("lra, parts=2", {"are": 1.0}), promise=Epsilon(epsilon=1.0), care=("are",))
    assert "--seed" not in commands_of(said, "baskets.csv", {})[0]
    assert "not covered by epsilon" in said.notes[0]


def test_there_may_be_no_time_for_all_of_it() -> None:
    """The first budget allows for nothing but starting; nothing is recommended, everything is named."""
    said = advise(baskets(), PROMISE, ["are"], seconds=1e-6, jobs=1)
    assert said.recommended is None
    assert len(said.unfinished) == len(said.trials) == 15
    assert all("the time budget was used up" in sentence for sentence in said.unfinished)


def test_what_would_take_too_long_is_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "_SMALL", 10)
    monkeypatch.setattr(schedule, "_SAMPLES", (15, 30))
    monkeypatch.setattr(schedule, "extrapolated", lambda known, _: 1e9 if len(known) == 2 else -1.0)
    told: list[tuple[int, int, str]] = []
    said = advise(
        baskets(), ReconstructionAnonymity(k=2, m=2, l=2), seconds=3600, jobs=1, tell=lambda *one: told.append(one)
    )
    assert {one.state for one in said.trials} == {"not started"}
    assert all("the estimated time was 1,000,000,000 s" in sentence for sentence in said.unfinished)
    assert [words for _, _, words in told[:2]] == ["compiling disassociate", told[1][2]]
    assert told[1][2].startswith("a sample of 15: disassociate")
    assert not said.complete
    assert "another run may compare other candidates" in said.notes[0]


def test_infeasible_candidates_are_listed_with_their_sentence() -> None:
    said = advise(baskets(5), KmAnonymity(k=50, m=2), seconds=60, jobs=1)
    assert {one.state for one in said.trials} == {"infeasible"}
    assert said.unfinished[0].startswith("apriori: apriori: k=50 needs at least 50 records with an item")


def test_seconds_grow_at_least_with_the_records() -> None:
    assert extrapolated([(500, 1.0)], 5000) == 10.0
    assert extrapolated([(500, 1.0), (1500, 0.5)], 3000) == 1.0
    assert extrapolated([(500, 1.0), (1500, 1e6)], 3000) == pytest.approx(8e6)


def test_cares_that_do_not_fit() -> None:
    assert [one.name for one in cared_for(["tkd", "tkd"], "transactions")] == ["tkd"]
    assert [one.name for one in cared_for([], "transactions")] == ["are"]
    (first,) = cared_for([], "roads")
    assert "roads" in first.kinds
    with pytest.raises(ParameterError, match=r"care: no measure is called 'aer'; did you mean 'are'\?"):
        cared_for(["aer"], "table")
    with pytest.raises(
        DataError, match="care: ncp does not fit trajectories; measures that fit are appearance, are, arel"
    ):
        cared_for(["ncp"], "trajectories")
    with pytest.raises(ParameterError, match="seconds must be a number above 0, got 0"):
        advise(baskets(), PROMISE, seconds=0)


def test_a_candidate_is_its_method() -> None:
    assert Candidate(Lra(k=2, m=1, parts=2), {"parts": 2}).name == "lra, parts=2"
