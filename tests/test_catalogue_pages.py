"""The tables of the catalogue in docs/*.md are those that the code declares."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.catalogues import PAGES, with_tables
from sfumato.catalogue import ATTACKS, MEASURES, METHODS, MODELS

DOCS = Path(__file__).parent.parent / "docs"
REGISTRIES = {"methods": METHODS, "models": MODELS, "measures": MEASURES, "attacks": ATTACKS}


@pytest.mark.parametrize("page", PAGES)
def test_a_table_is_up_to_date(page: str) -> None:
    text = (DOCS / f"{page}.md").read_text("utf-8")
    assert text == with_tables(text), "run python -m docs.catalogues"
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    assert {row.split("`")[1] for row in rows} >= set(REGISTRIES[page].built_in)


def test_a_changed_table_is_written_again() -> None:
    text = "# x\n<!-- catalogue: attacks -->\nold\n<!-- end of catalogue -->\nrest\n"
    again = with_tables(text)
    assert "old" not in again
    assert "| `linkage` |" in again
    assert again.endswith("<!-- end of catalogue -->\nrest\n")
    assert with_tables(again) == again
