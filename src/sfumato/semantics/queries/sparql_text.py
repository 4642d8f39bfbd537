"""A SPARQL query while it is written: indented lines, fresh variables, and the prefixes that occur."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sfumato.semantics.queries.terms import QUERY_PREFIXES, iri_term

__all__ = ["SparqlText"]

_FACTS = {  # a fact about a segment, and the steps from the segment to it
    "father": ("bq:father",),
    "ord": ("bq:ord",),
    "begin": ("bq:begin",),
    "end": ("bq:end",),
    "person": ("bq:isOfMO", "bq:hasMovingEntity"),
    "object": ("bq:isOfMO",),
    "wkt": ("geo:hasGeometry", "geo:asWKT"),
}


class SparqlText:
    """Lines of a group pattern.  Fresh variables have an underscore, which names of columns cannot have.

    tables : whether single statements are queries of their own, which stores join as whole tables and not row by row.
    """

    def __init__(self, *, tables: bool = False) -> None:
        self._tables = tables
        self._depth = 0  # of groups that are tested for each row
        self._lines: list[str] = []
        self._prefixes: set[str] = set()
        self._counts: dict[str, int] = {}
        self._indent = 1
        self._known: list[set[str]] = [set()]
        self._late: list[list[str]] = [[]]

    def add(self, line: str) -> None:
        """Append a line; the prefixes in it are declared."""
        self._lines.append("  " * self._indent + line)

    def late(self, line: str) -> None:
        """Append a line at the end of the group: what computes values comes after all triples."""
        self._late[-1].append("  " * self._indent + line)

    def iri(self, iri: str) -> str:
        """An IRI as SPARQL writes it."""
        return iri_term(iri, self._prefixes)

    def uses(self, *prefixes: str) -> None:
        """Declare prefixes."""
        self._prefixes.update(prefixes)

    def fresh(self, stem: str) -> str:
        """A variable that no column and no other part of the query has."""
        self._counts[stem] = self._counts.get(stem, 0) + 1
        return f"?{stem}_{self._counts[stem]}"

    def fact(self, segment: str, name: str) -> str:
        """The variable with a fact about a segment; the first use in a group adds the line that binds it."""
        variable = f"{segment}_{name}"
        if not any(variable in names for names in self._known):
            self._known[-1].add(variable)
            self.uses("geo" if name == "wkt" else "bq")
            if self._tables:
                self._steps(segment, name, variable)
            else:
                self.add(f"{segment} {'/'.join(_FACTS[name])} {variable} .")
        return variable

    def _steps(self, segment: str, name: str, variable: str) -> None:
        """The path to a fact, each step as a table."""
        *steps, last = _FACTS[name]
        for step in steps:
            node = self.fresh("node")
            self.table(f"{segment} {step} {node} .", segment, node)
            segment = node
        self.table(f"{segment} {last} {variable} .", segment, variable)

    def learn(self, segment: str, name: str) -> str:
        """The variable with a fact about a segment, which other lines of this group bind."""
        self._known[-1].add(f"{segment}_{name}")
        return f"{segment}_{name}"

    def table(self, line: str, *variables: str) -> None:
        """A statement with these variables."""
        if self._tables and not self._depth:
            self.add(f"{{ SELECT {' '.join(variables)} WHERE {{ {line} }} }}")
        else:
            self.add(line)

    @contextmanager
    def block(self, *variables: str) -> Iterator[None]:
        """Lines that a store answers by themselves, and of which these variables are known behind them.

        A group that is tested for each row has no such blocks, since they would be answered for each row.
        """
        if self._depth:
            yield
            return
        self.add(f"{{ SELECT DISTINCT {' '.join(variables)} WHERE {{")
        known, self._known, self._late = self._known, [set()], [*self._late, []]
        self._indent += 1
        yield
        self._known = known
        self._lines += self._late.pop()
        self._indent -= 1
        self.add("} }")

    @contextmanager
    def group(self, opening: str) -> Iterator[None]:
        """An inner group, such as FILTER NOT EXISTS; what is bound in it is unknown behind it."""
        self.add(opening + " {")
        self._indent += 1
        self._depth += 1
        self._known.append(set())
        self._late.append([])
        yield
        self._known.pop()
        self._lines += self._late.pop()
        self._indent -= 1
        self._depth -= 1
        self.add("}")

    def query(self, columns: list[str], *, ordered: bool = True) -> str:
        """The whole query: rows of these variables, distinct and in their order, or neither."""
        prefixes = [f"PREFIX {name}: <{QUERY_PREFIXES[name]}>" for name in sorted(self._prefixes)]
        names = " ".join(columns)
        body = [*self._lines, *self._late[0]]
        lines = [*prefixes, "", f"SELECT {'DISTINCT ' if ordered else ''}{names}", "WHERE {", *body, "}"]
        lines += [f"ORDER BY {names}"] if ordered else []
        return "\n".join(lines) + "\n"
