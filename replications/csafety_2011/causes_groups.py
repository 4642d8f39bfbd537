"""`python causes_groups.py CHECKINS.csv FOLDER [TRAJECTORIES]`: what groups of CAST do to places, patterns and time.

CHECKINS.csv has the check-ins that foursquare.py reads.  TRAJECTORIES is the number of generated trajectories (6,225,
as in Milano), and of days of check-ins.  Written are findings.json.
"""

from __future__ import annotations

import runpy
import sys
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from replications.cause_tools import Causes, anonymized, generated, measured, processor_seconds, twin
from sfumato import read
from sfumato.catalogue import MEASURES
from sfumato.data import Taxonomy
from sfumato.io import read_taxonomy
from sfumato.methods.trajectories.cast.cast import Cast
from sfumato.methods.trajectories.cast.lengths import group_lengths

MILANO: dict[str, Any] = {"places": 530, "mean_length": 5.2, "sensitive": 0.246}
SIZES = (5, 15, 30)


class _Groups(Cast):
    """CAST in which every trajectory is generalized in a group, also where c holds without that."""

    def _groups(self, view: Any, tree: Any, run: Any) -> Any:
        return group_lengths(view.sequences, view.units, self.group_size, tree, run)[0], []


def main(checkins: str, out: str, trajectories: str = "6225") -> None:
    causes, size = Causes(), int(trajectories)
    real_patterns(causes, checkins, size)
    data = generated("semantic", trajectories=size, **MILANO)
    sizes = [many for many in SIZES if 3 * many < size]
    climbing(causes, data, sizes)
    root(causes, data, sizes)
    search(causes, data, sizes)
    causes.write(out)


def real_patterns(causes: Causes, checkins: str, size: int) -> None:
    """Figures 4b and 4d: patterns at a high and at a low support, on days of real people."""
    with TemporaryDirectory() as folder:
        runpy.run_path(str(Path(__file__).with_name("foursquare.py")))["main"](checkins, folder)
        taxonomy = read_taxonomy(Path(folder) / "foursquare_taxonomy.csv")
        days = read(Path(folder) / "foursquare.csv", taxonomy=taxonomy)
    drawn = np.sort(np.random.default_rng(1).permutation(len(days))[:size])
    days = days.take(drawn).with_persons(None)
    supports = (0.008, 0.004, 0.002, 0.001)
    shares = {}
    for many in (15, 30):
        if 3 * many < len(days):
            release = anonymized("cast", days, c=0.3, group_size=many)
            shares[many] = [measured("pattern-count", days, release, support=support) for support in supports]
    words = "; ".join(
        f"groups of {many}: {', '.join(f'{share:,.0f}%' for share in line)}" for many, line in shares.items()
    )
    causes.check(
        "real-patterns",
        "On days of real people a release has more patterns than the original at a high support and fewer at a low "
        "one, as in the paper: its share falls with the support, from above 100% to below.",
        all(line == sorted(line, reverse=True) and line[0] > 100 > line[-1] for line in shares.values()),
        f"{len(days):,} days; patterns of the release, in percent of those of the original, at supports of "
        f"{', '.join(f'{support:.1%}' for support in supports)}: {words}.",
    )


def climbing(causes: Causes, data: Any, sizes: list[int]) -> None:
    """Figures 12 to 15: sensitive places that climb, and what is inferred where none has to."""
    tree = data.taxonomy
    leaves, hidden = set(tree.leaves), set(tree.sensitive)
    exact, known, free = [], [], []
    for many in sizes:
        release = anonymized("cast", data, c=0.3, distance="hops", group_size=many)
        names = [release.data.names[code] for code in release.data.codes]
        secret = [name for name in names if name in hidden or hidden & set(tree.ancestors(name))]
        exact.append(sum(name in leaves for name in secret) / max(1, len(secret)))
        known.append(measured("guessed-places", data, release, known=3))
        without = _Groups(c=1.0, distance="hops", group_size=many).anonymize(data, seed=1)
        free.append(measured("guessed-places", data, without, known=3))
    words = "; ".join(
        f"groups of {many}: {share:.0%} of the sensitive visits are published as places, the victim's is inferred with "
        f"{with_c:.4f}, and with {without_c:.4f} if c is 1"
        for many, share, with_c, without_c in zip(sizes, exact, known, free, strict=True)
    )
    causes.check(
        "climbing",
        "The larger the groups, the fewer sensitive places have to climb, and the easier they are inferred. Where none "
        "has to climb, since c is 1, larger groups make it harder, as in the paper.",
        all(a < b for a, b in pairwise(exact)) and known[-1] > known[0] and all(a > b for a, b in pairwise(free)),
        f"{words}.",
    )


def root(causes: Causes, data: Any, sizes: list[int]) -> None:
    """Figures 4b and 4d: patterns with a visit to any place at all."""
    top = next(name for name in data.taxonomy.ancestors(data.taxonomy.leaves[0]) if not data.taxonomy.ancestors(name))
    shares: dict[int, list[tuple[float, float]]] = {}
    for many in sizes:
        release = anonymized("cast", data, c=0.3, distance="hops", group_size=many)
        shares[many] = []
        for support in (0.002, 0.032):
            measure: Any = MEASURES.choose("pattern-count").from_json({"support": support})
            before, after = map(list, measure._frequent(data, release.data))
            told = sum(top not in pattern for pattern in after)
            shares[many].append((100 * len(after) / max(1, len(before)), 100 * told / max(1, len(before))))
    words = "; ".join(
        f"groups of {many}: {low[0]:.0f}% at 0.2%, {low[1]:.0f}% without the root; {high[0]:.0f}% at 3.2%, "
        f"{high[1]:.0f}% without it"
        for many, (low, high) in shares.items()
    )
    causes.check(
        "root",
        "Patterns with the root, which stands for any place, are what a release has more than the original at a "
        "support of 0.2%: without them it has fewer in groups of 15 and more, as in the paper.",
        all(low[0] > 100 > low[1] for many, (low, _) in shares.items() if many >= 15),
        f"Patterns of the release, in percent of those of the original: {words}.",
    )


def search(causes: Causes, data: Any, sizes: list[int]) -> None:
    """Figure 16a: what finding groups takes, and what comes after it."""
    spent: dict[int, tuple[float, float]] = {}
    for many in sizes:
        found: list[Any] = []

        class Watched(_Groups):
            def _groups(self, view: Any, tree: Any, run: Any, found: list[Any] = found) -> Any:
                found[:] = [view, tree, run, super()._groups(view, tree, run)]
                return found[-1]

        whole = Watched(c=0.3, distance="hops", group_size=many)
        whole.anonymize(data, seed=1)
        view, tree, run, groups = found
        grouping = processor_seconds(
            lambda many=many, view=view, tree=tree, run=run: group_lengths(view.sequences, view.units, many, tree, run)
        )
        publishing = processor_seconds(lambda view=view, groups=groups: view.publish(groups[0], [], Fraction(3, 10)))
        spent[many] = (grouping, publishing)
    best_groups = twin("twins.cast").best_groups
    rows = [tuple(f"p{(3 * row + step) % 7}" for step in range(2)) for row in range(14)]
    small = Taxonomy({"any": None, **{f"p{number}": "any" for number in range(7)}})
    literal = [processor_seconds(lambda many=many: best_groups(rows, many, small, "hops")) for many in (2, 3, 4)]
    words = "; ".join(
        f"groups of {many}: finding them {a:.3f} s, publishing them {b:.3f} s" for many, (a, b) in spent.items()
    )
    lines = list(spent.values())
    causes.check(
        "search",
        "Finding groups takes longer the larger they are, also in the literal program, which tries all groups; what "
        "comes after it takes less, since there are fewer groups.",
        lines[0][0] < lines[-1][0] and lines[0][1] > lines[-1][1] and literal == sorted(literal),
        f"{words}. The literal search for groups of 2, 3 and 4 among 14 trajectories: "
        f"{', '.join(f'{1000 * taken:.1f}' for taken in literal)} ms.",
    )


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
