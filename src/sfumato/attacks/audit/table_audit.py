"""The audit of a table: equivalence classes, prosecutor, journalist and marketer risk, column sets, disclosure."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, fsum

import numpy as np
import numpy.typing as npt

from sfumato.attacks.audit.attribute_disclosure import disclosure_of
from sfumato.attacks.audit.coded_columns import CodedColumns, class_sizes, sizes_in_population
from sfumato.attacks.audit.items_in_classes import KnownItems, risks_in_classes
from sfumato.attacks.audit.minimal_uniques import find_minimal_uniques
from sfumato.attacks.audit.population_models import PopulationEstimate, estimate_population
from sfumato.attacks.audit.table_risks import AttackerRisk, PopulationTable, TableRisks
from sfumato.data import Dataset, Mixed, Table
from sfumato.data.base import Ints, Progress
from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.params import Declared, exact, param

__all__ = ["TableAudit"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class TableAudit(Declared):
    """Measure the risks of a table, or of mixed records, for an attacker who knows the quasi-identifiers.

    Notes
    -----
    An equivalence class is all records with the same quasi-identifiers.  Its size is the number of different persons
    in it, or of records where persons are unknown; the class of a person is the smallest one that holds a record of
    theirs.  A missing value is a value of its own, which matches other missing values only, as in ARX.  In sdcMicro it
    matches every value, which makes classes larger: the figures here are never below those.

    Prosecutor, journalist and marketer risk are those of El Emam and Dankar [1]_, as ARX computes them.  With f the
    size of a class in the data and F in the population, prosecutor risk is 1/f, journalist risk 1/F, and marketer risk
    the mean of 1/F over all units.  Without a population, F is f.  With the size of the population only, 1/F is
    estimated; see `sfumato.attacks.audit.population_models`.

    A minimal sample unique is a set of columns on which a record is unique, while it is unique on no smaller part of
    the set [2]_.  All sets of up to `largest_set` columns are examined.

    References
    ----------
    .. [1] K. El Emam, F. K. Dankar, "Protecting privacy using k-anonymity", JAMIA 15(5), 2008.
    .. [2] M. J. Elliot, A. M. Manning, R. W. Ford, "A computational algorithm for handling the special uniques
       problem", Int. J. of Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 2002.

    Examples
    --------
    >>> people = Table({"age": [30, 30, 30, 41], "sex": ["f", "f", "m", "m"]})
    >>> risks = TableAudit().run(people)
    >>> risks.prosecutor.average, risks.unique
    (0.75, 2)
    """

    threshold: float = param(
        0.2,
        above=0,
        at_most=1,
        help="risk above which a record is at risk; 0.2 is an equivalence class of fewer than 5",
    )
    inference: float = param(
        0.9, above=0, at_most=1, help="probability from which a sensitive value counts as inferred"
    )
    largest_set: int = param(3, at_least=1, at_most=3, help="how many columns a minimal sample unique may have at most")
    population_size: int | None = param(
        None, at_least=1, help="number of persons in the population of which the table is a sample"
    )

    @property
    def largest_at_risk(self) -> int:
        """The largest class whose risk is above the threshold."""
        return ceil(1 / exact(self.threshold)) - 1

    def run(
        self,
        data: Dataset,
        *,
        population: Table | None = None,
        known: int = 2,
        budget: int = 200_000_000,
        seed: int | None = None,
        progress: Progress | None = None,
    ) -> TableRisks:
        """Audit a table, or mixed records with up to `known` known items; population : a table of the population."""
        table = data.table if isinstance(data, Mixed) else data
        if not isinstance(data, Table | Mixed) or not isinstance(table, Table):
            raise DataError(f"TableAudit: fits tables and mixed records, got {data.kind}")
        if not table.quasi_identifiers:
            raise DataError("audit: wanted at least one quasi-identifier, found none", remedy="name-quasi-identifiers")
        if population is not None and self.population_size is not None:
            raise ParameterError("TableAudit: takes a table of the population or its size, got both")
        coded = CodedColumns.of(table, table.quasi_identifiers)
        classes, n_classes = coded.classes()
        sizes = class_sizes(classes, n_classes, coded.units, coded.n_units)
        set_sizes = _smallest(sizes[classes], coded)
        about, journalist, average = self._population(table, population, coded, classes, sizes, set_sizes)
        items = None
        if isinstance(data, Mixed):
            items = self._known_items(data, coded, classes, set_sizes, known, budget, seed, progress)
        return TableRisks(
            audit=self,
            data=data,
            coded=coded,
            class_sizes=sizes,
            set_sizes=set_sizes,
            journalist_risks=journalist,
            attackers=self._attackers(set_sizes, journalist, average, about),
            population=about,
            uniques=find_minimal_uniques(coded, min(self.largest_set, len(coded.columns)), progress=progress),
            disclosures=tuple(
                disclosure_of(table, column, coded, classes, n_classes, self.inference) for column in table.sensitive
            ),
            known_items=None if items is None else tuple(items),
        )

    def _population(
        self,
        table: Table,
        population: Table | None,
        coded: CodedColumns,
        classes: Ints,
        sizes: Ints,
        set_sizes: Ints,
    ) -> tuple[PopulationTable | PopulationEstimate | None, Floats, float]:
        """What is known about the population, the journalist risk of each unit, and the average of ARX."""
        if population is not None:
            _require_columns(population, coded.columns)
            of_data, of_population = sizes_in_population(table, population, coded.columns)
            larger = np.maximum(of_data, of_population)
            of_class = np.zeros(len(sizes), dtype=np.int64)
            of_class[classes] = larger
            lacking = coded.units_with(of_population < of_data)
            smallest = _smallest(larger, coded)
            risks = 1 / smallest
            average = max(len(sizes) / max(1, int(of_class.sum())), _mean(risks))
            about = PopulationTable(len(population), lacking, int((smallest[set_sizes == 1] == 1).sum()))
            return about, risks, average
        if self.population_size is None:
            return None, 1 / set_sizes, _mean(1 / set_sizes)
        if self.population_size < coded.n_units:
            who = "records" if table.persons is None else "persons"
            raise ParameterError(
                f"TableAudit: population_size must be at least the {coded.n_units:,} {who} of the data, "
                f"got {self.population_size:,}"
            )
        estimate = estimate_population(sizes, self.population_size)
        risks = estimate.risks(set_sizes)
        return estimate, risks, _mean(risks)

    def _attackers(
        self, set_sizes: Ints, journalist: Floats, average: float, about: PopulationTable | PopulationEstimate | None
    ) -> tuple[AttackerRisk, ...]:
        above = int((set_sizes <= self.largest_at_risk).sum())
        prosecutor = AttackerRisk.of("prosecutor", 1 / set_sizes, _mean(1 / set_sizes), above, exact=True)
        if isinstance(about, PopulationEstimate):
            above = int((journalist > self.threshold).sum())
        else:  # the risks are 1 / (whole numbers)
            above = int((np.rint(1 / journalist) <= self.largest_at_risk).sum())
        is_exact = about is None or (isinstance(about, PopulationTable) and about.lacking == 0)
        return (
            prosecutor,
            AttackerRisk.of("journalist", journalist, average, above, exact=is_exact),
            AttackerRisk("marketer", None, _mean(journalist), None, None, exact=is_exact),
        )

    def _known_items(
        self,
        data: Mixed,
        coded: CodedColumns,
        classes: Ints,
        set_sizes: Ints,
        known: int,
        budget: int,
        seed: int | None,
        progress: Progress | None,
    ) -> list[KnownItems]:
        return risks_in_classes(
            classes,
            data.items.codes,
            data.items.offsets,
            coded.units,
            set_sizes,
            known=known,
            largest_at_risk=self.largest_at_risk,
            budget=budget,
            seed=seed,
            progress=progress,
        )


def _smallest(sizes_of_rows: Ints, coded: CodedColumns) -> Ints:
    """Of each unit, the smallest of its rows' numbers."""
    smallest = np.full(coded.n_units, np.iinfo(np.int64).max, dtype=np.int64)
    np.minimum.at(smallest, coded.units, sizes_of_rows)
    return smallest


def _mean(values: Floats) -> float:
    """The mean, which does not depend on the order of the values."""
    return fsum(values) / len(values) if len(values) else 0.0


def _require_columns(population: Table, columns: tuple[str, ...]) -> None:
    for column in columns:
        if column not in population.frame.columns:
            raise DataError(
                f"the population: wanted a column {column!r}, found none; "
                f"{did_you_mean(column, population.frame.columns)}"
            )
