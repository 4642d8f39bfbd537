"""The pages about papers: what is implemented in which file, departures, and the verdict on every figure.

The site shows them where a page of docs/papers says ``<!-- generated: paper NAME -->``, with what the folder
``replications/NAME`` records and the docstrings cite, so that no page has to be written twice.
``python -m docs.paper_pages`` makes the page of a new paper.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from replications.declarations import FOLDER, VERDICTS, Paper, Row, read_paper, read_papers
from replications.pages import cause, counted
from replications.verdicts import Judged, judged, read_record

__all__ = ["PAGES", "Citation", "citations", "paper_page", "papers_table", "stub", "works_table"]

ONE = {"hold": "1 holds", "do not hold": "1 does not hold"}
TREE = Path(__file__).parents[1]
SOURCE = TREE / "src" / "sfumato"
PAGES = TREE / "docs" / "papers"
_REFERENCE = re.compile(r'(?s)^\s*\.\. \[\d+\] (.*?"([^"]+)".*?)(?=^\s*\.\. \[\d+\]|\n\n|\Z)', re.MULTILINE)
_NOTES = re.compile(r"(?ms)^Notes\n-+\n(.*?)(?=^\w[^\n]*\n-{3,}$|\Z)")


@dataclass(frozen=True)
class Citation:
    """A class, function or module whose docstring cites a work.

    notes : what its docstring notes, with the references that it numbers.
    """

    title: str
    reference: str
    file: Path
    name: str
    summary: str
    notes: str

    @property
    def key(self) -> str:
        return _key(self.title)


@cache
def citations() -> tuple[Citation, ...]:
    """Every reference in the docstrings of the package, by file."""
    return tuple(
        citation for file in sorted(SOURCE.rglob("*.py")) for citation in _cited_by(file, file.read_text("utf-8"))
    )


def _cited_by(file: Path, text: str) -> Iterator[Citation]:
    if ".. [1] " not in text and '",' not in text[:1000]:
        return
    tree = ast.parse(text)
    place = file.relative_to(TREE)
    for node in _definitions(tree):
        docstring = inspect.cleandoc(ast.get_docstring(node) or "")
        references = [
            (" ".join(text.split()), " ".join(title.split())) for text, title in _REFERENCE.findall(docstring)
        ]
        notes = _notes(docstring, [reference for reference, _ in references])
        for reference, title in references:
            yield Citation(title.rstrip(","), reference, place, node.name, _summary(docstring), notes)
    docstring = ast.get_docstring(tree) or ""
    for title in re.findall(r'"([^"]+)",', docstring):
        yield Citation(" ".join(title.split()), "", place, "", _summary(docstring), "")


def _definitions(tree: ast.Module) -> Iterator[ast.ClassDef | ast.FunctionDef]:
    """Classes and functions of a module, then what is defined inside them; only definitions have docstrings."""
    inside: list[ast.AST] = [tree]
    for node in inside:
        found = [child for child in getattr(node, "body", ()) if isinstance(child, ast.ClassDef | ast.FunctionDef)]
        inside += found
        yield from found


def _summary(docstring: str) -> str:
    return " ".join(docstring.partition("\n\n")[0].split())


def _notes(docstring: str, references: list[str]) -> str:
    found = _NOTES.search(docstring)
    if not found:
        return ""
    numbered = [f"- \\[{number}\\] {reference}" for number, reference in enumerate(references, start=1)]
    return "\n\n".join([found[1].strip(), *(["\n".join(numbered)] if len(numbered) > 1 else [])])


def paper_page(name: str) -> str:
    """The page about a paper, in Markdown."""
    paper = read_paper(FOLDER / name)
    record = read_record(paper)
    rows = [(row, judged(row, record)) for row in paper.rows]
    parts = [
        f"# {paper.title}\n",
        f"{paper.paper}.\n",
        f"{_text(paper.about)}\n" if paper.about else "",
        f"**Figures and tables: {len(rows)}; {_counted(rows)}.** `python -m replications {name}` repeats them.\n",
        *_implemented(paper),
        "## Figures and tables\n",
        "A figure *holds* if everything that its experiment claims about it holds. A cause is *shown* by a run or a "
        "test, or *supposed*.\n",
        "| figure | verdict | the paper, and what we measured |",
        "| --- | --- | --- |",
        *(_line(row, found) for row, found in rows),
        "",
        *_charts(paper),
    ]
    return "\n".join(parts)


def _implemented(paper: Paper) -> Iterator[str]:
    """The classes and functions that cite the paper, and their notes."""
    cited = [citation for citation in citations() if citation.key == _key(_title(paper.paper))]
    yield "## What is implemented\n"
    if not cited:
        yield "No docstring cites this paper by itself: the rows below name the experiments and tests that repeat it.\n"
        return
    for citation in cited:
        name = f"`{citation.name}`: " if citation.name else ""
        yield f"- {name}{_text(citation.summary)} In `{citation.file}`."
    yield ""
    if any(citation.notes for citation in cited):
        yield "## Choices and departures\n"
        yield "What the docstrings note: where the paper leaves a choice, and where the code does something else.\n"
        for citation in cited:
            if citation.notes:
                yield f"**{citation.name}.** {_text(citation.notes)}\n"
    else:
        yield "No docstring that cites this paper notes a departure; the rows below say where figures differ.\n"


def _line(row: Row, found: Judged) -> str:
    claim = row.claim or " ".join(found.claims)
    if row.not_repeated:
        here = f"*Not repeated:* {row.not_repeated}"
    else:
        here = "*Here:* " + (" ".join(filter(None, (row.measured, *found.sentences))) or "as the paper says.")
    parts = [f"*Paper:* {claim}" if claim else "", here]
    if found.needs_cause:
        parts.append(f"*Cause:* {cause(row)}")
    if files := dict.fromkeys(test.partition("::")[0] for test in row.tests):
        parts.append("*Tests:* " + ", ".join(f"`{file}`" for file in files))
    small = " (quick)" if found.size == "quick" and found.verdict in VERDICTS else ""
    if found.date:
        parts.append(f"*Run on:* {found.date}")
    return f"| {row.figure} | {found.verdict}{small} | {'<br>'.join(_cell(_text(part)) for part in parts if part)} |"


def _charts(paper: Paper) -> Iterator[str]:
    """The charts of the last runs, behind a heading that opens them."""
    charts = sorted((paper.folder / "charts").glob("*.svg"))
    if not charts:
        return
    yield "## Charts\n"
    yield f"<details><summary>The {len(charts)} charts of the last runs</summary>\n\n:::{{container}} charts\n"
    for chart in charts:
        where = f"../../{chart.relative_to(TREE)}"
        yield f"![{_chart_title(chart)}]({where})"
    yield ":::\n\n</details>\n"


def _chart_title(chart: Path) -> str:
    found = re.search(r'font-weight="bold">([^<]+)<', chart.read_text("utf-8"))
    return f"Chart {chart.stem}: {found[1].replace(']', '') if found else 'no title'}"


def papers_table() -> str:
    """The papers whose figures were repeated, and what became of them."""
    lines = ["| paper | figures and tables | verdicts |", "| --- | --- | --- |"]
    for paper in read_papers():
        rows = [(row, judged(row, record)) for record in [read_record(paper)] for row in paper.rows]
        lines.append(f"| [{paper.title}](papers/{paper.name}.md) | {len(rows)} | {_counted(rows)} |")
    return "\n".join(lines) + "\n"


def _counted(rows: list[tuple[Row, Judged]]) -> str:
    """How many figures have each verdict, with a verb that fits the number."""
    return re.sub(r"\b1 (hold|do not hold)\b", lambda one: ONE[one[1]], counted(rows))


def works_table() -> str:
    """The other works that docstrings cite, and what is built on each."""
    repeated = {_key(_title(paper.paper)) for paper in read_papers()}
    works: dict[str, list[Citation]] = {}
    for citation in citations():
        if citation.reference and citation.key not in repeated:
            works.setdefault(citation.key, []).append(citation)
    lines = ["| work | what is built on it |", "| --- | --- |"]
    for cited in sorted(works.values(), key=lambda cited: cited[0].reference):
        users = ", ".join(f"`{citation.name}` (`{citation.file}`)" for citation in cited)
        lines.append(f"| {_cell(_text(cited[0].reference))} | {users} |")
    return "\n".join(lines) + "\n"


def stub(name: str) -> str:
    """The text of docs/papers/NAME.md."""
    return f"<!-- generated: paper {name} -->\n"


def _title(paper: str) -> str:
    found = re.search(r'"([^"]+)"', paper)
    assert found, f"{paper}: wanted a title in quotation marks"
    return found[1]


def _key(title: str) -> str:
    return re.sub(r"\W+", " ", title.lower()).strip()


def _text(text: str) -> str:
    """Prose of a docstring or a declaration as Markdown: what would be read as a mark outside code is escaped."""
    text = re.sub(r"\[(\d+)\]_", r"[\1]", text.replace("``", "`"))
    pieces = re.split(r"(`[^`]*`)", text)
    pieces[::2] = [
        re.sub(r"<(?!br>)", r"\\<", re.sub(r"(?<=\w)\*(?=\w)|(?<= )\*(?= )", r"\\*", piece)) for piece in pieces[::2]
    ]
    return "".join(pieces)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def main() -> None:
    for paper in read_papers():
        (PAGES / f"{paper.name}.md").write_text(stub(paper.name), "utf-8")


if __name__ == "__main__":
    main()
