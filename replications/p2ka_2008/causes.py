"""`python causes.py FOLDER [OBJECTS]`: try the cause of what differs from the paper.  Written are findings.json.

OBJECTS is the number of trajectories of a city (8,000); as in traffic.toml it has 121 regions.
"""

from __future__ import annotations

import sys

from replications.cause_tools import Causes, anonymized, generated, measured
from sfumato.mining import FrequentSequences

SHARES = (1600, 400, 100)  # the number of trajectories over k


def main(out: str, objects: str = "8000") -> None:
    causes, size = Causes(), int(objects)
    ks = [max(2, size // share) for share in SHARES]
    data = generated("city", objects=size, cells=11, length=0.62, time_units=40)
    lengths, alone, every = [], [], []
    for k in ks:
        release = anonymized("bf-p2ka", data, k=k)
        found = FrequentSequences(support=k).find(release.data.with_persons(None))
        lengths.append(float(found.lengths.mean()) if len(found.lengths) else 0.0)
        alone.append(measured("sim1", data, release, at_k=True, largest=1))
        every.append(measured("sim1", data, release, at_k=True))
    words = "; ".join(
        f"k = {k}: {length:.2f} visits, {one:.2f}, {whole:.2f}"
        for k, length, one, whole in zip(ks, lengths, alone, every, strict=True)
    )
    causes.check(
        "single-visits",
        "As k grows, the patterns that are left in the release become shorter, and SIM1 comes down to that of single "
        "visits, which is lower.",
        lengths[0] > lengths[-1] and abs(every[-1] - alone[-1]) < abs(every[0] - alone[0]) and alone[-1] < every[0],
        f"{len(data):,} trajectories; mean length of the patterns, SIM1 of those of one visit, of all: {words}.",
    )
    causes.write(out)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
