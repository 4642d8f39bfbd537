"""How the columns of a table of places or events become statements: built-in mappings and mappings in TOML files."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from sfumato.errors import DataError, FileError, did_you_mean
from sfumato.io.files import read_text
from sfumato.semantics.vocabulary import BQ, PREFIXES, XSD

__all__ = ["BUILT_IN", "Label", "Property", "TableMapping", "mapping_of", "read_mapping"]

COLUMN = re.compile(r"\{([^{}]+)\}")
_GEONAMES = "https://www.geonames.org/ontology#"
_OSM = "https://wiki.openstreetmap.org/wiki/"
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|\\^`]+")
_LANGUAGE = re.compile(r"[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*")


@dataclass(frozen=True)
class Label:
    """A column of names, and their language if it is known."""

    column: str
    language: str = ""


@dataclass(frozen=True)
class Property:
    """A property and its values: a column of texts or numbers, or a template of IRIs."""

    iri: str
    column: str = ""
    template: str = ""
    datatype: str = ""
    language: str = ""


@dataclass(frozen=True)
class TableMapping:
    """Which columns of a table say what.  A template is an IRI with names of columns in braces.

    Parameters
    ----------
    id : the template of the resource of a row.
    classes : templates from the class of the resource to ever more general classes.
    labels : the columns of names.
    longitude, latitude, wkt : the columns of coordinates, or the column of a geometry in CRS84.
    begin, end : the columns of times; a row with both is an event.
    place : the template of the place of an event.
    same_as : templates of resources that are the same thing.
    properties : everything else.
    split : columns that hold several values, with the text that separates the values.
    columns, separator : the names of the columns and their separator, for a file without a header.
    """

    id: str
    classes: tuple[str, ...] = ()
    labels: tuple[Label, ...] = ()
    longitude: str = ""
    latitude: str = ""
    wkt: str = ""
    begin: str = ""
    end: str = ""
    place: str = ""
    same_as: tuple[str, ...] = ()
    properties: tuple[Property, ...] = ()
    split: dict[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    separator: str = "\t"

    def __post_init__(self) -> None:
        templates = (self.id, *self.classes, self.place, *self.same_as)
        entries = ((entry.iri, entry.template, entry.datatype) for entry in self.properties)
        for template in filter(None, (*templates, *(text for entry in entries for text in entry))):
            starts_with_column = template.startswith("{")  # whose values are whole IRIs
            if not starts_with_column and not _ABSOLUTE.fullmatch(COLUMN.sub("x", template)):
                raise DataError("wanted IRIs such as http://example.org/place/{id} or bq:Place, found another text")
        if len(self.separator.encode()) != 1 or not all(self.split.values()):
            raise DataError("wanted one character as the separator of columns and a text for each split, found others")
        for pair in (("longitude", "latitude"), ("begin", "end")):
            if bool(getattr(self, pair[0])) != bool(getattr(self, pair[1])):
                raise DataError(f"wanted {pair[0]} and {pair[1]} together, found one of them")

    @property
    def required(self) -> list[str]:
        """The columns that the mapping names, in order."""
        templates = [self.id, *self.classes, self.place, *self.same_as, *(entry.template for entry in self.properties)]
        names = [name for template in templates for name in COLUMN.findall(template)]
        names += [self.longitude, self.latitude, self.wkt, self.begin, self.end, *self.split]
        names += [label.column for label in self.labels] + [entry.column for entry in self.properties]
        return list(dict.fromkeys(filter(None, names)))


BUILT_IN = {
    "osm": TableMapping(
        id="https://www.openstreetmap.org/{osm}",
        classes=(_OSM + "Tag:{key}%3D{value}", _OSM + "Key:{key}", BQ + "Place"),
        labels=(Label("name"), Label("name_en", "en")),
        longitude="lon",
        latitude="lat",
        same_as=("http://www.wikidata.org/entity/{wikidata}",),
        properties=(Property("http://schema.org/openingHours", column="opening_hours"),),
        split={"key": "|", "value": "|"},
    ),
    "geonames": TableMapping(
        id="https://sws.geonames.org/{geonameid}/",
        classes=(_GEONAMES + "{feature_class}.{feature_code}", _GEONAMES + "{feature_class}", BQ + "Place"),
        labels=(Label("name"), Label("alternatenames")),
        longitude="longitude",
        latitude="latitude",
        properties=(
            Property(_GEONAMES + "countryCode", column="country_code"),
            Property(_GEONAMES + "population", column="population", datatype=XSD + "integer"),
        ),
        split={"alternatenames": ","},
        columns=(
            *("geonameid", "name", "asciiname", "alternatenames", "latitude", "longitude", "feature_class"),
            *("feature_code", "country_code", "cc2", "admin1_code", "admin2_code", "admin3_code", "admin4_code"),
            *("population", "elevation", "dem", "timezone", "modification_date"),
        ),
    ),
}
OPTIONAL_COLUMNS = {"osm": ("name_en", "wikidata", "opening_hours")}
"""Columns of a built-in mapping that a file may lack."""


def mapping_of(name: str | Path | TableMapping) -> TableMapping:
    """A mapping by its built-in name, from a TOML file, or as it is."""
    if isinstance(name, TableMapping):
        return name
    if str(name) in BUILT_IN:
        return BUILT_IN[str(name)]
    if not str(name).endswith(".toml"):
        raise DataError(f"no mapping is called {str(name)!r}; {did_you_mean(str(name), BUILT_IN)} or a .toml file")
    return read_mapping(Path(name))


def read_mapping(path: Path) -> TableMapping:
    """The mapping in a TOML file."""
    try:
        raw = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise FileError(path, f"wanted TOML, found a mistake: {error}") from None
    known = [entry.name for entry in fields(TableMapping)]
    for name in raw:
        if name not in known:
            raise FileError(path, f"no key of a mapping is called {name!r}; {did_you_mean(name, known)}")
    if "id" not in raw:
        raise FileError(path, 'wanted id, such as id = "http://example.org/place/{id}", found none')
    try:
        return TableMapping(**{name: _value(name, value) for name, value in raw.items()})
    except DataError as error:
        raise FileError(path, str(error)) from None


def _value(name: str, value: Any) -> Any:
    if name in ("classes", "same_as", "columns"):
        texts = [value] if isinstance(value, str) else value
        _require(isinstance(texts, list) and all(isinstance(text, str) for text in texts), name, "a list of texts")
        return tuple(texts if name == "columns" else map(_full, texts))
    if name == "labels":
        _require(_is_table(value, str), name, "a table: column = language, or an empty text")
        return tuple(Label(column, _language(language)) for column, language in value.items())
    if name == "split":
        _require(_is_table(value, str), name, "a table: column = separator")
        return dict(value)
    if name == "properties":
        _require(isinstance(value, dict), name, "a table: property = column")
        return tuple(_property(_full(iri), entry) for iri, entry in value.items())
    _require(isinstance(value, str), name, "a text")
    return _full(value) if name in ("id", "place") else value


def _property(iri: str, entry: Any) -> Property:
    if isinstance(entry, str):
        return Property(iri, column=entry)
    keys = ("column", "iri", "datatype", "language")
    _require(_is_table(entry, str), "properties", "a column or a table of texts")
    for name in entry:
        if name not in keys:
            raise DataError(f"properties: no key is called {name!r}; {did_you_mean(name, keys)}")
    _require(("column" in entry) != ("iri" in entry), "properties", "one of column and iri in each table")
    return Property(
        iri,
        column=entry.get("column", ""),
        template=_full(entry.get("iri", "")),
        datatype=_full(entry.get("datatype", "")),
        language=_language(entry.get("language", "")),
    )


def _is_table(value: Any, kind: type) -> bool:
    return isinstance(value, dict) and all(isinstance(inner, kind) for inner in value.values())


def _language(text: str) -> str:
    _require(not text or _LANGUAGE.fullmatch(text) is not None, "language", 'a language such as "en" or "pt-BR"')
    return text


def _require(condition: bool, name: str, wanted: str) -> None:
    if not condition:
        raise DataError(f"{name}: wanted {wanted}, found another value")


def _full(text: str) -> str:
    """An IRI whose prefix is written out.

    >>> _full("bq:Place")
    'http://www.seek-project.eu/Baquara02#Place'
    """
    prefix, colon, rest = text.partition(":")
    return PREFIXES[prefix] + rest if colon and prefix in PREFIXES and not rest.startswith("//") else text
