"""Configurations with policies, hierarchies and measures of their own, and releases that are kept."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest

import sfumato
from sfumato import Coat, Incognito, Policy, verify
from sfumato.errors import FileError, MissingExtra
from sfumato.experiments.comparison import Comparison, compare
from sfumato.experiments.definition.data_sources import make_base
from sfumato.experiments.definition.experiment_file import read_experiment
from sfumato.experiments.reports import charts
from sfumato.experiments.runner import RunEnd, Runner
from sfumato.experiments.single_run import cells_of, run_cell
from sfumato.experiments.worker import work
from sfumato.prepare.policies import every_set, rare_sets, siblings
from sfumato.utility.items import UtilityLoss
from sfumato.utility.tables import Ncp

CHANCE = Random(8)
BASKETS = "\n".join(" ".join(CHANCE.sample("abcdef", CHANCE.randint(1, 3))) for _ in range(40)) + "\n"
TREE = "node,parent\n*,\nA,*\nB,*\n" + "".join(f"{item},{'A' if item < 'd' else 'B'}\n" for item in "abcdefxyz")
TOP = 'title = "Policies"\nseeds = [1]\nmeasures = ["ul", "tlost"]\n'
DATA = '[data]\nfile = "baskets.dat"\ntaxonomy = "tree.csv"\nutility_policy = "siblings:1"\n'
THREE = """
[[configuration]]
name = "COAT, pairs"
method = "coat"
parameters = { k = 2, suppression = 1.0 }
privacy_policy = "all:2"
[[configuration]]
name = "COAT, rare"
method = "coat"
parameters = { k = 2, suppression = 1.0 }
privacy_policy = "rare:2:4"
utility_policy = "siblings:2"
[[configuration]]
name = "COAT, file"
method = "coat"
parameters = { k = 2, suppression = 1.0 }
privacy_policy = "protect.txt"
"""
CHUNKS = '[[configuration]]\nmethod = "disassociate"\nparameters = { k = 2, m = 2 }\n'


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    (tmp_path / "baskets.dat").write_text(BASKETS)
    (tmp_path / "tree.csv").write_text(TREE)
    (tmp_path / "protect.txt").write_text("a d\nb\nx z\n")

    def writing(*parts: str) -> Path:
        (tmp_path / "e.toml").write_text("".join(parts))
        return tmp_path / "e.toml"

    return writing


@pytest.fixture(autouse=True)
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> None:
        raise MissingExtra("altair", "report")

    monkeypatch.setattr(charts, "require_charts", absent)


def test_each_configuration_keeps_its_own_policies(write) -> None:
    experiment = read_experiment(write(TOP, DATA, THREE))
    assert [dict(one.sources) for one in experiment.configurations] == [
        {"privacy_policy": "all:2", "utility_policy": "siblings:1", "taxonomy": "tree.csv"},
        {"privacy_policy": "rare:2:4", "utility_policy": "siblings:2", "taxonomy": "tree.csv"},
        {"privacy_policy": "protect.txt", "utility_policy": "siblings:1", "taxonomy": "tree.csv"},
    ]
    data = make_base(experiment.data)
    told = [
        (every_set(2), siblings(data.taxonomy)),
        (rare_sets(data, 2, 4), siblings(data.taxonomy, 2)),
        (Policy([["a", "d"], ["b"], ["x", "z"]]), siblings(data.taxonomy)),
    ]
    for cell, policies in zip(cells_of(experiment), told, strict=True):
        private = data.with_policies(*policies)
        expected = UtilityLoss()(private, Coat(k=2, suppression=1.0).anonymize(private))
        outcome = run_cell(cell.spec, data)
        assert outcome["figures"] == {"ul": [expected.value, ""]}
        assert outcome["unfit"] == {"tlost": "tlost: wanted published chunks, found transactions"}


def test_a_rule_counts_the_records_that_are_sampled(write) -> None:
    """The original of a release is the sample, so a verifier computes the policy again from that."""
    experiment = read_experiment(write(TOP, DATA, "sample = 20\n", THREE))
    data = make_base(experiment.data)
    sample = data.take(range(0, 40, 2))
    outcome = run_cell(cells_of(experiment)[1].spec, sample)
    private = sample.with_policies(rare_sets(sample, 2, 4), siblings(data.taxonomy, 2))
    assert outcome["figures"]["ul"][0] == UtilityLoss()(private, Coat(k=2, suppression=1.0).anonymize(private)).value


def test_runs_differ_by_rules_and_by_the_content_of_files(write, tmp_path: Path) -> None:
    def keys(*parts: str) -> list[str]:
        return [cell.key for cell in cells_of(read_experiment(write(*parts)))]

    before = keys(TOP, DATA, THREE)
    assert len(set(before)) == 3
    other_rule = keys(TOP, DATA, THREE.replace("all:2", "all:1"))
    assert [a == b for a, b in zip(before, other_rule, strict=True)] == [False, True, True]
    (tmp_path / "copy.txt").write_text((tmp_path / "protect.txt").read_text())
    assert keys(TOP, DATA, THREE.replace("protect.txt", "copy.txt")) == before
    (tmp_path / "protect.txt").write_text("a d\n")
    assert [a == b for a, b in zip(before, keys(TOP, DATA, THREE), strict=True)] == [True, True, False]
    of_data = keys(TOP, DATA.replace("siblings:1", "siblings:2"), THREE)
    assert of_data[1] == before[1]  # it has its own
    assert of_data[0] != before[0]


PEOPLE = "age,town\n" + "".join(f"{20 + index * 7 % 12},{'Rome' if index % 3 else 'Oslo'}\n" for index in range(36))
TABLE = '[data]\nfile = "people.csv"\nquasi_identifiers = ["age", "town"]\n'
INCOGNITO = """
[[configuration]]
name = "narrow"
method = "incognito"
parameters = { k = 4 }
hierarchies = "narrow"
[[configuration]]
name = "wide"
method = "incognito"
parameters = { k = 4 }
hierarchies = "wide"
"""


def write_hierarchies(folder: Path) -> None:
    (folder / "people.csv").write_text(PEOPLE)
    for name, size in (("narrow", 2), ("wide", 6), ("shared", 3)):
        (folder / name).mkdir()
        rows = [f"{20 + place};g{place // size};*" for place in range(12)]
        (folder / name / "age.csv").write_text("\n".join(rows) + "\n")


def test_figures_are_computed_with_the_hierarchy_of_the_experiment(write, tmp_path: Path) -> None:
    write_hierarchies(tmp_path)
    own_too = '{ measure = "ncp", name = "own", hierarchy = "configuration" }'
    top = f'title = "Hierarchies"\nseeds = [1]\nmeasures = ["ncp", {own_too}]\n'
    experiment = read_experiment(write(top, TABLE, 'hierarchies = "shared"\n', INCOGNITO))
    data = make_base(experiment.data)
    for cell, name, size in zip(cells_of(experiment), ("narrow", "wide"), (2, 6), strict=True):
        own = sfumato.read(tmp_path / "people.csv", kind="table", hierarchies=tmp_path / name)
        release = Incognito(k=4).anonymize(own)
        outcome = run_cell(cell.spec, data)
        assert outcome["figures"]["own"][0] == Ncp()(own, release).value
        # by hand: every label of ages stands for `size` of the 12 ages, or for all
        sizes = {"*": 12} | {f"g{number}": size for number in range(6)}
        ages = [sizes.get(label, 0) / 12 for label in release.data["age"].cast(pl.String).to_list()]
        towns = [float(label == "*") for label in release.data["town"].to_list()]
        assert outcome["figures"]["ncp"][0] == pytest.approx(sum(ages + towns) / 72)
    assert [one.sources["hierarchies"] for one in experiment.configurations] == ["narrow", "wide"]
    files = cells_of(experiment)
    (tmp_path / "wide" / "age.csv").write_text((tmp_path / "narrow" / "age.csv").read_text())
    again = cells_of(experiment)
    assert (files[0].key == again[0].key, files[1].key == again[1].key) == (True, False)
    assert again[0].key == again[1].key  # the same hierarchy in another folder


def test_the_hierarchy_of_figures_is_said(write, tmp_path: Path) -> None:
    from sfumato.experiments.definition.hierarchy_of_figures import hierarchy_of_figures

    write_hierarchies(tmp_path)
    top = 'title = "Hierarchies"\nmeasures = ["ncp", "class-size"]\n'

    def sentence(*parts: str) -> str:
        return hierarchy_of_figures(read_experiment(write(top, *parts)))

    assert "ncp: computed with the hierarchies of [data] (shared), also" in sentence(
        TABLE, 'hierarchies = "shared"\n', INCOGNITO
    )
    assert "no hierarchies, because [data] declares none and" in sentence(TABLE, INCOGNITO)
    same = INCOGNITO.replace('"wide"\n', '"narrow"\n').replace('name = "narrow"\nmethod', 'name = "first"\nmethod', 1)
    assert "narrow, the only hierarchies that configurations declare" in sentence(TABLE, same)
    assert sentence(TABLE, 'hierarchies = "shared"\n', INCOGNITO.replace("hierarchies", "#")) == ""


REFUSED = {
    "policy of another method": (
        CHUNKS.replace("\nparameters", '\nprivacy_policy = "all:2"\nparameters'),
        "configuration 1: privacy_policy does not apply to disassociate; leave it out",
    ),
    "wrong rule": (
        THREE.replace("rare:2:4", "rare:2"),
        "configuration 2, privacy_policy: wanted rare:SIZE:BELOW with whole numbers of at least 1, found 'rare:2'",
    ),
    "missing file": (THREE.replace("protect.txt", "nowhere.txt"), "nowhere.txt: no such file"),
    "parameter of a measure": (
        THREE,
        "measure 1: are: wanted parameter=value, found 'querys=3'; did you mean 'queries'?",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_mistakes_are_said_before_anything_runs(write, tmp_path: Path, case: str) -> None:
    text, sentence = REFUSED[case]
    top = TOP.replace('"ul", "tlost"', '"are:querys=3"') if case == "parameter of a measure" else TOP
    with pytest.raises(FileError) as refusal:
        compare(write(top, DATA, text), tmp_path / "out", jobs=1)
    assert sentence in str(refusal.value)
    assert not (tmp_path / "out").exists()


def test_a_measure_that_fits_no_configuration_is_refused(write, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="measure 'tlost': tlost: wanted published chunks, found transactions"):
        compare(write(TOP, DATA, THREE), tmp_path / "out", jobs=1)
    walks = 'title = "W"\nmeasures = ["semantic-penalty"]\n[data]\ngenerate = "checkins"\n'
    walks += "parameters = { trajectories = 30, locations = 6 }\n"
    two = "".join(
        f'[[configuration]]\nname = "{fanout}"\nmethod = "seqanon"\nparameters = {{ k = 2, m = 1 }}\n'
        f"taxonomy = {{ fanout = {fanout} }}\n"
        for fanout in (2, 3)
    )
    with pytest.raises(
        FileError, match=r"needs a taxonomy.*configurations have different ones, so declare under \[data\]"
    ):
        compare(write(walks, two), tmp_path / "out", jobs=1)
    assert not (tmp_path / "out").exists()


def test_measures_are_named_as_on_the_command_line(write) -> None:
    top = TOP.replace('["ul", "tlost"]', '["are:queries=20,largest=2", "tkd", "tkd:top=5", "ul:weights=a=1,b=0.5"]')
    experiment = read_experiment(write(top, DATA, THREE))
    assert [(one.name, one.measure, dict(one.parameters)) for one in experiment.figures] == [
        ("are", "are", {"queries": 20, "largest": 2}),
        ("tkd", "tkd", {}),
        ("tkd:top=5", "tkd", {"top": 5}),
        ("ul", "ul", {"weights": "a=1,b=0.5"}),
    ]


class HereRunner(Runner):
    """Runs in this process, which takes no time to start."""

    def run(self, next_task: Any, done: Any, *, datasets: Any = None) -> None:
        while (task := next_task()) is not None:
            done(task, RunEnd("ran", 0.0, work(task.spec, lambda name: (datasets or {}).get(name, b""))))


def listed(found: Comparison) -> list[str]:
    return sorted(folder.name for folder in found.releases)


def test_releases_are_kept_verified_resumed_and_renamed(write, tmp_path: Path) -> None:
    out = tmp_path / "out"
    text = write(TOP.replace("[1]", "[1, 2]"), DATA, THREE, CHUNKS)
    first = compare(text, out, runner=HereRunner())
    assert (first.ran, first.releases, (out / "releases").exists()) == (8, [], False)
    kept = compare(text, out, runner=HereRunner(), keep_releases=True)
    assert kept.ran == 8  # none of them had its release
    names = [
        f"{name}-run-{seed}" for name in ("coat-file", "coat-pairs", "coat-rare", "disassociate") for seed in (1, 2)
    ]
    assert listed(kept) == names
    data = make_base(kept.experiment.data)
    told = data.with_policies(every_set(2), siblings(data.taxonomy))
    assert verify(out / "releases" / "coat-pairs-run-1", original=told).code == 0
    assert verify(out / "releases" / "disassociate-run-2").code == 0
    assert not (out / "releases" / "coat-rare-run-1" / "context" / "privacy_policy.csv").exists()
    assert kept.results.drop("release", "value").equals(first.results.drop("release", "value"))
    empty = kept.results.filter(pl.col("value").is_null())
    assert set(empty["reason"]) == {
        "tlost: wanted published chunks, found transactions",
        "ul: wanted published transactions or mixed, found chunks",
    }
    page = (out / "report.html").read_text()
    assert "<td>rare:2:4</td><td>siblings:2</td>" in page
    assert page.count("none<sup>") == 4
    assert "ul: wanted published transactions or mixed, found chunks</li>" in page
    assert "Releases that are kept: 8" in page

    shutil.rmtree(out / "releases" / "coat-file-run-2")
    (out / "releases" / "disassociate-run-1" / "certificate.json").write_text("{}")
    assert compare(text, out, runner=HereRunner()).ran == 0  # not asked for
    again = compare(text, out, runner=HereRunner(), keep_releases=True)
    assert (again.ran, listed(again)) == (2, names)

    swapped = THREE.replace("COAT, rare", "x").replace("COAT, pairs", "COAT, rare").replace('"x"', '"COAT, pairs"')
    renamed = compare(
        write(TOP.replace("[1]", "[1, 2]"), DATA, swapped, CHUNKS), out, runner=HereRunner(), keep_releases=True
    )
    assert (renamed.ran, listed(renamed)) == (0, names)
    assert not (out / "releases" / "coat-pairs-run-1" / "context" / "privacy_policy.csv").exists()
    assert verify(out / "releases" / "coat-rare-run-1", original=told).code == 0


def test_mixed_methods_keep_the_policies_of_their_configuration(write, tmp_path: Path) -> None:
    baskets = BASKETS.splitlines()
    rows = [f"{20 + index % 8},{items}" for index, items in enumerate(baskets)]
    (tmp_path / "people.csv").write_text("age,ills\n" + "\n".join(rows) + "\n")
    top = 'title = "Mixed"\nseeds = [1]\nmeasures = ["ul", "ncp"]\n'
    data = '[data]\nfile = "people.csv"\nitems = "ills"\ntaxonomy = "tree.csv"\nutility_policy = "siblings:1"\n'
    data += 'quasi_identifiers = ["age"]\n'
    two = "".join(
        f'[[configuration]]\nname = "{rule}"\nmethod = "rum-bound"\nprivacy_policy = "{rule}"\n'
        'parameters = { k = 3, m = 0, delta = 0.9, transaction = { method = "coat", suppression = 1.0 } }\n'
        for rule in ("all:2", "rare:2:4")
    )
    found = compare(write(top, data, two), tmp_path / "out", runner=HereRunner(), keep_releases=True)
    assert listed(found) == ["all-2-run-1", "rare-2-4-run-1"]
    private = make_base(found.experiment.data)
    tree = siblings(private.taxonomy)
    for folder, privacy in zip(found.releases, (every_set(2), rare_sets(private.items, 2, 4)), strict=True):
        assert verify(folder, original=private.with_policies(privacy, tree)).code == 0
    assert set(found.results["utility_policy"]) == {"siblings:1"}
