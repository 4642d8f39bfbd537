"""Attribute inference: an attacker who knows some facts about a person infers a sensitive value of theirs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.attacks.base import Attack, Finding
from sfumato.attacks.reidentify import sensitive_codes
from sfumato.attacks.view.choices import Choices
from sfumato.attacks.view.published_view import Knowledge, PublishedView, in_both
from sfumato.attacks.view.setting import AttackSetting
from sfumato.attacks.view.targets import drawn_seed, elements_of
from sfumato.data import Chunks, Dataset, Mixed, Table
from sfumato.data.base import Ints, Progress
from sfumato.data.ragged import Ragged
from sfumato.data.tables.encoding import texts_of
from sfumato.errors import counted
from sfumato.params import JsonObject, param
from sfumato.remedies import with_remedy

__all__ = ["Inference"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Inference(Attack):
    """Infer a sensitive place, item or column of a person from `known` other visits or items.

    Notes
    -----
    The attacker knows `known` visits (in order) or items of a person that are not sensitive, of a row its
    quasi-identifiers, and finds all whose published records fit.  Success is the probability that the attacker then
    gives to the true value of the target: the share of the anonymity set that may have it; a label for several
    sensitive places or items counts for each.  Targets have a sensitive value and something else that
    can be known; of several sensitive values the one with the highest probability counts, and of all choices of
    background knowledge the one that gives most.  In sensitive columns of a table every value is sensitive.

    Every choice about every target is tried as long as `budget` allows.  Beyond it `targets` records are drawn, and of
    a record with more than `tries` choices that many are drawn, if not even all choices about these records can be
    tried; the finding then states that it is not exact.

    The baseline is the prior: the share of the whole release that has it, which anyone can see.

    For tables the facts also give how few different values a set has left (`fewest_values`), how many equally likely
    ones that would be by their entropy (`fewest_effective`), and how far the distribution of a set is from that of the
    whole release (`largest_shift`, half the sum of differences; `largest_ordered_shift`, the earth mover's distance of
    numbers by rank).

    Examples
    --------
    >>> people = Table({"age": [30, 30, 31, 31], "ill": ["flu", "hiv", "flu", "flu"]}, sensitive=("ill",))
    >>> found = Inference().run(AttackSetting.of(people, people.published()[0]))
    >>> found.worst, found.facts["fewest_values"], round(found.baseline, 3)
    (1.0, 1, 0.625)
    """

    name: ClassVar[str] = "inference"
    title: ClassVar[str] = "inference of a sensitive value"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories", "transactions", "table", "mixed")
    idea: ClassVar[str] = "infers a sensitive value of a person from other known values"

    known: int = param(2, at_least=0, at_most=20, help="how many visits or items the attacker knows")
    of: str = param(
        "everything",
        choices=("everything", "elements", "columns"),
        help="whether sensitive places or items, sensitive columns, or both are inferred",
    )
    targets: int = param(
        2000, at_least=1, help="how many records with a sensitive value are attacked where not all can be; at random"
    )
    tries: int = param(
        10, at_least=1, help="how many random choices of background knowledge are tried where not all can be"
    )
    budget: int = param(
        50_000, at_least=0, help="how many choices of background knowledge may be tried for an exact answer"
    )

    def unfit(self, setting: AttackSetting) -> str | None:
        original = setting.original
        if original.kind not in self.kinds:
            return super().unfit(setting)
        if isinstance(setting.release.data, Chunks):
            return f"{self.name} needs whole records, and chunks do not show which parts belong to one record"
        if not (self._inferred_codes(original) or self._columns(original)):
            return with_remedy(f"{self.name} needs sensitive values, these data name none", "name-sensitive")
        return None

    def run(self, setting: AttackSetting, *, seed: int | None = None, progress: Progress | None = None) -> Finding:
        original, seen, seed = setting.original, setting.seen, drawn_seed(seed)
        rng = np.random.default_rng(seed)
        columns = _Columns(original, seen, self._columns(original))
        items = _Items(original, seen, self._inferred_codes(original))
        holders = np.arange(len(original)) if columns.names else items.holders(self.known)
        choices = Choices(original, self.known, self.tries, self.budget, without=items.secrets)
        targets, every = choices.targets(holders, self.targets, rng)
        successes, prior = np.zeros(len(targets)), np.zeros(len(targets))
        settled = np.ones(len(targets), dtype=bool)
        for row, record in enumerate(targets.tolist()):
            if progress is not None and row % 100 == 0:
                progress(self.name, row, len(targets))
            settled[row] = choices.is_settled(record, every)
            for known in choices.about(record, rng, every) or [Knowledge()]:
                matching = seen.fitting(known)
                set_size = seen.set_size(matching)
                if set_size == 0:
                    continue
                best = max(
                    [*items.probabilities(record, matching, set_size), *columns.probabilities(record, matching)],
                    default=(0.0, 0.0),
                )
                successes[row], prior[row] = max(successes[row], best[0]), max(prior[row], best[1])
        return Finding(
            self.name,
            self.title,
            self._knowledge(original),
            "the probability that the attacker gives to the true sensitive value",
            successes,
            of=len(holders),
            baseline=float(prior.mean()) if len(prior) else 0.0,
            beside="The frequencies in the whole release alone give it",
            settled=settled,
            seed=seed,
            facts=columns.facts(),
            notes=("Anonymity sets are counted in records, because persons are not known here.",)
            * (original.persons is not None and seen.unit == "record"),
        )

    def _inferred_codes(self, original: Dataset) -> frozenset[int]:
        return frozenset() if self.of == "columns" else sensitive_codes(original)

    def _columns(self, original: Dataset) -> tuple[str, ...]:
        table = _table(original)
        return tuple(table.sensitive) if isinstance(table, Table) and self.of != "elements" else ()

    def _knowledge(self, original: Dataset) -> str:
        kinds = {
            "trajectories": f"{counted(self.known, 'visit')} of a person in order",
            "transactions": f"{counted(self.known, 'item')} of a person",
            "table": "all quasi-identifiers of a person's row",
            "mixed": f"all quasi-identifiers of a person's row and {self.known} of their items",
        }
        return f"{kinds[original.kind]}, none of it sensitive"


def _table(original: Dataset) -> Any:
    return original.table if isinstance(original, Mixed) else original


class _Items:
    """Sensitive places or items."""

    def __init__(self, original: Ragged | Mixed, seen: PublishedView, asked: frozenset[int]) -> None:
        self.secrets = sensitive_codes(original)  # the attacker knows none of them
        self._asked = asked
        self._original, self._seen = original, seen
        self._everybody = seen.set_size(np.arange(len(seen)))

    def holders(self, known: int) -> Ints:
        """The records with a sensitive value and, unless there is a row, something else that can be known."""
        part = self._original.items if isinstance(self._original, Mixed) else self._original
        record = part.record_of_element()
        records = np.unique(record[np.isin(part.codes, list(self._asked))])
        if known and not isinstance(self._original, Mixed):
            records = in_both(records, np.unique(record[~np.isin(part.codes, list(self.secrets))]))
        return records

    def probabilities(self, record: int, fitting: Ints, set_size: int) -> list[tuple[float, float]]:
        """For each sensitive value of a record the share of the anonymity set that may have it, and of the release."""
        if not self._asked or self._seen.labels is None:
            return []
        probabilities = []
        for sensitive in sorted(self._asked & set(elements_of(self._original, record).tolist())):
            with_it = self._seen.labels.records_with(sensitive)
            both = in_both(fitting, with_it)
            probabilities.append(
                (self._seen.set_size(both) / set_size, self._seen.set_size(with_it) / max(1, self._everybody))
            )
        return probabilities


class _Columns:
    """Sensitive columns of a table."""

    def __init__(self, original: Dataset, seen: PublishedView, names: tuple[str, ...]) -> None:
        table = _table(original)
        self.names = names
        self._seen = seen
        self._private: list[Ints] = []
        self._public: list[Ints] = []
        self._sizes: list[int] = []
        self._ordered: list[Ints | None] = []
        published = _table(seen.data)
        for column in self.names:
            texts = [texts_of(part_table[column]).cast(pl.String) for part_table in (table, published)]
            number = {value: index for index, value in enumerate(pl.concat(texts).unique().sort().to_list())}
            self._private.append(np.array([number[value] for value in texts[0].to_list()], dtype=np.int64))
            self._public.append(np.array([number[value] for value in texts[1].to_list()], dtype=np.int64))
            self._sizes.append(len(number))
            self._ordered.append(_as_numbers(list(number), texts[1]))
        self._whole = [self._shares(index, np.arange(len(seen))) for index in range(len(self.names))]
        self._known: dict[bytes, list[Floats]] = {}
        self.fewest, self.effective, self.shift, self.ordered = 0, 0.0, 0.0, 0.0

    def _shares(self, index: int, rows: Ints) -> Floats:
        """The share of each value among some rows; a person counts once for each of their values."""
        values = self._public[index][rows]
        if self._seen.unit == "person":
            values = np.unique(np.column_stack((self._seen.units[rows], values)), axis=0)[:, 1]
        return np.bincount(values, minlength=self._sizes[index]) / max(1, len(values))

    def probabilities(self, record: int, fitting: Ints) -> list[tuple[float, float]]:
        """For each sensitive column the share of the anonymity set, and of the release, with the value of a record."""
        if not self.names:
            return []
        key = fitting.tobytes()
        if key not in self._known:
            self._known[key] = [self._shares(index, fitting) for index in range(len(self.names))]
            for index, shares in enumerate(self._known[key]):
                present = shares[shares > 0]
                effective = float(np.exp(-np.sum(present * np.log(present))))
                self.fewest = min(self.fewest or len(present), len(present))
                self.effective = min(self.effective or effective, effective)
                apart = shares - self._whole[index]
                self.shift = max(self.shift, float(np.abs(apart).sum() / 2))
                order = self._ordered[index]
                if order is not None:
                    steps = max(1, len(order) - 1)
                    self.ordered = max(self.ordered, float(np.abs(np.cumsum(apart[order])).sum() / steps))
        return [
            (float(shares[self._private[index][record]]), float(self._whole[index][self._private[index][record]]))
            for index, shares in enumerate(self._known[key])
        ]

    def facts(self) -> JsonObject:
        if not self.names:
            return {}
        return {
            "fewest_values": self.fewest,
            "fewest_effective": round(self.effective, 6),
            "largest_shift": round(self.shift, 6),
            "largest_ordered_shift": round(self.ordered, 6)
            if all(order is not None for order in self._ordered)
            else None,
        }


def _as_numbers(values: list[Any], published: pl.Series) -> Ints | None:
    """The values that occur in the release in the order of the numbers they are, a missing one first."""
    column = pl.Series(values, dtype=pl.String)
    numbers = column.cast(pl.Float64, strict=False)
    if numbers.null_count() > column.null_count():
        return None
    present = np.flatnonzero(column.is_in(published.unique().implode(), nulls_equal=True).to_numpy())
    return present[np.argsort(numbers.fill_null(-np.inf).to_numpy()[present], kind="stable")]
