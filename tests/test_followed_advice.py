"""Advice in messages that is no remedy of its own: each case causes the message, follows the advice, and succeeds."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest

import sfumato
from sfumato import KmSplit
from sfumato.cli.advise import commands_of
from sfumato.experiments.advice.advice import Advice, Trial
from sfumato.experiments.advice.candidates import Candidate
from sfumato.prepare import Grid, Preparation, RegionsOfInterest, SplitByDay, StaysAtPlaces
from sfumato.privacy import KmAnonymity
from test_followed_remedies import SQUARE, Shell
from test_followed_remedies import shell as shell  # the fixture

Words = list[object]
Told = tuple[Words, str, list[Words]]
"""A command, the advice that it ends with, and a command for each way to follow it."""


def infeasible(shell: Shell) -> Iterator[Told]:
    """Promises that the data cannot keep."""
    out = ["--out", shell.folder / "out"]
    visits, baskets = shell.visits(person=False), shell.baskets()
    tree = ["--taxonomy", shell.tree("ale", "tea", "fig", "oil")]
    base: Words = ["anonymize", "bf-p2ka", visits, *out]
    yield [*base, "--k", 9], "choose a smaller k or coarser locations", [[*base, "--k", 2]]
    single = shell.file(
        "single.csv", "constraint,item", *(f"{at},{item}" for at, item in enumerate(("ale", "tea", "fig", "oil")))
    )
    base = ["anonymize", "coat", baskets, "--privacy-policy", "all:2", *out]
    narrow = ["--utility-policy", single]
    yield (
        [*base, "--k", 7, "--suppression", 0, *narrow],
        "suppression=0.5 would be enough, or lower k or widen the utility policy",
        [
            [*base, "--k", 7, "--suppression", 0.5, *narrow],
            [*base, "--k", 6, "--suppression", 0, *narrow],
            [*base, "--k", 7, "--suppression", 0],
        ],
    )
    few = ["--occurrence-suppression", 0.1]
    yield (
        [*base, "--k", 7, "--suppression", 1, *few, *narrow],
        "occurrence_suppression=0.334 would be enough, or",
        [[*base, "--k", 7, "--suppression", 1, "--occurrence-suppression", 0.334, *narrow]],
    )
    yield (
        [*base, "--k", 7, *few, *narrow],
        "suppression=0.5 and occurrence_suppression=0.334 would be enough, or",
        [[*base, "--k", 7, "--suppression", 0.5, "--occurrence-suppression", 0.334, *narrow]],
    )
    base = ["anonymize", "apriori", baskets, *tree, "--sensitive", "fig", *out]
    yield [*base, "--k", 2, "--m", 1, "--l", 9], "lower them", [[*base, "--k", 2, "--m", 1, "--l", 2]]
    people = shell.people()
    for method, advice in (("incognito", "lower them"), ("cluster", "lower")):
        base = ["anonymize", method, people, "--quasi-identifiers", "age,name", "--sensitive", "illness", *out]
        yield [*base, "--k", 2, "--l", 9], advice, [[*base, "--k", 2, "--l", 2]]
    _, network = shell.roads()
    rows = [f"{number},{road},+,{600 * number + at}" for number in range(6) for at, road in enumerate(("r1", "r2"))]
    drives = shell.file("drives.csv", "trajectory,road,direction,time", *rows)
    base = ["anonymize", "icba", drives, "--network", network, *out]
    yield (
        [*base, "--k", 6, "--interval", "60"],
        "choose a smaller k or longer intervals",
        [[*base, "--k", 6, "--interval", "3600"]],
    )
    base = ["anonymize", "ngrams", visits, "--places", shell.places(), *out]
    yield (
        [*base, "--epsilon", 0.001, "--l-max", 10_000],
        "raise epsilon or lower l_max",
        [[*base, "--epsilon", 50], [*base, "--epsilon", 0.001, "--l-max", 5]],
    )
    constraints = ["--constraints", shell.file("one.csv", "location,constraint", *(f"{n},{n}" for n in SQUARE))]
    wide = ["--constraints", shell.file("wide.csv", "location,constraint", *(f"{n},1" for n in SQUARE))]
    base = ["anonymize", "u-seqanon", visits, *out]
    yield (
        [*base, "--k", 9, "--m", 2, "--delta", 0, *constraints],
        "raise delta, lower k or m, or give larger constraints",
        [
            [*base, "--k", 9, "--m", 2, "--delta", 80, *constraints],
            [*base, "--k", 2, "--m", 1, "--delta", 0, *constraints],
            [*base, "--k", 9, "--m", 1, "--delta", 0, *wide],
        ],
    )
    every = shell.file("flags.csv", "location,x,y,sensitive", *(f"{n},{x},{y},1" for n, (x, y) in SQUARE.items()))
    fewer = shell.file(
        "fewer.csv", "location,x,y,sensitive", *(f"{n},{x},{y},{int(n == 'b')}" for n, (x, y) in SQUARE.items())
    )
    bare = shell.file("bare.csv", *(line.rsplit(",", 2)[0] for line in visits.read_text().splitlines()))
    base = ["anonymize", "zga", bare, "--k", 2, "--l", 2, "--m", 1, *out]
    yield [*base, "--places", every], "flag", [[*base, "--places", fewer]]


def patients(shell: Shell) -> Iterator[Told]:
    """Mixed records."""
    people = shell.file("patients.csv", "age,codes", *(f"{20 + at % 3},c{at}" for at in range(12)))
    tree = shell.tree(*(f"c{at}" for at in range(12)))
    base: Words = ["--items", "codes", "--taxonomy", tree, "--k", 3, "--m", 1]
    base += ["--out", shell.folder / "out"]
    yield (
        ["anonymize", "tum-bound", people, *base, "--delta", 0],
        "raise delta or lower k",
        [["anonymize", "tum-bound", people, *base, "--delta", 1]],
    )
    yield (
        ["anonymize", "rum-bound", people, *base, "--k", 5, "--delta", 0],
        "raise delta or",
        [["anonymize", "rum-bound", people, *base, "--k", 5, "--delta", 1]],
    )


def commands(shell: Shell) -> Iterator[Told]:
    """Options that belong together or exclude each other."""
    visits, out, report = shell.visits(), shell.folder / "release", shell.folder / "private.json"
    shell.done("anonymize", "seqanon", visits, "--k", 2, "--m", 1, "--out", out, "--report", report)
    yield (
        ["verify", visits],
        "e.g. --model km --k 5 --m 2",
        [["verify", visits, "--model", "km", "--k", 1 + 1, "--m", 1]],
    )
    yield (
        ["verify", out, "--model", "km", "--k", 2, "--m", 1],
        "leave --model out",
        [["verify", out, "--original", visits]],
    )
    yield (
        ["verify", out, "--report", report],
        "--report needs --original",
        [["verify", out, "--report", report, "--original", visits]],
    )
    yield (
        ["audit", visits, "--report", report],
        "(--against DIR)",
        [["audit", visits, "--report", report, "--against", out]],
    )
    yield (
        ["audit", visits, "--attack", "linkage"],
        "(--against DIR)",
        [["audit", visits, "--attack", "linkage", "--against", out]],
    )
    yield (
        ["anonymize", "seqanon", visits, "--k", 2, "--m", 1, "--out", out],
        "choose another name or remove it first",
        [["anonymize", "seqanon", visits, "--k", 2, "--m", 1, "--out", shell.folder / "other"]],
    )
    nobody = shell.file("nobody.csv", "trajectory,who,location", "1,a,x", "2,a,y")
    limit: Words = ["prepare", "limit", nobody, "--records-per-person", 1, "--out", shell.folder / "fewer.csv"]
    yield limit, "name it (--person COLUMN)", [[*limit, "--person", "who"]]
    coat: Words = [
        "anonymize",
        "coat",
        shell.baskets(),
        "--k",
        2,
        "--privacy-policy",
        "all:1",
        "--out",
        shell.folder / "o",
    ]
    siblings = [*coat, "--utility-policy", "siblings:1"]
    yield (
        siblings,
        "give a taxonomy (--taxonomy FILE)",
        [[*siblings, "--taxonomy", shell.tree("ale", "tea", "fig", "oil")]],
    )
    place: Words = [
        "generate",
        "checkins",
        "--trajectories",
        20,
        "--locations",
        5,
        "--owners",
        2,
        "--out",
        shell.folder / "c.csv",
    ]
    yield place, "(--places FILE)", [[*place, "--places", shell.folder / "where.csv"]]
    road: Words = ["generate", "roads", "--vehicles", 3, "--nodes", 20, "--out", shell.folder / "r.csv"]
    yield road, "(--streets DIR)", [[*road, "--streets", shell.folder / "streets"]]
    graph: Words = ["generate", "graph", "--nodes", 10, "--edges", 12]
    yield (
        [*graph, "--out", shell.folder / "g.csv"],
        "(--node-file FILE), or write .lg",
        [
            [*graph, "--out", shell.folder / "g.csv", "--node-file", shell.folder / "n.csv"],
            [*graph, "--out", shell.folder / "g.lg"],
        ],
    )
    shell.done("sign", "--new-key", shell.folder / "key")
    again = ["sign", "--new-key", shell.folder / "key"]
    yield again, "choose another name", [["sign", "--new-key", shell.folder / "key2"]]


def misspelled(shell: Shell) -> Iterator[Told]:
    """Names that are nearly right."""
    visits, people, out = shell.visits(), shell.people(), ["--out", shell.folder / "out"]
    yield (
        ["anonymise", "seqanon", visits, "--k", 2, "--m", 1, *out],
        "'anonymize'",
        [["anonymize", "seqanon", visits, "--k", 2, "--m", 1, *out]],
    )
    yield (
        ["anonymize", "seqannon", visits, *out],
        "did you mean 'seqanon'?",
        [["anonymize", "seqanon", visits, "--k", 2, "--m", 1, *out]],
    )
    base: Words = ["anonymize", "seqanon", visits, "--k", 2, "--m", 1, *out]
    yield [*base, "--measure", "intackt"], "did you mean 'intact'?", [[*base, "--measure", "intact"]]
    yield [*base, "--reprot", "x.json"], "--report", [[*base, "--report", shell.folder / "x.json"]]
    table: Words = ["anonymize", "cluster", people, "--k", 2, "--allow-keys", "true", *out]
    yield [*table, "--quasi-identifiers", "agee"], "did you mean 'age'?", [[*table, "--quasi-identifiers", "age"]]
    yield (
        ["verify", visits, "--model", "kmm", "--k", 2, "--m", 1],
        "'km'",
        [["verify", visits, "--model", "km", "--k", 2, "--m", 1]],
    )
    yield ["audit", visits, "--attack", "re-identify"], "'reidentify'", []
    yield ["measures", "intackt"], "did you mean 'intact'?", [["measures", "intact"]]
    yield ["glossary", "suport"], "did you mean 'support'?", [["glossary", "support"]]
    wrong = shell.file("w.csv", visits.read_text().rstrip("\n"))
    described: Words = ["describe", wrong, "--columns", "location=locatio"]
    yield described, "did you mean 'location'?", [["describe", wrong, "--columns", "location=location"]]


@pytest.mark.parametrize("make", [infeasible, patients, commands, misspelled])
def test_following_the_advice(make: Callable[[Shell], Iterator[Told]], shell: Shell) -> None:
    for words, advice, ways in make(shell):
        code, text = shell.run(*words)
        assert code == 2, text
        assert advice in text, text
        for way in ways:
            code, after = shell.run(*way)
            assert code in ((0, 1, 3) if way[0] in ("verify", "audit") else (0,)), (way, after)
            assert advice not in after
            if way[0] == "anonymize":
                shutil.rmtree(Path(str(way[way.index("--out") + 1])))


@pytest.mark.parametrize(
    "steps",
    [
        (Grid(cells=2),),
        (RegionsOfInterest(cells=4, density=0.1),),
        (StaysAtPlaces(shortest_s=600),),
        (SplitByDay(),),
        (Grid(cells=2), SplitByDay()),
    ],
    ids=lambda steps: "+".join(step.name for step in steps),
)
def test_the_commands_of_an_advice_repeat_a_run_on_prepared_data(steps: tuple[Preparation, ...], shell: Shell) -> None:
    rows = [
        f"{person},p{place},u{person},{86_400 * day + 60 * minute},{place % 4},{place // 4}"
        for person in range(12)
        for day in range(2)
        for place in (person % 9, (person * 5 + day) % 9)
        for minute in (place * 40, place * 40 + 20)
    ]
    visits = shell.file("walks.csv", "tid,poi,person,time,x,y", *rows)
    columns = {"trajectory": "tid", "location": "poi"}
    candidate = Candidate(KmSplit(k=2, m=1), preparation=steps)
    trial = Trial(candidate, "ran", recommended=True)
    advice = Advice((KmAnonymity(k=2, m=1),), (), (trial,), (), 0, 1.0, 1.0)
    wanted = candidate.anonymize(sfumato.read(visits, columns=columns), seed=0)
    typed = {"columns": ",".join(f"{role}={name}" for role, name in columns.items())}
    for words in commands_of(advice, str(visits), typed):
        named = [shell.folder / word if word.startswith(("PREPARED", "RELEASE")) else word for word in words[1:]]
        code, text = shell.run(*named)
        assert code == 0, text
    released = pl.read_csv(shell.folder / "RELEASE" / "data.csv", schema_overrides={"location": pl.String})
    assert released.group_by("trajectory", maintain_order=True).agg("location")["location"].to_list() == (
        wanted.data.to_lists()
    )
