"""Which promise fits which attacker: questions in plain words, whose answers lead to the privacy models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["WHICH_PROMISE", "Choice", "Question"]


@dataclass(frozen=True)
class Choice:
    """A privacy model that fits, the attacker whom it is about, and a method that keeps it.

    attacker : who it is, what they know, and what they must not learn.
    method, parameters : an example of a run whose guarantee is the model.
    """

    model: str
    attacker: str
    method: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        method = {"method": self.method, "parameters": dict(self.parameters)}
        return {"promise": self.model, "attacker": self.attacker, **method}


@dataclass(frozen=True)
class Question:
    """A question, and what follows from each answer."""

    text: str
    answers: Mapping[str, Question | Choice]

    def choices(self) -> Iterator[Choice]:
        """Every choice that some answers lead to, in the order of the answers."""
        for then in self.answers.values():
            if isinstance(then, Choice):
                yield then
            else:
                yield from then.choices()

    def to_json(self) -> dict[str, Any]:
        return {"question": self.text, "answers": {answer: then.to_json() for answer, then in self.answers.items()}}


_MOVEMENTS = Question(
    "Who is the attacker?",
    {
        "A person who saw somebody a few times": Question(
            "Are some places sensitive, such as a clinic?",
            {
                "No": Choice(
                    "km",
                    "A neighbour saw you at the station and later at the market. They look for your record, to read "
                    "where else you went. They must match at least k people.",
                    "seqanon",
                    {"k": 5, "m": 2},
                ),
                "Yes, and an attacker knows at most m other visits": Choice(
                    "klm",
                    "A colleague knows two of your visits and suspects a third, to a clinic. They must match at least "
                    "k people, and of these at most one in l may have been at that clinic.",
                    "sga",
                    {"k": 5, "l": 3, "m": 2},
                ),
                "Yes, and an attacker may know all other visits": Choice(
                    "c-safety",
                    "A partner knows your whole day but not the hour at the clinic. From everything else they must not "
                    "infer any sensitive place with a probability above c.",
                    "cast",
                    {"c": 0.4, "group_size": 10},
                ),
            },
        ),
        "A company that observes its own places": Choice(
            "projection",
            "A chain of shops sees every visit of its customers to its own shops. It looks for their trajectories, to "
            "read where else they went. Of all trajectories that look the same to it, at most a share may "
            "visit any one place of others.",
            "mix",
            {"threshold": 0.5},
        ),
        "A person who may know a whole route": Choice(
            "sequence-k",
            "A fellow traveller knows a route of any length. Only routes, and parts of routes, that k original "
            "sequences contain may be published. The release shows frequent routes rather than single people.",
            "bf-p2ka",
            {"k": 10},
        ),
        "Anybody, with any background knowledge": Choice(
            "epsilon",
            "An attacker may know every other record, and may learn more in the future. The release must be nearly as "
            "probable without your record as with it. The published trajectories are synthetic.",
            "ngrams",
            {"epsilon": 1.0},
        ),
    },
)

_ROADS = Question(
    "What must not be possible?",
    {
        "Finding a trip that few people made": Choice(
            "strict-k",
            "A person knows parts of your drive and looks for the published trip that contains them. Each "
            "published trip must occur at least k times in its interval.",
            "icba",
            {"k": 10},
        ),
        "Following a vehicle where a few turn off": Choice(
            "inference-route",
            "A person compares the traffic on two busy roads that meet. If four come and three leave, the fourth "
            "turned off, perhaps where only one house is. At no junction may fewer than k, but some, turn off.",
            "icba",
            {"k": 10},
        ),
    },
)

_TABLES = Question(
    "The attacker knows some columns about a person, such as age and town. Is another column sensitive?",
    {
        "No": Choice(
            "k-anonymity",
            "An employer knows your age, town and occupation and looks for your row. At least k rows must agree on "
            "these columns.",
            "local",
            {"k": 5},
        ),
        "Yes, and several values must remain possible": Choice(
            "l-diversity",
            "An insurer finds the k rows that may be yours and reads the column of diagnoses. There must be at least l "
            "different diagnoses among them.",
            "local",
            {"k": 5, "l": 3},
        ),
        "Yes, and the rows must say little more than the whole table": Choice(
            "t-closeness",
            "An insurer finds the k rows that may be yours and compares their diagnoses with those of all rows. The "
            "two distributions must differ by at most t.",
            "local",
            {"k": 5, "t": 0.3},
        ),
    },
)

_SETS = Question(
    "What does the attacker know?",
    {
        "Up to m items of a person, no matter which": Question(
            "Must every item keep its name?",
            {
                "Yes": Choice(
                    "reconstruction",
                    "A person knows two search terms of yours. Terms must stay exact to be useful. In a possible "
                    "original, at least k records must contain both terms. The release does not say which rare "
                    "terms belong together.",
                    "disassociate",
                    {"k": 5, "m": 2},
                ),
                "No, and no item is sensitive": Choice(
                    "km",
                    "A cashier remembers two things that you bought and looks for your basket. They must match at "
                    "least k people. Items may be published as groups, such as fruit.",
                    "apriori",
                    {"k": 5, "m": 2},
                ),
                "No, and some items are sensitive": Choice(
                    "lm",
                    "A cashier remembers two things that you bought and wants to know whether a test kit was among the "
                    "others. At most one in l of those who match may have bought it.",
                    "apriori",
                    {"k": 5, "m": 2, "l": 3},
                ),
            },
        ),
        "Certain sets of items, which you can list": Choice(
            "policy",
            "A clerk sees bills with certain sets of diagnoses. You list these sets. Each of them must lead to at "
            "least k records or to none. Everything else may stay exact.",
            "coat",
            {"k": 5},
        ),
        "Anything": Choice(
            "epsilon",
            "An attacker may know every other record, and may learn more in the future. The release must be nearly as "
            "probable without your record as with it. The published sets contain noise.",
            "diffpart",
            {"epsilon": 1.0},
        ),
    },
)

_MIXED = Question(
    "The attacker knows some columns about a person. Which items do they know besides?",
    {
        "Up to m items, and no item is sensitive": Choice(
            "kkm",
            "A nurse knows your age and town and two of your diagnoses, and looks for your record. At least k records "
            "must agree on the columns and contain these diagnoses.",
            "rum-bound",
            {"k": 5, "m": 2, "delta": 0.3},
        ),
        "Up to m items, and other items are sensitive": Choice(
            "klm-diversity",
            "A nurse knows your age and town and two of your diagnoses, and suspects a third. At least k records must "
            "match, and at most one in l of them may have the sensitive diagnosis.",
            "rum-bound",
            {"k": 5, "m": 2, "l": 3, "delta": 0.3},
        ),
        "Certain sets of items, which you can list": Choice(
            "k-policy",
            "A nurse knows your age and town, and one of the sets of diagnoses that you list. At least k records must "
            "agree on the columns, and among them each listed set must lead to at least k or to none.",
            "rum-bound",
            {"k": 5, "m": 0, "delta": 0.3, "transaction": "coat"},
        ),
    },
)

WHICH_PROMISE = Question(
    "What is one record?",
    {
        "The places that a person visited": _MOVEMENTS,
        "A drive along roads": _ROADS,
        "A row of a table": _TABLES,
        "A set of items": _SETS,
        "A row of a table with a set of items": _MIXED,
    },
)
