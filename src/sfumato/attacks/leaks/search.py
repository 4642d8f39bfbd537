"""Leaks of a published directory: what order, numbers, labels, columns, fields and files reveal besides the data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import polars as pl

from sfumato.attacks.base import Attack, Finding
from sfumato.attacks.leaks.certificate import certificate_leaks
from sfumato.attacks.leaks.data_files import data_leaks, text_of_file
from sfumato.attacks.leaks.derived_context import contradictions, derived_leaks, unpublished_sensitive
from sfumato.attacks.leaks.foreign import known_sentences, names_foreign
from sfumato.attacks.leaks.leak import Leak
from sfumato.attacks.leaks.members import member_leaks
from sfumato.attacks.leaks.parquet_form import is_written_elsewhere
from sfumato.attacks.leaks.rewritten import has_rebuilt_rows, rebuilt_certificate, rebuilt_digests
from sfumato.attacks.leaks.wordings import is_current
from sfumato.attacks.view.setting import AttackSetting
from sfumato.data import Dataset, Trajectories, Transactions
from sfumato.data.base import Progress
from sfumato.io.published.certificate import CERTIFICATE, SIGNATURE, Certificate
from sfumato.io.published.chunks import CHUNKS, CLUSTERS
from sfumato.io.published.directory import Published, as_published
from sfumato.io.published.folder import printed
from sfumato.io.published.row_files import is_part
from sfumato.threads import side_by_side

__all__ = ["Leaks", "find_leaks"]

_CONTEXT = {
    "roles.csv": ("column", "role"),
    "places.csv": ("location", "lat", "lon", "x", "y", "owner", "sensitive"),
    "sensitive.csv": ("item",),
    "taxonomy.csv": ("node", "parent", "sensitive"),
    "privacy_policy.csv": None,
    "utility_policy.csv": None,
    "nodes.csv": None,
    "roads.csv": None,
}
_FORMAT = {"quasi-identifier", "sensitive", "other", "items", "location", "item", "record", "term", "true", "false"}
_MARKS = str.maketrans(dict.fromkeys(',"\n\r\t;[]{}:', " "))
CHECKS = ("files", "certificate", "order", "numbers", "columns", "labels", "names", "form", "derived")


@dataclass(frozen=True, kw_only=True)
class Leaks(Attack):
    """Look through a published directory for anything that reveals more than the data it should hold.

    Notes
    -----
    What may be there is known to the letter: records in the order of their content, numbered from 1; the columns of
    the format; labels numbered in the order of what they stand for; a certificate with fields that are declared, no
    seed, and figures that the files themselves give; nothing else.  Any departure from that is a channel from the
    private data to a reader of the directory, on purpose or not.

    So the directory is read, and what was understood is written once more: each file has to be the same to the byte,
    and the certificate what its method, its parameters and the files make of it, in the words of this version.

    Some things cannot be known from files: how many records were suppressed, added or split (only whether the
    numbers can be, and with the original whether they fit its size), whether a promise held that took the
    original, persons or a privacy budget to check, whether context is complete, and, without the taxonomy, the order of
    the members of its nodes.

    There are nine checks, each passed or failed: files that do not belong there; fields, figures and seeds
    in the certificate; the order of records; their numbers; columns that are not of the format, not of the original,
    or in the original's own order; the numbering of generated labels; private names of records or persons; the
    form of the files, in which blanks or digits could hide something; and context that was computed from the private
    data, such as a policy of the rare sets or a list of the places that were visited.
    """

    name: ClassVar[str] = "leaks"
    title: ClassVar[str] = "order, count and label leaks of the directory"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories", "roads", "transactions", "table", "mixed")
    idea: ClassVar[str] = "checks whether order, numbers, labels, columns and the certificate reveal more than the data"

    def unfit(self, setting: AttackSetting) -> str | None:
        if setting.releases and setting.release.published is None:
            return f"{self.name} checks a published directory, and this release was not written"
        return super().unfit(setting)

    def run(self, setting: AttackSetting, *, seed: int | None = None, progress: Progress | None = None) -> Finding:  # noqa: ARG002
        """Nothing is drawn, so the seed does not matter."""
        assert setting.release.published is not None
        return leak_finding(find_leaks(setting.release.published, setting.original, derived=True))


def leak_finding(leaks: list[Leak]) -> Finding:
    """The leaks as a finding: one target for each check."""
    leaking = {leak.check for leak in leaks}
    return Finding(
        Leaks.name,
        Leaks.title,
        "the published directory, and how the library writes one",
        "that something in the directory reveals more than its data",
        np.array([float(check in leaking) for check in CHECKS]),
        of=len(CHECKS),
        unit="thing",
        facts={"leaks": [leak.to_json() for leak in leaks]},
        notes=tuple(leak.sentence for leak in leaks) or ("Nothing in the directory reveals more than its data.",),
    )


def find_leaks(
    release: str | Path | Published, original: Dataset | None = None, *, derived: bool = False
) -> list[Leak]:
    """Everything in a published directory that should not be there; `original` makes private names recognisable.

    release : the directory, or what `sfumato.io.published.read` returned for it; a certificate outside its schema is
    refused.  derived : also look for side knowledge that was computed from the original and published as if it had
    been given; small data can agree with such a rule by chance.
    """
    published = as_published(release)
    certificate, data, files = published.certificate, published.data, published.files.contents
    works: list[Callable[[], Any]] = [
        lambda: rebuilt_digests(published),
        lambda: rebuilt_certificate(published),
        lambda: _private_names(original),
    ]
    rebuilt, again, private = side_by_side(lambda work: work(), works)
    exact = {
        name for name, digest in (rebuilt or {}).items() if name in files and published.files.digest(name) == digest
    }
    leaks = [*_files(published), *certificate_leaks(published, again)]
    leaks += _counts(again.records, original, certificate.kind)
    looks: list[Callable[[], Iterable[Leak]]] = [
        lambda: data_leaks(published, original, exact),
        lambda: _names(published, private, again, exact),
        lambda: unpublished_sensitive(data, certificate),
        lambda: contradictions(data, certificate, files),
        lambda: member_leaks(published, original),
    ]
    if derived and original is not None and data is not None:
        looks.append(lambda: derived_leaks(data, original, files))
    in_data, *others = side_by_side(lambda look: list(look()), looks)
    leaks += in_data
    leaks += _rewritten(published, rebuilt, exact | {leak.file for leak in leaks})
    leaks += [leak for found in others for leak in found]
    order = {check: index for index, check in enumerate(CHECKS)}
    return sorted(dict.fromkeys(leaks), key=lambda leak: (order[leak.check], leak.file, leak.sentence))


def _files(published: Published) -> Iterator[Leak]:
    stems = (CHUNKS, CLUSTERS) if published.certificate.kind == "chunks" else ("data", "members")
    allowed = {CERTIFICATE, *(f"{stem}.{published.format}" for stem in stems)}
    allowed |= {f"context/{name}" for name in _CONTEXT}
    for name, what in published.files.entries.items():
        if name == SIGNATURE and name in published.files.sound:
            continue
        known = _CONTEXT.get(name.removeprefix("context/"))
        if what.endswith("directory"):
            yield Leak("files", printed(name), "a directory that does not belong in a published directory")
        elif what != "file" or not (name in allowed or (is_part(name) and "data" in stems)):
            yield Leak("files", printed(name), "a file that does not belong in a published directory")
        elif name.startswith("context/") and known is not None:
            text = published.files.contents[name].decode("utf-8-sig", "replace")
            for column in text.partition("\n")[0].strip().split(","):
                if column not in known:
                    yield Leak("columns", name, f"a column {column!r} that the format does not have")


def _rewritten(published: Published, again: dict[str, str] | None, known: set[str]) -> Iterator[Leak]:
    """Files that are not, byte for byte, what is written of the data that were read from them.

    Of a Parquet file by another version of polars, rows are compared in place of bytes.

    again : the digests of what is written.  known : the files that are, and those that have a leak already.
    """
    files = published.files.contents
    if again is None:
        yield Leak("form", CERTIFICATE, "files next to it that cannot be read as those of a release")
        return
    if not is_current(published.certificate):
        known = known | {f"members.{published.format}"}  # has a check of its own: its order was another
    for name in sorted((files.keys() | again.keys()) - known):
        if name not in again:
            yield Leak("files", printed(name), "a file that this release should not have")
        elif name not in files:
            yield Leak("files", name, "a missing file, which this release must have")
        elif not (is_written_elsewhere(published, name) and has_rebuilt_rows(published, name)):
            yield Leak("form", name, "rows, an order, numbers or blanks that the library never writes")


def _counts(records: dict[str, int], original: Dataset | None, kind: str) -> Iterator[Leak]:
    """Records that cannot have been lost, as there were not so many; roads are cut and added to."""
    if original is None or "suppressed" not in records:
        return
    left = len(original) - (0 if kind == "roads" or records["split"] else records["published"])
    if records["suppressed"] > max(0, left) or records["split"] > len(original):
        yield Leak("certificate", CERTIFICATE, "counts of records that are too large for the original")


def _names(published: Published, private: set[str], again: Certificate, exact: Collection[str]) -> Iterator[Leak]:
    """Private names of records and persons; not those that are also numbers or words of the data.

    private : of `_private_names`.  exact : the files that hold, to the byte, the labels of the data and the numbers of
    records.
    """
    if not private:
        return
    if names_foreign(again):  # taken over from the certificate, so that it could be the name of a person
        known = [limit for limit in again.not_covered if isinstance(limit, dict) and limit["text"] in known_sentences()]
        again = replace(again, method="", parameters={}, guarantees=(), not_covered=tuple(known))
    for name in (CERTIFICATE, *published.files.contents):
        if name == CERTIFICATE:
            text = published.raw.decode("utf-8-sig", "replace")
        elif (
            name in exact
            and (name.startswith("data.") or is_part(name))
            and isinstance(published.data, Trajectories | Transactions)
        ):
            text = "\n".join((published.data.attribute, *published.data.names))
        else:
            text = text_of_file(published, name) or ""
        own = again.to_bytes().decode("utf-8") if name == CERTIFICATE else text.partition("\n")[0]
        hits = private & (_words(text) | set(text.replace('"', "").splitlines())) - _words(own) - _FORMAT
        if hits:
            what = "names" if len(hits) > 1 else "name"
            yield Leak("names", printed(name), f"{len(hits)} private {what} of persons or records")


def _words(text: str) -> set[str]:
    return set(text.translate(_MARKS).split(" "))


def _private_names(original: Any) -> set[str]:
    if original is None:
        return set()
    part = getattr(original, "items", original)
    columns = [getattr(original, "ids", None), None if original.persons is None else original.persons.names]
    texts = [column.cast(pl.String) for column in columns if column is not None and not column.dtype.is_numeric()]
    names = pl.concat([pl.Series(dtype=pl.String), *texts])
    words = set(getattr(part, "names", ()))
    table = getattr(original, "table", original)
    if hasattr(table, "frame"):
        for column in table.frame.columns:
            words |= {str(value) for value in table.frame[column].unique().to_list()}
    for tree in (getattr(part, "taxonomy", None), *getattr(table, "hierarchies", {}).values()):
        words |= set() if tree is None else set(tree.nodes)
    words |= {token for word in words for token in word.translate(_MARKS).split()}  # the York of New York
    generated = {f"{'g' * times}{number}" for times in (1, 2) for number in range(1, 10_000)}
    names = names.drop_nulls().unique()
    names = names.filter((names.str.len_chars() > 1) & ~names.is_in(list(words | generated)))
    return set(names.filter(~_are_numbers(names)).to_list())


def _are_numbers(texts: pl.Series) -> pl.Series:
    """Which texts Python reads as numbers.

    >>> _are_numbers(pl.Series(["7", "-1.5e3", "inf", " 1_000 ", "x1", "1x", "nano"])).to_list()
    [True, True, True, True, False, False, False]
    """
    plain = texts.cast(pl.Float64, strict=False).is_not_null()
    perhaps = ~plain & texts.str.contains(r"(?i)^\s*[-+]?(\.?\d|inf|nan)")
    asked = texts.filter(perhaps)
    others = pl.Series([_is_number(text) for text in asked.to_list()], dtype=pl.Boolean)
    return plain.scatter(perhaps.arg_true(), others)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
