"""`sfumato.anonymize`: run a method, by its name or as an object."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from sfumato.api.inputs import Source, dataset_of, promise_of
from sfumato.catalogue import method_class
from sfumato.data import Dataset
from sfumato.data.base import Progress
from sfumato.errors import ParameterError
from sfumato.methods.base import Method, PublishedT_co
from sfumato.methods.release import Release
from sfumato.privacy import PrivacyModel

__all__ = ["anonymize"]


@overload
def anonymize(
    data: Source,
    method: Method[PublishedT_co],
    *,
    seed: int | None = None,
    progress: Progress | None = None,
    promises: Sequence[PrivacyModel | str] = (),
) -> Release[PublishedT_co]: ...
@overload
def anonymize(
    data: Source,
    method: str,
    *,
    seed: int | None = None,
    progress: Progress | None = None,
    promises: Sequence[PrivacyModel | str] = (),
    **parameters: object,
) -> Release[Dataset]: ...


def anonymize(
    data: Source,
    method: Method[Dataset] | str,
    *,
    seed: int | None = None,
    progress: Progress | None = None,
    promises: Sequence[PrivacyModel | str] = (),
    **parameters: object,
) -> Release[Dataset]:
    """Transform the data so that a promise holds, check the promise, and return the release.

    Parameters
    ----------
    data
        A dataset, a frame of any make, a release or a file; `sfumato.read` takes the options that a file may need.
    method
        A method such as ``SeqAnon(k=5, m=2)``, or the name of one.
    seed
        Repeats a run exactly.
    progress
        Called as ``progress(phase, done, total)``.
    promises
        Further privacy models that the release must keep, or texts such as ``"l-diversity:l=3"``.  The method does not
        work towards them; they are checked, and are guarantees of the release.
    parameters
        Those of the method, where it is given by name.

    Examples
    --------
    >>> from sfumato import Trajectories, anonymize
    >>> walks = Trajectories.from_lists(["ab", "ab", "ac"], places={"a": (0, 0), "b": (5, 0), "c": (6, 0)})
    >>> anonymize(walks, "seqanon", k=2, m=1)
    <Release by SeqAnon(k=2, m=1, rounds=False, suppression=0.0): ..., every promise holds>
    """
    chosen: Method[Dataset]
    if isinstance(method, Method):
        if parameters:
            raise ParameterError(f"anonymize: {method.name} has its parameters already; leave {_names(parameters)} out")
        chosen = method
    elif not isinstance(method, str):
        raise ParameterError(f"anonymize: wanted a method or its name after the data, found a {type(method).__name__}")
    else:
        chosen = method_class(method).from_json(parameters)
    models = [promise_of("anonymize", promise, {}) for promise in promises]
    return chosen.anonymize(dataset_of(data, kind=chosen.kind), seed=seed, progress=progress, promises=models)


def _names(parameters: dict[str, object]) -> str:
    return ", ".join(repr(name) for name in parameters)
