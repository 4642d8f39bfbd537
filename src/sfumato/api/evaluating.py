"""`sfumato.evaluate`: what a release has kept of the original."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.api.inputs import Source, dataset_of, opened, original_of
from sfumato.experiments.evaluation import Evaluation
from sfumato.experiments.evaluation import evaluate as evaluate_release
from sfumato.io.published import Published
from sfumato.methods.release import Release
from sfumato.utility.base import Measure

__all__ = ["evaluate"]


def evaluate(
    original: Source,
    release: Source,
    measures: str | Measure | Sequence[str | Measure] = (),
    *,
    estimate: str = "share",
) -> Evaluation:
    """Measure what a release has kept of the original; the figures are about the private data, so they are private.

    Parameters
    ----------
    original
        The private data: a dataset, a frame or a file.
    release
        A release, a published directory, or published data.
    measures
        One or several measures such as ``Are(queries=200)``, or their names, with parameters as in
        ``"are:queries=200"``; all that fit the data if none is named.
    estimate
        How the counts of single values, and measures given by name, count generalized items: ``"share"`` (j items under
        a label of n as n^-j) or ``"subsets"`` (every non-empty subset of a label equally probable).

    Examples
    --------
    >>> from sfumato import Trajectories, anonymize, evaluate
    >>> walks = Trajectories.from_lists(["ab", "ab", "ac"], places={"a": (0, 0), "b": (5, 0), "c": (6, 0)})
    >>> evaluate(walks, anonymize(walks, "seqanon", k=2, m=1), ["generalized"]).to_json()["measures"]
    {'generalized': 1.0}
    """
    chosen = [measures] if isinstance(measures, str | Measure) else measures
    release = opened(release)
    private = original_of(original, release)
    if not isinstance(release, Release | Published):
        release = dataset_of(release)
    return evaluate_release(private, release, chosen, estimate)
