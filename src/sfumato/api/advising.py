"""`sfumato.advise`: the methods that keep a promise, tried and ranked."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.api.inputs import Source, dataset_of, promise_of
from sfumato.experiments.advice.advice import Advice
from sfumato.experiments.advice.advising import advise as advise_on
from sfumato.privacy import PrivacyModel

__all__ = ["advise"]


def advise(
    data: Source,
    promise: PrivacyModel | str,
    care: Sequence[str] = (),
    *,
    seconds: float = 300.0,
    seed: int = 0,
    jobs: int | None = None,
    **parameters: object,
) -> Advice:
    """Try the methods that keep a promise on these data, within a budget of seconds, and recommend one of them.

    Runs have processes of their own.

    Parameters
    ----------
    data
        A dataset, a frame or a file.
    promise
        A privacy model such as ``KmAnonymity(k=5, m=2)``, or the name of one.
    care
        Names of the measures that matter; `are` or the first that fits if none is named.
    seconds
        The budget of time, for everything.
    seed
        Repeats every figure.
    jobs
        How many runs at a time; one for each core if not given.
    parameters
        Those of the promise, where it is given by name.
    """
    model = promise_of("advise", promise, parameters)
    return advise_on(dataset_of(data), model, care, seconds=seconds, seed=seed, jobs=jobs)
