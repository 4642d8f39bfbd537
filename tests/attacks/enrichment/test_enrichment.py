"""Enrichment: planted cases, nothing learnt, agreement with listing every sequence, refusals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from sfumato.attacks import AttackSetting, Enrichment, Exposed
from sfumato.data import Places, Table, Trajectories
from sfumato.errors import DataError
from sfumato.semantics.publishing.place_facts import PlaceFacts
from tests.twins import enrichment as twin

HOUR = 3600.0
THURSDAY = 3 * 24 * HOUR  # time 0 is a Thursday, in seconds of the week


def walks(visits: list[list[str]], times: list[list[float]] | None = None) -> Trajectories:
    """Planar places on a line: a at 0 m, b at 1,000 m, c at 2,000 m."""
    data = Trajectories.from_lists(visits)
    return data if times is None else replace(data, times=np.concatenate([np.array(row) for row in times]))


def labelled(visits: list[list[str]], members: dict[str, tuple[str, ...]]) -> Exposed:
    return Exposed(replace(Trajectories.from_lists(visits), members=members), np.arange(len(visits)))


G = {"g": ("a", "b", "c")}


def open_from(place: str, opens_h: float, closes_h: float) -> dict[str, list[object]]:
    return {"place": [place], "opens_s": [THURSDAY + opens_h * HOUR], "closes_s": [THURSDAY + closes_h * HOUR]}


def run(setting: AttackSetting, **parameters: object):
    return Enrichment(**parameters).run(setting, seed=1)


def test_opening_hours_leave_one_of_three() -> None:
    original = walks([["a"], ["b"]], [[9 * HOUR], [9 * HOUR]])
    hours = pl.concat([pl.DataFrame(open_from(place, 18, 23)) for place in ("b", "c")])
    setting = AttackSetting.of(original, labelled([["g"], ["g"]], G), facts=PlaceFacts.of(hours=hours))
    found = run(setting)
    assert found.successes.tolist() == [1.0, 0.0]  # b was visited when it is closed: the stated hours are wrong
    assert found.facts["certain"] == 1.0
    assert found.facts["excluded_true_places"] == 1
    assert "its facts are wrong or out of date" in " ".join(found.sentences)
    assert found.baseline == found.facts["uniform"] == pytest.approx(1 / 3)
    assert found.facts["by_knowledge"]["nothing"] == pytest.approx(1 / 3)  # without times, hours say nothing


def test_a_knowledge_base_that_misleads_is_said_to() -> None:
    original = walks([["a"], ["a"]])
    release = labelled([["g"], ["g"]], {"g": ("a", "b")})
    for liked, misled in (("b", True), ("a", False)):
        other = {"a": "b", "b": "a"}[liked]
        facts = PlaceFacts.of(popularity={"place": [liked, other], "popularity": [9.0, 1.0]})
        found = run(AttackSetting.of(original, release, facts=facts))
        assert found.mean == (0.0 if misled else 1.0)
        assert ("the risk is at least that of guessing" in " ".join(found.sentences)) == misled


def test_a_place_without_stated_hours_is_never_excluded() -> None:
    original = walks([["a"]], [[9 * HOUR]])
    facts = PlaceFacts.of(hours=open_from("c", 18, 23))
    found = run(AttackSetting.of(original, labelled([["g"]], G), facts=facts))
    assert found.mean == pytest.approx(1 / 2)
    assert found.facts["certain"] == 0.0


def test_opening_hours_on_published_time_slots() -> None:
    original = walks([["a@09"], ["b@09"]])
    release = labelled([["g"], ["g"]], {"g": ("a@09", "b@09", "c@09")})
    hours = pl.concat([pl.DataFrame(open_from(place, 18, 23)) for place in ("b", "c")])
    found = run(AttackSetting.of(original, release, facts=PlaceFacts.of(hours=hours)), known=1)
    assert found.successes.tolist() == [1.0, 0.0]
    assert list(found.facts["by_knowledge"]) == ["nothing"]


def test_local_time_is_ahead() -> None:
    original = walks([["a"]], [[20 * HOUR]])
    hours = pl.concat([pl.DataFrame(open_from("a", 22, 23)), pl.DataFrame(open_from("b", 20, 21))])
    setting = AttackSetting.of(original, labelled([["g"]], {"g": ("a", "b")}), facts=PlaceFacts.of(hours=hours))
    assert run(setting).mean == 0.0
    assert run(setting, offset_h=2).mean == 1.0


def test_an_event_leaves_one_of_three() -> None:
    original = walks([["b"], ["b"]], [[20 * HOUR], [50 * HOUR]])
    events = {"place": ["b", "c"], "begin": [19 * HOUR, 90 * HOUR], "end": [22 * HOUR, 92 * HOUR]}
    facts = PlaceFacts.of(events=events)
    setting = AttackSetting.of(original, labelled([["g"], ["g"]], G), facts=facts)
    assert run(setting, knowledge="event").successes.tolist() == pytest.approx([1.0, 1 / 3])
    assert run(setting).mean == pytest.approx(1 / 3)


def test_a_category_leaves_one_of_three() -> None:
    facts = PlaceFacts.of(
        categories={"place": ["a", "b", "c"], "category": ["clinic", "bar", "pub"]},
        classes={"place": ["c"], "class": ["bar"]},
        sensitive=["a"],
    )
    setting = AttackSetting.of(walks([["a"], ["b"], ["c"]]), labelled([["g"]] * 3, G), facts=facts)
    found = run(setting, knowledge="category", known=1)
    assert found.successes.tolist() == pytest.approx([1.0, 1 / 2, 1.0])  # a pub is a bar, too
    sensitive = found.facts["sensitive_visits"]
    assert sensitive["enriched"] == {
        "mean": 1 / 3,
        "certain": 1,
        "certain_and_right": 1,
        "mean_of_visitors": 1.0,
        "mean_of_others": 0.0,
    }
    assert sensitive["plain"]["mean"] == pytest.approx(1 / 3)
    assert sensitive["plain"]["certain"] == 0
    assert sensitive["visited"] == 1


def test_popularity_is_a_prior_and_no_filter() -> None:
    facts = PlaceFacts.of(popularity={"place": ["a", "b"], "popularity": [9, 3]})
    setting = AttackSetting.of(walks([["a"], ["b"]]), labelled([["g"], ["g"]], G), facts=facts)
    found = run(setting)
    assert found.successes.tolist() == [1.0, 0.0]
    assert found.facts["certain"] == 0.0


def test_places_too_far_apart_for_their_times_are_excluded() -> None:
    places = Places.planar({"a": (0, 0), "b": (100_000, 0), "c": (200_000, 0)})
    original = walks([["a", "a"]], [[0.0, HOUR]])
    release = labelled([["a", "g"]], G)
    found = run(AttackSetting.of(original, release, facts=PlaceFacts.of(places=places)), precision_s=60, fastest_kmh=50)
    assert found.mean == found.facts["certain"] == 1.0
    slower = run(AttackSetting.of(original, release, facts=PlaceFacts.of(places=places)))
    assert slower.facts["certain"] == 0.0


def test_where_nothing_is_stated_nothing_is_learnt() -> None:
    visits = [["a", "x"], ["b"], ["c", "a"], ["x"]]
    release = labelled([["a", "x"], ["g"], ["g", "h"], ["x"]], {**G, "h": ("a", "x")})
    original = walks(visits, [[0.0, HOUR], [0.0], [0.0, HOUR], [0.0]])
    for knowledge in ("nothing", "times", "category", "event", "everything"):
        found = run(AttackSetting.of(original, release, facts=PlaceFacts.of()), knowledge=knowledge)
        assert found.mean == found.baseline
        assert set(found.facts["by_knowledge"].values()) == {found.baseline}
        described = found.facts["described"]
        assert described["enriched"] == described["plain"]
        assert "sensitive_visits" not in found.facts


def test_without_an_original_the_attackers_own_probabilities_are_shown() -> None:
    release = replace(Trajectories.from_lists([["g"]]), members=G)
    facts = PlaceFacts.of(popularity={"place": ["a", "b", "c"], "popularity": [2, 1, 1]}, sensitive=["a"])
    found = run(AttackSetting.of(release, facts=facts))
    assert found.mean == 0.5
    assert found.baseline == pytest.approx(1 / 3)
    assert found.facts["sensitive_visits"]["enriched"]["mean"] == 0.5
    assert "described" not in found.facts
    assert "probabilities that the attacker gives" in " ".join(found.sentences)


def test_what_it_does_not_fit() -> None:
    facts = PlaceFacts.of()
    plain = walks([["a"]])
    assert "needs a knowledge base" in str(Enrichment().unfit(AttackSetting.of(plain, labelled([["g"]], G))))
    assert "no generalized labels" in str(Enrichment().unfit(AttackSetting.of(plain, plain, facts=facts)))
    assert "fits trajectories" in str(Enrichment().unfit(AttackSetting.of(Table({"age": [1]}), facts=facts)))


def test_facts_about_other_places_are_refused() -> None:
    facts = PlaceFacts.of(popularity={"place": ["elsewhere"], "popularity": [1]})
    with pytest.raises(DataError, match="about none of the 3 places"):
        run(AttackSetting.of(walks([["a"]]), labelled([["g"]], G), facts=facts))


def test_a_sample_says_so() -> None:
    setting = AttackSetting.of(walks([["a"]] * 40), labelled([["g"]] * 40, G), facts=PlaceFacts.of())
    found = run(setting, visits=5)
    assert (found.tried, found.of, found.exact) == (5, 40, False)
    assert run(setting, visits=5).successes.tolist() == found.successes.tolist()
    assert run(setting, budget=30).tried == 10  # three members each


@pytest.mark.parametrize("seed", range(12))
def test_as_listing_every_sequence(seed: int) -> None:
    rng = np.random.default_rng(seed)
    case = RandomCase(rng)
    found = run(case.setting, precision_s=1800, fastest_kmh=40, known=2)
    expected = case.successes(times=True)
    assert found.successes.tolist() == pytest.approx(expected)
    assert found.facts["by_knowledge"]["nothing"] == pytest.approx(float(np.mean(case.successes(times=False))))
    assert found.facts["sensitive_visits"]["enriched"]["mean"] == pytest.approx(float(np.mean(case.flagged)))
    described = found.facts["described"]
    sizes = twin.smallest_sets(case.descriptions, case.possible, 2)
    assert described["enriched"]["mean"] == pytest.approx(float(np.mean([1 / size if size else 0 for size in sizes])))
    everywhere = [[set(case.names)] * len(visits) for visits in case.visits]
    sizes = twin.smallest_sets(everywhere, case.possible, 2)
    assert described["plain"]["mean"] == pytest.approx(float(np.mean([1 / size if size else 0 for size in sizes])))


class RandomCase:
    """A few records with times, labels over six places, and facts about most of them."""

    names = tuple("abcdef")
    members = {"g": ("a", "b", "c"), "h": ("c", "d", "e"), "i": ("e", "f")}  # noqa: RUF012

    def __init__(self, rng: np.random.Generator) -> None:
        self.visits, self.times, self.labels = [], [], []
        for _ in range(6):
            length = int(rng.integers(1, 4))
            row = [str(name) for name in rng.choice(list(self.names), length)]
            self.visits.append(row)
            self.times.append(np.sort(rng.uniform(0, 10 * HOUR, length)).tolist())
            self.labels.append([self._label(place, rng) for place in row])
        self.labels[0][0], self.visits[0][0] = "g", "a"
        self.points = {name: tuple(rng.uniform(0, 60_000, 2).tolist()) for name in self.names}
        self.popularity = {name: float(rng.integers(1, 9)) for name in rng.choice(list(self.names), 3, replace=False)}
        self.hours = {
            str(name): [(THURSDAY + (begin := rng.uniform(0, 9) * HOUR), THURSDAY + begin + 3 * HOUR)]
            for name in rng.choice(list(self.names), 3, replace=False)
        }
        self.category = {name: str(rng.choice(["x", "y"])) for name in self.names}
        self.sensitive = {"c", "f"}
        self._believe()

    def _label(self, place: str, rng: np.random.Generator) -> str:
        choices = [place, *(label for label, members in self.members.items() if place in members)]
        return str(rng.choice(choices))

    @property
    def setting(self) -> AttackSetting:
        rows = [(place, *span) for place, spans in self.hours.items() for span in spans]
        facts = PlaceFacts.of(
            hours=pl.DataFrame(rows, schema=["place", "opens_s", "closes_s"], orient="row"),
            popularity={"place": list(self.popularity), "popularity": list(self.popularity.values())},
            categories={"place": list(self.category), "category": list(self.category.values())},
            places=Places.planar(self.points),
            sensitive=self.sensitive,
        )
        return AttackSetting.of(walks(self.visits, self.times), labelled(self.labels, self.members), facts=facts)

    def windows(self, record: int) -> list[tuple[float, float]]:
        return [(time // 1800 * 1800, time // 1800 * 1800 + 1800) for time in self.times[record]]

    def _marginals(self, record: int, times: bool) -> tuple[list[dict[str, float]], float]:
        count = twin.frequencies(self.labels, self.members)
        visits = []
        for label, window in zip(self.labels[record], self.windows(record), strict=True):
            weights = twin.weights_of(self.members.get(label, (label,)), count, self.popularity)
            if times:
                weights = twin.filtered(weights, lambda place, window=window: twin.is_open(self.hours, place, *window))
            visits.append(weights)
        return twin.beliefs_of_record(visits, self.windows(record) if times else None, self.points, 40, self.sensitive)

    def successes(self, *, times: bool) -> list[float]:
        return [
            twin.success(marginal, place)
            for record, visits in enumerate(self.visits)
            for label, place, marginal in zip(
                self.labels[record], visits, self._marginals(record, times)[0], strict=True
            )
            if label in self.members
        ]

    def _believe(self) -> None:
        generalized = [record for record, row in enumerate(self.labels) if set(row) & set(self.members)]
        self.flagged = [self._marginals(record, times=True)[1] for record in generalized]
        self.possible = [[set(self.members.get(label, (label,))) for label in row] for row in self.labels]
        self.descriptions = [
            [
                {
                    name
                    for name in self.names
                    if self.category[name] == self.category[place] and twin.is_open(self.hours, name, *window)
                }
                for place, window in zip(visits, self.windows(record), strict=True)
            ]
            for record, visits in enumerate(self.visits)
        ]
