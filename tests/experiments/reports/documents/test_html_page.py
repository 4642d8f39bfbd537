"""The page: hostile texts, nothing from outside, accessible, marked."""

from __future__ import annotations

from hostile_documents import NAMES, Page, hostile_document
from sfumato.experiments.reports.documents.document import PRIVATE, visible
from sfumato.experiments.reports.documents.html_page import page


def test_hostile_texts_are_shown_and_never_run() -> None:
    shown = Page(page(hostile_document()))
    shown.require_alone()
    for name in NAMES:
        assert shown.text.count(visible(name)) >= 8


def test_a_page_is_accessible() -> None:
    Page(page(hostile_document())).require_accessible()


def test_a_page_is_valid_text_without_control_characters() -> None:
    text = page(hostile_document())
    assert text.encode("utf-8")
    assert not [letter for letter in text if (ord(letter) < 32 and letter not in "\n\t") or letter == "\u202e"]


def test_a_private_page_is_marked_at_the_top_at_the_bottom_and_on_every_printed_page() -> None:
    text = page(hostile_document())
    assert text.index(f'<header class="mark">{PRIVATE}') < text.index("<h1>")
    assert text.index("</main>") < text.index(f'<footer class="mark">{PRIVATE}')
    assert f'<div class="running" aria-hidden="true">{PRIVATE}</div>' in text
    running = text.partition(".private .running {")[2].partition("}")[0]
    assert "position: fixed" in running
    assert "top: 0" in running


def test_a_public_page_is_not_marked_private() -> None:
    text = page(hostile_document(private=False))
    assert PRIVATE not in text
    assert 'class="public"' in text
    assert "Public edition" in text
