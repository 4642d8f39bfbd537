"""Poulis et al., "Anonymizing data with relational and transaction attributes": the customers of Figures 1 to 3."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sfumato import Mixed, RFirst, RumBound, Taxonomy, TFirst, TumBound
from sfumato.data.transactions import Transactions
from sfumato.methods.mixed.basket_similarity import Spreads
from sfumato.privacy import KkmAnonymity

PRODUCTS = Taxonomy(
    {"(A,...,H)": None, "(A,B,C,D)": "(A,...,H)", "(E,F)": "(A,...,H)", "(G,H)": "(A,...,H)"}
    | dict.fromkeys("ABCD", "(A,B,C,D)")
    | dict.fromkeys("EF", "(E,F)")
    | dict.fromkeys("GH", "(G,H)")
)
ORIGINS = Taxonomy(
    {"World": None, "Europe": "World", "Africa": "World"}
    | dict.fromkeys(["France", "Greece", "Germany", "Spain"], "Europe")
    | dict.fromkeys(["Algeria", "Nigeria"], "Africa")
)
GENDERS = Taxonomy({"All": None, "Male": "All", "Female": "All"})


def figure_1a() -> Mixed:
    return Mixed.from_frame(
        {
            "Age": [19, 22, 28, 39, 70, 55],
            "Origin": ["France", "Greece", "Germany", "Spain", "Algeria", "Nigeria"],
            "Gender": ["Male", "Male", "Female", "Female", "Female", "Male"],
            "Products": ["E F B G", "E F D H", "B C E G", "F D H", "E G", "A F H"],
        },
        items="Products",
        taxonomy=PRODUCTS,
        hierarchies={"Origin": ORIGINS, "Gender": GENDERS},
    )


def figure_1b() -> Mixed:
    data = Mixed.from_frame(
        {
            "Age": ["[19:22]", "[19:22]", "[28:39]", "[28:39]", "[55:70]", "[55:70]"],
            "Origin": ["Europe"] * 4 + ["Africa"] * 2,
            "Gender": ["Male"] * 2 + ["Female"] * 2 + ["All"] * 2,
            "Products": ["E F g G", "E F g H", "E g G", "F g H", "E G", "F g H"],
        },
        items="Products",
    )
    return replace(data, items=replace(data.items, members={"g": ("A", "B", "C", "D")}))


def test_figure_1b_is_not_2_2_2_anonymous() -> None:
    verdict = KkmAnonymity(k=2, m=2).check(figure_1b())
    assert verdict.holds is False
    jim = {"values": {"Age": "[55:70]", "Origin": "Africa", "Gender": "All"}, "pattern": ["F"], "support": 1}
    assert jim in verdict.witnesses


def test_figure_1b_is_not_even_2_2_anonymous_in_its_items() -> None:
    from sfumato.privacy import KmAnonymity

    assert {"pattern": ["G", "g"], "support": 2} not in KmAnonymity(k=2, m=2).check(figure_1b().items).witnesses
    assert KmAnonymity(k=2, m=2).check(figure_1b().items).holds is False


def test_rfirst_keeps_the_groups_of_figure_2a() -> None:
    release = RFirst(k=2, m=2, relational="local").anonymize(figure_1a())
    assert release.data.table.frame.unique(maintain_order=True).rows() == [
        ("[19:22]", "Europe", "Male"),
        ("[28:39]", "Europe", "Female"),
        ("[55:70]", "Africa", "All"),
    ]


def test_the_two_first_methods_lose_on_opposite_sides() -> None:
    rows_first = RFirst(k=2, m=2, relational="local").anonymize(figure_1a())
    items_first = TFirst(k=2, m=2, transaction="apriori").anonymize(figure_1a())
    assert rows_first.counts["generalized_items"] >= items_first.counts["generalized_items"]
    assert len(items_first.data.table.frame.unique()) == 1


def test_a_loose_bound_leads_from_one_to_the_other() -> None:
    tight = RFirst(k=2, m=2, relational="local").anonymize(figure_1a())
    loose = RumBound(k=2, m=2, delta=1, merge="r", relational="local").anonymize(figure_1a())
    whole = TFirst(k=2, m=2, transaction="apriori").anonymize(figure_1a())
    assert loose.to_polars().equals(whole.to_polars())
    assert TumBound(k=2, m=2, delta=1, relational="local").anonymize(figure_1a()).to_polars().equals(tight.to_polars())


def test_btd_is_small_for_few_items_with_many_in_common() -> None:
    items = Transactions.from_lists(["EFBG", "EFDH", "EG", "EFG"])
    spreads = Spreads(items, [np.array([at]) for at in range(4)])
    # XOR, AND, OR of records 0 and 1: 4, 2, 6; of 0 and 2: 2, 2, 4; of 0 and 3: 1, 3, 4
    assert spreads.with_each(0, np.array([1, 2, 3])).tolist() == [5 / 3 * 6, 3 / 3 * 4, 2 / 4 * 4]
