"""The sections of a form: a title begins one, and a long one is divided, so that a page stays small."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sfumato.web.studies.forms.tree import Form, Question

__all__ = ["EPISODES_AT_ONCE", "Section", "fits_one_page", "section_of", "sections_of"]

EPISODES_AT_ONCE = 10
_LONGEST = 60  # questions of a section, those of groups counted too
_SMALL = 120  # questions of a form that is one page


@dataclass(frozen=True)
class Section:
    """A part of a form.

    title : the question that names it, None where questions come before the first title.  part : 1, 2, ... where the
    questions after a title are several sections, else 0.
    """

    number: int
    title: Question | None
    questions: tuple[Question, ...]
    part: int = 0

    def text(self, language: str) -> str:
        """Its title in a language, "" if it has no title."""
        return self.title.text(language) if self.title else ""


def sections_of(form: Form) -> list[Section]:
    """The sections in order; at least one."""
    blocks: list[tuple[Question | None, list[Question]]] = [(None, [])]
    for question in form.questions:
        if question.type == "title":
            blocks.append((question, []))
        else:
            blocks[-1][1].append(question)
    if len(blocks) > 1 and not blocks[0][1]:
        blocks.pop(0)
    sections: list[Section] = []
    for title, questions in blocks:
        parts = list(_divided(questions)) or [[]]
        for number, part in enumerate(parts, start=1):
            sections.append(Section(len(sections), title, tuple(part), number if len(parts) > 1 else 0))
    return sections


def _divided(questions: Iterable[Question]) -> Iterable[list[Question]]:
    part: list[Question] = []
    size = 0
    for question in questions:
        weight = 1 + len(question.questions)
        if part and size + weight > _LONGEST:
            yield part
            part, size = [], 0
        part.append(question)
        size += weight
    if part:
        yield part


def section_of(form: Form) -> dict[str, int]:
    """The number of the section of each question, also of those in groups."""
    numbers: dict[str, int] = {}
    for section in sections_of(form):
        if section.title:
            numbers.setdefault(section.title.key, section.number)
        for question in section.questions:
            numbers[question.key] = section.number
            numbers |= {inner.key: section.number for inner in question.questions}
    return numbers


def fits_one_page(form: Form) -> bool:
    """Whether all sections are on one page."""
    return sum(1 for _question in form.walk()) <= _SMALL
