"""Simulated attackers who know a few nonsensitive places of a person and guess a sensitive one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.trajectories import Trajectories
from sfumato.errors import DataError
from sfumato.kernels.verify.inference import best_guesses
from sfumato.params import Declared, JsonObject, param
from sfumato.privacy.checks.disclosure import Disclosure, Unreadable
from sfumato.privacy.checks.taxonomy_preorder import require_taxonomy

__all__ = ["GuessFindings", "GuessSensitivePlaces", "Guesses"]


@dataclass(frozen=True)
class Guesses:
    """The attackers who know so many places: how probably they are right, on average and at worst."""

    known: int
    mean: float
    worst: float
    attackers: int


@dataclass(frozen=True, kw_only=True)
class GuessSensitivePlaces(Declared):
    """Let simulated attackers guess a sensitive place of a person from a few other places of theirs.

    Notes
    -----
    The experiment of [1]_, Section 6.4.  Each attacker knows places of one trajectory that has any that are not
    sensitive: `known` of them, drawn at random, in their order (all, if there are fewer); of a generalized label a
    leaf under it, drawn at random too.  It finds all whose published trajectory fits, and names the sensitive place
    that is most probable among them (`sfumato.privacy.checks.disclosure`); the success is that probability.

    References
    ----------
    .. [1] A. Monreale, R. Trasarti, D. Pedreschi, C. Renso, V. Bogorny, "C-safety: a framework for the anonymization of
       semantic trajectories", Transactions on Data Privacy 4(2), 2011.

    Examples
    --------
    >>> from sfumato import Taxonomy
    >>> places = {"all": None, "bar": "all", "clinic": "all", "c1": "clinic", "c2": "clinic"}
    >>> tree = Taxonomy(places, sensitive=["clinic"])
    >>> walks = Trajectories.from_lists([["bar", "c1"], ["bar", "c2"], ["bar"], ["bar"]], taxonomy=tree)
    >>> GuessSensitivePlaces(attackers=10, known=1).run(walks, seed=1).rows[0]
    Guesses(known=1, mean=0.25, worst=0.25, attackers=10)
    """

    attackers: int = param(10_000, at_least=1, help="how many attackers are simulated for each number of known places")
    known: int = param(4, at_least=1, at_most=20, help="how many places an attacker knows at most")

    def run(self, data: Trajectories, *, seed: int | None = None, c: float | None = None) -> GuessFindings:
        """Simulate attackers who know 1, 2, ... places; a seed repeats them."""
        try:
            seen = Disclosure(data, require_taxonomy(type(self).__name__, data.taxonomy))
        except Unreadable as unreadable:
            label, problem = unreadable.args[0]["label"], unreadable.args[0]["problem"]
            raise DataError(f"{type(self).__name__}: the label {label!r} cannot be read: {problem}") from None
        rng = np.random.default_rng(seed)
        fixed = _Table(seen)
        rows = tuple(self._row(known, seen, fixed, rng) for known in range(1, self.known + 1))
        return GuessFindings(unit=data.unit, c=c, rows=rows)

    def _row(self, known: int, seen: Disclosure, fixed: _Table, rng: np.random.Generator) -> Guesses:
        patterns = _drawn(seen, known, self.attackers, rng)
        distinct, times = np.unique(patterns, axis=0, return_counts=True)
        success = fixed.guesses(distinct)
        total = int(times.sum())
        if total == 0:
            return Guesses(known, 0.0, 0.0, 0)
        return Guesses(known, float(success @ times / total), float(success.max()), total)


@dataclass(frozen=True)
class GuessFindings:
    """How well attackers guess, with the c that was promised, if there is one."""

    unit: str
    c: float | None
    rows: tuple[Guesses, ...]

    @property
    def summary(self) -> str:
        """The answer in a sentence."""
        last, worst = self.rows[-1], max(row.worst for row in self.rows)
        beside = "" if self.c is None else f"; the promise is {self.c:g}"
        return (
            f"An attacker who knows {last.known} nonsensitive places of a person names a sensitive place with a "
            f"probability of {last.mean:.2g} on average, and of {worst:.2g} at worst among all that were "
            f"tried{beside}."
        )

    @property
    def rules(self) -> tuple[str, ...]:
        """What was done, in sentences."""
        return (
            "Each attacker knows random nonsensitive places of one trajectory, in order, and names the most probable "
            "sensitive place among all who match.",
            f"Matches are counted in {self.unit}s.",
        )

    def to_json(self) -> JsonObject:
        return {
            "unit": self.unit,
            "c": self.c,
            "known": [
                {"known": row.known, "mean": row.mean, "worst": row.worst, "attackers": row.attackers}
                for row in self.rows
            ],
            "rules": list(self.rules),
        }


class _Table:
    """What each record may stand for, record by record, those of a unit together."""

    def __init__(self, seen: Disclosure) -> None:
        self._seen = seen
        rows = [(seen.unit_of[row], number, row) for number, part in enumerate(seen.class_records) for row in part]
        rows.sort()
        self._units = np.array([unit for unit, _, _ in rows], dtype=np.int64)
        self._class_of = np.array([number for _, number, _ in rows], dtype=np.int64)
        chances = seen.chances([seen.secrets[row] for _, _, row in rows])
        self._starts = np.concatenate(([0], np.cumsum([len(row) for row in chances]))).astype(np.int64)
        flat = [pair for row in chances for pair in row]
        numbers = {node: index for index, node in enumerate(sorted({node for node, _ in flat}))}
        self._columns = np.array([numbers[node] for node, _ in flat], dtype=np.int64)
        self._misses = np.array([1.0 - float(chance) for _, chance in flat])
        self._n_columns = len(numbers)

    def guesses(self, patterns: Ints) -> npt.NDArray[np.float64]:
        seen = self._seen
        best: npt.NDArray[np.float64] = best_guesses(
            np.ascontiguousarray(patterns, dtype=np.int32),
            seen.nodes,
            seen.offsets,
            seen.ends,
            self._class_of,
            self._units,
            self._starts,
            self._columns,
            self._misses,
            self._n_columns,
        )
        return best


def _drawn(seen: Disclosure, known: int, attackers: int, rng: np.random.Generator) -> Ints:
    """For each attacker nodes of one record in order, -1 behind the last; of a generalized label a leaf under it."""
    classes = np.repeat(np.arange(len(seen.class_records)), [len(part) for part in seen.class_records])
    if len(classes) == 0:
        return np.empty((0, known), dtype=np.int32)
    victims = classes[rng.integers(len(classes), size=attackers)]
    lengths = np.diff(seen.offsets)[victims]
    ranks = rng.random((attackers, int(lengths.max())))
    ranks[np.arange(ranks.shape[1]) >= lengths[:, None]] = np.inf
    chosen = np.argsort(ranks, axis=1)[:, :known]
    there = np.take_along_axis(ranks, chosen, axis=1) < np.inf
    chosen = np.sort(np.where(there, chosen, ranks.shape[1]), axis=1)
    there = chosen < ranks.shape[1]
    nodes = seen.nodes[seen.offsets[victims][:, None] + np.where(there, chosen, 0)]
    below = {node: [seen.number[leaf] for leaf in seen.leaves(seen.names[node])] for node in set(nodes[there].tolist())}
    leaves = [below[node] for node in nodes[there].tolist()]
    patterns = np.full((attackers, known), -1, dtype=np.int32)
    inside = np.full(there.shape, -1, dtype=np.int32)
    inside[there] = [
        options[int(pick * len(options))] for options, pick in zip(leaves, rng.random(len(leaves)), strict=True)
    ]
    patterns[:, : inside.shape[1]] = inside
    return patterns
