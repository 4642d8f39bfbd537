"""Why a near-total loss happened, in one sentence of figures: rare values, rare combinations, recoding everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import Dataset, Mixed, Table
from sfumato.data.ragged import Ragged, sequence_order
from sfumato.data.tables.encoding import Coding
from sfumato.methods.relational.base import GlobalRecoding
from sfumato.privacy import PrivacyModel
from sfumato.remedies import with_remedy
from sfumato.utility.heavy_losses import HeavyLoss

if TYPE_CHECKING:
    from sfumato.methods.base import Method

__all__ = ["about_rows", "cause_of", "cause_of_column"]

_NEARLY_ALL = 0.5  # share of the rows whose value of a column occurs once, from which on the column is nearly a key

_PLACES = {"location": "places", "item": "items", "road": "roads"}


def cause_of(loss: HeavyLoss, method: Method[Any], original: Dataset) -> str:
    """The cause of a loss; figures of the original, so it is private.

    >>> from sfumato import Cluster
    >>> people = Table({"age": [30, 31, 52, 53]})
    >>> cause_of(HeavyLoss("age", "column", 1.0, ""), Cluster(k=2), people)
    '100 % of the rows have values of age that fewer than 2 rows share'
    """
    if isinstance(original, Mixed):
        original = original.table if about_rows(loss) else original.items.with_persons(original.persons)
    k: int | None = getattr(method, "k", None)
    if k is None:
        return _unlike(method)
    if isinstance(original, Table):
        return _rare_rows(method, original, k)
    if original.kind == "roads" and isinstance(original, Ragged):
        return _rare_records(original, k)
    return _rare_values(method, original, k) if isinstance(original, Ragged) else ""


def cause_of_column(loss: HeavyLoss, original: Dataset) -> str:
    """Why no other parameter avoids the loss of a column: few values are shared, and only the root stands for several.

    Empty if this is not the cause.

    >>> people = Table({"name": ["Ann", "Bob", "Cy"]})
    >>> cause_of_column(HeavyLoss("name", "column", 1.0, ""), people)
    "100 % of the values of name occur once and have no hierarchy, so that '*' is their only \
common label (less is lost without the column); give hierarchies"
    """
    table = original.table if isinstance(original, Mixed) else original
    if loss.measure != "column" or not isinstance(table, Table) or loss.subject not in table.quasi_identifiers:
        return ""
    (attribute,) = (each for each in Coding.of(table).attributes if each.name == loss.subject)
    counts = table[loss.subject].drop_nulls().value_counts()["count"].to_numpy()
    single = int(np.count_nonzero(counts == 1))
    if attribute.ranges or attribute.sizes is not None or attribute.depth.max(initial=0) > 1:
        return ""
    if single < _NEARLY_ALL * len(table):
        return ""
    have = "have no hierarchy" if loss.subject not in table.hierarchies else "have a hierarchy of one level"
    return with_remedy(
        f"{_percent(single, len(table))} of the values of {loss.subject} occur once and {have}, so that "
        f"{attribute.names[0]!r} is their only common label (less is lost without the column)",
        "give-hierarchies",
    )


def about_rows(loss: HeavyLoss) -> bool:
    """Whether a loss is one of rows or columns, not of places or items."""
    return loss.measure == "column" or loss.subject == "rows"


def _unlike(method: Method[Any]) -> str:
    """The cause where no value is rare, or where the promise is not about rare values."""
    model: PrivacyModel = method.guarantees[0]
    return f"{method.name} changes the data until {model.label} holds"


def _rare_rows(method: Method[Any], original: Table, k: int) -> str:
    """The share of the rows whose quasi-identifiers are rare."""
    columns = list(original.quasi_identifiers)
    sizes = original.frame.select(columns).group_by(columns).len("\0rows")["\0rows"].to_numpy()
    if not (sizes < k).any():
        return _unlike(method)
    share = _percent(int(sizes[sizes < k].sum()), len(original))
    what = f"values of {columns[0]}" if len(columns) == 1 else f"a combination of the {len(columns)} quasi-identifiers"
    sentence = f"{share} of the rows have {what} that fewer than {k} rows share"
    if isinstance(method, GlobalRecoding):
        sentence += f"; {method.name} publishes a value under one label in all rows"
    return sentence


def _rare_records(original: Ragged, k: int) -> str:
    """The share of the records that few others equal."""
    starts = np.flatnonzero(original.take(sequence_order(original)).run_starts())
    sizes = np.diff(np.append(starts, len(original)))
    return f"{_percent(int(sizes[sizes < k].sum()), len(original))} of the trajectories occur fewer than {k} times"


def _rare_values(method: Method[Any], original: Ragged, k: int) -> str:
    """The share of the values that few persons or records have."""
    units = original.units[original.record_of_element()].astype(np.int64)
    pairs = np.unique(units * max(1, len(original.names)) + original.codes)
    supports = np.bincount(pairs % max(1, len(original.names)), minlength=len(original.names))
    supports = supports[supports > 0]
    if not (supports < k).any() and getattr(method, "m", 1) < 2:
        return _unlike(method)
    nouns, m = _PLACES[original.attribute], getattr(method, "m", 1)
    rare = int(np.count_nonzero(supports < k))
    units_text = f"{k} {original.unit}s"
    sentence = f"{_percent(rare, len(supports))} of the {nouns} occur with fewer than {units_text}" if rare else ""
    if m > 1 and rare < len(supports):
        together = f"any {m} of them together must occur with {k}"
        sentence = f"{sentence}; {together}" if rare else f"any {m} {nouns} together must occur with {units_text}"
    if method.recodes_globally:
        article = "an" if nouns == "items" else "a"
        sentence += f"; {method.name} publishes {article} {nouns.removesuffix('s')} under one label everywhere"
    return sentence


def _percent(part: int, whole: int) -> str:
    return f"{round(100 * part / max(1, whole))} %"
