"""Tables of places and events as statements, compared with a program that reads row by row."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import CallerError, DataError, FileError
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from sfumato.semantics.knowledge.table_mapping import mapping_of, read_mapping
from sfumato.semantics.knowledge.table_triples import read_table, table_lines

OSM = "osm,key,value,name,name_en,lat,lon,wikidata,wikipedia\n"
GEO = "http://www.opengis.net/ont/geosparql#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
CELL = st.text(st.characters(exclude_categories=("Cc", "Cs", "Z"), max_codepoint=0x2FFF), max_size=6)


def statements(path: Path, mapping: str | Path, **options: object) -> set[tuple[str, str, str]]:
    """Subject, property and value of each line, as the store reads them."""
    import pyoxigraph as ox

    text = "\n".join(line for part in table_lines(*read_table(path, mapping_of(mapping)), **options) for line in part)
    quads = ox.parse(input=text, format=ox.RdfFormat.N_TRIPLES)
    return {(quad.subject.value, quad.predicate.value, quad.object.value) for quad in quads}


def by_rows(text: str) -> set[tuple[str, str, str]]:
    """What the mapping osm says, row by row."""
    expected = set()
    for row in csv.DictReader(io.StringIO(text)):
        cells = {name: value.strip() for name, value in row.items()}
        subject = f"https://www.openstreetmap.org/{cells['osm']}"
        for key, value in zip(cells["key"].split("|"), cells["value"].split("|"), strict=True):
            chain = [f"Tag:{key}%3D{value}", f"Key:{key}"]
            tag, whole = (f"https://wiki.openstreetmap.org/wiki/{name}" for name in chain)
            expected |= {(subject, TYPE, tag), (tag, f"{RDFS}subClassOf", whole)}
            expected.add((whole, f"{RDFS}subClassOf", "http://www.seek-project.eu/Baquara02#Place"))
        for name in ("name", "name_en"):
            if cells[name]:
                expected.add((subject, f"{RDFS}label", cells[name]))
        if cells["lat"] and cells["lon"]:
            expected.add((subject, f"{GEO}hasGeometry", f"{subject}/geometry"))
            point = f"POINT({float(cells['lon'])} {float(cells['lat'])})"
            expected.add((f"{subject}/geometry", f"{GEO}asWKT", point))
        if cells["wikidata"]:
            sameas = "http://www.w3.org/2002/07/owl#sameAs"
            expected.add((subject, sameas, f"http://www.wikidata.org/entity/{cells['wikidata']}"))
    return expected


ROWS = st.lists(
    st.tuples(
        st.integers(1, 99),
        st.sampled_from([("amenity", "cafe"), ("amenity|shop", "cafe|books"), ("shop", "fast_food")]),
        CELL,
        CELL,
        st.sampled_from(["41.9", "-41.25", ""]),
        st.sampled_from(["", "Q1"]),
    ),
    min_size=1,
    max_size=5,
)


@settings(max_examples=40)
@given(ROWS)
def test_osm_agrees_with_reading_row_by_row(tmp_path_factory: pytest.TempPathFactory, rows: list) -> None:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for number, (key, value), name, english, lat, entity in rows:
        writer.writerow([f"node/{number}", key, value, name, english, lat, "12.5", entity, ""])
    path = tmp_path_factory.getbasetemp() / "rows.csv"
    path.write_text(OSM + buffer.getvalue(), encoding="utf-8", newline="")
    assert statements(path, "osm") == by_rows(OSM + buffer.getvalue())


def test_geonames_has_no_header(tmp_path: Path) -> None:
    path = tmp_path / "IT.txt"
    row = ["1", 'The "Wall"', "x", "Muro,Mura,", "41.9", "12.5", "S", "HSTS", "IT", *[""] * 5, "0", "", "", "x", "y"]
    path.write_text("\t".join(row) + "\n", encoding="utf-8")
    subject = "https://sws.geonames.org/1/"
    rows = statements(path, "geonames")
    assert {value for s, p, value in rows if (s, p) == (subject, f"{RDFS}label")} == {'The "Wall"', "Muro", "Mura"}
    assert (subject, TYPE, "https://www.geonames.org/ontology#S.HSTS") in rows
    path.write_text("1\t2\n")
    with pytest.raises(FileError, match="wanted 19 columns in every row, found another number"):
        statements(path, "geonames")


OWN = """
id = "http://example.org/{no}"
classes = ["http://example.org/kind/{kind}", "bq:Event"]
wkt = "shape"
begin = "from"
end = "to"
place = "http://example.org/place/{where}"
[labels]
title = "pt-BR"
[properties]
"schema:openingHours" = "hours"
"schema:size" = { column = "size", datatype = "xsd:integer" }
"http://www.w3.org/2000/01/rdf-schema#seeAlso" = { iri = "http://example.org/{where}/{no}" }
"""
EVENTS = (
    'no,kind,shape,from,to,where,title,hours,size\n1,a b,"POINT(1 2)",2014-07-01,2014-07-02T12:30,x,"Fes""ta\\",,5\n'
)


def test_an_own_mapping_of_events(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(OWN)
    (tmp_path / "events.csv").write_text(EVENTS + "2,,,2015-01-01,2015-01-02,,,Mo-Fr,\n")
    frame = pl.read_csv(tmp_path / "events.csv")
    frame.write_parquet(tmp_path / "events.parquet")
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as kb:
        report = kb.load(tmp_path / "events.csv", mapping=tmp_path / "own.toml")
        assert kb.events().rows() == [
            ("http://example.org/1", 1404172800.0, 1404304200.0, "http://example.org/place/x"),
            ("http://example.org/2", 1420070400.0, 1420156800.0, None),
        ]
        assert kb.labels().rows() == [("http://example.org/1", 'Fes"ta\\', "pt-br")]
        assert kb.geometries().rows() == [("http://example.org/1", "POINT(1 2)", 1, 2)]
        classes = set(kb.types().filter(pl.col("resource") == "http://example.org/1")["class"])
        assert classes == {"http://example.org/kind/a%20b", "http://www.seek-project.eu/Baquara02#Event"}
        values = kb.answer(
            "SELECT ?p ?o WHERE { ?s ?p ?o FILTER(STRSTARTS(STR(?p), 'http://schema.org/')) } ORDER BY ?p"
        )
        assert values.frame["o"].to_list() == ["Mo-Fr", "5"]
        assert kb.load(tmp_path / "events.parquet", mapping=tmp_path / "own.toml").triples == 0  # the same statements
        assert report.files[0]["kind"] == "table"


def test_rows_outside_a_box_or_a_period_are_left_out(tmp_path: Path) -> None:
    from sfumato.semantics.knowledge.selection import Selection

    (tmp_path / "own.toml").write_text(OWN)
    (tmp_path / "events.csv").write_text(EVENTS + '2,k,"POINT(9 9)",2015-01-01,2015-01-02,y,T,,\n')

    def kept(**options: object) -> set[str]:
        rows = statements(tmp_path / "events.csv", tmp_path / "own.toml", selection=Selection(**options))  # type: ignore[arg-type]
        return {subject[-1] for subject, name, _ in rows if name == TYPE}

    assert kept(box=(0, 0, 3, 3)) == {"1"}
    assert kept(box=(8, 0, 2, 10)) == {"1", "2"}  # across the date line
    assert kept(period=(1420000000, 1430000000)) == {"2"}
    assert kept(box=(0, 0, 3, 3), period=(1420000000, 1430000000)) == set()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (OSM + "node/1,a,b,n,,95,12,,\n", "line 2: wanted a latitude from -90 to 90, found another value"),
        (OSM + "node/1,a,b,n,,41,12,,\nnode/2,a,b,n,,x,12,,\n", "line 3: wanted a latitude from -90 to 90"),
        (OSM + "node/1,a|b,c,n,,41,12,,\n", "line 2: wanted as many values in 'key' as in 'value'"),
        ("osm,key,value\n", "found no column lon, lat, name"),
    ],
)
def test_tables_that_cannot_be_read(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(CallerError, match=sentence.replace("|", r"\|")):
        statements(tmp_path / "a.csv", "osm")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("wkt = 'a'", "wanted id"),
        ("id = 3", "id: wanted a text"),
        ("id = 'urn:x'\nlable = 'y'", "did you mean 'labels'"),
        ("id = 'urn:x'\n[labels]\nname = 'not a language!'", "language: wanted a language"),
        ("id = 'urn:x'\n[properties]\n'urn:p' = { column = 'a', iri = 'b' }", "one of column and iri"),
        ("id = 'urn:x'\n[properties]\n'urn:p' = { colum = 'a' }", "did you mean 'column'"),
        ("id = 'urn:x'\nlongitude = 'lon'", "wanted longitude and latitude together"),
        ("id = 'urn:x'\nseparator = 'ab'", "one character as the separator"),
        ("id = 'urn:x'\nsplit = { a = '' }", "a text for each split"),
        ("id = ", "wanted TOML"),
        ("id = 'place/{osm}'", "wanted IRIs such as"),
        ("id = 'urn:a'\nclasses = ['http://a b/{x}']", "wanted IRIs such as"),
    ],
)
def test_mappings_that_cannot_be_read(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "m.toml").write_text(text)
    with pytest.raises(FileError, match=sentence):
        read_mapping(tmp_path / "m.toml")


def test_an_unknown_mapping_or_none(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="did you mean 'geonames'"):
        mapping_of("geoname")
    (tmp_path / "a.csv").write_text(OSM + "node/1,a,b,n,,41,12,,\n")
    with (
        KnowledgeBase.create(tmp_path / "kb", ontology=False) as kb,
        pytest.raises(FileError, match=r"wanted a mapping of the columns of a table: osm, geonames or a \.toml file"),
    ):
        kb.load(tmp_path / "a.csv")
