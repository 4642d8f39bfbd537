"""SdSeqAnon and USeqAnon take at most 3 times as long as SeqAnon, all three with k=5 and m=2 in one process, at 86,061
trajectories and 662 locations; and give what their slow literal twins (tests/twins/seqanon.py) give, at least 100 times
faster, at 3,000 trajectories.  Warm, verification included.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.inputs import SIZES, facts, make
from benchmarks.measure import Judged, median_taken, taken_by

_U = {"method": "USeqAnon", "more": {"delta": 100}}
CASES = [
    {"method": "SdSeqAnon", "beside": "SeqAnon", "parts": 6, "data": SIZES["check-ins"]},
    {**_U, "beside": "SeqAnon", "parts": 6, "data": SIZES["check-ins"]},
    {**_U, "beside": "SeqAnon", "parts": 150, "data": SIZES["check-ins"]},
    {"method": "SdSeqAnon", "beside": "twin", "parts": 6, "data": {"trajectories": 3_000, "locations": 60}},
    {**_U, "beside": "twin", "parts": 20, "data": {"trajectories": 3_000, "locations": 60, "persons": 1_500}},
]


def measure(case):
    import sfumato

    method = getattr(sfumato, case["method"])(k=5, m=2, **case.get("more", {}))
    data = _known(make(**case["data"]), case["parts"])
    warm = _known(make(trajectories=500, locations=200), 150)  # suppresses some of them
    for one in (method, sfumato.SeqAnon(k=5, m=2)):
        one.anonymize(warm)
    taken, release = median_taken(lambda: method.anonymize(data), 5)
    if case["beside"] == "SeqAnon":
        other, _ = median_taken(lambda: sfumato.SeqAnon(k=5, m=2).anonymize(data), 5)
        same = None
    else:
        other, same = _twin(case["method"], data, release)
    return {
        "method": case["method"],
        **facts(data),
        "constraints": case["parts"] if "more" in case else None,
        "suppressed": release.counts.get("suppressed_locations"),
        "CPU seconds": taken.cpu,
        "beside": case["beside"],
        "its CPU seconds": other.cpu,
        "ratio": taken.cpu / other.cpu if case["beside"] == "SeqAnon" else other.cpu / taken.cpu,
        "same output": same,
        "promise holds": release.holds,
    }


def _known(data, parts):
    """With a taxonomy and constraints that have nothing to do with the map, as the generated names have not."""
    from dataclasses import replace

    from sfumato import Constraints, Taxonomy

    names = data.names
    constraints = Constraints({name: str(at * parts // len(names)) for at, name in enumerate(names)})
    return replace(data, taxonomy=Taxonomy.balanced(names, 6), constraints=constraints)


def _twin(name, data, release):
    sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
    from twins.seqanon import sd_seqanon, u_seqanon

    rows, units = data.to_lists(), data.units.tolist()
    if name == "SdSeqAnon":
        taken, (recoded, _) = taken_by(lambda: sd_seqanon(rows, units, data.places, data.taxonomy, 5, 2))
    else:
        partition = {location: data.constraints[location] for location in data.names}
        taken, (recoded, _) = taken_by(lambda: u_seqanon(rows, units, data.places, partition, 5, 2))
    members = release.data.members
    published = [[members.get(label, (label,)) for label in record] for record in release.data.to_lists()]
    expected = [[tuple(sorted(label)) for label in record] for record in recoded if record]
    return taken, sorted(published) == sorted(expected)


def judge(rows):
    beside = [row for row in rows if row["beside"] == "SeqAnon"]
    twins = [row for row in rows if row["beside"] == "twin"]
    most = max(row["ratio"] for row in beside)
    return [
        Judged("every promise holds", all(row["promise holds"] for row in rows)),
        Judged(f"at most {most:.2f} times as long as SeqAnon: within 3", most <= 3),
        Judged("the outputs are those of the twins", all(row["same output"] for row in twins)),
        Judged("at least 100 times faster than the twins", all(row["ratio"] >= 100 for row in twins)),
    ]
