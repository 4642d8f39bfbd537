"""What the tests of all miners share."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st


@st.composite
def questions(draw: Any) -> dict[str, Any]:
    """Parameters of a miner, every combination of them."""
    shortest = draw(st.integers(1, 3))
    return {
        "support": draw(st.integers(1, 4)),
        "top": draw(st.none() | st.integers(1, 9)),
        "min_length": shortest,
        "max_length": draw(st.none() | st.integers(shortest, 4)),
        "keep": draw(st.sampled_from(["all", "closed", "maximal"])),
    }


def in_twin_words(asked: dict[str, Any]) -> dict[str, Any]:
    """The same parameters as the slow twin calls them."""
    return {
        "threshold": asked["support"],
        "top": asked["top"],
        "shortest": asked["min_length"],
        "longest": asked["max_length"],
        "keep": asked["keep"],
    }
