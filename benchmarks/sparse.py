"""Methods for k^m-anonymity on sparse movements: `python -m benchmarks.sparse FOLDER [--seeds N] [DATA ...]`.

FOLDER holds, somewhere in it, foursquare_nyc.csv and gowalla.csv (check-ins: tid, user, poi, lat, lon).  New York is
taken by place and by cells of 500 m and 1 km, Austin (from Gowalla) by place and by cells of 1 km; check-ins of 1,000
persons are generated.  KM-SPLIT and KM-SUPPRESS stand beside the methods of the papers: SEQANON, U-SEQANON with 16
constraints of equal size, ZGA with one sensitive place.  Errors of queries are means over four query seeds, with their
standard deviation.  The table and the judgements go to benchmarks/SPARSE.md; replications/sparse has the same bars as
experiment files.  With N query seeds, or with DATA of that table alone, they are printed and not written.
"""

from __future__ import annotations

import statistics
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from benchmarks.measure import Judged

OUT = Path(__file__).parent / "SPARSE.md"
SEEDS = 4
QUERIES = 500
SUPPORT = 0.01  # of frequent patterns, as a share of the original records
REGION_M = 2_000
AUSTIN = (30.1, 30.6, -98.0, -97.4)  # degrees: south, north, west, east
DATA = ("NYC places", "NYC 500 m", "NYC 1 km", "Austin places", "Austin 1 km", "generated")
PAPERS = ("seqanon", "u-seqanon", "zga")
OWN = ("km-split", "km-suppress")
COLUMNS = {
    "one": "ARE, 1 visit",
    "two": "ARE, 2 visits",
    "kept": "visits kept, %",
    "displacement": "displacement, m",
    "patterns": "patterns kept, %",
    "regions": "ARE, regions of 2 km",
    "records": "records",
    "labels": "labels",
    "seconds": "CPU seconds",
}


def main(folder: str, *only: str) -> int:
    rows = []
    seeds = SEEDS
    if "--seeds" in only:
        at = only.index("--seeds")
        seeds, only = int(only[at + 1]), (*only[:at], *only[at + 2 :])
    for name in only or DATA:
        data = load(Path(folder), name)
        print(f"{name}: {data!r}", flush=True)
        for k in (5, 10):
            rows += [measured(name, data, method, k, 2, seeds) for method in (*PAPERS, *OWN)]
        if name == "NYC 1 km":
            rows += [measured(name, data, method, 5, 3, seeds) for method in ("seqanon", *OWN)]
    judged = judge(rows)
    for sentence, holds in judged:
        print("met:" if holds else "NOT MET:", sentence)
    if not only and seeds == SEEDS:
        OUT.write_text(text(rows, judged), encoding="utf-8")
    return 0


def load(folder: Path, name: str) -> Any:
    """The trajectories of one of the datasets."""
    from sfumato import Trajectories
    from sfumato.generate import Checkins
    from sfumato.prepare import Grid

    if name == "generated":
        return Checkins(trajectories=10_000, persons=1_000).make(seed=1)
    path = next(folder.rglob("foursquare_nyc.csv" if name.startswith("NYC") else "gowalla.csv"))
    rows = pl.read_csv(path, schema_overrides={"poi": pl.String, "tid": pl.String, "user": pl.String})
    if name.startswith("Austin"):
        south, north, west, east = AUSTIN
        rows = rows.filter(pl.col("lat").is_between(south, north), pl.col("lon").is_between(west, east))
    data = Trajectories.from_frame(rows.select("lat", "lon", trajectory="tid", person="user", location="poi"))
    cells = {"500 m": 500.0, "1 km": 1_000.0}.get(name.partition(" ")[2])
    return data if cells is None else Grid(cell_m=cells).apply(data).data


def measured(name: str, data: Any, method: str, k: int, m: int, seeds: int = SEEDS) -> dict[str, Any]:
    """One release and what it is worth."""
    from sfumato.utility.patterns.preserved import PatternsPreserved
    from sfumato.utility.places.generalization import Displacement, displacements
    from sfumato.utility.queries import Are

    anonymizer, known = _method(data, method, k, m)
    begun = time.process_time()
    release = anonymizer.anonymize(known, seed=0)
    seconds = time.process_time() - begun
    if not release.holds:
        raise SystemExit(f"{name}, {method}: the promise does not hold")
    row: dict[str, Any] = {"data": name, "method": method, "k": k, "m": m}
    for column, visits in (("one", 1), ("two", 2)):
        row[column] = [Are(visits=visits, queries=QUERIES, seed=seed)(data, release).value for seed in range(seeds)]
    row |= {
        "kept": 100 * len(release.origin) / len(data.codes),
        "displacement": float(displacements(Displacement(), data, release).mean()),
        "patterns": PatternsPreserved(support=SUPPORT)(data, release).value,
        "regions": region_error(data, release.data),
        "records": len(release.data),
        "labels": len(release.data.names),
        "seconds": seconds,
    }
    print({key: value for key, value in row.items() if key != "data"}, flush=True)
    return row


def _method(data: Any, name: str, k: int, m: int) -> tuple[Any, Any]:
    """The method, and the data with the side knowledge that it needs."""
    from sfumato.catalogue import method_class

    if name == "u-seqanon":
        return method_class(name)(k=k, m=m, delta=100), with_constraints(data)
    if name == "zga":
        return method_class(name)(k=k, l=2, m=m), with_sensitive_place(data)
    return method_class(name)(k=k, m=m), data


def with_constraints(data: Any) -> Any:
    """The data with 16 utility constraints: quarters by longitude, and by latitude."""
    from sfumato import Constraints

    where = data.places.coordinates(data.names)
    quarters = [np.digitize(axis, np.quantile(axis, (0.25, 0.5, 0.75))) for axis in where.T]
    groups = (4 * quarters[0] + quarters[1]).astype(str)
    return replace(data, constraints=Constraints(dict(zip(data.names, groups.tolist(), strict=True))))


def with_sensitive_place(data: Any) -> Any:
    """The data with their rarest place as the only sensitive one."""
    rarest = data.names[int(np.argmin(np.bincount(data.codes, minlength=len(data.names))))]
    return replace(data, places=data.places.with_sensitive([rarest]))


def region_error(data: Any, published: Any) -> float:
    """The average relative error of the number of records with a visit to a cell of 2 km, over all visited cells."""
    south_west = data.places.coordinates(data.names).min(axis=0)
    step = (REGION_M, REGION_M)
    if data.places.geographic:
        north = REGION_M / 111_195
        step = (north / np.cos(np.radians(south_west[1])), north)
    corners = ((data.places.coordinates(data.names) - south_west) // step).astype(np.int64)
    _, cell = np.unique(corners, axis=0, return_inverse=True)
    cell_of = dict(zip(data.names, cell.ravel().tolist(), strict=True))
    true, estimate = (_region_counts(records, cell_of, int(cell.max()) + 1) for records in (data, published))
    visited = true > 0
    return float(np.mean(np.abs(true - estimate)[visited] / true[visited]))


def _region_counts(records: Any, cell_of: dict[str, int], n_cells: int) -> np.ndarray:
    """The expected number of records with a visit to each cell; a label is each of its members equally probably."""
    shares = np.zeros((len(records.names), n_cells))
    for code, name in enumerate(records.names):
        members = records.members.get(name, (name,))
        for member in members:
            shares[code, cell_of[member]] += 1 / len(members)
    counts = np.zeros(n_cells)
    for begin, end in zip(records.offsets[:-1], records.offsets[1:], strict=True):
        counts += 1 - np.prod(1 - shares[records.codes[begin:end]], axis=0)
    return counts


def judge(rows: list[dict[str, Any]]) -> list[Judged]:
    """The bars, at k=5 and m=2; the best method of the papers is taken for each measure by itself."""
    judged = []
    bars = {"km-split": (0.65, 1.0), "km-suppress": (0.9, 0.95)}
    for name in dict.fromkeys(row["data"] for row in rows):
        here = {row["method"]: row for row in rows if (row["data"], row["k"], row["m"]) == (name, 5, 2)}
        best = {column: min(statistics.mean(here[paper][column]) for paper in PAPERS) for column in ("one", "two")}
        for method, (one, two) in bars.items():
            row = here[method]
            two = 0.98 if method == "km-suppress" and "places" in name else two
            for column, bar in (("one", one), ("two", two)):
                ratio = statistics.mean(row[column]) / best[column]
                what = f"{name}, {method}: {COLUMNS[column]} is {ratio:.4f} of the best paper's, wanted {bar} or less"
                judged.append(Judged(what, ratio <= bar))
            judged.append(Judged(f"{name}, {method}: {row['kept']:.1f} % of visits kept, wanted 95", row["kept"] >= 95))
        seqanon, split = here["seqanon"], here["km-split"]
        ratio = split["displacement"] / seqanon["displacement"]
        judged.append(Judged(f"{name}, km-split: displacement is {ratio:.2f} of SEQANON's, wanted 0.5", ratio <= 0.5))
        more = f"{split['patterns']:.1f} % of frequent patterns kept, SEQANON {seqanon['patterns']:.1f} %"
        judged.append(Judged(f"{name}, km-split: {more}, wanted more", split["patterns"] > seqanon["patterns"]))
        judged += [_stretch(name, here[method], best, seqanon) for method in OWN]
    return judged


def _stretch(name: str, row: dict[str, Any], best: dict[str, float], seqanon: dict[str, Any]) -> Judged:
    """One method with small errors of both kinds, and counts of regions that are no worse than SEQANON's."""
    one, two = (statistics.mean(row[column]) / best[column] for column in ("one", "two"))
    sentence = (
        f"{name}, {row['method']}, stretch: {one:.2f} (wanted 0.6) and {two:.2f} (wanted 0.9) of the best paper's ARE, "
        f"regions {row['regions']:.2f} (SEQANON {seqanon['regions']:.2f})"
    )
    return Judged(sentence, one <= 0.6 and two <= 0.9 and row["regions"] <= seqanon["regions"])


def text(rows: list[dict[str, Any]], judged: list[Judged]) -> str:
    """The page."""
    lines = [
        "# Sparse movements",
        "",
        "Written by `python -m benchmarks.sparse FOLDER`, where FOLDER holds the check-ins.  Unit: persons.",
        f"ARE: average relative error of {QUERIES} queries, mean ± standard deviation over {SEEDS} query seeds.",
        "Displacement: mean distance of a published visit from the members of its label.",
        f"Patterns: sequences that {SUPPORT:.0%} of the original records contain.",
        "CPU seconds include verification, and compilation in the first run of a method.",
        "",
        f"| data | k | m | method | {' | '.join(COLUMNS.values())} |",
        "|---|---:|---:|---|" + "---:|" * len(COLUMNS),
    ]
    for row in rows:
        cells = [_figure(row[column]) for column in COLUMNS]
        lines.append(f"| {row['data']} | {row['k']} | {row['m']} | `{row['method']}` | {' | '.join(cells)} |")
    lines += ["", *(f"- {'met' if holds else 'NOT MET'}: {sentence}" for sentence, holds in judged), ""]
    return "\n".join(lines)


def _figure(value: Any) -> str:
    if isinstance(value, list):
        return f"{statistics.mean(value):.3f} ± {statistics.pstdev(value):.3f}"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}" if value < 10 else f"{value:,.0f}"


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
