"""The utility of a release on a cluster: measures that are sums over records, or over counts of labels and patterns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.data.ragged import Ragged
from sfumato.errors import CallerError, DataError, ParameterError, either
from sfumato.experiments.evaluation import (
    Evaluation,
    named_measure,
    promised_k,
    require_same_words,
    unknown_members,
)
from sfumato.io.published.directory import Published
from sfumato.params import JsonObject
from sfumato.remedies import keep_remedy
from sfumato.spark.measures.cells import cell_loss, class_sizes, frequency_differences
from sfumato.spark.measures.items import item_penalty, pair_errors, utility_loss
from sfumato.spark.measures.queries import query_errors, support_divergence
from sfumato.spark.measures.sums import Pair
from sfumato.spark.measures.visits import (
    appearance,
    frequent_pair_errors,
    of_labels,
    pairs_lost,
    semantic_penalty,
    subtrajectories,
    visits_kept,
)
from sfumato.spark.published_data import every_label, trusted_data
from sfumato.spark.records import Records
from sfumato.spark.release import SparkRelease
from sfumato.spark.table_methods import TableRows
from sfumato.utility.base import Measure, PublishedOnly, Score

__all__ = ["ON_SPARK", "ClusterEvaluation", "evaluate", "evaluate_directory", "measures_on_spark"]

_WORK: dict[str, dict[str, Callable[[Any, Pair], Score]]] = {
    "trajectories": {
        "appearance": appearance,
        "are": query_errors,
        "arel": frequent_pair_errors,
        **dict.fromkeys(("distance-percentage", "generalized", "intact", "intact-number"), of_labels),
        "kl": support_divergence,
        "label-size": of_labels,
        "pairs-lost": pairs_lost,
        "semantic-penalty": semantic_penalty,
        "subtrajectories": subtrajectories,
        "visits-kept": visits_kept,
    },
    "transactions": {
        "are": query_errors,
        "item-ncp": item_penalty,
        "kl": support_divergence,
        "re": pair_errors,
        "ul": utility_loss,
    },
    "table": {
        "are": query_errors,
        "class-size": class_sizes,
        "discernibility": class_sizes,
        "frequencies": frequency_differences,
        "granularity": cell_loss,
        "ncp": cell_loss,
    },
}
ON_SPARK = {kind: tuple(works) for kind, works in _WORK.items()}
"""The measures that run on Spark, by kind of data."""


@dataclass(frozen=True, eq=False)
class ClusterEvaluation(Evaluation):
    """The measures of a release on a cluster; it has no counts of single values."""

    def to_json(self) -> JsonObject:
        single = ("attributes", "generalized_values", "relative_differences")
        return {name: value for name, value in super().to_json().items() if name not in single}


def evaluate(
    original: Any,
    release: SparkRelease | Records | TableRows,
    measures: Sequence[str | Measure] = (),
    *,
    columns: dict[str, str] | None = None,
    **knowledge: Any,
) -> ClusterEvaluation:
    """Measure the utility of a release on a cluster, given its original.

    Parameters
    ----------
    original
        A DataFrame of a SparkSession, `Records` or `TableRows`.
    release
        What `anonymize` returned, or published records or rows.
    measures
        Measures or their names, with parameters as in "are:workload=queries.json"; empty for all that run on Spark and
        fit the data.
    columns, knowledge
        Of a DataFrame: other names of its columns, and side knowledge such as ``places=`` or ``hierarchies=``.
    """
    records = release.records if isinstance(release, SparkRelease) else release
    if not isinstance(records, Records | TableRows):
        raise CallerError("spark: published chunks are not measured on Spark; use one machine")
    if not isinstance(original, Records | TableRows):
        original = _of_frame(original, records, columns or {}, knowledge)
    elif knowledge:
        raise ParameterError(f"evaluate: takes {next(iter(knowledge))} together with a DataFrame only")
    if not isinstance(release, SparkRelease):
        return _evaluated("the published data", Pair(original, records, _known(records)), measures, ())
    noisy = any(not model.exact_counts for model, _ in release.verdicts)
    known = _known(records, promised_k(release.method.to_json()), noisy=noisy)
    return _evaluated("the release", Pair(original, records, known), measures, ())


def _of_frame(
    frame: Any, published: Records | TableRows, columns: dict[str, str], knowledge: dict[str, Any]
) -> Records | TableRows:
    """The original of a DataFrame; of a table, the release says what the quasi-identifiers are."""
    if isinstance(published, Records):
        return Records.of_frame(frame, kind=published.kind, columns=columns, **knowledge)
    roles = {"quasi_identifiers": published.quasi_identifiers, "person": columns.get("person"), **knowledge}
    return TableRows.of_frame(frame, **roles)


def evaluate_directory(
    spark: Any,
    folder: str | Path,
    read_original: Callable[[Published, Any], Records | TableRows],
    measures: Sequence[str | Measure] = (),
) -> ClusterEvaluation:
    """Measure the utility of a published directory.

    read_original : makes the original, given the release and the published data.
    """
    published, data = trusted_data(spark, folder)
    original = read_original(published, data)
    noisy = any(not model.exact_counts for model in published.models)
    known = _known(data, promised_k(published.certificate.parameters), noisy=noisy)
    return _evaluated(str(published.folder), Pair(original, data, known), measures, published.problems)


def measures_on_spark(kind: str, measures: Sequence[str | Measure]) -> list[Measure]:
    """The measures by their names; refuses those that do not run on Spark."""
    works = _WORK.get(kind, {})
    chosen = [named_measure(measure) for measure in measures]
    for measure in chosen:
        measure.require_kind(kind)
        if measure.needs_origin:
            raise DataError(f"{measure.name}: needs the run itself", remedy="measure-the-run", measure=measure.name)
        if measure.name not in works:
            raise CallerError(
                f"spark: {measure.name} is not measured on Spark, only {either(list(works))}; use one machine"
            )
    return chosen or [named_measure(name) for name in works]


def _known(data: Records | TableRows, k: int | None = None, *, noisy: bool = False) -> PublishedOnly:
    return PublishedOnly(_labels_of(data), k, noisy=noisy)


def _labels_of(data: Records | TableRows) -> Any:
    """The data without records: what occurs in them."""
    return every_label(data.side) if isinstance(data.side, Ragged) else data.side


def _evaluated(
    release: str, pair: Pair, measures: Sequence[str | Measure], problems: tuple[str, ...]
) -> ClusterEvaluation:
    original, published = _labels_of(pair.original), _labels_of(pair.published)
    if original.kind != published.kind:
        raise DataError(f"{release}: wanted an original with {published.kind}, found {original.kind}")
    chosen = measures_on_spark(original.kind, measures)
    require_same_words(original, published, pair.release.noisy, release)
    scores, unmeasured = [], {}
    for measure in chosen:
        try:
            measure.require_data(original)
            scores.append((measure, _WORK[original.kind][measure.name](measure, pair)))
        except CallerError as refusal:
            if measures:
                raise
            unmeasured[measure.name] = keep_remedy(str(refusal), refusal)
    none = pl.DataFrame(schema={"attribute": pl.String, "label": pl.String, "records": pl.Int64, "members": pl.Int64})
    counts = dict.fromkeys(("original", "published", "relative_difference"), pl.Float64)
    differences = pl.DataFrame(schema={"attribute": pl.String, "value": pl.String, **counts})
    problems = (*problems, *unknown_members(original, published))
    return ClusterEvaluation(release, original.kind, tuple(scores), unmeasured, none, differences, problems)
