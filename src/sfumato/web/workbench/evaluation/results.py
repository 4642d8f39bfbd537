"""What a run left in its folder: figures, frames of records, labels and differences."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.errors import FileError
from sfumato.web.workbench.evaluation.work import VARYING

__all__ = ["Results", "Window"]

ROWS = 100
_ORIGINAL = "\0original"


@dataclass(frozen=True)
class Window:
    """Some published records beside original ones.

    linked : whether each published record stands beside its own original; then the originals that are not published
    follow, each beside an empty row.  rows of both are lists of cells; a cell of a published record is a text and
    whether it differs from the original.  unpublished : how many originals are not published.
    """

    start: int
    published_rows: int
    original_rows: int
    columns: list[str]
    original_columns: list[str]
    published: list[list[tuple[str | None, bool]]]
    original: list[list[str | None]]
    linked: bool
    unpublished: int

    @property
    def end(self) -> int:
        """The number of the last record that is shown."""
        return self.start + max(len(self.published), len(self.original))

    @property
    def before(self) -> int | None:
        """Where the window before this one starts."""
        return max(0, self.start - ROWS) if self.start else None

    @property
    def after(self) -> int | None:
        """Where the next window starts."""
        both = max(self.published_rows, self.original_rows)
        rows = self.published_rows + self.unpublished if self.linked else both
        return self.end if self.end < rows else None


class Results:
    """The files of a run, or of one value of a varying parameter."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def facts(self) -> dict[str, Any]:
        """Figures and verdicts; nothing where the run has none."""
        return self._json("evaluation.json")

    @cached_property
    def varying(self) -> dict[str, Any]:
        """The figures by value of the varying parameter, as far as they are done."""
        return self._json(VARYING)

    @property
    def attributes(self) -> list[str]:
        """The attributes of whose values there are counts."""
        path = self.folder / "differences.parquet"
        if not path.exists():
            return []
        names = pl.scan_parquet(path).select(pl.col("attribute").unique(maintain_order=True)).collect()
        return [str(name) for name in names.to_series()]

    def labels(self, attribute: str) -> pl.DataFrame:
        """The generalized values of an attribute: label, records, members; the most frequent first."""
        return self._of(attribute, "labels").sort("records", "label", descending=[True, False])

    def differences(self, attribute: str) -> pl.DataFrame:
        """The values of an attribute: value, original, published, relative_difference; the largest first."""
        return self._of(attribute, "differences")

    def window(self, start: int) -> Window:
        """A hundred published records from `start` on, each beside its original where that is known."""
        published = pl.scan_parquet(self._file("published"))
        original = pl.scan_parquet(self._file("original"))
        rows = int(published.select(pl.len()).collect().item())
        originals = int(original.select(pl.len()).collect().item())
        part = published.slice(start, ROWS).collect()
        linked = _ORIGINAL in part.columns
        left: list[int] = []
        if linked:
            left = _left_out(published, originals)
            more = left[max(0, start - rows) :][: ROWS - len(part)]
            beside = _gathered(original, part[_ORIGINAL].to_list() + more)
            part = part.drop(_ORIGINAL)
        else:
            beside = original.slice(start, ROWS).collect()
        marked = _marked(part, beside.head(len(part)) if linked and part.columns == beside.columns else None)
        return Window(
            start,
            rows,
            originals,
            part.columns,
            beside.columns,
            [*marked, *([] for _ in range(len(beside) - len(part) if linked else 0))],
            [list(row) for row in beside.iter_rows()],
            linked,
            len(left),
        )

    def _of(self, attribute: str, name: str) -> pl.DataFrame:
        frame = pl.scan_parquet(self._file(name)).filter(pl.col("attribute") == attribute)
        return frame.drop("attribute").collect()

    def _file(self, name: str) -> Path:
        path = self.folder / f"{name}.parquet"
        if not path.exists():
            raise FileError(name, "this run left no such figures")
        return path

    def _json(self, name: str) -> dict[str, Any]:
        path = self.folder / name
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        return content


def _left_out(published: pl.LazyFrame, originals: int) -> list[int]:
    """The rows of the original that no published record is about."""
    kept = published.select(pl.col(_ORIGINAL).cast(pl.Int64).unique()).collect().to_series()
    rows = pl.int_range(originals, eager=True)
    return rows.filter(~rows.is_in(kept.implode())).to_list()


def _gathered(original: pl.LazyFrame, rows: list[int]) -> pl.DataFrame:
    """Rows of the original in the given order; an empty row for -1."""
    wanted = pl.DataFrame({"\0row": rows}, schema={"\0row": pl.Int64})
    some = original.with_row_index("\0row").with_columns(pl.col("\0row").cast(pl.Int64))
    some = some.filter(pl.col("\0row").is_in(sorted({row for row in rows if row >= 0})))
    return wanted.join(some.collect(), on="\0row", how="left", maintain_order="left").drop("\0row")


def _marked(published: pl.DataFrame, original: pl.DataFrame | None) -> list[list[tuple[str | None, bool]]]:
    if original is None:
        return [[(cell, False) for cell in row] for row in published.iter_rows()]
    return [
        [(cell, cell != before) for cell, before in zip(row, other, strict=True)]
        for row, other in zip(published.iter_rows(), original.iter_rows(), strict=True)
    ]
