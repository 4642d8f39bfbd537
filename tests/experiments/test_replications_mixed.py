"""The replications on mixed data: the script makes what every file beside it reads."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sfumato.experiments.definition.data_sources import make_base
from sfumato.experiments.definition.experiment_file import read_experiment

FOLDER = Path(__file__).parents[2] / "replications" / "rt_anonymization_2013"
PEOPLE = """DUPERSID,DOBMM,DOBYY,SEX,RACEX,EDUCYEAR,income,ICD9_set
1,4,1963,1,1,16,22889,296 311
2,5,1964,2,1,12,100,303 401
"""


@pytest.fixture
def prepared(tmp_path: Path) -> Path:
    shutil.copytree(FOLDER, tmp_path / "here", ignore=shutil.ignore_patterns("*.csv", "hierarchies"))
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "informs_RACEX.txt").write_text("1;*\n2;*\n")
    ran = subprocess.run(
        [sys.executable, str(tmp_path / "here" / "prepare.py"), str(tmp_path / "people.csv")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "2 people, 4 diagnoses\n"
    return tmp_path / "here"


def test_every_file_reads_what_the_script_makes(prepared: Path) -> None:
    files = sorted(prepared.glob("*.toml"))
    assert len(files) == 7
    for file in files:
        experiment = read_experiment(file)
        data = make_base(experiment.data)
        assert data.table.frame.columns == ["DOBMM", "DOBYY", "RACEX", "EDUCYEAR", "income"]
        assert data.items.to_lists() == [["296", "311"], ["303", "401"]]
        assert list(data.hierarchies) == ["RACEX"]
        assert data.taxonomy.leaves == ("296", "303", "311", "401")
        assert any(chart.expects for chart in experiment.charts)


def test_the_script_says_what_it_wants() -> None:
    ran = subprocess.run([sys.executable, str(FOLDER / "prepare.py")], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "INFORMS.csv has one row a person" in ran.stderr
