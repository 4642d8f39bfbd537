"""Releases of sparse movements, attacked: `python -m benchmarks.sparse_attacked FOLDER`.

FOLDER holds, somewhere in it, foursquare_nyc.csv and gowalla.csv (check-ins with tid, user, lat and lon).  Places are
cells of 1 km; of Gowalla, the check-ins of Austin are taken.  seqanon, km-suppress and km-split make a release with
k = 5 and m = 2, counted in persons.  Each is attacked from inside its promise and from outside: by four known visits,
by the whole record, by counting which places labels must stand for, and by linking pieces.  The tables go to
benchmarks/SPARSE_ATTACKED.md.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

OUT = Path(__file__).parent / "SPARSE_ATTACKED.md"
SEED = 1
K, M = 5, 2
CELL_M = 1000.0
DRAWS = 2_000
KNOWN = 4
AUSTIN = (30.1, 30.6, -98.0, -97.4)  # latitudes and longitudes
METHODS = ("seqanon", "km-suppress", "km-split")


def main(folder: str) -> int:
    begun = time.process_time()
    rows = []
    for name, data in {"New York, 1 km": new_york(Path(folder)), "Austin, 1 km": austin(Path(folder))}.items():
        print(f"{name}: {data!r}", flush=True)
        for method in METHODS:
            row = {"data": name, "method": method, **attacked(method, data)}
            print(row, flush=True)
            rows.append(row)
    OUT.write_text(text(rows, time.process_time() - begun), encoding="utf-8")
    return 1 if any(row["beaten"] for row in rows) else 0


def new_york(folder: Path) -> Any:
    return cells(next(folder.rglob("foursquare_nyc.csv")), None)


def austin(folder: Path) -> Any:
    return cells(next(folder.rglob("gowalla.csv")), AUSTIN)


def cells(path: Path, box: tuple[float, float, float, float] | None) -> Any:
    """Check-ins of persons, in cells of a grid."""
    import polars as pl

    from sfumato import Trajectories
    from sfumato.prepare import Grid

    texts = dict.fromkeys(("poi", "tid", "user"), pl.String)
    frame = pl.read_csv(path, schema_overrides=texts)
    if box is not None:
        frame = frame.filter(pl.col("lat").is_between(*box[:2]) & pl.col("lon").is_between(*box[2:]))
    visits = frame.select(trajectory="tid", person="user", location="poi", lat="lat", lon="lon")
    return Grid(cell_m=CELL_M).apply(Trajectories.from_frame(visits)).data


def attacked(method: str, data: Any) -> dict[str, Any]:
    from sfumato.attacks import AttackSetting, Downcoding, Linkage, Relinking, find_leaks, weigh
    from sfumato.catalogue import method_class

    release = method_class(method)(k=K, m=M).anonymize(data, seed=SEED)
    setting = AttackSetting.of(data, release)
    with tempfile.TemporaryDirectory() as folder:
        leaks = len(find_leaks(release.write(Path(folder) / "release").path, data))
    promises = weigh(setting, seed=SEED)
    linked, undone = Linkage().run(setting, seed=SEED), Downcoding().run(setting, seed=SEED)
    popular, finer = coarse_labels(release)
    found = {
        "records": f"{len(release.data):,}",
        "labels": len(release.data.names),
        "kept": len(release.data.codes) / len(data.codes),
        "promised": promises[0].promised,
        "measured": promises[0].measured,
        "beaten": any(promise.beaten for promise in promises),
        "leaks": leaks,
        "singled_out": singled_out(setting),
        "linkage": (linked.mean, linked.baseline, linked.control),
        "linkage_certain": linked.distribution["certain"],
        "downcoding": (undone.mean, undone.baseline, undone.facts["certain"]),
        "generalized": undone.facts["generalized"],
        "popular": popular,
        "finer": finer,
    }
    for knows in ("visits", "style"):
        attack = Relinking(knows=knows, known=KNOWN)
        if attack.unfit(setting) is None:
            found[knows] = attack.run(setting, seed=SEED)
    return found


def singled_out(setting: Any) -> tuple[float, float, float]:
    """Of random choices of known visits, the share that only the right person matches; in the original and the release.

    The third figure is the share that matches no published record of the person.
    """
    import numpy as np

    from sfumato.attacks import AttackSetting
    from sfumato.attacks.view.targets import known_points

    original, rng = setting.original, np.random.default_rng(SEED)
    bare = AttackSetting.of(original, original.published()[0]).seen
    owners = original.units[original.published()[1]]
    targets = rng.choice(np.flatnonzero(original.lengths >= KNOWN), DRAWS)
    before, after, lost = 0, 0, 0
    for record in targets.tolist():
        known, person = known_points(original, record, KNOWN, rng), original.units[record]
        before += set(owners[bare.fitting(known)].tolist()) == {person}
        matching = set(setting.seen.units[setting.seen.fitting(known)].tolist())
        after += matching == {person}
        lost += person not in matching
    return before / DRAWS, after / DRAWS, lost / DRAWS


def coarse_labels(release: Any) -> tuple[float, float]:
    """What coarse labels show of visits under them.

    The share that the most visited member of the label names, and the share whose place also has a finer label.
    """
    import numpy as np

    data, original = release.data, release.original
    members = [data.members.get(label, (label,)) for label in data.names]
    visits = dict(zip(original.names, np.bincount(original.codes, minlength=len(original.names)).tolist(), strict=True))
    finest = {place: min(len(group) for group in members if place in group) for group in members for place in group}
    named, finer, coarse = 0, 0, 0
    for label, visit in zip(data.codes.tolist(), release.origin.tolist(), strict=True):
        if len(members[label]) > 1:
            place = original.names[original.codes[visit]]
            coarse += 1
            named += place == max(members[label], key=lambda member: visits[member])
            finer += finest[place] < len(members[label])
    return named / coarse, finer / coarse


def text(rows: list[dict[str, Any]], seconds: float) -> str:
    """The tables, as a page."""
    head = f"""# Sparse movements, attacked

Written by `python -m benchmarks.sparse_attacked FOLDER`, where FOLDER holds check-ins of New York (Foursquare) and
Austin (Gowalla), in cells of 1 km.  k = {K}, m = {M}, counted in persons; seed {SEED}; {DRAWS:,} random choices of
{KNOWN} visits, {DRAWS:,} random pieces.  All of it took {seconds:.0f} s of CPU time.
"""
    parts = [head, *(table(caption, names, [cells_of(row) for row in rows]) for caption, names, cells_of in TABLES)]
    linked = [line for row in rows for line in relinked(row)]
    return "\n".join([*parts, table(RELINKED, RELINKED_NAMES, linked)])


def table(caption: str, names: str, rows: list[tuple[Any, ...]]) -> str:
    columns = names.split(", ")
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join([caption, *(f"| {' | '.join(map(str, line))} |" for line in lines), ""])


def promise(row: dict[str, Any]) -> tuple[Any, ...]:
    return (
        *(row["data"], row["method"], row["records"], row["labels"], f"{row['kept']:.1%}"),
        *(row["promised"], row["measured"], row["leaks"]),
    )


def known_records(row: dict[str, Any]) -> tuple[Any, ...]:
    mean, baseline, control = row["linkage"]
    return (
        *(row["data"], row["method"], *(f"{share:.1%}" for share in row["singled_out"])),
        *(f"{mean:.1%}", f"{baseline:.2%}", f"{control:.1%}", f"{row['linkage_certain']:.1%}"),
    )


def labels(row: dict[str, Any]) -> tuple[Any, ...]:
    mean, baseline, certain = row["downcoding"]
    shares = (row["generalized"], mean, row["popular"], baseline, certain, row["finer"])
    return (row["data"], row["method"], *(f"{share:.1%}" for share in shares))


def relinked(row: dict[str, Any]) -> list[tuple[Any, ...]]:
    lines = []
    for knows, words in (("visits", f"{KNOWN} visits"), ("style", "the person's other trajectories")):
        if knows in row:
            finding, facts = row[knows], row[knows].facts
            low, high = finding.interval
            shares = (finding.mean, low, high)
            mean, low, high = (f"{share:.1%}" for share in shares)
            rest = (finding.control, facts["same_person"], facts["same_person_baseline"])
            guessed = f"{finding.baseline:.2%}"
            lines.append((row["data"], words, mean, f"{low} to {high}", guessed, *(f"{share:.1%}" for share in rest)))
    return lines


TABLES = (
    ("", "data, method, records, labels, visits kept, promised, measured, leaks", promise),
    (
        f"""*Singled out*: {KNOWN} random visits that only the right person matches, in the original and in the release,
and the share that no published record of the person matches.  *Whole record*: linkage with the original trajectory in
hand, beside guessing and an unprotected copy, and the share of certain links.
""",
        "data, method, singled out in the original, in the release, not matched, whole record, guessing, unprotected, "
        "certain",
        known_records,
    ),
    (
        """*Counting*: an attacker who knows how often each place is visited, and sees which places also have their own
names, names the place behind a coarse label (the attack `downcoding`).  *Popularity*: the same attacker takes the most
visited member.  *Finer elsewhere*: visits under a coarse label whose place also has a finer label, or its own name,
somewhere in the release.
""",
        "data, method, visits under coarse labels, named by counting, by popularity, by guessing, certain, "
        "finer elsewhere",
        labels,
    ),
)
RELINKED = f"""*Relinking*: an attacker who has one piece picks another one of the same trajectory (the attack
`relinking`), by {KNOWN} known visits of it, or by all other trajectories of the person.  *Original places*: the same
attack where the pieces have their original places.
"""
RELINKED_NAMES = (
    "data, the attacker knows, same trajectory, 95%, guessing, original places, same person, guessing the person"
)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
