"""An experiment file that others wrote names files of one folder only, and no code of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from experiments.conftest import DATA, TOP
from experiments.conftest import TWO as VARYING
from sfumato.errors import FileError
from sfumato.experiments.definition.experiment_file import read_experiment
from sfumato.registry import own_code

Write = Callable[..., Path]
TWO = VARYING.replace("m = 2", "k = 2, m = 2")
COAT = "\n[[configuration]]\nmethod = 'coat'\nparameters = { k = 2 }\n"


def test_files_of_the_folder_are_accepted(write: Write, tmp_path: Path) -> None:
    assert read_experiment(write(TOP, DATA, TWO), inside=tmp_path).data.file == tmp_path / "walks.csv"


def test_a_path_that_leads_out_is_refused(write: Write, tmp_path: Path) -> None:
    (tmp_path / "jail").mkdir()
    for file in ("../walks.csv", str(tmp_path / "walks.csv"), "../nothing.csv", "/etc/passwd"):
        path = write(TOP, f"[data]\nfile = '{file}'\n", TWO, name="jail/six.toml")
        with pytest.raises(FileError, match="wanted files of its own folder, found"):
            read_experiment(path, inside=tmp_path / "jail")


@pytest.mark.parametrize(
    "line",
    [
        "taxonomy = '../tree.csv'",
        "hierarchies = '..'",
        "hierarchies = { age = '../age.csv' }",
        "places = '/etc/hosts'",
        "constraints = '../c.csv'",
        "privacy_policy = '../p.csv'",
        "network = '../roads'",
        "workplaces = '../w.csv'",
    ],
)
def test_every_kind_of_side_knowledge_is_checked(write: Write, tmp_path: Path, line: str) -> None:
    (tmp_path / "jail").mkdir()
    parts = (TOP, "[data]\nfile = 'w.csv'\n", line, COAT if "policy" in line else TWO)
    path = write(*parts, name="jail/six.toml")
    with pytest.raises(FileError, match="wanted files of its own folder"):
        read_experiment(path, inside=tmp_path / "jail")


def test_a_parameter_may_not_name_a_file_outside(write: Write, tmp_path: Path) -> None:
    (tmp_path / "jail").mkdir()
    for workload in ("../queries.csv", "/etc/passwd", "queries.csv\\u0000"):
        measures = f'title = "x"\nmeasures = [{{ measure = "are", parameters = {{ workload = "{workload}" }} }}]\n'
        path = write(measures, "[data]\nfile='w.csv'\n", TWO, name="jail/six.toml")
        with pytest.raises(FileError, match="wanted files of its own folder"):
            read_experiment(path, inside=tmp_path / "jail")


def test_symbolic_links_are_followed(write: Write, tmp_path: Path) -> None:
    jail = tmp_path / "jail"
    (jail / "trees").mkdir(parents=True)
    (jail / "w.csv").symlink_to(tmp_path / "walks.csv")
    path = write(TOP, "[data]\nfile='w.csv'\n", TWO, name="jail/six.toml")
    with pytest.raises(FileError, match=r"found 'w\.csv'"):
        read_experiment(path, inside=jail)
    (jail / "trees" / "age.csv").symlink_to(tmp_path / "walks.csv")
    path = write(TOP, "[data]\nfile='x.csv'\nhierarchies='trees'\n", TWO, name="jail/six.toml")
    with pytest.raises(FileError, match=r"found 'trees/age\.csv'"):
        read_experiment(path, inside=jail)


def test_own_code_is_never_accepted(write: Write, tmp_path: Path) -> None:
    path = write(TOP, DATA, "[[configuration]]\nmethod = 'os:path'\n")
    with own_code(), pytest.raises(FileError, match="module:Class works only on the command line"):
        read_experiment(path, inside=tmp_path)
