"""Measured promises: for each, the attacks within its assumptions, and whether one of them succeeds."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.attacks.base import Finding
from sfumato.attacks.leaks.search import Leaks
from sfumato.attacks.promises.assumptions import ATTACKS_WITHIN
from sfumato.attacks.promises.promise_result import PromiseResult, unmeasured
from sfumato.attacks.view.setting import AttackSetting
from sfumato.data.base import Progress
from sfumato.errors import counted

__all__ = ["PromiseResult", "weigh", "weigh_directory"]


def weigh(setting: AttackSetting, *, seed: int | None = None, progress: Progress | None = None) -> list[PromiseResult]:
    """Every promise of the release with the results of the attacks within its assumptions.

    >>> from sfumato import SeqAnon, Trajectories
    >>> walks = Trajectories.from_lists([["a", "b"], ["a", "c"], ["a", "b"]], places={"a": (0, 0), "b": (1, 0),
    ...                                                                               "c": (1, 1)})
    >>> setting = AttackSetting.of(walks, SeqAnon(k=3, m=2).anonymize(walks))
    >>> [(one.promised, one.measured, one.beaten) for one in weigh(setting)]
    [('an anonymity set of at least 3', '3', False)]
    """
    why = "the model is not installed here"
    measured = [PromiseResult(name, name, "", "", "", None, why) for name in setting.release.unknown]
    for model in setting.release.models:
        measure = ATTACKS_WITHIN.get(type(model))
        if measure is not None:
            measured += list(measure(setting, model, seed, progress))
            continue
        weighed = list(model.weigh(setting, seed=seed, progress=progress))
        why = "no attack of this version stays within the assumptions of this promise"
        measured += weighed or [unmeasured(model, why)]
    return measured


def weigh_directory(finding: Finding, problems: Sequence[str] = ()) -> PromiseResult:
    """The directory itself: it should hold nothing besides its data, and its files should be those of its certificate.

    problems : the inconsistencies that `published.read` or `verify` found.
    """
    leaks = finding.facts["leaks"]
    measured = counted(len(leaks), "leak") + (f", {counted(len(problems), 'problem')}" if problems else "")
    beaten = bool(leaks or problems)
    return PromiseResult("", "soundness of the directory", Leaks.title, "nothing besides the data", measured, beaten)
