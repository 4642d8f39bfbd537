"""`sfumato.advise`: the methods that keep a promise, tried and ranked."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.api.inputs import Source, dataset_of, promise_of
from sfumato.errors import ParameterError
from sfumato.experiments.advice.advice import Advice
from sfumato.experiments.advice.advising import advise as advise_on
from sfumato.privacy import PrivacyModel
from sfumato.utility.base import Measure

__all__ = ["advise"]


def advise(
    data: Source,
    promise: PrivacyModel | str | Sequence[PrivacyModel | str],
    care: Sequence[str | Measure] = (),
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
        A privacy model such as ``KmAnonymity(k=5, m=2)``, or the name of one, also with its parameters
        (``"km:k=5,m=2"``); or several, all of which a release must keep.
    care
        The measures that matter, or their names; `are` or the first that fits if none is named.
    seconds
        The budget of time, for all runs; compiling a method that is used for the first time comes on top.
    seed
        Repeats every figure.
    jobs
        How many runs at a time; one for each core if not given.
    parameters
        Those of the promise, where a single one is given by name.
    """
    if isinstance(promise, PrivacyModel | str):
        promises = [promise_of("advise", promise, parameters)]
    elif parameters:
        raise ParameterError(f"advise: give the parameters of several promises with each, found {min(parameters)!r}")
    else:
        promises = [promise_of("advise", wanted, {}) for wanted in promise]
    return advise_on(dataset_of(data), promises, care, seconds=seconds, seed=seed, jobs=jobs)
