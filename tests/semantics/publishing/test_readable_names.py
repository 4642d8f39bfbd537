"""Names of resources: one label, unique, whatever the order of the resources."""

from __future__ import annotations

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from sfumato.semantics.publishing.readable_names import best_labels, unique_names


def test_the_label_without_a_language_comes_first_then_english() -> None:
    rows = [("a", "Zoo", "de"), ("a", "Zoo en", "en"), ("b", "Bär", "de"), ("b", "Ours", "fr"), ("c", "x", "en"),
            ("c", " plain  @ text", None), ("d", "  ", None)]  # fmt: skip
    labels = pl.DataFrame(rows, schema=["resource", "label", "language"], orient="row")
    assert best_labels(labels) == {"a": "Zoo en", "b": "Bär", "c": "plain at text"}


@given(
    resources=st.lists(st.sampled_from(["x/1", "x/2", "y/1", "y#2", "z/Bar", "z/Bar (1)", "q"]), unique=True),
    labels=st.dictionaries(st.sampled_from(["x/1", "x/2", "y/1", "y#2"]), st.sampled_from(["Bar", "Inn", "Bar (1)"])),
)
def test_names_are_unique_and_independent_of_the_order(resources: list[str], labels: dict[str, str]) -> None:
    names = unique_names(resources, labels, taken=["Inn"])
    assert len(set(names.values())) == len(names) == len(resources)
    assert "Inn" not in names.values()
    assert unique_names(reversed(resources), labels, taken=["Inn"]) == names


def test_two_classes_of_one_name_show_their_vocabularies() -> None:
    first, second = "http://dbpedia.org/ontology/Place", "http://schema.org/Place"
    assert unique_names([first, second], {first: "place", second: "place"}) == {
        first: "place (dbo:Place)",
        second: "place (schema:Place)",
    }
