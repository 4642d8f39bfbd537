"""What the example of each data kind holds.  Without Django: a job makes it in its own process.

The records are synthetic and have a fixed seed, so that every example is the same and can be made again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from sfumato.errors import Bug

if TYPE_CHECKING:
    import polars as pl

    from sfumato.data import Dataset, Network, Taxonomy

__all__ = ["BUILDERS", "Content", "dataset_of"]

_SEED = 20
_PEOPLE = 1_200
_CODES, _GROUPS = 48, 8
_TOGETHER = {  # kinds of places that may be generalized together
    "food": "free time",
    "leisure": "free time",
    "shopping": "free time",
    "health": "private matters",
    "politics": "private matters",
    "worship": "private matters",
    "transport": "work and ways",
    "work": "work and ways",
}


@dataclass(frozen=True)
class Content:
    """A frame, how it is read, and its side knowledge.

    reading : options of `sfumato.read`.  trees : hierarchies by column.  frames : places and constraints.  policies :
    rules such as ``all:2``.
    """

    name: str
    frame: pl.DataFrame
    reading: dict[str, Any]
    trees: Mapping[str, Taxonomy] = field(default_factory=dict)
    taxonomy: Taxonomy | None = None
    frames: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    network: Network | None = None
    policies: Mapping[str, str] = field(default_factory=dict)


def _table() -> Content:
    import polars as pl

    from sfumato.generate import Mixed

    people = Mixed(people=_PEOPLE, codes=_CODES, groups=_GROUPS, mean_codes=2.0).make(seed=_SEED)
    groups = [codes[0][0] if codes else None for codes in people.items.to_lists()]
    illness = {"A": "infection", "B": "cancer", "C": "diabetes", "D": "depression"}
    named = pl.Series("illness", [illness.get(group or "", "other") for group in groups])
    frame = people.table.to_polars().drop("income").with_columns(named)
    return Content(
        "patients",
        frame,
        {
            "kind": "table",
            "quasi_identifiers": ["age", "sex", "education", "marital"],
            "sensitive": ["illness"],
        },
        trees=_of_people(),
    )


def _mixed() -> Content:
    from sfumato.generate import Mixed

    people = Mixed(people=_PEOPLE, codes=32, groups=_GROUPS, mean_codes=4.0).make(seed=_SEED)
    return Content(
        "patients with diagnoses",
        people.to_polars().drop("income"),
        {
            "kind": "mixed",
            "items": "diagnoses",
            "quasi_identifiers": ["age", "sex", "education", "marital"],
            "sensitive": ["B1", "D2"],
        },
        trees=_of_people(),
        taxonomy=people.taxonomy,
        policies={"privacy_policy": "all:2", "utility_policy": "siblings:1"},
    )


def _transactions() -> Content:
    from sfumato.data import Taxonomy
    from sfumato.generate import Baskets

    baskets = Baskets(records=_PEOPLE, items=60, mean_size=4.0, patterns=40, pattern_size=3.0).make(seed=_SEED)
    places = range(len(baskets.names))
    paths = [
        (item, f"shelf {1 + place // 6}", f"aisle {1 + place // 12}", "*")
        for place, item in zip(places, baskets.names, strict=True)
    ]
    return Content(
        "baskets",
        baskets.to_polars(),
        {"kind": "transactions"},
        taxonomy=Taxonomy.from_paths(paths),
        policies={"privacy_policy": "all:2", "utility_policy": "siblings:1"},
    )


def _trajectories() -> Content:
    import polars as pl

    from sfumato.generate import Semantic

    generator = Semantic(
        trajectories=_PEOPLE, places=60, persons=600, mean_length=4.0, sensitive=0.1, habit=0.9, routines=10
    )
    days = generator.make(seed=_SEED)
    if days.places is None or days.taxonomy is None:
        raise Bug("the generator makes places and their taxonomy")
    places = days.places.frame
    owners = pl.Series("owner", [f"company {1 + number % 4}" for number in range(len(places))])
    kinds = [days.taxonomy.ancestors(name)[1] for name in places["location"]]
    together = pl.Series("constraint", [_TOGETHER[kind] for kind in kinds])
    return Content(
        "visits",
        days.to_polars(),
        {"kind": "trajectories"},
        taxonomy=days.taxonomy,
        frames={"places": places.with_columns(owners), "constraints": places.select("location", together)},
    )


def _roads() -> Content:
    from sfumato.generate import Roads

    drives = Roads(nodes=36, vehicles=_PEOPLE, distance_km=6.0).make(seed=_SEED)
    return Content("drives", drives.to_polars(), {"kind": "roads"}, network=drives.network)


def _of_people() -> dict[str, Taxonomy]:
    """Public hierarchies of the columns about people."""
    import polars as pl

    from sfumato.data import Taxonomy
    from sfumato.prepare.hierarchies import HierarchyRule

    ages = HierarchyRule(rule="intervals", width=5, fanout=2, domain="0:99")
    return {
        "age": ages.of_column(pl.Series("age", [0, 94])),
        "sex": Taxonomy.from_paths([("F", "*"), ("M", "*")]),
        "education": Taxonomy.from_paths(
            [
                ("none", "at most primary", "*"),
                ("primary", "at most primary", "*"),
                ("secondary", "more than primary", "*"),
                ("tertiary", "more than primary", "*"),
            ]
        ),
        "marital": Taxonomy.from_paths(
            [
                ("single", "never married", "*"),
                ("married", "was or is married", "*"),
                ("divorced", "was or is married", "*"),
                ("widowed", "was or is married", "*"),
            ]
        ),
    }


BUILDERS: dict[str, Callable[[], Content]] = {
    "table": _table,
    "transactions": _transactions,
    "mixed": _mixed,
    "trajectories": _trajectories,
    "roads": _roads,
}
"""What makes the example of each data kind."""


def dataset_of(content: Content) -> Dataset:
    """The dataset with its side knowledge, without files."""
    from sfumato.api.reading import read
    from sfumato.data import Constraints
    from sfumato.prepare.policies import named_policy

    options: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in content.reading.items()
    }
    if content.trees:
        options["hierarchies"] = content.trees
    if content.taxonomy is not None:
        options["taxonomy"] = content.taxonomy
    if content.network is not None:
        options["network"] = content.network
    if "places" in content.frames:
        options["places"] = content.frames["places"]
        options["constraints"] = Constraints.from_frame(content.frames["constraints"])
    data: Any = read(content.frame, **{"notes": [], **options})
    if content.policies:
        items = data.items if data.kind == "mixed" else data
        rules = content.policies
        privacy = named_policy("privacy", rules["privacy_policy"], items)
        data = data.with_policies(privacy, named_policy("utility", rules["utility_policy"], items))
    return cast("Dataset", data)
