"""Promises beside what was measured: for each, the attacks that it allows for, and whether one of them beats it."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.attacks.base import Finding, Progress
from sfumato.attacks.leaks.search import Leaks
from sfumato.attacks.promises.assumptions import INSIDE
from sfumato.attacks.promises.promise_result import Weighed, unmeasured
from sfumato.attacks.view.setting import Scene

__all__ = ["Weighed", "weigh", "weigh_directory"]


def weigh(scene: Scene, *, seed: int | None = None, progress: Progress | None = None) -> list[Weighed]:
    """Every promise of the release beside the attacks inside its assumptions.

    >>> from sfumato import SeqAnon, Trajectories
    >>> walks = Trajectories.from_lists([["a", "b"], ["a", "c"], ["a", "b"]], places={"a": (0, 0), "b": (1, 0),
    ...                                                                               "c": (1, 1)})
    >>> scene = Scene.of(walks, SeqAnon(k=3, m=2).anonymize(walks))
    >>> [(one.promised, one.measured, one.beaten) for one in weigh(scene)]
    [('a crowd of 3 or more', '3', False)]
    """
    found = []
    for model in scene.release.models:
        inside = INSIDE.get(model.name)
        if inside is None:
            found.append(unmeasured(model, "no attack of this version stays inside this promise"))
        else:
            found += list(inside(scene, model, seed, progress))
    return found


def weigh_directory(found: Finding, problems: Sequence[str] = ()) -> Weighed:
    """The directory itself: it should hold nothing beside its data, and its files should be those of its certificate.

    problems : what `published.read` or `verify` found not to fit together.
    """
    leaks = found.facts["leaks"]
    measured = f"{len(leaks)} leaks" + (f", {len(problems)} problems" if problems else "")
    beaten = bool(leaks or problems)
    return Weighed("", "soundness of the directory", Leaks.title, "nothing beside the data", measured, beaten)
