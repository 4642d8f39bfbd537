"""The classes of places, events and persons in the synthetic city, as a graph of subclasses."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

__all__ = ["BASE", "CLASSES", "EVENTS", "KINDS", "PREFIXES", "Kind", "classes_frame", "classes_turtle", "iri"]

BASE = "http://example.org/porto-claro/"
PREFIXES = {
    "bq": "http://www.seek-project.eu/Baquara02#",
    "city": BASE,
    "dbo": "http://dbpedia.org/ontology/",
    "lgdo": "http://linkedgeodata.org/ontology/",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "schema": "http://schema.org/",
}


class Kind(NamedTuple):
    """A kind of place: its class, how many there are, opening hours, size, and names in three languages."""

    cls: str  # prefixed name of the class
    weight: float  # relative number of places
    opens: float  # hours; `closes` may be after midnight
    closes: float
    radius_m: float  # 0 for a place without an outline
    names: tuple[str, str, str]  # pattern in Portuguese, English and German; {} is replaced
    tags: tuple[str, ...]


_KINDS = """
beach lgdo:Beach 12 0 24 110 | Praia {} | {} Beach | {}strand | beach praia strand sea
peak dbo:Mountain 5 6 20 160 | Pico {} | {} Peak | {}gipfel | peak pico mountain view
reserve lgdo:NatureReserve 4 7 19 600 | Reserva {} | {} Reserve | {}reservat | forest floresta hiking nature
market lgdo:Marketplace 12 8 20 150 | Mercado {} | {} Market | {}markt | market mercado feira markt
stadium dbo:Stadium 2 9 24 190 | Estádio {} | {} Stadium | {}stadion | stadium estadio football futebol
airport lgdo:Airport 0 0 24 600 | Aeroporto {} | {} Airport | Flughafen {} | airport aeroporto flight arrival
museum lgdo:Museum 25 10 18 0 | Museu {} | {} Museum | {}museum | museum museu art arte
monument dbo:HistoricPlace 25 8 20 0 | Forte {} | {} Fort | {}festung | fort forte history historia
hotel lgdo:Hotel 60 0 24 0 | Hotel {} | {} Hotel | Hotel {} | hotel room pousada breakfast
restaurant lgdo:Restaurant 190 11 24 0 | Sabor {} | Taste of the {} | Restaurant {} | restaurant dinner comida almoco
fast-food lgdo:FastFood 80 9 24 0 | Pastel {} | {} Pastries | {}imbiss | fastfood pastel snack lanche
cafe lgdo:Cafe 70 7 19 0 | Café {} | {} Coffee | Café {} | cafe coffee cafezinho kaffee
bar lgdo:Bar 110 16 26 0 | Bar {} | {} Bar | {}bar | bar boteco drinks caipirinha
pub lgdo:Pub 35 16 26 0 | Cervejaria {} | {} Pub | {}kneipe | pub beer cerveja bier
nightclub lgdo:Nightclub 20 19 28 0 | Clube {} | {} Club | Club {} | club clube dance party
shop lgdo:Shop 120 9 20 0 | Loja {} | {} Shop | {}laden | shopping compras shop loja
tourist-shop lgdo:TouristShop 20 9 21 0 | Lembranças {} | {} Souvenirs | Andenken {} | souvenir lembranca gift postcard
craft-shop bq:HandcraftShop 15 9 19 0 | Arte {} | {} Crafts | Handwerk {} | crafts artesanato handmade pottery
park lgdo:Park 25 6 22 0 | Parque {} | {} Park | {}park | park parque trees jogging
office city:Office 90 7 21 0 | Escritório {} | {} Office | Büro {} | office work trabalho meeting
clinic city:Clinic 25 7 20 0 | Clínica {} | {} Clinic | {}klinik | clinic clinica doctor health
hospital city:Hospital 6 0 24 0 | Hospital {} | {} Hospital | {}krankenhaus | hospital doctor health saude
church city:Church 30 7 21 0 | Igreja {} | {} Church | {}kirche | church igreja mass missa
mosque city:Mosque 4 5 22 0 | Mesquita {} | {} Mosque | {}moschee | mosque mesquita prayer friday
synagogue city:Synagogue 4 7 21 0 | Sinagoga {} | {} Synagogue | {}synagoge | synagogue sinagoga shabbat prayer
party-office city:PartyOffice 8 9 22 0 | Partido {} | {} Party | Partei {} | politics partido rally eleicoes
union-office city:UnionOffice 5 9 20 0 | Sindicato {} | {} Union | Gewerkschaft {} | union sindicato strike greve
atm lgdo:Atm 0 0 24 0 | Caixa {} | {} Bank | Bank {} | cash atm bank banco
"""  # name, class, weight, opening hours, radius | patterns of names in three languages | tags


def _kind(line: str) -> tuple[str, Kind]:
    facts, *names, tags = line.split(" | ")
    name, cls, *numbers = facts.split()
    weight, opens, closes, radius = (float(number) for number in numbers)
    return name, Kind(cls, weight, opens, closes, radius, (names[0], names[1], names[2]), tuple(tags.split()))


KINDS = dict(_kind(line) for line in _KINDS.split("\n") if line)

EVENTS = {  # kind of event: class, kinds of its places, first hour, hours, slot of the day, names
    "match": ("dbo:FootballMatch", ("stadium",), 19.0, 2.0, 5, ("Jogo {}", "{} Match", "{}spiel")),
    "music-festival": ("bq:MusicFestival", ("market", "beach"), 11.0, 6.0, 2, ("Festival {}", "{} Festival", "{}fest")),
    "party": ("bq:Party", ("nightclub", "bar"), 19.5, 4.0, 5, ("Festa {}", "{} Party Night", "{}nacht")),
    "exhibition": ("city:Exhibition", ("museum",), 11.5, 5.0, 2, ("Exposição {}", "{} Exhibition", "{}ausstellung")),
}

CLASSES = {  # class: parents, and a label in English; not a tree
    "bq:Place": ("", "place"),
    "lgdo:Amenity": ("bq:Place", "amenity"),
    "lgdo:NaturalThing": ("bq:Place", "natural feature"),
    "lgdo:TourismThing": ("bq:Place", "tourism"),
    "lgdo:Shop": ("bq:Place", "shop"),
    "lgdo:Airport": ("bq:Place", "airport"),
    "lgdo:NatureReserve": ("lgdo:NaturalThing bq:TouristicPlace", "nature reserve"),
    "lgdo:Park": ("bq:Place", "park"),
    "bq:TouristicPlace": ("bq:Place", "touristic place"),
    "bq:Market": ("bq:Place", "market"),
    "bq:Home": ("bq:Place", "home"),
    "bq:Workplace": ("bq:Place", "workplace"),
    "dbo:Place": ("bq:Place", "place in DBpedia"),
    "dbo:PopulatedPlace": ("dbo:Place", "populated place"),
    "dbo:Country": ("dbo:PopulatedPlace", "country"),
    "dbo:City": ("dbo:PopulatedPlace", "city"),
    "lgdo:City": ("bq:Place", "city"),
    "city:CityOutline": ("dbo:City lgdo:City", "city with an outline"),
    "city:District": ("dbo:PopulatedPlace", "district"),
    "dbo:NaturalPlace": ("dbo:Place", "natural place"),
    "schema:Mountain": ("bq:Place", "mountain"),
    "dbo:Mountain": ("dbo:NaturalPlace schema:Mountain bq:TouristicPlace", "mountain"),
    "dbo:HistoricPlace": ("dbo:Place bq:TouristicPlace", "historic place"),
    "dbo:ArchitecturalStructure": ("dbo:Place", "building"),
    "dbo:Venue": ("dbo:ArchitecturalStructure", "venue"),
    "dbo:SportFacility": ("dbo:ArchitecturalStructure", "sports facility"),
    "dbo:Stadium": ("dbo:Venue dbo:SportFacility", "stadium"),
    "lgdo:Beach": ("lgdo:NaturalThing bq:TouristicPlace", "beach"),
    "lgdo:Marketplace": ("lgdo:Amenity bq:Market", "marketplace"),
    "lgdo:Museum": ("lgdo:TourismThing bq:TouristicPlace", "museum"),
    "lgdo:Hotel": ("lgdo:TourismThing", "hotel"),
    "lgdo:Restaurant": ("lgdo:Amenity", "restaurant"),
    "lgdo:FastFood": ("lgdo:Restaurant lgdo:Amenity", "fast food"),
    "lgdo:Cafe": ("lgdo:Amenity", "café"),
    "lgdo:Bar": ("lgdo:Amenity", "bar"),
    "lgdo:Pub": ("lgdo:Amenity", "pub"),
    "lgdo:Nightclub": ("lgdo:Amenity", "nightclub"),
    "lgdo:Atm": ("lgdo:Amenity", "cash machine"),
    "lgdo:TouristShop": ("lgdo:Shop", "tourist shop"),
    "bq:HandcraftShop": ("lgdo:Shop", "handcraft shop"),
    "city:Office": ("bq:Workplace", "office"),
    "city:HealthCare": ("bq:Place", "health care"),
    "city:Clinic": ("city:HealthCare", "clinic"),
    "city:Hospital": ("city:HealthCare bq:Workplace", "hospital"),
    "city:PlaceOfWorship": ("bq:Place", "place of worship"),
    "city:Church": ("city:PlaceOfWorship", "church"),
    "city:Mosque": ("city:PlaceOfWorship", "mosque"),
    "city:Synagogue": ("city:PlaceOfWorship", "synagogue"),
    "city:PoliticalPlace": ("bq:Place", "political place"),
    "city:PartyOffice": ("city:PoliticalPlace", "party office"),
    "city:UnionOffice": ("city:PoliticalPlace", "union office"),
    "bq:Event": ("", "event"),
    "dbo:Event": ("bq:Event", "event in DBpedia"),
    "dbo:SportsEvent": ("dbo:Event", "sports event"),
    "dbo:FootballMatch": ("dbo:SportsEvent", "football match"),
    "bq:CulturalEvent": ("bq:Event", "cultural event"),
    "bq:MusicFestival": ("bq:CulturalEvent", "music festival"),
    "city:Exhibition": ("bq:CulturalEvent", "exhibition"),
    "bq:SocialEvent": ("bq:Event", "social event"),
    "bq:Party": ("bq:SocialEvent", "party"),
    "bq:Person": ("", "person"),
    "bq:Tourist": ("bq:Person", "tourist"),
    "bq:European": ("bq:Person", "European"),
    "city:Resident": ("bq:Person", "resident"),
    "city:EuropeanTourist": ("bq:European bq:Tourist", "European tourist"),
    "city:GermanTourist": ("city:EuropeanTourist", "German tourist"),
    "city:FrenchTourist": ("city:EuropeanTourist", "French tourist"),
    "city:BritishTourist": ("city:EuropeanTourist", "British tourist"),
    "city:PortugueseTourist": ("city:EuropeanTourist", "Portuguese tourist"),
    "city:ArgentineTourist": ("bq:Tourist", "Argentine tourist"),
    "city:AmericanTourist": ("bq:Tourist", "American tourist"),
    "city:JapaneseTourist": ("bq:Tourist", "Japanese tourist"),
    "bq:MovementMonitoringMeans": ("", "monitoring means"),
    "bq:SocialMedia": ("bq:MovementMonitoringMeans", "social media"),
    "city:PhotoSite": ("bq:SocialMedia", "photo site"),
    "city:MessageSite": ("bq:SocialMedia", "message site"),
    "bq:TransportationMeans": ("", "means of transport"),
    "bq:Bus": ("bq:TransportationMeans", "bus"),
    "bq:Car": ("bq:TransportationMeans", "car"),
    "bq:Taxi": ("bq:Car", "taxi"),
}


def iri(name: str) -> str:
    """The whole IRI of a prefixed name.

    >>> iri("lgdo:Bar")
    'http://linkedgeodata.org/ontology/Bar'
    """
    prefix, _, local = name.partition(":")
    return PREFIXES[prefix] + local


def classes_frame() -> pl.DataFrame:
    """One row for each class and parent: class, parent (null at the top), label."""
    rows = [
        (iri(name), iri(parent) if parent else None, label)
        for name, (parents, label) in CLASSES.items()
        for parent in (parents.split() or [""])
    ]
    return pl.DataFrame(rows, schema=["class", "parent", "label"], orient="row")


def classes_turtle() -> str:
    """The classes as Turtle."""
    lines = [f"@prefix {prefix}: <{namespace}> ." for prefix, namespace in PREFIXES.items()]
    for name, (parents, label) in CLASSES.items():
        lines += [f"{name} rdfs:subClassOf {parent} ." for parent in parents.split()]
        lines.append(f'{name} rdfs:label "{label}"@en .')
    return "\n".join(lines) + "\n"
