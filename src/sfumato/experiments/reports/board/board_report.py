"""The report as an object: it shows itself in a notebook and is written as a page or a PDF."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path

from sfumato.attacks.attack_report import AttackReport
from sfumato.errors import OutputError
from sfumato.experiments.reports.board.attacks import attack_blocks
from sfumato.experiments.reports.board.facts import Facts
from sfumato.experiments.reports.board.sections import board_document, checks_document
from sfumato.experiments.reports.documents.document import Document, Section
from sfumato.experiments.reports.documents.html_page import blocks_html, page
from sfumato.experiments.reports.documents.pdf_file import pdf, require_pdf
from sfumato.io.atomic_writes import write_bytes
from sfumato.io.outputs import require_output, require_parent, require_replaceable
from sfumato.params import JsonObject

__all__ = ["BoardReport", "require_document", "write_attacks", "write_checks", "write_document"]


@dataclass(frozen=True, eq=False)
class BoardReport:
    """A report on a release for readers who are not statisticians.

    facts : what it is made from.  The public edition holds only what the published directory shows.
    """

    facts: Facts

    @property
    def private(self) -> bool:
        """Whether it is the private edition, which must not be published."""
        return self.facts.private

    @property
    def code(self) -> int:
        """1 where a check failed or an attack achieved more than a promise allows, else 0."""
        attacked = self.facts.attacks is not None and self.facts.attacks.beaten
        return 1 if attacked or self.facts.check.code == 1 else 0

    @cached_property
    def document(self) -> Document:
        """The content, as sections of blocks."""
        return board_document(self.facts)

    def __repr__(self) -> str:
        edition = "private" if self.private else "public"
        return f"<BoardReport: {edition} edition, {len(self.document.sections)} sections, {self.facts.check!r}>"

    def _repr_html_(self) -> str:
        heads = "".join(f"<p><b>{escape(text)}</b></p>" for text in (self.document.mark, self.document.title))
        return f"{heads}{blocks_html(self.document.sections[0].blocks)}"

    def to_json(self) -> JsonObject:
        """The edition, the names of the sections, and the results of checks and attacks, as JSON values."""
        attacks = self.facts.attacks
        return {
            "edition": "private" if self.private else "public",
            "code": self.code,
            "sections": [section.key for section in self.document.sections],
            "checks": self.facts.check.to_json(),
            **({} if attacks is None else {"attacks": attacks.to_json()}),
        }

    def to_html(self) -> str:
        """The report as one page."""
        return page(self.document)

    def to_pdf(self) -> bytes:
        """The report as a PDF; needs the extra `report`."""
        return pdf(self.document)

    def write(self, path: str | Path) -> None:
        """Write the report as .html or .pdf.

        The private edition is readable by its owner alone.  A published directory is complete: both editions are
        refused inside of one.
        """
        write_document(self.document, path)


def require_document(path: str | Path, what: str, *, private: bool, inputs: Iterable[Path] = ()) -> None:
    """Refuse a file that cannot be written, before the work starts."""
    ending = Path(path).suffix.lower()
    if ending not in (".html", ".pdf"):
        raise OutputError(f"{path}: wanted a file that ends in .html or .pdf for a {what}")
    if private:
        require_output(path, what, inputs=inputs)
    else:
        require_parent(path)
        require_replaceable(path)
    if ending == ".pdf":
        require_pdf()


def write_document(document: Document, path: str | Path) -> None:
    """Write a document in the format of the file's ending; a private one is readable by its owner alone."""
    path = Path(path)
    require_document(path, "report", private=document.private)
    content = pdf(document) if path.suffix.lower() == ".pdf" else page(document).encode("utf-8")
    write_bytes(content, path)
    if not document.private:
        path.chmod(0o666 & ~_umask())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_checks(facts: Facts, path: str | Path) -> None:
    """The sections about the promise and its verification."""
    write_document(checks_document(facts), path)


def write_attacks(report: AttackReport, path: str | Path, *, title: str) -> None:
    """The section about attacks on releases, given their original; private."""
    section = Section("attacks", "What attackers can do", attack_blocks(report))
    write_document(Document(title, "Attacks, given the original", True, (section,)), path)
