"""`sfumato.verify`: check a published directory, a release or any data again."""

from __future__ import annotations

from collections.abc import Collection
from os import PathLike
from pathlib import Path

from sfumato.api.inputs import STRICT, Source, dataset_of, original_of, promise_of
from sfumato.data import Dataset
from sfumato.errors import CallerError, ParameterError
from sfumato.io.published import Published
from sfumato.io.published import read as read_published
from sfumato.methods.release import Release
from sfumato.privacy import PrivacyModel
from sfumato.verification import Check
from sfumato.verification import verify as verify_directory

__all__ = ["verify"]

_TOLD = ("quasi-identifiers", "sensitive", "network")  # what a file does not say without options


def verify(
    release: Source,
    *promises: PrivacyModel | str,
    original: Source | None = None,
    report: str | Path | None = None,
    claimed: Collection[str] = (),
    **parameters: object,
) -> Check:
    """Check a release without trusting its publisher, or check promises on any data.

    Parameters
    ----------
    release
        A published directory or a release; with `promises`, any data.
    promises
        What to check on the data as they are, such as ``KmAnonymity(k=5, m=2)``, or the name of one.
    original
        The private data.  Roles, sensitive flags, owners, taxonomy, policies and persons then come from them.
    report
        The private report of the run, whose correspondence is used after it was checked.
    claimed
        What the original only repeats from the release: "quasi-identifiers", "sensitive", "network".
    parameters
        Those of the promise, where it is given by name.

    Examples
    --------
    >>> from sfumato import Trajectories, verify
    >>> from sfumato.privacy import KmAnonymity
    >>> verify(Trajectories.from_lists([["a", "b"], ["a"]]), KmAnonymity(k=2, m=1)).holds
    False
    """
    models = [promise_of("verify", promise, parameters) for promise in promises]
    if parameters and not promises:
        raise ParameterError(f"verify: {next(iter(parameters))!r} belongs to a promise; name the promise")
    if isinstance(release, str | PathLike) and not promises and not Path(release).is_file():
        release = read_published(Path(release))
    private = None if original is None else original_of(original, release)
    if promises:
        if report is not None:
            raise CallerError("verify: the private report needs a published directory; omit the report or the promises")
        data = dataset_of(release, **STRICT)
        return Check((), tuple((model, model.check(data, private)) for model in models), None)
    if isinstance(release, Release):
        return _of_release(release)
    if not isinstance(release, Published):
        raise CallerError(
            "verify: data without a certificate state no promise; name one to check, such as KmAnonymity(k=5, m=2)"
        )
    stated = () if original is None or isinstance(original, Dataset) else _TOLD
    return verify_directory(release, original=private, report=report, claimed=(*claimed, *stated))


def _of_release(release: Release[Dataset]) -> Check:
    """Every promise of a release that was just made, checked again with all that its run knows."""
    known = release.data.with_persons(release.persons)
    verdicts = tuple(
        (model, model.check(known, release.original))
        if release.budget is None
        else (model, model.check_run(known, release.original, release.budget))
        for model, _ in release.verdicts
    )
    return Check((), verdicts, release.certificate())
