"""The script that makes check-ins ready for the c-safety experiments, on a made-up file."""

from __future__ import annotations

import runpy
from pathlib import Path

from sfumato import Cast, read, read_taxonomy
from sfumato.experiments.definition.experiment_file import read_experiment

SCRIPT = Path(__file__).parents[2] / "replications" / "csafety_2011" / "foursquare.py"


def test_the_inputs_fit_each_other(tmp_path: Path) -> None:
    kinds = ["Food", "Nightlife Spot", "Residence"]
    rows = ["tid,user,lat,lon,day,hour,poi,category,price"]
    for number in range(60):
        lat, lon = 40 + number % 7 / 100, -74 + number % 5 / 100
        day = "Monday" if number % 2 else "Friday"
        rows.append(f"{number // 6},1,{lat},{lon},{day},9,{number % 35},{kinds[number % 35 % 3]},1")
    rows.append("0,1,40.0,-74.0,Monday,9,0,Food,1")  # a place under two categories takes the more frequent one
    (tmp_path / "raw.csv").write_text("\n".join(rows) + "\n")
    runpy.run_path(str(SCRIPT))["main"](str(tmp_path / "raw.csv"), str(tmp_path / "made"))
    experiment = read_experiment(tmp_path / "made" / "foursquare_group_size.toml")
    assert experiment.data.file == tmp_path / "made" / "foursquare.csv"
    tree = read_taxonomy(tmp_path / "made" / "foursquare_taxonomy.csv")
    assert tree.ancestors("p0") == ("Food 1", "Food", "place")
    data = read(tmp_path / "made" / "foursquare.csv", taxonomy=tree)
    assert len(data) == 20
    assert Cast(c=0.3, group_size=5).anonymize(data).holds
