"""NGRAMS: synthetic trajectories from noisy counts of variable-length n-grams (Chen, Acs, Castelluccia, 2012)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.data import Dataset, Places, Trajectories
from sfumato.data.base import Ints
from sfumato.errors import Bug, Infeasible, MissingKnowledge
from sfumato.methods.base import Method, Outcome, Run
from sfumato.methods.trajectories.ngrams.exploration_tree import Grams, explore
from sfumato.methods.trajectories.ngrams.synthesis import walk
from sfumato.methods.unit_contributions import records_by_unit
from sfumato.params import param
from sfumato.privacy import Epsilon
from sfumato.privacy.noise.geometric import Entropy
from sfumato.privacy.not_covered import Limit

__all__ = ["NGrams"]

_MOST_NOISE = 1e6  # the scale of the noise on the number of trajectories: beyond it memory is filled with nothing


@dataclass(frozen=True, kw_only=True)
class NGrams(Method[Trajectories]):
    """Publish synthetic trajectories that are nearly as likely without any one person as with them.

    Noisy counts say which sequences of neighbouring visits are frequent; new trajectories are drawn from these counts.
    For every background knowledge, the release reveals little about whether a person is in the data.

    Notes
    -----
    The exploration tree of [1]_: a gram is extended while its noisy count exceeds ``l_max ln(|I| / 2) / epsilon_v``,
    all places of the places file and the end of a trajectory (together I) being candidates, visited or not; epsilon_v
    is what the path to it has left, divided by the number of levels that the gram is expected to have, which the
    shorter gram without its first symbol gives.  The noise of a count has the scale ``l_max / epsilon_v``.  Candidates
    without support are not enumerated: how many of them pass the threshold, which and with what count is drawn
    directly.

    Where this leaves the paper:

    - Noise is two-sided geometric, the discrete form of Laplace noise, which has no floating-point bits to attack.
    - A person's visits count together.  Of each person's records, in random order, as many visits stay as l_max allows;
      the record that crosses the limit keeps its first ones.
    - A trajectory has a begin as it has an end.  It counts as a symbol: n grams of each length start in a trajectory of
      n - 1 kept visits.  Without it, the counts do not say how many trajectories there are nor where they begin.
    - Leaves meet the threshold too, since without it the noise of unvisited places would outweigh what is there; only
      the end of a trajectory is always released, since lengths depend on it.
    - No gram is more frequent than it is without its first symbol: its count is lowered to that of the shorter one, and
      it is not believed if the shorter one was examined and did not pass.  On the first level, counts below 0 become
      0, and the others give way until the sum is what it was.
    - Trajectories are drawn as walks.  The next symbol is drawn by the longest gram that ends the walk; if the counts
      of its extensions sum to less than its own, the rest of it goes to the other symbols as the next shorter gram has
      them (the Markov assumption), and if they sum to more, they are scaled down, so that children agree with parents.

    References
    ----------
    .. [1] R. Chen, G. Acs, C. Castelluccia, "Differentially private sequential data publication via variable-length
       n-grams", ACM CCS 2012.

    Examples
    --------
    >>> walks = Trajectories.from_lists(["ab"] * 500 + ["cb"] * 300, places={name: (0, 0) for name in "abcd"})
    >>> release = NGrams(epsilon=5.0, l_max=3, n_max=3).anonymize(walks, seed=1)
    >>> release.holds, len(release.data)
    (True, 801)
    >>> sum(row == ["a", "b"] for row in release.data.to_lists())
    506
    """

    name: ClassVar[str] = "ngrams"
    title: ClassVar[str] = "NGRAMS"
    kind: ClassVar[str] = "trajectories"
    paper: ClassVar[str] = "Chen, Acs, Castelluccia, ACM CCS 2012"
    promises: ClassVar[tuple[str, ...]] = ("epsilon",)
    traces: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ("places",)
    untruthful: ClassVar[Limit] = Limit(
        "synthetic-trajectories",
        "true trajectories: every published trajectory is synthetic, drawn from noisy counts",
        rank=2,
    )

    epsilon: float = param(at_least=0.001, at_most=100, help="the privacy budget; smaller is safer and noisier")
    l_max: int = param(
        20,
        at_least=2,
        at_most=10_000,
        grid=(10, 20, 40),
        help="how many visits of a person are used, with one more for the start of each record",
    )
    n_max: int = param(5, at_least=1, at_most=100, grid=(3, 5), help="the length of the longest gram that is counted")

    @property
    def guarantees(self) -> tuple[Epsilon, ...]:
        return (Epsilon(epsilon=self.epsilon),)

    def _require(self, data: Dataset) -> None:
        super()._require(data)
        if isinstance(data, Trajectories):
            self._places(data)

    def transform(self, data: Trajectories, run: Run) -> Outcome[Trajectories]:
        longest = min(self.n_max, self.l_max + 1)  # begin, l_max - 1 visits, end
        scale = self.l_max * longest / self.epsilon
        if scale > _MOST_NOISE:
            raise Infeasible(
                f"{self.name}: epsilon={self.epsilon} with l_max={self.l_max} and n_max={self.n_max} needs noise of "
                f"the scale {scale:,.0f}, wanted at most {_MOST_NOISE:,.0f}; raise epsilon or lower l_max"
            )
        places = self._places(data)
        with run.phase("choosing visits"):
            grams, records = _grams(data, places, self.l_max, run.budget.entropy)
        with run.phase("exploring"):
            run.budget.open(data, records=records, epsilon=self.epsilon, at_most=self.l_max)
            tree = explore(grams, run.budget, epsilon=self.epsilon, at_most=self.l_max, longest=longest)
        with run.phase("walking"):
            offsets, codes = walk(tree, self.l_max - 1, run.rng)
        names = tuple(places.frame["location"].to_list())
        synthetic = Trajectories(offsets=offsets, codes=codes, names=names, places=places)
        sizes = {f"grams_of_size_{size}": number for size, number in enumerate(tree.sizes(), start=1)}
        return Outcome(synthetic, origin=None, counts={"grams": len(tree) - 1, **sizes})

    def _places(self, data: Trajectories) -> Places:
        if data.places is None:
            raise Bug("ngrams: needs places")
        if data.places.derived:
            raise MissingKnowledge(
                f"{self.name}: needs a list of places that was not made from the data, because a place that is "
                "listed only because a person visited it reveals the visit",
                remedy="give-places-file",
            )
        return data.places


def _grams(data: Trajectories, places: Places, at_most: int, entropy: Entropy) -> tuple[Grams, Ints]:
    """The grams of the visits that stay, and the record of each gram."""
    code_of = _codes_of(data, places)
    records, units = records_by_unit(data, entropy)
    lengths = data.lengths[records]
    costs = np.where(lengths > 0, lengths + 1, 0)
    before = np.cumsum(costs) - costs
    first = np.searchsorted(units, units)  # units rise
    room = at_most - (before - before[first]) - 1
    kept = np.clip(np.minimum(lengths, room), 0, None)
    records, kept = records[kept > 0], kept[kept > 0]
    ends = np.cumsum(kept + 2) - 1
    begins = ends - kept - 1
    symbols = np.full(int(ends[-1]) + 1 if len(ends) else 1, len(places), dtype=np.int64)
    inside = np.arange(int(kept.sum())) - np.repeat(np.cumsum(kept) - kept, kept)
    symbols[np.repeat(begins, kept) + 1 + inside] = code_of[data.codes[np.repeat(data.offsets[records], kept) + inside]]
    starts = np.delete(np.arange(len(symbols)), ends if len(ends) else [0])
    grams = Grams(symbols, starts, np.repeat(ends, kept + 1), len(places))
    return grams, np.repeat(records, kept + 1)


def _codes_of(data: Trajectories, places: Places) -> Ints:
    """The row of each location in the places file, which must list it as it is."""
    row = {name: number for number, name in enumerate(places.frame["location"].to_list())}
    codes = np.array([row.get(name, -1) for name in data.names], dtype=np.int64)
    used = np.unique(data.codes)
    missing = used[codes[used] < 0]
    if len(missing):
        raise places.source.error(
            f"wanted every location, since ngrams takes its vocabulary from the places and never from the data, found "
            f"none for {len(missing)} of {len(used)}"
        )
    return codes
