"""Re-identification by visits that are known with their times."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from sfumato.attacks.audit.audit import Audit
from sfumato.attacks.base import Attack, Finding
from sfumato.attacks.view.setting import AttackSetting
from sfumato.attacks.view.targets import drawn_seed
from sfumato.data import Trajectories
from sfumato.data.base import Progress
from sfumato.errors import MissingKnowledge, counted
from sfumato.params import param

__all__ = ["TimedVisits", "with_times_as_places"]


@dataclass(frozen=True, kw_only=True)
class TimedVisits(Attack):
    """Identify a person by `known` visits whose times are known to a precision.

    Notes
    -----
    A visit is known as a place and the stretch of `precision_s` seconds that it falls into, counted from time 0: an
    hour, a day.  The anonymity set is all who were there then, for all known visits; the figures are those of `Audit`
    (the spatio-temporal points of de Montjoye et al., 2013).  No release made here publishes times, so this attack is
    about the data as they are, or about a dataset whose times were published elsewhere.

    Examples
    --------
    >>> walks = Trajectories.from_frame({"trajectory": [1, 1, 2, 2], "location": ["a", "b", "a", "b"],
    ...                                  "time": [0, 3600, 60, 9000]})
    >>> TimedVisits(known=1).run(AttackSetting.of(walks)).mean, TimedVisits(known=2).run(AttackSetting.of(walks)).mean
    (1.0, 1.0)
    >>> TimedVisits(known=2, precision_s=86400).run(AttackSetting.of(walks)).mean
    0.5
    """

    name: ClassVar[str] = "timed-visits"
    title: ClassVar[str] = "re-identification by visits with times"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    idea: ClassVar[str] = "identifies a person by a few visits and their times"
    against: ClassVar[bool] = False

    known: int = param(2, at_least=1, at_most=20, help="how many visits the attacker knows")
    precision_s: float = param(3600.0, above=0, help="precision of the known times, in seconds")

    def unfit(self, setting: AttackSetting) -> str | None:
        data = setting.releases[0].data if setting.releases else setting.original
        if setting.original.kind in self.kinds and getattr(data, "times", None) is None:
            what = "the release has" if setting.releases else "these data have"
            return f"{self.name} needs times of visits, and {what} none"
        return super().unfit(setting)

    def run(self, setting: AttackSetting, *, seed: int | None = None, progress: Progress | None = None) -> Finding:
        data = setting.releases[0].data if setting.releases else setting.original
        timed = with_times_as_places(data, self.precision_s)
        seed = drawn_seed(seed)
        findings = Audit(known=self.known, ordered=False).run(timed, seed=seed, progress=progress)
        risks = findings.of(self.known)
        return Finding(
            self.name,
            self.title,
            f"{counted(self.known, 'visit')} of a person, each with its time to {self.precision_s:g} seconds",
            "the probability of identifying the person among all who were there at these times, given the most "
            "identifying visits",
            1.0 / risks.set_sizes,
            of=len(findings.knowable),
            unit=data.unit,
            settled=risks.settled,
            seed=seed,
            baseline=1 / max(1, len(findings.knowable)),
            facts={
                "random_mean": findings.figure("risk_random"),
                "alone_random": findings.figure("unique_random"),
                "smallest_anonymity_set": int(risks.set_sizes.min()) if len(risks) else None,
            },
            notes=tuple(findings.notes),
        )


def with_times_as_places(data: Trajectories, precision_s: float) -> Trajectories:
    """The same visits, each to a place at a stretch of time.

    >>> walks = Trajectories.from_frame({"trajectory": [1, 1], "location": ["a", "a"], "time": [10, 70]})
    >>> with_times_as_places(walks, 60).to_lists()
    [['a@0', 'a@1']]
    """
    if data.times is None:
        raise MissingKnowledge("timed-visits: needs times of visits, these data have none")
    stretch = np.floor(data.times / precision_s).astype(np.int64)
    pairs, codes = np.unique(np.column_stack((data.codes.astype(np.int64), stretch)), axis=0, return_inverse=True)
    labels = np.array([f"{data.names[place]}@{when}" for place, when in pairs.tolist()])
    names, rank = np.unique(labels, return_inverse=True)
    return replace(
        data,
        codes=rank.reshape(-1)[codes.reshape(-1)].astype(np.int32),
        names=tuple(str(name) for name in names),
        times=None,
        places=None,
        taxonomy=None,
        members={},
    )
