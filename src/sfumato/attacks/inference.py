"""Attribute inference: what sensitive thing does somebody have, asks who knows something else about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.attacks.base import Attack, Finding, Progress
from sfumato.attacks.reidentify import secret_codes
from sfumato.attacks.view.published_view import Knowledge, Seen, in_both
from sfumato.attacks.view.setting import Scene
from sfumato.attacks.view.targets import chosen, elements_of, known_pieces
from sfumato.data import Chunks, Mixed, Table
from sfumato.data.base import Ints
from sfumato.data.tables.encoding import texts_of
from sfumato.params import param

__all__ = ["Inference"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Inference(Attack):
    """Infer a sensitive place, item or column of somebody from `known` other pieces.

    Notes
    -----
    The attacker knows `known` visits (in order) or items of somebody that are not sensitive, of a row its
    quasi-identifiers, and finds all whose published records fit.  Success is the probability that the attacker then
    gives to what the target really has: the share of the crowd that (perhaps) has it, a label that stands for several
    sensitive places or items counting for each.  Attacked is whoever has something sensitive and something else that
    can be known; somebody with several secrets is attacked for the one that is told most.  The worst of `tries` choices
    of pieces counts.  In sensitive columns of a table every value is a secret.

    The baseline is the prior: the share of the whole release that has it, which everybody may see.

    For tables the facts also say how few different values a crowd has left (`fewest_values`), how many equally likely
    ones that would be by their entropy (`fewest_effective`), and how far a crowd's distribution is from that of the
    whole release (`largest_shift`, half the sum of differences; `largest_ordered_shift`, the earth mover's distance of
    numbers by rank).

    Examples
    --------
    >>> people = Table({"age": [30, 30, 31, 31], "ill": ["flu", "hiv", "flu", "flu"]}, sensitive=("ill",))
    >>> found = Inference().run(Scene.of(people, people.published()[0]))
    >>> found.worst, found.facts["fewest_values"], round(found.baseline, 3)
    (1.0, 1, 0.625)
    """

    name: ClassVar[str] = "inference"
    title: ClassVar[str] = "inference of something sensitive"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories", "transactions", "table", "mixed")
    idea: ClassVar[str] = "infers something sensitive of somebody from other things that are known"

    known: int = param(2, at_least=0, at_most=20, help="how many visits or items the attacker knows")
    of: str = param(
        "everything",
        choices=("everything", "pieces", "columns"),
        help="whether sensitive places or items (pieces), sensitive columns, or both are inferred",
    )
    targets: int = param(2000, at_least=1, help="how many records with something sensitive are attacked")
    tries: int = param(10, at_least=1, help="how many random choices of pieces are tried for each target")

    def unfit(self, scene: Scene) -> str | None:
        original = scene.original
        if original.kind not in self.kinds:
            return super().unfit(scene)
        if isinstance(scene.release.data, Chunks):
            return f"{self.name} needs records, and in chunks nobody sees which parts belong together"
        if not (self._pieces(original) or self._columns(original)):
            return f"{self.name} needs to know what is sensitive, and nothing is named so; --sensitive"
        return None

    def run(self, scene: Scene, *, seed: int | None = None, progress: Progress | None = None) -> Finding:
        original, seen = scene.original, scene.seen
        rng = np.random.default_rng(seed)
        columns = _Columns(original, seen, self._columns(original))
        items = _Items(original, seen, self._pieces(original))
        holders = np.arange(len(original)) if columns.names else items.holders(self.known)
        some = holders[chosen(len(holders), self.targets, rng)]
        found, prior = np.zeros(len(some)), np.zeros(len(some))
        for row, record in enumerate(some.tolist()):
            if progress is not None and row % 100 == 0:
                progress(self.name, row, len(some))
            for _ in range(1 if isinstance(original, Table) else self.tries):
                known = known_pieces(original, record, self.known, rng, without=items.secrets) or Knowledge()
                fitting = seen.fitting(known)
                crowd = seen.crowd(fitting)
                if crowd == 0:
                    continue
                told = [*items.told(record, fitting, crowd), *columns.told(record, fitting)]
                best = max(told, default=(0.0, 0.0))
                if best[0] > found[row]:
                    found[row] = best[0]
                prior[row] = max(prior[row], best[1])
        return Finding(
            self.name,
            self.title,
            self._knowledge(original),
            "the probability that the attacker gives to what the person really has",
            found,
            of=len(holders),
            baseline=float(prior.mean()) if len(prior) else 0.0,
            beside="What the whole release shows everybody already gives it",
            facts=columns.facts(),
            notes=("Crowds are counted in records, as persons are not known here.",)
            * (original.persons is not None and seen.unit == "record"),
        )

    def _pieces(self, original: Any) -> frozenset[int]:
        return frozenset() if self.of == "columns" else secret_codes(original)

    def _columns(self, original: Any) -> tuple[str, ...]:
        table = _table(original)
        return tuple(table.sensitive) if isinstance(table, Table) and self.of != "pieces" else ()

    def _knowledge(self, original: Any) -> str:
        kinds = {
            "trajectories": f"{self.known} visits of somebody in order",
            "transactions": f"{self.known} items of somebody",
            "table": "all quasi-identifiers of somebody's row",
            "mixed": f"all quasi-identifiers of somebody's row and {self.known} of their items",
        }
        return f"{kinds[original.kind]}, nothing of it sensitive"


def _table(original: Any) -> Any:
    return original.table if isinstance(original, Mixed) else original


class _Items:
    """Sensitive places or items."""

    def __init__(self, original: Any, seen: Seen, asked: frozenset[int]) -> None:
        self.secrets = secret_codes(original)  # none of them is known
        self._asked = asked
        self._original, self._seen = original, seen
        self._everybody = seen.crowd(np.arange(len(seen)))

    def holders(self, known: int) -> Ints:
        """The records with something sensitive and, unless there is a row, something else that can be known."""
        part = self._original.items if isinstance(self._original, Mixed) else self._original
        record = part.record_of_element()
        found = np.unique(record[np.isin(part.codes, list(self._asked))])
        if known and not isinstance(self._original, Mixed):
            found = in_both(found, np.unique(record[~np.isin(part.codes, list(self.secrets))]))
        return found

    def told(self, record: int, fitting: Ints, crowd: int) -> list[tuple[float, float]]:
        """For each secret of a record the share of the crowd that may have it, and of everybody."""
        if not self._asked or self._seen.labels is None:
            return []
        found = []
        for secret in sorted(self._asked & set(elements_of(self._original, record).tolist())):
            with_it = self._seen.labels.records_with(secret)
            both = in_both(fitting, with_it)
            found.append((self._seen.crowd(both) / crowd, self._seen.crowd(with_it) / max(1, self._everybody)))
        return found


class _Columns:
    """Sensitive columns of a table."""

    def __init__(self, original: Any, seen: Seen, names: tuple[str, ...]) -> None:
        table = _table(original)
        self.names = names
        self._seen = seen
        self._private: list[Ints] = []
        self._public: list[Ints] = []
        self._sizes: list[int] = []
        self._ordered: list[Ints | None] = []
        published = _table(seen.data)
        for column in self.names:
            texts = [texts_of(one[column]).cast(pl.String) for one in (table, published)]
            number = {value: at for at, value in enumerate(pl.concat(texts).unique().sort().to_list())}
            self._private.append(np.array([number[value] for value in texts[0].to_list()], dtype=np.int64))
            self._public.append(np.array([number[value] for value in texts[1].to_list()], dtype=np.int64))
            self._sizes.append(len(number))
            self._ordered.append(_as_numbers(list(number), texts[1]))
        self._whole = [self._shares(at, np.arange(len(seen))) for at in range(len(self.names))]
        self._known: dict[bytes, list[Floats]] = {}
        self.fewest, self.effective, self.shift, self.ordered = 0, 0.0, 0.0, 0.0

    def _shares(self, at: int, rows: Ints) -> Floats:
        """The share of each value among some rows; a person counts once for each of their values."""
        values = self._public[at][rows]
        if self._seen.unit == "person":
            values = np.unique(np.column_stack((self._seen.units[rows], values)), axis=0)[:, 1]
        return np.bincount(values, minlength=self._sizes[at]) / max(1, len(values))

    def told(self, record: int, fitting: Ints) -> list[tuple[float, float]]:
        """For each sensitive column the share of the crowd, and of everybody, with the value of a record."""
        if not self.names:
            return []
        key = fitting.tobytes()
        if key not in self._known:
            self._known[key] = [self._shares(at, fitting) for at in range(len(self.names))]
            for at, shares in enumerate(self._known[key]):
                present = shares[shares > 0]
                effective = float(np.exp(-np.sum(present * np.log(present))))
                self.fewest = min(self.fewest or len(present), len(present))
                self.effective = min(self.effective or effective, effective)
                apart = shares - self._whole[at]
                self.shift = max(self.shift, float(np.abs(apart).sum() / 2))
                order = self._ordered[at]
                if order is not None:
                    steps = max(1, len(order) - 1)
                    self.ordered = max(self.ordered, float(np.abs(np.cumsum(apart[order])).sum() / steps))
        return [
            (float(shares[self._private[at][record]]), float(self._whole[at][self._private[at][record]]))
            for at, shares in enumerate(self._known[key])
        ]

    def facts(self) -> dict[str, Any]:
        if not self.names:
            return {}
        return {
            "fewest_values": self.fewest,
            "fewest_effective": round(self.effective, 6),
            "largest_shift": round(self.shift, 6),
            "largest_ordered_shift": round(self.ordered, 6) if all(one is not None for one in self._ordered) else None,
        }


def _as_numbers(values: list[Any], published: pl.Series) -> Ints | None:
    """The values that occur in the release in the order of the numbers they are, a missing one first."""
    column = pl.Series(values, dtype=pl.String)
    numbers = column.cast(pl.Float64, strict=False)
    if numbers.null_count() > column.null_count():
        return None
    present = np.flatnonzero(column.is_in(published.unique().implode(), nulls_equal=True).to_numpy())
    return present[np.argsort(numbers.fill_null(-np.inf).to_numpy()[present], kind="stable")]
