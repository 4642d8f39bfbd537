"""A folder of data in small, laid out as that of `python -m replications --data`."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np

__all__ = ["write_small_data"]

_DAYS, _KINDS = ("Monday", "Tuesday", "Friday"), ("Food", "Nightlife Spot", "Residence")
_CODES = ("296", "303", "311", "401", "402", "403")


def write_small_data(folder: Path) -> None:
    """Write every file that a replication reads."""
    random = np.random.default_rng(1)
    for name in ("checkins_foursquare_nyc", "checkins_gowalla", "rt_informs05", "transactions", "graph_citeseer",
                 "road_oldenburg", "relational_arx"):  # fmt: skip
        (folder / name).mkdir(parents=True)
    _checkins(folder / "checkins_foursquare_nyc" / "foursquare_nyc.csv", random)
    _by_minute(folder / "checkins_gowalla" / "gowalla.csv", random)
    _people(folder / "rt_informs05", random)
    _adults(folder / "relational_arx", random)
    for name in ("BMS1.dat", "BMS-WebView-2.dat", "retail.dat"):
        rows = [sorted(random.choice(12, size=3, replace=False)) for _ in range(80)]
        _write(folder / "transactions" / name, (" ".join(map(str, row)) for row in rows))
    tree = [f"{item};group {item // 4};*" for item in range(12)]
    _write(folder / "transactions" / "BMS-WebView-2_item_hierarchy.csv", tree)
    edges = sorted({tuple(sorted(random.choice(20, size=2, replace=False))) for _ in range(30)})
    lines = ["# t 1", *(f"v {node} {node % 3}" for node in range(20)), *(f"e {a} {b} 1" for a, b in edges)]
    _write(folder / "graph_citeseer" / "citeseer.lg", lines)
    _streets(folder / "road_oldenburg")


def _write(file: Path, lines) -> None:
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _checkins(file: Path, random: np.random.Generator) -> None:
    rows = ["tid,user,lat,lon,day,hour,poi,category,price"]
    for week, day in product(range(30), _DAYS):
        for hour, place in enumerate(random.integers(0, 6, size=4)):
            where = f"{40.7 + place / 10:.2f},{-74 + place / 20:.2f}"
            rows.append(f"{week},{week},{where},{day},{9 + hour},{place},{_KINDS[place % 3]},1")
    _write(file, rows)


def _by_minute(file: Path, random: np.random.Generator) -> None:
    rows = ["tid,user,lat,lon,day,minute_of_day,poi,split"]
    for week, day in product(range(30), _DAYS):
        rows += [
            f"{week},{week},{40.1 + place / 100:.3f},-73.9,{day},{60 * (9 + place % 2)},{place},train"
            for place in random.integers(0, 4, size=3)
        ]
    _write(file, rows)


def _people(folder: Path, random: np.random.Generator) -> None:
    rows = ["DUPERSID,DOBMM,DOBYY,SEX,RACEX,EDUCYEAR,income,ICD9_set"]
    for person in range(80):
        month, race, years, income = random.integers(1, 4, size=4)
        codes = " ".join(sorted(random.choice(_CODES, size=3, replace=False)))
        rows.append(f"{person},{month},{1950 + month},1,{race},{years},{income * 1000},{codes}")
    _write(folder / "informs05_rt.csv", rows)
    for column, values in (("DOBMM", (1, 2, 3)), ("DOBYY", (1951, 1952, 1953)), ("RACEX", (1, 2, 3)),
                           ("EDUCYEAR", (1, 2, 3))):  # fmt: skip
        _write(folder / f"informs_{column}.txt", (f"{value};*" for value in values))


def _adults(folder: Path, random: np.random.Generator) -> None:
    columns = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")
    rows = [";".join(columns)]
    rows += [";".join(f"{name[0]}{random.integers(2)}" for name in columns) for _ in range(60)]
    _write(folder / "adult.csv", rows)
    for name in columns:
        _write(folder / f"adult_hierarchy_{name}.csv", (f"{name[0]}{value};*" for value in range(2)))


def _streets(folder: Path) -> None:
    """A grid of five by five intersections."""
    _write(
        folder / "small_node.txt", (f"{5 * x + y} {1000.0 * x} {1000.0 * y}" for x, y in product(range(5), repeat=2))
    )
    pairs = [(5 * x + y, 5 * x + y + 1) for x, y in product(range(5), range(4))]
    pairs += [(5 * x + y, 5 * x + y + 5) for x, y in product(range(4), range(5))]
    _write(folder / "small_edge.txt", (f"{number} {a} {b} 0 street" for number, (a, b) in enumerate(pairs)))
