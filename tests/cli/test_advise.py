"""`sfumato advise`: the answer, the command that repeats it, and refusals."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from sfumato.cli.shared.guarantee_options import promises_of
from sfumato.generate.mixed import Mixed
from sfumato.io import write
from sfumato.privacy import KlmAnonymity, KmAnonymity


@pytest.fixture
def common(visits: Path) -> tuple[object, ...]:
    return ("advise", visits, "--jobs", 1, "--person", "person", "--promise", "km", "--k", 2, "--m", 2)


def test_the_answer_and_the_command_that_repeats_it(run, common, visits: Path, tmp_path: Path) -> None:
    out = tmp_path / "advice"
    ran = run(*common, "--care", "are", "--care", "patterns", "--seconds", 120, "--seed", 3, "--out", out, "--json")
    assert ran.code == 0, ran.err
    said = json.loads(ran.out)
    assert said["private"] is True
    assert [one["measure"] for one in said["care"]] == ["are", "patterns-preserved", "patterns-spurious", "visits-kept"]
    assert {one["state"] for one in said["trials"]} == {"ran"}
    assert said["lacking"][0].startswith("sd-seqanon: needs taxonomy")
    assert said["command"] == (out / "command.txt").read_text().strip()
    words = shlex.split(said["command"])
    best = next(one for one in said["trials"] if one["recommended"])
    assert words[:4] == ["sfumato", "anonymize", best["method"], str(visits)]
    assert words[-4:] == ["--seed", "3", "--out", "RELEASE"]
    assert words[words.index("--person") + 1] == "person"
    report = tmp_path / "report.json"
    again = run(*words[1:-1], tmp_path / "release", "--measure", "are", "--report", report)
    assert again.code == 0, again.err
    assert json.loads(report.read_text())["measures"]["are"] == best["are"]


def test_the_commands_of_a_candidate_on_prepared_data_repeat_its_release(run, visits: Path, tmp_path: Path) -> None:
    from sfumato import read
    from sfumato.cli.advise import commands_of
    from sfumato.experiments.advice.advice import Advice, Trial
    from sfumato.experiments.advice.candidates import Candidate
    from sfumato.methods.trajectories.seqanon.seqanon import SeqAnon
    from sfumato.prepare import Grid

    candidate = Candidate(SeqAnon(k=2, m=2), preparation=(Grid(cells=3),))
    advice = Advice((KmAnonymity(k=2, m=2),), (), (Trial(candidate, "ran", recommended=True),), (), 3, 60.0, 1.0)
    places = {"PREPARED.csv": str(tmp_path / "prepared.csv"), "RELEASE": str(tmp_path / "release")}
    for words in commands_of(advice, str(visits), {"person": "person"}):
        ran = run(*(places.get(word, word) for word in words[1:]))
        assert ran.code == 0, ran.err
    candidate.anonymize(read(visits, columns={"person": "person"}), seed=3).write(tmp_path / "again")
    for name in ("data.csv", "certificate.json"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "release" / name).read_bytes()


def test_the_commands_of_both_promises_for_sets_repeat_their_figures(run, tmp_path: Path) -> None:
    (tmp_path / "b.dat").write_text("\n".join(["ale bread", "ale bread", "ale tea", "tea figs", "tea figs", "ale"] * 4))
    ran = run("advise", tmp_path / "b.dat", "--jobs", 1, "--promise", "km", "--k", 3, "--m", 2, "--json")
    assert ran.code == 0, ran.err
    said = json.loads(ran.out)
    assert shlex.split(said["command"])[2] in ("coat", "pcta")
    assert shlex.split(said["other_command"])[2] == "disassociate"
    for number, command in enumerate((said["command"], said["other_command"])):
        words, report = shlex.split(command), tmp_path / f"{number}.json"
        again = run(*words[1:-1], tmp_path / f"release {number}", "--measure", "are", "--report", report)
        assert again.code == 0, again.err
        figure = json.loads(report.read_text())["measures"]["are"]
        assert figure in [one["are"] for one in said["trials"] if one["method"] == words[2]]
    assert "which is weaker: any 2 items belong to 3 records in at least one possible original" in said["sentences"][-1]


def test_mixed_records_are_tried_with_coat(run, tmp_path: Path) -> None:
    """Apriori publishes one label; the recommended command protects all sets of m items by COAT."""
    patients = Mixed(people=60, codes=60).make(seed=1)
    write(patients, tmp_path / "patients.csv")
    (tmp_path / "tree.csv").write_text("".join(f"{name};all\n" for name in patients.items.names))
    typed = ["--items", "diagnoses", "--taxonomy", tmp_path / "tree.csv"]
    promise = ["--promise", "kkm", "--k", 5, "--m", 2, "--care", "are:queries=100"]
    ran = run("advise", tmp_path / "patients.csv", *typed, *promise, "--jobs", 1, "--seconds", 600, "--json")
    assert ran.code == 0, ran.err
    said = json.loads(ran.out)
    words = shlex.split(said["command"])
    assert words[words.index("--transaction") + 1] == "coat"
    again = run(*words[1:-1], tmp_path / "release")
    assert again.code == 0, again.err
    lost = {one["candidate"] for one in said["trials"] if one["near_total_loss"]}
    assert "r-first, transaction=apriori" in lost
    assert "r-first, transaction=coat" not in lost


def test_people_read_a_table_and_a_recommendation(run, common) -> None:
    ran = run(*common, "--seconds", 120)
    assert ran.code == 0
    assert "k^m-anonymity (k=2, m=2):" in ran.out
    assert "not tried: u-seqanon: needs constraints" in ran.out
    assert "\nRecommended: seqanon" in ran.out
    assert "    sfumato anonymize seqanon" in ran.out


def test_nothing_to_recommend_is_a_failure(run, common) -> None:
    ran = run(*common[:-4], "--k", 50, "--m", 1, "--seconds", 60)
    assert ran.code == 1
    assert "not compared: seqanon, suppression=0; " in ran.out, "one line for all with the same reason"
    assert ran.out.count(": seqanon: k=50 needs at least 50 persons with a visit") == 1
    assert "No candidate can be recommended" in ran.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--promise", "km", "--k", 2), "km: --m is required: a whole number of at least 1"),
        (("--promise", "km", "--k", 1, "--m", 2), "km: k must be a whole number of at least 2, got 1"),
        (
            ("--promise", "km", "--k", 2, "--m", 1, "--epsilon", 1),
            "KmAnonymity: no parameter is called 'epsilon'; known are k, m",
        ),
        (
            ("--promise", "km", "--k", 2, "--m", 1, "--care", "intakt"),
            "care: no measure is called 'intakt'; did you mean 'intact'?",
        ),
        (("--promise", "km", "--k", 2, "--m", 1, "--seconds", 0), "advise: seconds must be a number above 0, got 0.0"),
        (
            ("--promise", "kkm", "--k", 2, "--m", 1),
            "advise: no method keeps kkm on trajectories; ",
        ),
    ],
)
def test_refusals(run, visits: Path, words: tuple[object, ...], sentence: str) -> None:
    ran = run("advise", visits, *words)
    assert ran.code == 2
    assert ran.err.startswith(f"sfumato: {sentence}")
    assert ran.err.count("\n") == 1


def test_a_directory_that_exists_is_refused_before_the_work(run, common, tmp_path: Path) -> None:
    assert run(*common, "--out", tmp_path).code == 2


def test_an_unknown_promise_is_refused(run, visits: Path) -> None:
    ran = run("advise", visits, "--promise", "kn")
    assert ran.code == 2
    assert "no privacy model is called 'kn'" in ran.err


PEOPLE = "age,ill\n30,a\n30,b\n31,c\n31,d\n52,a\n52,b\n53,c\n53,d\n"


def test_each_promise_has_its_own_options(run, tmp_path: Path) -> None:
    people = tmp_path / "people.csv"
    people.write_text(PEOPLE)
    roles = ("--quasi-identifiers", "age", "--sensitive", "ill")
    promises = ("--promise", "k-anonymity", "--k", 2, "--promise=l-diversity:variant=entropy", "--l", 2)
    ran = run("advise", people, *roles, *promises, "--care", "ncp", "--seconds", 60, "--jobs", 1, "--json")
    assert ran.code == 0, ran.err
    said = json.loads(ran.out)
    assert said["promises"] == [
        {"promise": "k-anonymity", "parameters": {"k": 2}},
        {"promise": "l-diversity", "parameters": {"l": 2, "variant": "entropy"}},
    ]
    words = shlex.split(said["command"])
    assert words[words.index("--promise") + 1] == "l-diversity:l=2,variant=entropy"
    assert "was verified on the release of this run" in said["sentences"][1]
    again = run(*words[1:-1], tmp_path / "release")
    assert again.code == 0, again.err
    assert "✓ l-diversity(l=2, variant=entropy) holds" in again.out
    strict = run(
        "anonymize", "cluster", people, *roles, "--k", 2, "--promise", "l-diversity:l=4", "--out", tmp_path / "no"
    )
    assert strict.code == 1
    assert "✗ l-diversity(l=4, variant=distinct) DOES NOT HOLD" in strict.out
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--promise", "km", "--k", 2, "--promise", "klm", "--k", 2, "--l", 2, "--m", 1), "km: --m is required"),
        (("--promise", "km:k=2,m=1", "--promise", "km:k=3,m=1", "--k", 4), "km: wanted k once, found it twice"),
        (("--t", 1, "--promise", "km:k=2,m=1", "--promise", "klm:k=2,l=2,m=1"), "--t: none of the promises needs"),
        (("--promise", "km:k=2,m=1", "--k", 4), "km: wanted k once, found it twice"),
        (("--promise", "km:k=2,m=1", "--care", "are:quries=3"), "did you mean 'queries'?"),
    ],
)
def test_options_of_several_promises_are_refused(run, visits: Path, words, sentence: str) -> None:
    ran = run("advise", visits, "--seconds", 0.001, "--jobs", 1, *words)
    assert ran.code == 2
    assert sentence in ran.err


def test_an_option_before_all_promises_belongs_to_each_that_needs_it() -> None:
    found = promises_of(["km:k=2", "klm:k=2,l=2", "km:k=3,m=4"], {"m": "1"})
    assert found == [KmAnonymity(k=2, m=1), KlmAnonymity(k=2, l=2, m=1), KmAnonymity(k=3, m=4)]
