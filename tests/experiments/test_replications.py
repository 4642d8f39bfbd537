"""The replications: every file can be read, and the script beside them makes the data that some of them want."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sfumato.experiments.definition.data_sources import make_base
from sfumato.experiments.definition.experiment_file import read_experiment
from sfumato.experiments.definition.side_knowledge import with_knowledge

FOLDER = Path(__file__).parents[2] / "replications" / "seqanon_tdp_2014"
CHECKINS = """tid,user,lat,lon,day,hour,poi,category,price
7,1,40.71,-73.99,Monday,9,a,Food,1
7,1,40.72,-73.98,Monday,12,b,Food,1
7,1,40.81,-73.93,Monday,13,c,Residence,1
7,1,40.71,-73.99,Tuesday,9,a,Food,1
9,2,40.71,-73.99,Monday,9,d,Residence,1
"""


@pytest.fixture
def prepared(tmp_path: Path) -> Path:
    shutil.copytree(FOLDER, tmp_path / "here", ignore=shutil.ignore_patterns("*.csv"))
    (tmp_path / "raw.csv").write_text(CHECKINS)
    ran = subprocess.run(
        [sys.executable, str(tmp_path / "here" / "prepare.py"), str(tmp_path / "raw.csv")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "3 trajectories of 3 locations, mean length 1.67\n"
    return tmp_path / "here"


@pytest.mark.parametrize("name", ["checkins_k", "checkins_m", "checkins_patterns", "checkins_size"])
def test_the_script_makes_what_the_experiments_read(prepared: Path, name: str) -> None:
    experiment = read_experiment(prepared / f"{name}.toml")
    data = make_base(experiment.data)
    assert data.to_lists() == [["Food/814/-1480", "Food/814/-1480", "Residence/816/-1479"], ["Food/814/-1480"],
                               ["Residence/814/-1480"]]  # fmt: skip
    assert data.places.geographic
    for made in experiment.configurations:
        known = {name: value for name, value in made.knowledge.items() if name == "taxonomy"}
        tree = with_knowledge(data, known).taxonomy
        if known:
            assert tree.common_ancestor(["Residence/814/-1480", "Residence/816/-1479"]) == "Residence"


def test_the_script_says_what_it_wants() -> None:
    ran = subprocess.run([sys.executable, str(FOLDER / "prepare.py")], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "CHECKINS.csv has one row a check-in" in ran.stderr
