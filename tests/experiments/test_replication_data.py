"""The scripts that make data ready for replications, on made-up files."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

from sfumato import Cast, read, read_taxonomy
from sfumato.experiments.definition.data_sources import make_base
from sfumato.experiments.definition.experiment_file import read_experiment
from sfumato.experiments.definition.side_knowledge import with_knowledge

FOLDER = Path(__file__).parents[2] / "replications"
CHECKINS = """tid,user,lat,lon,day,hour,poi,category,price
7,1,40.71,-73.99,Monday,9,a,Food,1
7,1,40.72,-73.98,Monday,12,b,Food,1
7,1,40.81,-73.93,Monday,13,c,Residence,1
7,1,40.71,-73.99,Tuesday,9,a,Food,1
9,2,40.71,-73.99,Monday,9,d,Residence,1
"""
PEOPLE = """DUPERSID,DOBMM,DOBYY,SEX,RACEX,EDUCYEAR,income,ICD9_set
1,4,1963,1,1,16,22889,296 311
2,5,1964,2,1,12,100,303 401
"""


def run(script: str, source: Path, folder: Path) -> None:
    runpy.run_path(str(FOLDER / script))["main"](str(source), str(folder))


def experiment(name: str, folder: Path) -> Any:
    """An experiment file, read beside the data that a script made."""
    file = folder / Path(name).name
    file.write_text((FOLDER / name).read_text())
    return read_experiment(file)


def test_checkins_become_days_at_categories_in_cells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "raw.csv").write_text(CHECKINS)
    run("seqanon_tdp_2014/prepare.py", tmp_path / "raw.csv", tmp_path)
    assert capsys.readouterr().out == "3 trajectories of 3 locations, mean length 1.67\n"
    made = experiment("seqanon_tdp_2014/checkins_k.toml", tmp_path)
    data = make_base(made.data)
    assert data.to_lists() == [["Food/814/-1480", "Food/814/-1480", "Residence/816/-1479"], ["Food/814/-1480"],
                               ["Residence/814/-1480"]]  # fmt: skip
    assert data.places.geographic
    named = next(part.knowledge["taxonomy"] for part in made.configurations if part.name == "SeqAnon, categories")
    tree = with_knowledge(data, {"taxonomy": named}).taxonomy
    assert tree.common_ancestor(["Residence/814/-1480", "Residence/816/-1479"]) == "Residence"


def test_people_with_their_diagnoses_and_hierarchies(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "informs_RACEX.txt").write_text("1;*\n2;*\n")
    run("rt_anonymization_2013/prepare.py", tmp_path / "people.csv", tmp_path)
    data = make_base(experiment("rt_anonymization_2013/k.toml", tmp_path).data)
    assert data.table.frame.columns == ["DOBMM", "DOBYY", "RACEX", "EDUCYEAR", "income"]
    assert data.items.to_lists() == [["296", "311"], ["303", "401"]]
    assert list(data.hierarchies) == ["RACEX"]
    assert data.taxonomy.leaves == ("296", "303", "311", "401")


def test_places_with_a_taxonomy_of_their_categories(tmp_path: Path) -> None:
    kinds = ["Food", "Nightlife Spot", "Residence"]
    rows = ["tid,user,lat,lon,day,hour,poi,category,price"]
    for number in range(60):
        lat, lon = 40 + number % 7 / 100, -74 + number % 5 / 100
        day = "Monday" if number % 2 else "Friday"
        rows.append(f"{number // 6},1,{lat},{lon},{day},9,{number % 35},{kinds[number % 35 % 3]},1")
    rows.append("0,1,40.0,-74.0,Monday,9,0,Food,1")  # a place under two categories takes the more frequent one
    (tmp_path / "raw.csv").write_text("\n".join(rows) + "\n")
    run("csafety_2011/foursquare.py", tmp_path / "raw.csv", tmp_path)
    tree = read_taxonomy(tmp_path / "foursquare_taxonomy.csv")
    assert tree.ancestors("p0") == ("Food 1", "Food", "place")
    data = read(tmp_path / "foursquare.csv", taxonomy=tree)
    assert len(data) == 20
    assert Cast(c=0.3, group_size=5).anonymize(data).holds
