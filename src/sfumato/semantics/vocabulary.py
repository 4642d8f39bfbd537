"""Prefixes and IRIs of the vocabularies that movements and knowledge bases use, as plain texts."""

from __future__ import annotations

__all__ = [
    "ANNOTATION_CLASSES",
    "BQ",
    "BQF",
    "DBO",
    "DBR",
    "DESCRIPTION_CLASSES",
    "GEO",
    "GEOF",
    "LGDO",
    "OWL",
    "PREFIXES",
    "PROV",
    "RDF",
    "RDFS",
    "SCHEMA",
    "SEGMENT_CLASSES",
    "SHACL",
    "SKOS",
    "SOSA",
    "TIME",
    "UOM",
    "WGS84",
    "XSD",
    "prefix_lines",
]

BQ = "http://www.seek-project.eu/Baquara02#"
BQF = "http://www.seek-project.eu/Baquara02/function/"
GEO = "http://www.opengis.net/ont/geosparql#"
GEOF = "http://www.opengis.net/def/function/geosparql/"
UOM = "http://www.opengis.net/def/uom/OGC/1.0/"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
SOSA = "http://www.w3.org/ns/sosa/"
TIME = "http://www.w3.org/2006/time#"
PROV = "http://www.w3.org/ns/prov#"
SHACL = "http://www.w3.org/ns/shacl#"
WGS84 = "http://www.w3.org/2003/01/geo/wgs84_pos#"
DBO = "http://dbpedia.org/ontology/"
DBR = "http://dbpedia.org/resource/"
LGDO = "http://linkedgeodata.org/ontology/"
SCHEMA = "http://schema.org/"

PREFIXES = {
    "bq": BQ,
    "bqf": BQF,
    "geo": GEO,
    "geof": GEOF,
    "uom": UOM,
    "rdf": RDF,
    "rdfs": RDFS,
    "owl": OWL,
    "xsd": XSD,
    "skos": SKOS,
    "sosa": SOSA,
    "time": TIME,
    "prov": PROV,
    "sh": SHACL,
    "wgs84": WGS84,
    "dbo": DBO,
    "dbr": DBR,
    "lgdo": LGDO,
    "schema": SCHEMA,
}

# the class of each type of segment; other types are allowed, as the list of the paper is open
SEGMENT_CLASSES = {
    "HISTORY": BQ + "MovementHistory",
    "TRAIL": BQ + "Trail",
    "TRAJ": BQ + "Trajectory",
    "STOP": BQ + "Stop",
    "MOVE": BQ + "Move",
}
DESCRIPTION_CLASSES = {"MSC": BQ + "MovementSegmentCategory", "MPC": BQ + "MovementPatternCategory"}
# the class of each kind of annotation; a tag is a free text under the property bq:tag
ANNOTATION_CLASSES = {
    "text": BQ + "FreeTextAnnotation",
    "tag": BQ + "FreeTextAnnotation",
    "number": BQ + "NumericAnnotation",
    "resource": BQ + "SemanticAnnotation",
}


def prefix_lines(*names: str) -> str:
    """PREFIX lines of a SPARQL query for some prefixes, or for all.

    >>> print(prefix_lines("bq", "rdfs"))
    PREFIX bq: <http://www.seek-project.eu/Baquara02#>
    PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
    """
    return "\n".join(f"PREFIX {name}: <{PREFIXES[name]}>" for name in names or PREFIXES)
