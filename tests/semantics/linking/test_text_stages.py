"""Changes of texts before they are compared, each on and off."""

from __future__ import annotations

import builtins
from typing import Any

import polars as pl
import pytest

from sfumato.errors import MissingExtra
from sfumato.semantics.linking.text_stages import changed_column, clean, language_of

TEXTS = pl.Series(["I'm at the Praias! https://t.co/a @ana", "Lapa", None, "#CopacabanaBeach"])


@pytest.mark.parametrize(
    ("stages", "changed"),
    [
        ((), ["i m at the praias https t co a ana", "lapa", None, "copacabanabeach"]),
        (("clean",), ["i m at the praias", "lapa", None, "copacabana beach"]),
        (("clean", "frequent-words"), ["m praias", "lapa", None, "copacabana beach"]),
        (("clean", "stem"), ["i m at the praia", "lapa", None, "copacabana beach"]),
    ],
)
def test_stages(stages: tuple[str, ...], changed: list[str | None]) -> None:
    if "stem" in stages:
        pytest.importorskip("snowballstemmer")
    assert changed_column(TEXTS, stages).to_list() == changed
    assert changed_column(TEXTS.clear(), stages).to_list() == []


def test_a_text_of_frequent_words_alone_stays() -> None:
    assert changed_column(pl.Series(["The Who of the"]), ["frequent-words"]).to_list() == ["who"]
    assert changed_column(pl.Series(["of the"]), ["frequent-words"]).to_list() == ["of the"]


def test_languages_are_found_by_their_frequent_words() -> None:
    assert [language_of(text) for text in ("das Haus und der Hund", "la casa della nonna", "")] == ["de", "it", None]


def test_cleaning_keeps_names() -> None:
    assert clean("Bar & Grill #1 @ Lapa") == "Bar & Grill 1 @ Lapa"


def test_stems_need_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "snowballstemmer":
            raise ModuleNotFoundError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match="snowballstemmer is not installed: pip install"):
        changed_column(TEXTS, ["stem"])
