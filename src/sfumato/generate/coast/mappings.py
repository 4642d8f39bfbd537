"""How the tables of the synthetic city become statements of a knowledge base: one mapping in TOML for each table."""

from sfumato.generate.coast.vocabulary import BASE, PREFIXES

__all__ = ["MAPPINGS"]

_SUBJECT = f'id = "{BASE}{{id}}"\nclasses = ["http://{{class_path}}"]\n'
_LABELS = """
[labels]
"name:pt" = "pt"
"name:en" = "en"
"name:de" = "de"
"""
_IN_THE_CITY = f'"http://dbpedia.org/property/location" = {{ iri = "{BASE}city" }}\n'
_INSIDE = f'"{PREFIXES["bq"]}PART_OF" = {{ iri = "{BASE}{{part_of}}" }}\n'

MAPPINGS = {
    "places": f"""{_SUBJECT}wkt = "wkt"
same_as = ["{BASE}thing/{{same_as}}"]
{_LABELS}
[properties]
"{PREFIXES["schema"]}openingHours" = "opening_hours"
"{PREFIXES["bq"]}popularity" = {{ column = "popularity", datatype = "xsd:double" }}
{_INSIDE}{_IN_THE_CITY}""",
    "gazetteer": f"""{_SUBJECT}longitude = "lon"
latitude = "lat"
same_as = ["{BASE}thing/{{same_as}}"]

[labels]
name = ""

[properties]
{_IN_THE_CITY}""",
    "events": f"""{_SUBJECT}begin = "begin"
end = "end"
place = "{BASE}{{place}}"
{_LABELS}""",
    "regions": f"""{_SUBJECT}wkt = "wkt"

[labels]
name = "pt"

[properties]
{_INSIDE}""",
}
