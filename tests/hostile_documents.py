"""A document of hostile texts, and a reader of pages that checks what a page is made of."""

from __future__ import annotations

from html.parser import HTMLParser
from itertools import pairwise

from sfumato.experiments.reports.documents.document import (
    Bullets,
    Checks,
    Code,
    Document,
    Figure,
    Figures,
    Grid,
    Paragraph,
    Section,
    Subheading,
)
from sfumato.experiments.reports.documents.pictures import bars, shares

NAMES = (
    "<script>alert(1)</script>",
    '"><img src=https://example.org/x onerror=alert(1)>',
    "</style></title><b>",
    '#panic("x") #include "x" $ x^2 $ \\ *bold* _i_ @ref `raw` // /* = h [a]',
    '"; #read("/etc/passwd")',
    "]]>&amp;&#x3c;",
    "safe\u202egpj.exe\x00\x1b[2J\ud800",
    "ünïcode Ελλάδα Україна ✓",
)


def hostile_document(*, private: bool = True) -> Document:
    sections = []
    for number, name in enumerate(NAMES):
        chart = bars(name, [(name, 1, 2.5), (name[::-1], 0, 1)])
        stacked = shares(name, [(name, (0.5, 0.5))], (name, "b"))
        blocks = (
            Subheading(name),
            *(Paragraph(name, tone) for tone in ("plain", "lead", "note", "alarm", "good")),
            Bullets((name, name)),
            Code((name, "sfumato verify DIRECTORY")),
            Checks((("yes", name, name), ("no", name, ""), ("open", name, name))),
            Grid(name, (name, "b", "c"), ((name, name, "1"), ("x", "y", "2")), numbers=(2,), code=(0,)),
            chart,
            Figures((chart, stacked)),
            Figure(name, name, stacked.svg, wide=True),
            Figure(name, name, stacked.svg.replace('class="picture" ', ""), wide=True),
        )
        sections.append(Section(f"s{number}", name, blocks))
    return Document(NAMES[0], NAMES[3], private, tuple(sections))


class Page(HTMLParser):
    """What a page is made of: its elements with their attributes, its text, and what it refers to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == [], "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "img", "!doctype"):
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self._open:
            self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def references(self) -> list[str]:
        """Every address in an attribute, except names of formats."""
        named = ("src", "href", "xlink:href", "action", "data", "poster", "srcset", "background")
        return [str(value) for _, found in self.elements for name, value in found.items() if name in named]

    def require_accessible(self) -> None:
        """Headings in order, alternative texts, heads of tables, a language."""
        assert [found["lang"] for found in self.all("html")] == ["en"]
        levels = [int(tag[1]) for tag, _ in self.elements if tag in ("h1", "h2", "h3")]
        assert levels.count(1) == 1
        assert levels[0] == 1
        assert all(after <= before + 1 for before, after in pairwise(levels))
        assert all(found.get("role") == "img" and found.get("aria-label") for found in self.all("svg"))
        assert all(found.get("alt") for found in self.all("img"))
        assert len(self.all("caption")) == len(self.all("table"))
        assert all(found.get("scope") in ("col", "row") for found in self.all("th"))
        keys = [found["id"] for _, found in self.elements if "id" in found]
        assert len(keys) == len(set(keys))

    def require_alone(self) -> None:
        """Nothing is loaded and nothing runs."""
        assert not {tag for tag, _ in self.elements} & {"script", "iframe", "object", "embed", "link", "base"}
        assert all(reference.startswith(("#", "data:image/svg+xml;base64,")) for reference in self.references)
        assert not [name for _, found in self.elements for name in found if name.startswith("on")]
