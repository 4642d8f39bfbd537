"""Enrichment: undoing generalization with what open data state about places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.attacks.base import Attack, Finding
from sfumato.attacks.enrichment.candidates import Beliefs
from sfumato.attacks.enrichment.described_visits import DescribedVisits
from sfumato.attacks.enrichment.findings import Guesses, SensitiveVisits, sentences
from sfumato.attacks.enrichment.scene import KNOWLEDGE, Assumptions, Scene, attacked
from sfumato.attacks.view.setting import AttackSetting
from sfumato.attacks.view.targets import drawn_seed
from sfumato.data.base import Progress
from sfumato.params import JsonObject, param

__all__ = ["Enrichment"]


@dataclass(frozen=True, kw_only=True)
class Enrichment(Attack):
    """Infer for every generalized visit the place that it was, from facts about the members of its label.

    Notes
    -----
    The attacker has a knowledge base: categories, opening hours, events, popularity and coordinates of places.  A place
    that states opening hours is excluded from a visit at a time when it is closed; a place that states none is never
    excluded.  If the times of visits are known, sequences that would need a higher speed than `fastest_kmh` are
    excluded, exactly, over whole records.  An attacker who knows the category of a visit, or that it was at an event,
    excludes all other members.  Popularity is no filter but a prior: of the remaining members the most probable is the
    guess, ties at random.  Where the popularity of no member is stated, published frequencies are the prior, so that a
    knowledge base which states nothing changes nothing.  A filter that would leave no member of a label is not applied.

    Times come from the release (its times or its time slots) and, with `knowledge` of times, from the original, to
    `precision_s` seconds.  `offset_h` makes local time of them, in which opening hours are stated.

    Success is that the guess is right, for each generalized visit whose true place is known.  The baseline is the same
    attacker without the knowledge base, who guesses by published frequencies.  `uniform` guesses any member.  Where
    true places are not known, the figures are the probabilities that the attacker gives to each guess.

    The facts also hold the success for each kind of background knowledge (`by_knowledge`), the anonymity sets of an
    attacker who knows `known` visits by category, time and event only (`described`), and the probability that a record
    has a sensitive visit (`sensitive_visits`), each with and without the knowledge base.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from sfumato.attacks.view.setting import Exposed
    >>> from sfumato.semantics.publishing.place_facts import PlaceFacts
    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists([["bar"], ["bar"], ["cafe"]])
    >>> release = replace(Trajectories.from_lists([["g"], ["g"], ["g"]]), members={"g": ("bar", "cafe")})
    >>> facts = PlaceFacts.of(popularity={"place": ["bar", "cafe"], "popularity": [50, 20]})
    >>> found = Enrichment().run(AttackSetting.of(walks, Exposed(release, np.arange(3)), facts=facts))
    >>> round(found.mean, 3), found.baseline
    (0.667, 0.5)
    """

    name: ClassVar[str] = "enrichment"
    title: ClassVar[str] = "undoing generalization with a knowledge base"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    idea: ClassVar[str] = "undoes generalization by opening hours, events, popularity and categories of places"
    against: ClassVar[bool] = False

    knowledge: str = param(
        "times", choices=KNOWLEDGE, help="what the attacker knows of each visit of a person, besides the release"
    )
    known: int = param(2, at_least=1, at_most=20, help="how many visits the attacker knows by their description")
    precision_s: float = param(3600.0, above=0, help="precision of the known times, in seconds")
    offset_h: float = param(
        0.0, at_least=-14, at_most=14, help="hours that local time is ahead of the times in the data"
    )
    fastest_kmh: float = param(150.0, above=0, help="the highest speed between two visits, in km/h")
    visits: int = param(
        20_000, at_least=1, help="how many generalized visits are attacked; a random sample if there are more"
    )
    budget: int = param(
        200_000_000,
        at_least=0,
        help="how many members, and pairs of members of neighbouring visits, may be read; beyond it fewer visits are "
        "attacked",
    )

    def unfit(self, setting: AttackSetting) -> str | None:
        if setting.original.kind not in self.kinds:
            return super().unfit(setting)
        if setting.facts is None:
            return f"{self.name} needs a knowledge base with facts about places, and none is given"
        data = attacked(setting)
        if not any(len(members) > 1 for members in data.members.values()):
            what = "this release has" if setting.releases else "these data have"
            return f"{self.name} undoes generalization, and {what} no generalized labels"
        return None

    def run(self, setting: AttackSetting, *, seed: int | None = None, progress: Progress | None = None) -> Finding:
        seed = drawn_seed(seed)
        scene = Scene.of(
            setting,
            Assumptions(self.precision_s, self.offset_h, self.fastest_kmh),
            self.visits,
            self.budget,
            np.random.default_rng(seed),
        )
        levels = [level for level in KNOWLEDGE if scene.has(level)]
        beliefs = {level: scene.beliefs(level) for level in levels}
        blind = Beliefs.independent(scene.blind, scene.sensitive)
        headline = self.knowledge if self.knowledge in beliefs else "nothing"
        guesses = Guesses.of(scene.truth if scene.has_truth else None, scene.drawn, beliefs, blind, headline)
        sensitive = SensitiveVisits.of(beliefs[headline], blind, scene.visited_sensitive, bool(scene.sensitive.any()))
        described = self._described(setting, scene, seed, progress)
        notes = sentences(
            guesses,
            described,
            sensitive,
            known=self.known,
            sampled=scene.sampled,
            original=bool(setting.releases),
            missing=self.knowledge if setting.releases and headline != self.knowledge else "",
        )
        return Finding(
            self.name,
            self.title,
            f"facts about places and {self._known(headline)}",
            "that the place inferred for a generalized visit is right"
            if guesses.measured
            else "the probability that the attacker gives to the place inferred for a generalized visit",
            guesses.successes,
            of=scene.count,
            unit="visit",
            seed=seed,
            baseline=guesses.baseline,
            beside="Without the knowledge base, guessing by published frequencies achieves",
            facts={
                "known_places": int(scene.facts.known.sum()),
                "places": len(scene.facts.names),
                **guesses.to_json(),
                **described,
                **sensitive.to_json(),
            },
            notes=tuple(notes),
        )

    def _described(self, setting: AttackSetting, scene: Scene, seed: int, progress: Progress | None) -> JsonObject:
        if not setting.releases:
            return {}
        visits = DescribedVisits(setting, scene.facts, scene.known_windows, scene.published_windows)
        enriched, plain = (
            visits.attack(self.known, enriched=with_facts, seed=seed, progress=progress) for with_facts in (True, False)
        )
        return {
            "described": {
                name: {
                    "smallest_anonymity_set": finding.facts["smallest_anonymity_set"],
                    "unit": finding.unit,
                    "mean": finding.mean,
                    "worst": finding.worst,
                    "exact": finding.exact,
                    "singled_out": int(np.count_nonzero(finding.successes >= 1.0)),
                    "tried": finding.tried,
                }
                for name, finding in (("enriched", enriched), ("plain", plain))
            }
        }

    def _known(self, level: str) -> str:
        """What the attacker knows besides facts about places, in words."""
        times = f"when each visit was, to {self.precision_s:g} seconds"
        return {
            "nothing": "the release only",
            "times": times,
            "category": "the category of each visited place",
            "event": f"{times}, and whether it was at an event",
            "everything": f"{times}, its category, and whether it was at an event",
        }[level]
