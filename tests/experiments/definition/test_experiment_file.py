"""Experiment files: what they mean, and what is refused before anything runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.conftest import DATA, TOP, TWO, VARY
from sfumato.errors import FileError
from sfumato.experiments.definition.data_sources import make_base
from sfumato.experiments.definition.experiment_file import read_experiment
from sfumato.utility.queries import Are

CHART = '\n[[chart]]\ny = "intact"\n'
GENERATED = '\n[data]\ngenerate = "checkins"\nparameters = { trajectories = 50, locations = 9 }\n'


def test_a_whole_file(write) -> None:
    experiment = read_experiment(write(TOP, DATA, VARY, TWO, CHART, 'expects = { monotone = "falling" }\n'))
    assert experiment.title == "Six walks"
    assert experiment.seeds == (1, 2)
    assert experiment.settings == (2, 3)
    assert [made.name for made in experiment.configurations] == ["seqanon", "all at once"]
    assert [figure.name for figure in experiment.figures] == ["intact", "label-size"]
    assert experiment.charts[0].title == "Locations published intact"
    assert experiment.charts[0].expects[0].configurations == ("seqanon", "all at once")
    assert not experiment.evaluates


def test_charts_come_by_themselves(write) -> None:
    assert [chart.y for chart in read_experiment(write(TOP, DATA, VARY, TWO)).charts] == [
        "intact",
        "label-size",
        "seconds",
    ]
    alone = read_experiment(write(TOP, DATA, '[[configuration]]\nmethod = "seqanon"\nparameters = { k = 2, m = 1 }'))
    assert alone.evaluates
    assert alone.charts == ()
    assert alone.settings == (None,)


def test_one_table_alone_will_do(write) -> None:
    alone = read_experiment(write(TOP, DATA, '[configuration]\nmethod = "seqanon"\nparameters = { k = 2, m = 1 }'))
    assert [made.name for made in alone.configurations] == ["seqanon"]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("start = 2\nend = 10\nstep = 4", (2, 6, 10)),
        ("start = 2\nend = 9\nstep = 4", (2, 6)),
        ("start = 6\nend = 2\nstep = -2", (6, 4, 2)),
        ("start = 2\nend = 3\nstep = 1.0", (2, 3)),
        ("values = [2, 3.0]", (2.0, 3.0)),
    ],
)
def test_a_range_of_values(write, text: str, values: tuple[float, ...]) -> None:
    assert read_experiment(write(TOP, DATA, TWO, f'[vary]\nparameter = "k"\n{text}\n')).settings == values


def test_decimal_steps_do_not_drift(write) -> None:
    vary = '[vary]\nparameter = "data.nearby"\nstart = 0.1\nend = 0.7\nstep = 0.1\n'
    fixed = TWO.replace("m = 2", "k = 2, m = 2")
    assert read_experiment(write(TOP, GENERATED, fixed, vary)).settings == (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)


def test_a_workload_is_declared_by_the_parameters_of_its_measure(write) -> None:
    parameters = '{ queries = 20, visits = 2, draw = "frequency", estimate = "subsets" }'
    measures = f'measures = [{{ measure = "are", parameters = {parameters} }}]\n'
    experiment = read_experiment(write('title = "x"\n', measures, DATA, VARY, TWO))
    made = Are.from_json(experiment.figures[0].parameters)
    assert (made.queries, made.visits, made.draw, made.estimate) == (20, 2, "frequency", "subsets")
    with pytest.raises(FileError, match="measure 1: Are: draw must be one of 'records', 'uniform', 'frequency'"):
        read_experiment(write('title = "x"\n', measures.replace('"frequency"', '"evenly"'), DATA, VARY, TWO))


def test_files_are_sought_beside_the_experiment(write, tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "queries.json").write_text("[]")
    monkeypatch.chdir("/")
    measures = 'measures = [{ measure = "are", name = "asked", parameters = { workload = "queries.json" } }]\n'
    experiment = read_experiment(write('title = "x"\n', measures, DATA, VARY, TWO))
    assert experiment.data.file == tmp_path / "walks.csv"
    assert experiment.figures[0].parameters == {"workload": str((tmp_path / "queries.json").resolve())}
    assert experiment.figures[0].name == "asked"


FIXED = TWO.replace("m = 2", "k = 2, m = 2")
REFUSED = {
    "no TOML": (["title = 'x'\nmeasures = [\n"], ", line 2: wanted TOML: Invalid value"),
    "empty": ["", "the file is empty"],
    "an unknown field": (
        [TOP, "measure = []\n", DATA, VARY, TWO],
        "no field is called 'measure'; did you mean 'measures'?",
    ),
    "no title": ([DATA, VARY, TWO], "title is required: a text"),
    "a title that is no text": (["title = 3\n", DATA, VARY, TWO], "title must be a text, got 3"),
    "no data": ([TOP, VARY, TWO], "data is required: a table"),
    "no configuration": ([TOP, DATA], "wanted at least one [[configuration]] with a method, found none"),
    "an unknown method": (
        [TOP, DATA, VARY, TWO.replace('"seqanon"', '"seqannon"')],
        "configuration 1: no method is called 'seqannon'; did you mean 'seqanon'?",
    ),
    "an unknown parameter": (
        [TOP, DATA, VARY, TWO.replace("m = 2", "mm = 2")],
        "configuration 'seqanon': SeqAnon: no parameter is called 'mm'; did you mean 'm'?",
    ),
    "a missing parameter": (
        [TOP, DATA, TWO],
        "configuration 'seqanon': SeqAnon: k is required: a whole number of at least 2",
    ),
    "a parameter out of range": (
        [TOP, DATA, TWO, VARY.replace("[2, 3]", "[2, 1]")],
        "configuration 'seqanon': SeqAnon: k must be a whole number of at least 2, got 1",
    ),
    "one name twice": (
        [TOP, DATA, VARY, TWO.replace("all at once", "seqanon")],
        "configuration 2: the name 'seqanon' is taken by another configuration; give each its own",
    ),
    "an unknown measure": (
        [TOP.replace("intact", "intakt"), DATA, VARY, TWO],
        "measure 1: no measure is called 'intakt'; did you mean 'intact'?",
    ),
    "an unknown parameter of a measure": (
        ['title = "x"\nmeasures = [{ measure = "are", parameters = { querys = 3 } }]\n', DATA, VARY, TWO],
        "measure 1: Are: no parameter is called 'querys'; did you mean 'queries'?",
    ),
    "a measure twice": (
        [TOP.replace('"label-size"', '"intact"'), DATA, VARY, TWO],
        "measure 2: the name 'intact' is taken; give it another with name = ...",
    ),
    "two sources": (
        [TOP, DATA, 'generate = "checkins"\n', VARY, TWO],
        "[data]: wanted one of file and generate, found both",
    ),
    "no source": ([TOP, "[data]\nsample = 3\n", VARY, TWO], "[data]: wanted one of file and generate, found neither"),
    "an unknown generator": (
        [TOP, GENERATED.replace("checkins", "chekins"), VARY, TWO],
        "[data]: no generator is called 'chekins'; did you mean 'checkins'?",
    ),
    "an unknown parameter of a generator": (
        [TOP, GENERATED.replace("locations", "location"), VARY, TWO],
        "[data]: Checkins: no parameter is called 'location'; did you mean 'locations'?",
    ),
    "columns of generated data": (
        [TOP, GENERATED, 'person = "who"\n', VARY, TWO],
        "[data]: person belongs to a file, not to generate; leave it out",
    ),
    "an empty sample": (
        [TOP, DATA, "sample = 0\n", VARY, TWO],
        "[data]: sample must be a whole number of at least 1, got 0",
    ),
    "an unknown varying parameter": (
        [TOP, GENERATED, FIXED, '[vary]\nparameter = "trajectories"\nvalues = [3]\n'],
        "[vary]: no parameter is called 'trajectories'; did you mean 'data.trajectories'?",
    ),
    "a varying parameter that is fixed": (
        [TOP, DATA, VARY, TWO.replace("m = 2", "k = 2, m = 2", 1)],
        "[vary]: k varies, but configuration 'seqanon' fixes it; leave it out there",
    ),
    "values of two kinds": (
        [TOP, DATA, TWO, VARY.replace("[2, 3]", '[2, "x"]')],
        "[vary]: values must be a list of numbers, of texts or of true and false, and not empty",
    ),
    "a value twice": (
        [TOP, DATA, TWO, VARY.replace("[2, 3]", "[2, 2]")],
        "[vary]: values must differ from each other, found one twice",
    ),
    "a step that leads away": (
        [TOP, DATA, TWO, '[vary]\nparameter = "k"\nstart = 2\nend = 5\nstep = -1\n'],
        "[vary]: step must lead from start to end, got -1",
    ),
    "a step to nowhere": (
        [TOP, DATA, TWO, '[vary]\nparameter = "k"\nstart = 2\nend = inf\nstep = 1\n'],
        "[vary]: end must be a number, got inf",
    ),
    "a step that is too small": (
        [TOP, DATA, TWO, '[vary]\nparameter = "k"\nstart = 2\nend = 3\nstep = 1e-9\n'],
        "[vary]: wanted at most 1,000 values, found more; choose a larger step",
    ),
    "a seed twice": (
        [TOP.replace("repetitions = 2", "seeds = [1, 1]"), DATA, VARY, TWO],
        "seeds must differ from each other, found one twice",
    ),
    "an unknown figure": (
        [TOP, DATA, VARY, TWO, CHART.replace("intact", "intakt")],
        "chart 1: no figure of this experiment is called 'intakt'; did you mean 'intact'?",
    ),
    "an unknown field of a chart": (
        [TOP, DATA, VARY, TWO, CHART, "ylabel = 'x'\n"],
        "chart 1: no field is called 'ylabel'; did you mean 'label'?",
    ),
    "an unknown scale": (
        [TOP, DATA, VARY, TWO, CHART, "x_scale = 'cubic'\n"],
        "chart 1: x_scale must be 'linear' or 'log', got 'cubic'",
    ),
    "a logarithm of nothing": (
        [TOP, DATA, FIXED, CHART, "x_scale = 'log'\n"],
        "chart 1: x_scale = 'log' needs a varying parameter with numbers above 0",
    ),
    "an unknown expectation": (
        [TOP, DATA, VARY, TWO, CHART, "expects = { order = [] }\n"],
        "chart 1, expects: no field is called 'order'; did you mean 'ordering'?",
    ),
    "an ordering of strangers": (
        [TOP, DATA, VARY, TWO, CHART, 'expects = { ordering = ["seqanon", "all at onc"] }\n'],
        "chart 1, expects: no configuration is called 'all at onc'; did you mean 'all at once'?",
    ),
    "two expectations in one": (
        [TOP, DATA, VARY, TWO, CHART, 'expects = { monotone = "rising", at_least = 3 }\n'],
        "chart 1, expects: wanted one of ordering, equal, monotone, and at_least or at_most, found 2",
    ),
    "equal to nothing": (
        [TOP, DATA, VARY, TWO, CHART, 'expects = { equal = ["seqanon"] }\n'],
        "chart 1, expects: equal must name at least two configurations, each once",
    ),
    "less than nothing apart": (
        [TOP, DATA, VARY, TWO, CHART, 'expects = { equal = ["seqanon", "all at once"], within = -1 }\n'],
        "chart 1, expects: within must be a number of at least 0, got -1",
    ),
    "within of a trend": (
        [TOP, DATA, VARY, TWO, CHART, 'expects = { monotone = "rising", within = 0.1 }\n'],
        "chart 1, expects: within is allowed only with equal; leave it out",
    ),
    "a trend of nothing": (
        [TOP, DATA, FIXED, CHART, 'expects = { monotone = "rising" }\n'],
        "chart 1, expects: monotone needs a varying parameter with at least two values",
    ),
    "an ordering of counts": (
        [
            TOP,
            DATA,
            VARY,
            TWO,
            CHART.replace("intact", "counts.x"),
            'expects = { ordering = ["seqanon", "all at once"] }\n',
        ],
        "chart 1, expects: better is required for a count: 'lower' or 'higher'",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused(write, what: str) -> None:
    parts, sentence = REFUSED[what]
    with pytest.raises(FileError) as refused:
        read_experiment(write(*parts))
    said = str(refused.value)
    assert "six.toml" in said
    assert sentence in said
    assert "\n" not in said


def test_how_a_file_is_read(write, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age,day\n" + "31,2024-01-05\n-99,2024-01-06\n" * 4)
    data = '[data]\nfile = "people.csv"\nmissing = ["-99"]\ndates = "week"\n'
    method = '[[configuration]]\nmethod = "incognito"\nparameters = { k = 2 }\n'
    experiment = read_experiment(write('title = "x"\nmeasures = ["ncp"]\n', data, method))
    table = make_base(experiment.data)
    assert (table["age"].null_count(), table.dates) == (4, "week")
    plain = read_experiment(write('title = "x"\nmeasures = ["ncp"]\n', data.partition("missing")[0], method))
    assert not {"missing", "dates", "sheet"} & plain.data.options.keys()  # the digest of other data stays
    with pytest.raises(FileError, match="belongs to a file, not to generate"):
        read_experiment(write('title = "x"\n', '[data]\ngenerate = "city"\nsheet = "a"\n', method))
