"""The words that users read: the glossary defines the terms, and its list of words to avoid is kept.

Users read the texts of the package that look like sentences, the help of commands, the summaries of declared classes
(methods, privacy models, measures, attacks ...), and the prose of the pages.  Titles of papers, in quotation marks, are
exempt.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "sfumato"
GLOSSARY = SOURCE / "glossary.md"
OF_PROJECT = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "GOVERNANCE.md")
PAGES = [*(ROOT / name for name in OF_PROJECT), *sorted((ROOT / "docs").glob("*.md"))]
HEADING = "## Words we do not use"

ROOMS = [path for path in sorted(SOURCE.iterdir()) if path.suffix == ".py" or (path / "__init__.py").is_file()]


def terms_to_avoid() -> list[str]:
    """The first column of the glossary's last table, one term for each form."""
    rows = re.findall(r"^\| (.+?) \| .+ \|$", GLOSSARY.read_text(encoding="utf-8").partition(HEADING)[2], re.MULTILINE)
    return [term.strip() for row in rows[1:] for term in row.split(",") if not row.startswith("---")]


TERMS = terms_to_avoid()
PATTERN = re.compile(r"(?<!\w)(" + "|".join(term.replace(" ", r"\s+") for term in TERMS) + r")(?!\w)", re.IGNORECASE)
QUOTED_TITLE = re.compile(r'"[^"]*"')
CODE = re.compile(r"`[^`]*`|\bNone\b")
EXAMPLE = re.compile(r"^\s*>>> .*(\n\s*\S.*)*", re.MULTILINE)  # with its output
PARAMETER = re.compile(r"\b\w+ : ")  # its name is code


def sentences(source: str) -> Iterator[tuple[int, str]]:
    """The texts and docstrings of a module, with their lines; a value inside a text is shown as {}."""
    tree = ast.parse(source)
    hidden: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            hidden.update(id(part) for part in ast.walk(node) if isinstance(part, ast.Constant))
            parts = (str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield node.lineno, "".join(parts)
            yield from _values_inside(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            hidden.add(id(node.value))
            if isinstance(node.value.value, str):
                yield node.lineno, EXAMPLE.sub("", PARAMETER.sub("", node.value.value))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in hidden:
            yield node.lineno, node.value


def _values_inside(text: ast.JoinedStr) -> Iterator[tuple[int, str]]:
    """Texts inside the braces of an f-string."""
    for part in text.values:
        if isinstance(part, ast.FormattedValue):
            for node in ast.walk(part.value):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.lineno, node.value


def prose(page: str) -> str:
    """A page without its code and the titles it quotes; the lines stay where they are."""
    for pattern in (r"^```.*?^```$", r"^    .*$", r"`[^`\n]*`", r'"[^"]*"', r"\]\([^)\n]*\)"):
        flags = re.MULTILINE | re.DOTALL if pattern.startswith("^```") else re.MULTILINE
        page = re.sub(pattern, lambda found: "\n" * found[0].count("\n"), page, flags=flags)
    return page.partition(HEADING)[0]


def test_the_glossary_defines_many_terms_in_few_words() -> None:
    text = GLOSSARY.read_text(encoding="utf-8").partition("(words-we-do-not-use)=")[0]
    entries = re.findall(r"^### (.+)\n\n(.+)\n$", text, re.MULTILINE)
    assert len(entries) >= 60
    assert len(entries) == text.count("### ") == len({term.lower() for term, _ in entries}), "one paragraph a term"
    assert not [term for term, definition in entries if len(definition.split()) > 70]
    assert len(TERMS) >= 30


def test_the_glossary_is_linked_from_where_people_read() -> None:
    assert "\nglossary\n" in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for page in ("README.md", "docs/index.md", "docs/what-is-promised.md", "docs/files.md"):
        assert "glossary.md" in (ROOT / page).read_text(encoding="utf-8"), page


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_sentences_avoid_the_terms(room: Path) -> None:
    used = [
        f"{path.relative_to(SOURCE)}:{line}: {found[0]!r} in {text!r}"
        for path in (sorted(room.rglob("*.py")) if room.is_dir() else [room])
        for line, text in sentences(path.read_text(encoding="utf-8"))
        if " " in text.strip() and (found := PATTERN.search(CODE.sub("", QUOTED_TITLE.sub("", text))))
    ]
    assert not used, "\n".join(used)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_avoid_the_terms(page: Path) -> None:
    text = prose(page.read_text(encoding="utf-8"))
    used = [f"{page.name}:{text[: found.start()].count(chr(10)) + 1}: {found[0]!r}" for found in PATTERN.finditer(text)]
    assert not used, "\n".join(used)


@pytest.mark.parametrize("script", sorted((ROOT / "examples").glob("*.py")), ids=lambda script: script.name)
def test_texts_of_examples_avoid_the_terms(script: Path) -> None:
    lines = re.findall(r"^# ?(.*)$", script.read_text(encoding="utf-8"), re.MULTILINE)
    assert not [found[0] for found in PATTERN.finditer(prose("\n".join(lines)))]


def test_the_search_finds_what_it_should() -> None:
    module = '"""A crowd."""\nraise E(f"a crowd of {size}", "a crowd", f"{kind or \'two crowds\'}")'
    assert {text for _, text in sentences(module)} == {"A crowd.", "a crowd", "a crowd of {}", "two crowds", "{}"}
    assert PATTERN.search("a Crowd of 5")
    assert not PATTERN.search("smallest_anonymity_set")
    assert PATTERN.search("what labels give\n away")
    assert prose('A crowd.\n```sh\ncrowd\n```\n`crowd` "Unique in the crowd"\n').split() == ["A", "crowd."]
