"""Evaluating a release from its files: measures, generalized values, and relative differences of counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from sfumato.catalogue import MEASURES, measure_class
from sfumato.data import Chunks, Dataset, Mixed, Table, original_kind
from sfumato.data.base import Tabular
from sfumato.data.ragged import Ragged
from sfumato.errors import CallerError, DataError, FileError, ParameterError
from sfumato.html import card_html
from sfumato.io.published.directory import Published, as_published
from sfumato.methods.release import Release
from sfumato.params import JsonObject
from sfumato.remedies import keep_remedy
from sfumato.threads import side_by_side
from sfumato.utility.base import Measure, PublishedOnly, Released, Score
from sfumato.utility.estimates import EstimatedCounts
from sfumato.utility.generalized_values import generalized_values
from sfumato.utility.measure_texts import measure_values
from sfumato.utility.measuring import distinct_names
from sfumato.utility.relative_differences import relative_differences

if TYPE_CHECKING:
    import altair as alt

__all__ = [
    "Evaluation",
    "evaluate",
    "measures_for",
    "named_measure",
    "promised_k",
    "require_same_words",
    "unknown_members",
]


@dataclass(frozen=True, eq=False)
class Evaluation(Tabular):
    """The result of `evaluate`; it is private, because it is computed from the original.

    scores : each measure with its figure.  unmeasured : by measure, a sentence that names what is missing.
    labels : attribute, label, records, members of every generalized value.
    differences : attribute, value, original, published, relative_difference of every value.
    problems : sentences about files that do not match the certificate, and about unknown members of labels.
    """

    release: str
    kind: str
    scores: tuple[tuple[Measure, Score], ...]
    unmeasured: dict[str, str]
    labels: pl.DataFrame
    differences: pl.DataFrame
    problems: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Evaluation: {len(self.scores)} measures, {len(self.unmeasured)} not measured>"

    def _repr_html_(self) -> str:
        rows = [
            (measure.name, str(score), measure.better, measure.range_text(), measure.meaning)
            for measure, score in self.scores
        ]
        remarks = [*self.problems, *(f"not measured: {sentence}" for sentence in self.unmeasured.values())]
        return card_html(repr(self), ("measure", "value", "better", "range", "meaning"), rows, len(rows), remarks)

    def chart(self) -> alt.TopLevelMixin:
        """The counts of single values before and after, and the sizes of generalized labels."""
        from sfumato.experiments.reports.charts import require_charts
        from sfumato.experiments.reports.evaluation_page import draw_evaluation

        require_charts()
        return draw_evaluation(self, "What a release has kept")

    @property
    def measure_names(self) -> list[str]:
        """The name of each measure, with its parameters where a measure was taken several times."""
        return distinct_names([measure for measure, _ in self.scores])

    @property
    def attributes(self) -> pl.DataFrame:
        """One row per attribute: values, mean_difference, largest_difference, labels, largest_label."""
        off = pl.col("relative_difference")
        differences = self.differences.group_by("attribute", maintain_order=True).agg(
            pl.len().cast(pl.Int64).alias("values"),
            off.mean().alias("mean_difference"),
            off.max().alias("largest_difference"),
        )
        labels = self.labels.group_by("attribute", maintain_order=True).agg(
            pl.len().cast(pl.Int64).alias("labels"), pl.col("members").max().alias("largest_label")
        )
        joined = differences.join(labels, on="attribute", how="left", maintain_order="left")
        return joined.with_columns(pl.col("labels").fill_null(0), pl.col("largest_label").fill_null(1))

    def to_polars(self) -> pl.DataFrame:
        """All figures in one table: about (measure, label or value), attribute, name, figure, value, unit."""
        rows: list[tuple[str, str | None, str | None, str, float, str]] = [
            ("measure", None, name, "value", score.value, score.unit)
            for name, (_, score) in zip(self.measure_names, self.scores, strict=True)
        ]
        for attribute, label, records, members in self.labels.iter_rows():
            rows.append(("label", attribute, label, "records", float(records), ""))
            rows.append(("label", attribute, label, "members", float(members), ""))
        for attribute, value, *figures in self.differences.iter_rows():
            names = ("original", "published", "relative_difference")
            rows += [("value", attribute, value, name, figure, "") for name, figure in zip(names, figures, strict=True)]
        texts = dict.fromkeys(("about", "attribute", "name", "figure"), pl.String)
        return pl.DataFrame(rows, schema={**texts, "value": pl.Float64, "unit": pl.String}, orient="row")

    def to_json(self) -> JsonObject:
        return {
            "measures": {name: score.value for name, (_, score) in zip(self.measure_names, self.scores, strict=True)},
            "unmeasured": self.unmeasured,
            "private": True,
            "release": self.release,
            "kind": self.kind,
            "about": {
                name: {"meaning": measure.meaning, "better": measure.better, "unit": score.unit}
                for name, (measure, score) in zip(self.measure_names, self.scores, strict=True)
            },
            "attributes": self.attributes.to_dicts(),
            "generalized_values": self.labels.to_dicts(),
            "relative_differences": self.differences.to_dicts(),
            "problems": list(self.problems),
        }


def measures_for(kind: str) -> list[str]:
    """The names of the measures that fit data of a kind."""
    return [name for name in MEASURES if kind in measure_class(name).kinds]


def evaluate(
    original: Dataset,
    release: str | Path | Published | Released[Dataset] | Dataset,
    measures: Sequence[str | Measure] = (),
    estimate: str = "share",
) -> Evaluation:
    """Measure the utility of a release, given its original.

    release : a published directory, a `Release`, or published data.
    measures : measures or their names, with parameters as in "are:queries=500"; empty for all that fit the data.
    estimate : how the relative differences, and measures given by name, count generalized items: ``share`` or
        ``subsets``; see ``Transactions.chances``.
    """
    name, released, noisy, problems = _released(release)
    data = released.data
    wanted = original_kind(data.kind)
    if original.kind != wanted:
        raise DataError(f"{name}: wanted an original with {wanted}, found {original.kind}")
    require_same_words(original, data, noisy, name)
    chosen = [named_measure(wanted, estimate) for wanted in measures or measures_for(original.kind)]
    for measure in chosen if measures else ():  # before the first one is computed
        measure.require_data(original)
        measure.require_shape(data.kind)
    scores, unmeasured = [], {}
    works: list[Callable[[], Any]] = [
        lambda: generalized_values(original, data),
        lambda: relative_differences(original, data, estimate),
        *(partial(_scored, measure, original, released) for measure in chosen),
    ]
    labels, differences, *scored = side_by_side(lambda work: work(), works)
    for measure, score in zip(chosen, scored, strict=True):
        if isinstance(score, Score):
            scores.append((measure, score))
        elif measures and not measure.needs_origin:
            raise score
        else:
            unmeasured[measure.name] = keep_remedy(str(score), score)
    problems = (*problems, *unknown_members(original, data))
    return Evaluation(name, data.kind, tuple(scores), unmeasured, labels, differences, problems)


def _scored(measure: Measure, original: Dataset, released: Released[Dataset]) -> Score | CallerError:
    """The value of a measure, or why it has none."""
    try:
        return measure(original, released)
    except CallerError as refusal:
        return refusal


def named_measure(measure: str | Measure, estimate: str = "share") -> Measure:
    """A measure by its name, with parameters as in "are:queries=500"."""
    if isinstance(measure, Measure):
        return measure
    if not isinstance(measure, str):
        raise ParameterError(f"evaluate: wanted a measure or its name, found {type(measure).__name__}")
    name, values = measure_values(measure)
    declared = MEASURES.choose(name)
    defaults = {"estimate": estimate} if issubclass(declared, EstimatedCounts) else {}
    chosen: Measure = declared(**defaults | values)
    return chosen


def _released(
    release: str | Path | Published | Released[Dataset] | Dataset,
) -> tuple[str, Released[Dataset], bool, tuple[str, ...]]:
    """The name of a release, what measures may use of it, whether it holds noise, and problems of its files."""
    if isinstance(release, Dataset):
        return "the published data", PublishedOnly(release), False, ()
    if isinstance(release, str | Path | Published):
        published = as_published(release)
        if published.data is None:
            raise FileError(published.folder, published.problems[0])
        noisy = any(not model.exact_counts for model in published.models)
        k = promised_k(published.certificate.parameters)
        return str(published.folder), PublishedOnly(published.data, k, noisy=noisy), noisy, published.problems
    verdicts = release.verdicts if isinstance(release, Release) else ()
    return "the release", release, any(not model.exact_counts for model, _ in verdicts), ()


def unknown_members(original: Dataset, published: Dataset) -> list[str]:
    """A note if labels have members that are neither in the original nor in its taxonomy."""
    private, public = (data.items if isinstance(data, Mixed) else data for data in (original, published))
    if not isinstance(private, Ragged) or not isinstance(public, Ragged) or not public.members:
        return []
    members = public.members
    tree = getattr(private, "taxonomy", None)
    known = {*private.names, *(() if tree is None else tree.nodes)}
    meant = {member for label in public.names for member in members.get(label, (label,))}
    unknown = len(meant - known)
    if not unknown:
        return []
    many = "does" if unknown == 1 else "do"
    return [
        f"{unknown:,} of the {len(meant):,} members of its labels {many} not occur in the original; check that this is "
        "its original, with its taxonomy"
    ]


def promised_k(parameters: dict[str, Any]) -> int | None:
    """The parameter k in the certificate, or None."""
    k = parameters.get("k")
    return k if isinstance(k, int) and k >= 1 else None


def _columns(data: Dataset) -> list[str]:
    table = data.table if isinstance(data, Mixed) else data
    return list(table.frame.columns) if isinstance(table, Table) else []


def require_same_words(original: Dataset, published: Dataset, noisy: bool, release: str) -> None:
    """Refuse a release of other data: every label needs a member that occurs in the original.

    A differentially private release takes its vocabulary from a list of places or items, so some may not occur.
    """
    if isinstance(original, Table | Mixed):
        before, after = (set(_columns(data)) for data in (original, published))
        if before != after:
            column = min(before ^ after)
            lacking = "it" if column in before else "the original"
            raise DataError(f"{release}: is a release of other data: {lacking} lacks the column {column!r}")
    # the labels of columns are read by their hierarchies, which refuse others
    private, public = (data.items if isinstance(data, Mixed) else data for data in (original, published))
    if not isinstance(private, Ragged) or not isinstance(public, Ragged | Chunks):
        return
    known = set(private.with_used_names().names)
    members = public.members if isinstance(public, Ragged) else {}
    unknown_labels = [label for label in public.names if known.isdisjoint(members.get(label, (label,)))]
    if unknown_labels and (not noisy or len(unknown_labels) == len(public.names)):
        raise DataError(
            f"{release}: is a release of other data: {len(unknown_labels):,} of its {len(public.names):,} labels have "
            f"no member in the original, such as {unknown_labels[0]!r}"
        )
