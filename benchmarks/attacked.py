"""Every method's release on real data, attacked: `python -m benchmarks.attacked FOLDER [METHOD ...]`.

FOLDER holds, somewhere in it, foursquare_nyc.csv (check-ins), BMS-WebView-2.dat (baskets), informs05_rt.csv with its
hierarchies (people with sets of diagnoses).  Of each, the first records up to CAP are taken.  Every method makes a
release; each promise is set beside what the attackers inside its assumptions achieve, and three attackers outside of
them are tried as well: linkage by the whole record (beside its baseline and its control), one visit or item more
than was promised, and the leaks of the written directory.  The table goes to benchmarks/ATTACKED.md.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
OUT = HERE / "ATTACKED.md"
SEED = 1
CAP = 4_000
CELL_DEGREES = 0.05
SENSITIVE_PLACES = ("Nightlife Spot", "Residence")
QUASI_IDENTIFIERS = ("DOBMM", "DOBYY", "RACEX", "EDUCYEAR", "marry")

RUNS: dict[str, dict[str, dict[str, Any]]] = {
    "check-ins": {
        "seqanon": {"k": 5, "m": 2},
        "seqanon-f": {"k": 5, "m": 2},
        "sd-seqanon": {"k": 5, "m": 2},
        "u-seqanon": {"k": 5, "m": 2, "delta": 20},
        "km-suppress": {"k": 5, "m": 2},
        "km-split": {"k": 5, "m": 2},
        "km-split, l=2": {"k": 5, "m": 2, "l": 2},
        "zga": {"k": 5, "l": 2, "m": 2},
        "sga": {"k": 5, "l": 2, "m": 2},
        "ngrams": {"epsilon": 5.0, "l_max": 5},
        "gsup": {"threshold": 0.5},
        "lsup": {"threshold": 0.5},
        "split": {"threshold": 0.5},
        "mix": {"threshold": 0.5},
        "cast": {"c": 0.3, "group_size": 5},
        "bf-p2ka": {"k": 5},
    },
    "baskets": {
        "apriori": {"k": 5, "m": 2},
        "apriori, l=2": {"k": 5, "m": 2, "l": 2},
        "lra": {"k": 5, "m": 2},
        "vpa": {"k": 5, "m": 2},
        "coat": {"k": 5},
        "pcta": {"k": 5},
        "disassociate": {"k": 5, "m": 2},
        "diffpart": {"epsilon": 5.0},
    },
    "people": {
        "incognito": {"k": 5},
        "cluster": {"k": 5},
        "cluster, l=3": {"k": 5, "l": 3},
        "local": {"k": 5},
        "local, t=0.3": {"k": 5, "t": 0.3},
        "top-down": {"k": 5},
        "bottom-up": {"k": 5},
    },
    "people with diagnoses": {
        "r-first": {"k": 5, "m": 2},
        "r-first, l=2": {"k": 5, "m": 2, "l": 2},
        "t-first": {"k": 5, "m": 2},
        "rum-bound": {"k": 5, "m": 2, "delta": 0.5},
        "tum-bound": {"k": 5, "m": 2, "delta": 0.5},
    },
}


def main(folder: str, *only: str) -> int:
    begun = time.perf_counter()
    rows, beaten = [], 0
    for data_name, runs in RUNS.items():
        wanted = {name: values for name, values in runs.items() if not only or name.partition(",")[0] in only}
        if not wanted:
            continue
        data = LOADED[data_name](Path(folder))
        print(f"{data_name}: {data!r}", flush=True)
        for name, values in wanted.items():
            found = attacked(name, values, prepared(data_name, name, data))
            beaten += sum(bool(one["beaten"]) for one in found["promises"])
            rows.append({"data": data_name, "method": name, **found})
            print(f"  {name}: {json.dumps(found, default=str)}", flush=True)
    if not only:
        OUT.write_text(text(rows, time.perf_counter() - begun), encoding="utf-8")
    return 1 if beaten else 0


def attacked(name: str, values: dict[str, Any], data: Any) -> dict[str, Any]:
    from sfumato.attacks import AttackSetting, Linkage, Reidentify, find_leaks, weigh
    from sfumato.catalogue import method_class

    begun = time.perf_counter()
    release = method_class(name.partition(",")[0])(**values).anonymize(data, seed=SEED)
    made = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        written = release.write(Path(folder) / "release")
        leaks = [leak.sentence for leak in find_leaks(written, data)]
    setting = AttackSetting.of(data, release)
    found = {"records": f"{len(release.data):,} of {len(data):,}", "promises": [], "leaks": leaks}
    found["promises"] = [one.to_json() for one in weigh(setting, seed=SEED)]
    linkage = Linkage()
    if linkage.unfit(setting) is None:
        link = linkage.run(setting, seed=SEED)
        found["linkage"] = {
            "mean": link.mean,
            "baseline": link.baseline,
            "control": link.control,
            "at_most": link.at_most,
        }
    more = Reidentify(known=values.get("m", 2) + 1)
    noisy = any(not model.exact_counts for model in setting.release.models)
    if more.unfit(setting) is None and data.kind != "table" and not noisy:
        beyond = more.run(setting, seed=SEED)
        smallest = beyond.facts["smallest_anonymity_set"]
        found["beyond"] = smallest if beyond.exact or smallest in (None, 1) else f"≤ {smallest}"
    found["seconds"] = {"made": round(made - begun, 1), "attacked": round(time.perf_counter() - made, 1)}
    return found


def prepared(data_name: str, name: str, data: Any) -> Any:
    """What single methods want to know beside the data."""
    from dataclasses import replace

    method = name.partition(",")[0]
    if data_name == "baskets":
        from sfumato import Policy

        if method in ("coat", "pcta"):
            return replace(data, taxonomy=None).with_policies(privacy=Policy(size=2))
        return data.with_sensitive(data.names[:: len(data.names) // 20]) if name == "apriori, l=2" else data
    if name == "r-first, l=2":
        return data.with_sensitive(data.items.names[:: len(data.items.names) // 20])
    return data


def checkins(folder: Path) -> Any:
    """Days of people; a location is all places of one category in one cell, its category is its owner."""
    import polars as pl

    from sfumato import Constraints, Places, Taxonomy, Trajectories

    found = pl.read_csv(
        next(folder.rglob("foursquare_nyc.csv")), columns=["tid", "user", "day", "lat", "lon", "category"]
    )
    cells = [(pl.col(axis) / CELL_DEGREES).floor().cast(pl.Int64) for axis in ("lat", "lon")]
    visits = found.with_columns(
        pl.format("{} {}", "tid", "day").alias("trajectory"),
        pl.format("{}/{}/{}", "category", *cells).alias("location"),
        pl.col("user").cast(pl.String).alias("person"),
    )
    first = visits["trajectory"].unique(maintain_order=True).head(CAP)
    visits = visits.filter(pl.col("trajectory").is_in(first.implode()))
    where = visits.group_by("location").agg(pl.col("lat", "lon").mean(), pl.col("category").first()).sort("location")
    places = Places.from_frame(
        where.with_columns(
            pl.col("category").alias("owner"), pl.col("category").is_in(SENSITIVE_PLACES).alias("sensitive")
        )
    )
    kinds = where["category"].unique().sort().to_list()
    above = {
        "any place": None,
        **dict.fromkeys(kinds, "any place"),
        **dict(where.select("location", "category").rows()),
    }
    sensitive = [kind for kind in kinds if kind in SENSITIVE_PLACES]
    data = Trajectories.from_frame(
        visits.select("trajectory", "person", "location"), places=places, taxonomy=Taxonomy(above, sensitive=sensitive)
    )
    from dataclasses import replace

    return replace(data, constraints=Constraints(dict(where.select("location", "category").rows())))


def baskets(folder: Path) -> Any:
    import numpy as np

    from sfumato import Taxonomy, read

    data = read(next(folder.rglob("BMS-WebView-2.dat")), kind="transactions")
    data = data.take(np.arange(min(CAP, len(data)))).with_used_names()
    from dataclasses import replace

    return replace(data, taxonomy=Taxonomy.balanced(data.names, 5))


def people(folder: Path, *, items: bool = False) -> Any:
    import numpy as np

    from sfumato import Taxonomy, read, read_hierarchies

    file = next(folder.rglob("informs05_rt.csv"))
    trees = read_hierarchies(file.parent, QUASI_IDENTIFIERS)
    roles = {"quasi_identifiers": QUASI_IDENTIFIERS, "sensitive": ("poverty",), "hierarchies": trees}
    data = read(file, items="ICD9_set", columns={"person": "DUPERSID"}, **roles).with_persons(None)
    from dataclasses import replace

    data = data.take(np.arange(min(CAP, len(data))))
    table = replace(data.table, frame=data.table.frame.select(*QUASI_IDENTIFIERS, "poverty"))
    if not items:
        return table
    diagnoses = data.items.with_used_names()
    return replace(data, table=table, items=replace(diagnoses, taxonomy=Taxonomy.balanced(diagnoses.names, 5)))


def people_with_diagnoses(folder: Path) -> Any:
    return people(folder, items=True)


LOADED = {"check-ins": checkins, "baskets": baskets, "people": people, "people with diagnoses": people_with_diagnoses}


def text(rows: list[dict[str, Any]], seconds: float) -> str:
    """The table, as a page."""
    lines = [
        "# Promise and measurement",
        "",
        "Written by `python -m benchmarks.attacked FOLDER`, where FOLDER holds real check-ins, baskets and people; of",
        f"each the first {CAP:,} records are taken.  Every release is attacked from inside its promise (promised,",
        "measured), by linkage with the whole private record in hand (beside guessing and an unprotected copy), by an",
        "attacker who knows one visit or item more (the smallest anonymity set), and for leaks.  All of it",
        f"took {seconds:.0f} s.",
        "",
        "| data | method | promised | measured | | linkage | guessing | unprotected | m + 1 known | leaks |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        link = row.get("linkage")
        linked = ["", "", ""]
        if link is not None:
            bound = "≤ " if link["at_most"] else ""
            linked = [f"{bound}{link['mean']:.1%}", f"{link['baseline']:.2%}", f"{link['control']:.1%}"]
        for at, one in enumerate(row["promises"]):
            verdict = {True: "**BEATEN**", False: "held", None: "not measured"}[one["beaten"]]
            rest = [*linked, str(row.get("beyond") or ""), str(len(row["leaks"]))] if at == 0 else [""] * 5
            promised, measured = one["promised"] or one["promise"], one["measured"] or one["note"]
            lines.append(f"| {' | '.join([row['data'], row['method'], promised, measured, verdict, *rest])} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
