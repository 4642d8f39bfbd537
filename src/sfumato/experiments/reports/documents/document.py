"""The model of a document: sections of blocks, which the page and the PDF show with the same content."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

__all__ = [
    "Block",
    "Bullets",
    "Checks",
    "Code",
    "Document",
    "Figure",
    "Figures",
    "Grid",
    "Paragraph",
    "Section",
    "State",
    "Subheading",
    "visible",
]

PRIVATE = "Private — not for publication"

State = Literal["yes", "no", "open"]
Tone = Literal["plain", "lead", "note", "alarm", "good"]

# C0 except tab and line feed, DEL, C1, marks without width, line and paragraph separators, bidirectional controls,
# lone surrogates, private use and characters that XML forbids
_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ue000-\uf8ff\ufffe\uffff\U000e0000-\U000e007f\U000f0000-\U0010ffff]"
)


def visible(text: str) -> str:
    r"""A text whose control characters are shown as escapes, so that a name cannot change what a reader sees.

    >>> visible("safe\u202egpj.exe\x00")
    'safe\\u202egpj.exe\\x00'
    """
    return _STEERING.sub(lambda match: ascii(match[0])[1:-1], text)


@dataclass(frozen=True)
class Paragraph:
    """One or several sentences; the tone says how they are set off from the rest."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True)
class Subheading:
    """A heading inside a section."""

    text: str


@dataclass(frozen=True)
class Bullets:
    """A list of sentences."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Code:
    """Commands to type, one a line."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Checks:
    """Things that were checked: for each whether it holds, in a word and a mark, and sentences about it."""

    rows: tuple[tuple[State, str, str], ...]


@dataclass(frozen=True)
class Grid:
    """A table with a caption, a row of heads and a head for each row.

    numbers : the columns that hold figures, from 0.  code : the columns that hold digests or names of files.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...] = ()
    code: tuple[int, ...] = ()


@dataclass(frozen=True)
class Figure:
    """A picture with a title, as SVG, and a text that replaces it for a reader who cannot see it.

    The SVG refers to nothing outside itself.  One of `pictures` is styled by the renderer; any other, such as a map,
    is shown as it is, with its own style.
    wide : whether it needs the whole width.
    """

    title: str
    alt: str
    svg: str
    wide: bool = False

    @property
    def styled(self) -> bool:
        """Whether the renderer gives the picture its colours."""
        return self.svg.startswith('<svg class="picture" ')


@dataclass(frozen=True)
class Figures:
    """Pictures side by side, as many as fit."""

    figures: tuple[Figure, ...]


Block = Paragraph | Subheading | Bullets | Code | Checks | Grid | Figure | Figures


@dataclass(frozen=True)
class Section:
    """A part of the document; `key` is its anchor in the page."""

    key: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Document:
    """A document; a private one is marked on every page."""

    title: str
    subtitle: str
    private: bool
    sections: tuple[Section, ...]

    @property
    def mark(self) -> str:
        """What stands on every page: that the document is private, or which edition it is."""
        return PRIVATE if self.private else "Public edition"
