"""The PDF: hostile texts are data and not program, equal documents have equal bytes, every page is marked."""

from __future__ import annotations

import json
import sys

import pytest
import typst

from hostile_documents import NAMES, hostile_document
from sfumato.errors import MissingExtra, OutputError
from sfumato.experiments.reports.documents import pdf_file
from sfumato.experiments.reports.documents.document import PRIVATE, Document, Paragraph, Section, visible
from sfumato.experiments.reports.documents.pdf_template import TEMPLATE

MARK = "#8c1d18"  # the colour of the mark


def as_pages(document) -> list[str]:
    made = typst.compile(
        TEMPLATE.encode(),
        format="svg",
        sys_inputs={"document": json.dumps(pdf_file._document(document))},
        ignore_system_fonts=True,
    )
    return [one.decode() for one in (made if isinstance(made, list) else [made])]


def test_hostile_texts_are_shown_as_they_are() -> None:
    made = pdf_file.pdf(hostile_document())
    assert made.startswith(b"%PDF-")
    assert made == pdf_file.pdf(hostile_document())
    assert b"/Lang" in made
    assert b"/CreationDate" not in made


def test_texts_reach_the_template_as_data() -> None:
    selector = {"sys_inputs": {"document": json.dumps(pdf_file._document(hostile_document()))}}
    found = json.loads(typst.query(TEMPLATE.encode(), "heading", ignore_system_fonts=True, **selector))
    titles = [heading["body"].get("text") for heading in found if heading["level"] == 1]
    assert titles == [visible(name) for name in NAMES]


def test_every_page_of_a_private_document_is_marked() -> None:
    pages = as_pages(hostile_document())
    assert len(pages) > 3
    header = [one.count(MARK) for one in pages]
    public = [one.count(MARK) for one in as_pages(hostile_document(private=False))]
    assert all(count >= 2 for count in header)  # its letters and the line below
    assert sum(header) > sum(public)
    assert pdf_file._document(hostile_document())["mark"] == PRIVATE


def test_letters_that_no_font_has_are_refused_and_not_left_out() -> None:
    document = Document("漢字 \U0003fff0", "", False, (Section("s", "漢字", (Paragraph("漢字 \U0003fff0"),)),))
    with pytest.raises(OutputError, match=r"letters that no font on this machine has; install a font for them, or"):
        pdf_file.pdf(document)


def test_a_missing_package_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(MissingExtra, match=r"typst is not installed: pip install 'sfumato\[report\]'"):
        pdf_file.pdf(hostile_document())
