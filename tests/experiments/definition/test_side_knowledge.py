"""What an experiment adds to its data: taxonomies and constraints, from files and built; constant configurations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from experiments.conftest import DATA, TOP, TWO, VARY, WHERE
from sfumato import Table, Taxonomy, Trajectories
from sfumato.errors import CallerError, DataError, FileError, MissingExtra
from sfumato.experiments.comparison import compare
from sfumato.experiments.definition.data_sources import make_base
from sfumato.experiments.definition.experiment_file import read_experiment
from sfumato.experiments.definition.side_knowledge import with_knowledge
from sfumato.experiments.reports import charts
from sfumato.experiments.single_run import cells_of

WALKS = Trajectories.from_lists(["dace", "baec", "ade", "bdec", "dc", "de"])
KINDS = "taxonomy = { fanout = 2 }\n"
MEANING = """
[[configuration]]
method = "sd-seqanon"
parameters = { m = 1 }
[[configuration]]
name = "halves"
method = "u-seqanon"
parameters = { m = 1, delta = 100 }
constraints = { parts = 2 }
[[configuration]]
name = "one"
method = "u-seqanon"
parameters = { m = 1, delta = 100 }
constraints = "one.csv"
"""
ONE_CONSTRAINT = "location,constraint\n" + "".join(f"{name},all\n" for name in "abcde")
LEVEL = """
[[configuration]]
name = "level"
method = "ngrams"
parameters = { epsilon = 1.0, l_max = 4, n_max = 2 }
constant = true
"""


def groups(data: Any) -> list[tuple[str, ...]]:
    return sorted(data.constraints.groups.values())


def test_a_taxonomy_is_built_in_name_order() -> None:
    assert with_knowledge(WALKS, {"taxonomy": {"fanout": 2}}).taxonomy == Taxonomy.balanced(list("abcde"), 2)


def test_a_seed_shuffles_a_taxonomy_and_repeats_it() -> None:
    drawn = [with_knowledge(WALKS, {"taxonomy": {"fanout": 2, "shuffled": seed}}).taxonomy for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1]
    assert drawn[0] != drawn[2]
    assert set(drawn[0].leaves) == set("abcde")


def test_constraints_are_parts_of_names_or_of_leaves() -> None:
    assert groups(with_knowledge(WALKS, {"constraints": {"parts": 2}})) == [("a", "b", "c"), ("d", "e")]
    tree = Taxonomy({"r": None, **dict.fromkeys("ebdac", "r")})
    known = Trajectories.from_lists(WALKS.to_lists(), taxonomy=tree)
    assert groups(with_knowledge(known, {"constraints": {"parts": 2}})) == [("a", "c"), ("b", "d", "e")]
    assert groups(with_knowledge(known, {"constraints": {"parts": 5}})) == [(name,) for name in "abcde"]
    with pytest.raises(CallerError, match="constraints: wanted at least 6 locations for 6 parts, found 5"):
        with_knowledge(WALKS, {"constraints": {"parts": 6}})


def test_samples_see_the_same_constraints() -> None:
    sample = WALKS.take(np.array([4, 5]))  # without a and b
    assert groups(with_knowledge(sample, {"constraints": {"parts": 2}})) == [("a", "b", "c"), ("d", "e")]


def test_tables_have_neither() -> None:
    with pytest.raises(DataError, match="constraints does not apply to a table; leave it out"):
        with_knowledge(Table({"a": [1]}), {"constraints": {"parts": 1}})


def test_files_and_tables_are_read(write, tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text(ONE_CONSTRAINT)
    (tmp_path / "tree.csv").write_text("node,parent\nroot,\n" + "".join(f"{name},root\n" for name in "abcde"))
    experiment = read_experiment(write(TOP, DATA, KINDS, VARY, MEANING))
    assert experiment.data.knowledge == {"taxonomy": {"fanout": 2}}
    assert [dict(made.knowledge) for made in experiment.configurations] == [
        {},
        {"constraints": {"parts": 2}},
        {"constraints": tmp_path / "one.csv"},
    ]
    beside = read_experiment(write(TOP, DATA, 'taxonomy = "tree.csv"\nconstraints = "one.csv"\n', VARY, MEANING))
    data = make_base(beside.data)
    assert (data.taxonomy.leaf_count("root"), len(data.constraints)) == (5, 1)


GENERATED = '[data]\ngenerate = "checkins"\nparameters = { trajectories = 30, locations = 5 }\n'


def test_generated_data_may_carry_both(write, tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text(ONE_CONSTRAINT)
    experiment = read_experiment(write(TOP, GENERATED, KINDS, "constraints = { parts = 3 }\n", VARY, MEANING))
    data = make_base(experiment.data.generated({}, 1))
    assert len(data.taxonomy.leaves) == 5
    assert len(data.constraints) == 3


def test_what_is_known_tells_runs_apart(write, tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text(ONE_CONSTRAINT)
    before = {cell.key for cell in cells_of(read_experiment(write(TOP, DATA, KINDS, VARY, MEANING)))}
    assert len(before) == 12
    (tmp_path / "one.csv").write_text(ONE_CONSTRAINT.replace("e,all", "e,other"))
    after = {cell.key for cell in cells_of(read_experiment(write(TOP, DATA, KINDS, VARY, MEANING)))}
    assert len(before & after) == 8  # all but those of the configuration with the file
    other = KINDS.replace("2", "3")
    assert not after & {cell.key for cell in cells_of(read_experiment(write(TOP, DATA, other, VARY, MEANING)))}


def test_configurations_run_with_what_they_know(write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> None:
        raise MissingExtra("altair", "report")

    monkeypatch.setattr(charts, "require_charts", absent)
    (tmp_path / "one.csv").write_text(ONE_CONSTRAINT)
    top = TOP.replace('"label-size"', '"semantic-penalty", "displacement"').replace(
        "repetitions = 2", "repetitions = 1"
    )
    vary = VARY.replace("[2, 3]", "[7, 10]")
    (tmp_path / "places.csv").write_text("location,x,y\n" + "".join(f"{n},{x},{y}\n" for n, (x, y) in WHERE.items()))
    found = compare(write(top, DATA, 'places = "places.csv"\n', KINDS, vary, MEANING, LEVEL), tmp_path / "out", jobs=1)
    assert (found.runs, found.ran) == (7, 7)  # the level line is one run
    level = found.results.filter((pl.col("configuration") == "level") & (pl.col("figure") == "seconds"))
    assert level["setting"].to_list() == [7, 10]
    assert level["value"].n_unique() == 1
    moved = found.results.filter(pl.col("figure") == "displacement")
    with_value = moved.filter(pl.col("value").is_not_null())
    assert set(with_value["configuration"]) == {"sd-seqanon", "halves", "one"}
    empty = moved.filter(pl.col("value").is_null())  # synthetic walks have no origin
    assert set(empty["configuration"]) == {"level"}
    assert set(empty["reason"]) == {found.unfit[0].partition(": ")[2]}
    assert "found a release of ngrams, which has none" in found.unfit[0]
    lost = found.results.filter((pl.col("figure") == "counts.suppressed_locations") & (pl.col("setting") == 10))
    by_name = dict(lost.select("configuration", "value").iter_rows())
    assert by_name["one"] == 0


def test_a_chart_shows_and_judges_those_it_is_of(write) -> None:
    chart = '[[chart]]\ny = "intact"\nof = ["all at once"]\nexpects = { monotone = "falling" }\n'
    (read,) = read_experiment(write(TOP, DATA, VARY, TWO, chart)).charts
    assert read.of == read.expects[0].configurations == ("all at once",)
    pytest.importorskip("altair")
    experiment = read_experiment(write(TOP, DATA, VARY, TWO, chart))
    row = {"setting": 2, "median": 3.0, "min": 3.0, "max": 3.0, "runs": 1, "unit": "%"}
    rows = [{**row, "configuration": made.name} for made in experiment.configurations]
    drawn = charts.draw(read, experiment, rows).to_json()
    assert '"all at once"' in drawn
    assert '"seqanon"' not in drawn


REFUSED = {
    "neither file nor table": (
        [TOP, DATA, "taxonomy = 5\n", VARY, TWO],
        "[data]: taxonomy must be a file or { fanout = ... }, got 5",
    ),
    "a fan-out of one": (
        [TOP, DATA, "taxonomy = { fanout = 1 }\n", VARY, TWO],
        "[data], taxonomy: fanout must be a whole number of at least 2, got 1",
    ),
    "no fan-out": (
        [TOP, DATA, "taxonomy = { }\n", VARY, TWO],
        "[data], taxonomy: fanout is required: a whole number of at least 2",
    ),
    "an unknown way to build": (
        [TOP, DATA, "constraints = { part = 2 }\n", VARY, TWO],
        "[data], constraints: no field is called 'part'; did you mean 'parts'?",
    ),
    "no parts": (
        [TOP, DATA, VARY, TWO, "constraints = { parts = 0 }\n"],
        "configuration 2, constraints: parts must be a whole number of at least 1, got 0",
    ),
    "a configuration without the parameter": (
        [TOP, DATA, VARY, TWO, LEVEL.replace("constant = true", "")],
        "[vary]: k must be a parameter of every configuration, 'level' has none; "
        "with constant = true it is drawn as a horizontal line",
    ),
    "constant with the parameter": (
        [TOP, DATA, VARY, TWO.replace("m = 2 }", "m = 2 }\nconstant = true", 1)],
        "[vary]: configuration 'seqanon' cannot be constant: it has the varying parameter k; leave constant out",
    ),
    "constant over varying data": (
        [TOP, DATA, '[vary]\nparameter = "data.sample"\nvalues = [5, 6]\n', LEVEL],
        "[vary]: configuration 'level' cannot be constant: the data vary; leave constant out",
    ),
    "a chart of nobody": (
        [TOP, DATA, VARY, TWO, '[[chart]]\ny = "intact"\nof = []\n'],
        "chart 1: of must name at least one configuration, or be left out",
    ),
    "a chart of somebody else": (
        [TOP, DATA, VARY, TWO, '[[chart]]\ny = "intact"\nof = ["seqanom"]\n'],
        "chart 1: no configuration is called 'seqanom'; did you mean 'seqanon'?",
    ),
    "a claim about somebody whom the chart does not show": (
        [
            TOP,
            DATA,
            VARY,
            TWO,
            '[[chart]]\ny = "intact"\nof = ["seqanon"]\nexpects = { ordering = ["seqanon", "all at once"] }\n',
        ],
        "chart 1, expects: no configuration is called 'all at once'; known are seqanon",
    ),
    "constant where nothing varies": (
        [TOP, DATA, LEVEL],
        "constant belongs to a comparison over a varying parameter; leave it out",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_mistakes_are_said_before_anything_runs(write, case: str) -> None:
    parts, message = REFUSED[case]
    path = write(*parts)
    with pytest.raises(FileError) as refusal:
        read_experiment(path)
    assert str(refusal.value) == f"{path}: {message}"


def test_a_taxonomy_that_misses_a_location_is_refused(write, tmp_path: Path) -> None:
    (tmp_path / "tree.csv").write_text("node,parent\nroot,\na,root\n")
    path = write(TOP, DATA, VARY, TWO, 'taxonomy = "tree.csv"\n')
    with pytest.raises(FileError, match=r"tree.csv: wanted a leaf for every location of the data, found none for 4"):
        compare(path, tmp_path / "out", jobs=1)
    assert not (tmp_path / "out").exists()


def test_sensitive_locations_are_drawn_by_a_seed() -> None:
    placed = Trajectories.from_lists(["dace", "baec"], places=dict.fromkeys("abcde", (0.0, 0.0)))
    drawn = [with_knowledge(placed, {"sensitive": {"random": 2, "seed": seed}}).sensitive for seed in (1, 1, 3)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(drawn[0]) == 2
    with pytest.raises(CallerError, match="sensitive locations: wanted at least 6 locations, found 5"):
        with_knowledge(placed, {"sensitive": {"random": 6, "seed": 1}})
    with pytest.raises(DataError, match="wanted data with places, found none"):
        with_knowledge(WALKS, {"sensitive": {"random": 1, "seed": 1}})
    with pytest.raises(DataError, match="sensitive does not apply to a table; leave it out"):
        with_knowledge(Table(pl.DataFrame({"a": [1]})), {"sensitive": {"random": 1, "seed": 1}})


def test_sensitive_locations_of_generated_data_are_read_and_refused(tmp_path: Path) -> None:
    def written(flags: str) -> Path:
        path = tmp_path / "flags.toml"
        path.write_text(
            f'title = "flags"\n[data]\ngenerate = "checkins"\nsensitive = {flags}\n'
            '[[configuration]]\nmethod = "zga"\nparameters = { k = 2, l = 2, m = 1 }\n'
        )
        return path

    data = read_experiment(written("{ random = 3 }")).data
    assert data.knowledge == {"sensitive": {"random": 3, "seed": 0}}
    for flags, sentence in (
        ('["a"]', "sensitive belongs to a file, not to generate; leave it out"),
        ("{ random = 0 }", "random"),
        ("{ share = 1 }", "no field is called 'share'"),
    ):
        with pytest.raises(FileError) as refusal:
            read_experiment(written(flags))
        assert sentence in str(refusal.value)
