"""The result of the audit of a table: figures, frames and sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.attacks.audit.attribute_disclosure import Disclosure
from sfumato.attacks.audit.coded_columns import CodedColumns, distinction_and_separation
from sfumato.attacks.audit.findings import set_size_classes
from sfumato.attacks.audit.items_in_classes import KnownItems
from sfumato.attacks.audit.minimal_uniques import MinimalUniques
from sfumato.attacks.audit.population_models import PopulationEstimate
from sfumato.data import Mixed, Table
from sfumato.data.base import Ints, missing
from sfumato.params import JsonObject

if TYPE_CHECKING:
    from sfumato.attacks.audit.table_audit import TableAudit

__all__ = ["AttackerRisk", "PopulationTable", "TableRisks"]

_SETS_IN_JSON = 100


@dataclass(frozen=True)
class AttackerRisk:
    """The risks against one attacker; `above` and `highest_count` count units (persons, or records).

    highest, average : of the units' risks.  above : how many exceed the threshold.  highest_count : how many have the
    highest risk.  exact : whether the population is known.  A marketer looks for no single person: only the average.
    """

    name: str
    highest: float | None
    average: float
    above: int | None
    highest_count: int | None
    exact: bool

    @classmethod
    def of(cls, name: str, risks: npt.NDArray[np.float64], average: float, above: int, *, exact: bool) -> AttackerRisk:
        highest = float(risks.max(initial=0.0))
        return cls(name, highest, average, above, int((risks == highest).sum()), exact)

    def to_json(self) -> JsonObject:
        return {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "name"}


@dataclass(frozen=True)
class PopulationTable:
    """A population that was given as a table.

    lacking : how many units of the data have quasi-identifiers that fewer units of the population have.
    uniques_in_data : how many units of the data are unique in the population.
    """

    size: int
    lacking: int
    uniques_in_data: int


@dataclass(frozen=True, eq=False)
class TableRisks:
    """The risks of a table; units are persons, or records where persons are unknown.

    class_sizes : int64[classes].  set_sizes : int64[units], of each unit the smallest class with a record of theirs.
    journalist_risks : float64[units].  known_items : of mixed records, the figures for 0, 1, ... known items.
    """

    audit: TableAudit
    data: Table | Mixed
    coded: CodedColumns
    class_sizes: Ints
    set_sizes: Ints
    journalist_risks: npt.NDArray[np.float64]
    attackers: tuple[AttackerRisk, ...]
    population: PopulationTable | PopulationEstimate | None
    uniques: MinimalUniques
    disclosures: tuple[Disclosure, ...]
    known_items: tuple[KnownItems, ...] | None

    def __repr__(self) -> str:
        return f"<TableRisks: {len(self):,} {self.who}, {self.unique:,} unique>"

    def __len__(self) -> int:
        """How many units there are."""
        return self.coded.n_units

    @property
    def n_records(self) -> int:
        return len(self.coded)

    @property
    def n_classes(self) -> int:
        """How many equivalence classes there are."""
        return len(self.class_sizes)

    @property
    def n_lacking(self) -> int:
        """How many records lack the value of a quasi-identifier."""
        table = self.data.table if isinstance(self.data, Mixed) else self.data
        rows = table.frame.select(pl.any_horizontal(missing(table[name]).alias(name) for name in self.coded.columns))
        return int(rows.to_series().sum())

    @property
    def who(self) -> str:
        """Who is counted, in words."""
        return "records" if self.data.persons is None else "persons"

    @property
    def unique(self) -> int:
        """How many units are sample uniques: no other unit has their quasi-identifiers."""
        return int((self.set_sizes == 1).sum())

    @property
    def prosecutor(self) -> AttackerRisk:
        return self.attackers[0]

    @property
    def journalist(self) -> AttackerRisk:
        return self.attackers[1]

    @property
    def marketer(self) -> AttackerRisk:
        return self.attackers[2]

    @property
    def histogram(self) -> pl.DataFrame:
        """Class sizes: class_size (such as 5-9), smallest, largest, classes, units, share (of the units)."""
        rows = [
            (
                label,
                smallest,
                largest,
                int(((self.class_sizes >= smallest) & (self.class_sizes <= largest)).sum()),
                int(((self.set_sizes >= smallest) & (self.set_sizes <= largest)).sum()),
            )
            for label, smallest, largest in set_size_classes(int(self.class_sizes.max(initial=0)))
        ]
        head = {"class_size": pl.String, "smallest": pl.Int64, "largest": pl.Int64}
        frame = pl.DataFrame(rows, schema={**head, "classes": pl.Int64, "units": pl.Int64}, orient="row")
        return frame.with_columns(share=pl.col("units") / max(1, len(self)))

    @property
    def columns(self) -> pl.DataFrame:
        """One row for each quasi-identifier.

        values : how many there are.  distinction : values / records.  separation : the share of the pairs of records
        with different values.  unique : units that the column singles out by itself.  minimal : units with a minimal
        sample unique that contains the column.  only_with : units that are singled out, but not without the column.
        """
        rows = [
            (
                name,
                int(radix),
                *distinction_and_separation(np.bincount(codes)),
                int(self.uniques.unique[index]),
                self.uniques.with_column(index),
                self.uniques.only_with_column(index),
            )
            for index, (name, radix, codes) in enumerate(
                zip(self.coded.columns, self.coded.radix, self.coded.codes, strict=True)
            )
        ]
        counts = dict.fromkeys(("unique", "minimal", "only_with"), pl.Int64)
        shares = {"distinction": pl.Float64, "separation": pl.Float64}
        return pl.DataFrame(rows, schema={"column": pl.String, "values": pl.Int64, **shares, **counts}, orient="row")

    @property
    def column_sets(self) -> pl.DataFrame:
        """All examined sets of columns, those with the most minimal sample uniques first."""
        order = ["minimal", "unique", "size"]
        return self.uniques.frame.sort(order, descending=[True, True, False], maintain_order=True)

    @property
    def singling_out(self) -> pl.DataFrame:
        """Who is singled out by the best 1, 2 and 3 columns, by any such set, and by all quasi-identifiers.

        Columns: columns (None for any set), size, units, share.
        """
        best = self.uniques.frame.group_by("size", maintain_order=True).first().sort("size")
        rows: list[tuple[list[str] | None, int, int]] = [
            (names, size, unique)
            for size, names, unique, _ in best.select("size", "columns", "unique", "minimal").rows()
        ]
        largest = rows[-1][1]
        rows.append((None, largest, self.uniques.singled_out))
        rows.append((list(self.coded.columns), len(self.coded.columns), self.unique))
        schema: Any = {"columns": pl.List(pl.String), "size": pl.Int64, "units": pl.Int64}
        return pl.DataFrame(rows, schema=schema, orient="row").with_columns(share=pl.col("units") / max(1, len(self)))

    @property
    def people(self) -> pl.DataFrame:
        """One row for each person (or record).  Private: it names them.

        Columns: who; `class_size`; `prosecutor_risk`; `journalist_risk`; `fewest_columns`, how many columns single them
        out (0: more than were examined, or none do); for each sensitive column the probability of their own value.
        """
        fewest = np.full(len(self), 99, dtype=np.int64)
        np.minimum.at(fewest, self.coded.units, np.where(self.uniques.fewest > 0, self.uniques.fewest, 99))
        columns = {
            "class_size": self.set_sizes,
            "prosecutor_risk": 1.0 / self.set_sizes,
            "journalist_risk": self.journalist_risks,
            "fewest_columns": np.where(fewest == 99, 0, fewest),
            **{f"probability of {part.column}": part.probabilities for part in self.disclosures},
        }
        return pl.DataFrame(columns).insert_column(0, self.coded.names)

    @property
    def rules(self) -> list[str]:
        """How to read the figures, in sentences."""
        from sfumato.attacks.audit.table_sentences import rules_of

        return rules_of(self)

    @property
    def notes(self) -> list[str]:
        """What to bear in mind about these figures, in sentences."""
        from sfumato.attacks.audit.table_sentences import notes_of

        return notes_of(self)

    def to_json(self) -> JsonObject:
        """All figures and sentences, as JSON values; nothing about single persons."""
        sets = self.column_sets.filter(pl.col("unique") > 0).head(_SETS_IN_JSON)
        return {
            "kind": self.data.kind,
            "unit": self.data.unit,
            "units": len(self),
            "records": self.n_records,
            "quasi_identifiers": list(self.coded.columns),
            "sensitive": [part.column for part in self.disclosures],
            "parameters": self.audit.to_json(),
            "classes": self.n_classes,
            "smallest_class": int(self.class_sizes.min()) if len(self.class_sizes) else None,
            "unique": self.unique,
            **{attacker.name: attacker.to_json() for attacker in self.attackers},
            "population": None if self.population is None else {**self.population.__dict__},
            "class_sizes": self.histogram.to_dicts(),
            "columns": self.columns.to_dicts(),
            "column_sets": sets.to_dicts(),
            "singling_out": self.singling_out.to_dicts(),
            "disclosure": [part.to_json() for part in self.disclosures],
            "known_items": None if self.known_items is None else [part.to_json() for part in self.known_items],
            "rules": self.rules,
            "notes": self.notes,
        }
