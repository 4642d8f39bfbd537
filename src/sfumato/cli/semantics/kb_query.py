"""`sfumato kb query`: the answer to a SPARQL query, printed or written to a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sfumato.cli.shared.options import json_option
from sfumato.cli.shared.render import print_json, say, table
from sfumato.errors import FileError, OutputError, counted, either

if TYPE_CHECKING:
    from sfumato.semantics.knowledge.answers import Answer
    from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
    from sfumato.semantics.queries.pattern_category import PatternCategory

__all__ = ["command"]

SHOWN = 20
MAPS = (".geojson", ".html")
QUERIES = (".rq", ".sparql", ".toml")
TABLES = (".csv", ".parquet", ".nt", ".geojson", ".html")


@click.command("query")
@click.argument("directory", type=click.Path(path_type=Path))
@click.argument("query", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The file to write: .csv, .parquet, .nt for triples, .geojson, or .html for a map.",
)
@click.option("--show-sparql", is_flag=True, help="Print the SPARQL query of a description, and do not answer it.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), help="Stop after this many seconds.")
@json_option
def command(
    directory: Path, query: Path, out: Path | None, show_sparql: bool, timeout: float | None, as_json: bool
) -> None:
    """Answer the query in the file QUERY from the knowledge base DIRECTORY.

    QUERY is SPARQL (.rq) or a description of segments (.toml).  SELECT gives a table, ASK yes or no, CONSTRUCT and
    DESCRIBE give triples.  An answer about movements is private.
    """
    from sfumato.io.outputs import require_output
    from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

    if out is not None:
        if _suffix(out) not in TABLES:
            raise OutputError(
                f"{out}: wanted a file that ends in {either(TABLES)}, found {_suffix(out) or 'no ending'!r}"
            )
        require_output(out, "answer", inputs=[query, directory])
    question = _question(query)
    if show_sparql:
        _show_sparql(query, question)
        return
    with KnowledgeBase.open(directory) as base:
        if question is None:
            answer = base.answer(sparql_of(query), timeout_s=timeout)
        else:
            from sfumato.semantics.queries.answering import answer_question

            answer = answer_question(base, question, timeout_s=timeout)
        written = _write_map(base, answer, out) if out is not None and _suffix(out) in MAPS else len(answer)
    if out is not None and _suffix(out) not in MAPS:
        write_answer(answer, out)
    _show(answer, out, written, as_json)


def _question(query: Path) -> PatternCategory | None:
    """The description in a TOML file; None for SPARQL."""
    if _suffix(query) != ".toml":
        return None
    from sfumato.semantics.queries.question_files import read_question

    return read_question(query)


def _show_sparql(query: Path, question: PatternCategory | None) -> None:
    from sfumato.semantics.queries.compiling import compile_pattern

    say((sparql_of(query) if question is None else compile_pattern(question)).rstrip("\n"))


def _write_map(base: KnowledgeBase, answer: Answer, out: Path) -> int:
    """Write the rows with a geometry as GeoJSON, or as a map; returns their number."""
    from sfumato.io.atomic_writes import write_json
    from sfumato.semantics.queries.answers_geojson import answer_geojson

    collection = answer_geojson(base, answer)
    if _suffix(out) == ".geojson":
        write_json(collection, out)
        return len(collection["features"])
    from sfumato.experiments.reports.maps.answer_map import map_answer

    map_answer(collection).write(out)
    return len(collection["features"])


def sparql_of(query: Path) -> str:
    """The SPARQL text of a query file, by its suffix."""
    if _suffix(query) not in QUERIES:
        raise FileError(
            query, f"wanted a query that ends in {either(QUERIES)}, found {_suffix(query) or 'no ending'!r}"
        )
    try:
        return query.read_text("utf-8")
    except OSError as error:
        raise FileError(query, f"cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise FileError(query, "wanted text in UTF-8, found other bytes") from None


def write_answer(answer: Answer, out: Path) -> None:
    """Write an answer completely or not at all, in the format of the suffix."""
    import io

    from sfumato.io.atomic_writes import write_bytes, write_text

    if _suffix(out) == ".csv":
        write_text(answer.to_csv(), out)
    elif _suffix(out) == ".nt":
        write_text(answer.to_ntriples(), out)
    else:
        buffer = io.BytesIO()
        answer.frame.write_parquet(buffer)
        write_bytes(buffer.getvalue(), out)


def _suffix(path: Path) -> str:
    return path.suffix.lower()


def _show(answer: Answer, out: Path | None, written: int, as_json: bool) -> None:
    if as_json:
        rows = {} if out is not None else {"rows": answer.rows()}
        print_json(
            {"out": str(out) if out else None, "kind": answer.kind, "columns": answer.kinds, "count": len(answer)}
            | rows
        )
        return
    if out is not None:
        left = len(answer) - written
        without = f", {left:,} without a geometry left out" if left else ""
        say(f"{counted(written, 'row')} in {out}{without}; an answer about movements is private")
        return
    if answer.kind == "truth":
        say("yes" if answer else "no")
        return
    table("", answer.columns, [list(row.values()) for row in answer.rows()[:SHOWN]])
    more = len(answer) - SHOWN
    say(f"{counted(len(answer), 'row')}{f', {SHOWN} shown; --out FILE writes all' if more > 0 else ''}")
