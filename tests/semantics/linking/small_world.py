"""The posts and places of the small world in which Algorithm 1 and Figures 8 to 13 have answers checked by hand."""

from __future__ import annotations

import polars as pl

from sfumato.semantics.linking.resources import Resources
from sfumato.semantics.movement.movement import Movement
from sfumato.semantics.vocabulary import BQ

# longitude, latitude and text of the posts p1 to p9
POSTS = (
    (-43.2205, -22.89921, "SC Pub"),
    (-43.2217, -22.89795, "SC Market"),
    (-43.2205, -22.89612, "Sabor do Sertao"),
    (-43.18, -22.91345, "Clube Lapa"),
    (-43.4, -23.05, "Alto Mar"),
    (-43.187, -22.96897, "Feijoada ja"),
    (-43.2302, -22.91212, "Maracana"),
    (-43.205, -22.9841, "Ipanema Beach"),
    (-43.2205, -22.89935, "SC Pub RJ"),
)
PLACES = (
    ("dbr:Maracanã", "POINT(-43.2302 -22.9122)", "Maracanã@pt", "dbo:Stadium"),
    ("rio:bb_atm", "POINT(-43.2217 -22.898)", "BB ATM", "lgdo:Atm lgdo:Amenity"),
    ("rio:beach_kiosk", "POINT(-43.206 -22.9866)", "Sol Kiosk@en", "lgdo:FastFood lgdo:Amenity"),
    ("rio:copacabana_beach", "POINT(-43.1822 -22.9711)", "Copacabana Beach@en", "lgdo:Beach"),
    ("rio:ipanema_beach", "POINT(-43.205 -22.9868)", "Ipanema Beach@en|Praia de Ipanema@pt", "lgdo:Beach"),
    ("rio:lapa_club", "POINT(-43.18 -22.9135)", "Clube Lapa@pt", "lgdo:Nightclub lgdo:Amenity"),
    ("rio:lapa_club_way", "POINT(-43.18 -22.9135)", "Clube Lapa@pt", "lgdo:Nightclub lgdo:Amenity lgdm:Way"),
    ("rio:maracana_gate", "POINT(-43.2302 -22.91209)", "Portão 2@pt", "lgdo:BarrierThing"),
    ("rio:office_bruno", "POINT(-43.178 -22.907)", "office@en", "bq:Workplace"),
    ("rio:sc_bar", "POINT(-43.2193 -22.898)", "Bar do Norte@pt", "lgdo:Bar lgdo:Amenity"),
    ("rio:sc_crafts", "POINT(-43.2217 -22.8993)", "Arte do Barro@pt", "bq:HandcraftShop"),
    ("rio:sc_market", "POINT(-43.2205 -22.898)", "SC Market@en", "lgdo:Marketplace lgdo:Amenity"),
    ("rio:sc_pastel", "POINT(-43.2193 -22.8993)", "Pastel da Feira@pt", "lgdo:FastFood lgdo:Amenity"),
    ("rio:sc_pub", "POINT(-43.2205 -22.8993)", "SC Pub@en", "lgdo:Pub lgdo:Amenity"),
    ("rio:sc_pub_terrace", "POINT(-43.2205 -22.8991)", "SC Pub@en", "lgdo:Pub lgdo:Amenity"),
    ("rio:sc_restaurant", "POINT(-43.2205 -22.8967)", "Sabor do Sertão@pt", "lgdo:Restaurant lgdo:Amenity"),
    ("rio:sc_restaurant_2", "POINT(-43.2205 -22.896)", "Sabor do Sertão II@pt", "lgdo:Restaurant lgdo:Amenity"),
    ("rio:sun_hotel", "POINT(-43.187 -22.969)", "Sun hotel@en", "lgdo:Hotel"),
)
# tau_s, tau_t, post, resource, metres, similarity, near first
ALGORITHM_1 = (
    (16, 0.9, 1, "rio:sc_pub", 10.008, 1.0),
    (16, 0.9, 3, "rio:sc_restaurant_2", 13.343, 0.9667),
    (16, 0.9, 4, "rio:lapa_club", 5.56, 1.0),
    (16, 0.9, 4, "rio:lapa_club_way", 5.56, 1.0),
    (16, 0.9, 7, "dbr:Maracanã", 8.896, 1.0),
    (16, 0.9, 9, "rio:sc_pub", 5.56, 0.9333),
    (128, 0.9, 1, "rio:sc_pub", 10.008, 1.0),
    (128, 0.9, 2, "rio:sc_market", 123.045, 1.0),
    (128, 0.9, 3, "rio:sc_restaurant_2", 13.343, 0.9667),
    (128, 0.9, 4, "rio:lapa_club", 5.56, 1.0),
    (128, 0.9, 4, "rio:lapa_club_way", 5.56, 1.0),
    (128, 0.9, 7, "dbr:Maracanã", 8.896, 1.0),
    (128, 0.9, 9, "rio:sc_pub", 5.56, 0.9333),
    (1024, 0.8, 1, "rio:sc_pub", 10.008, 1.0),
    (1024, 0.8, 2, "rio:sc_market", 123.045, 1.0),
    (1024, 0.8, 3, "rio:sc_restaurant_2", 13.343, 0.9667),
    (1024, 0.8, 4, "rio:lapa_club", 5.56, 1.0),
    (1024, 0.8, 4, "rio:lapa_club_way", 5.56, 1.0),
    (1024, 0.8, 7, "dbr:Maracanã", 8.896, 1.0),
    (1024, 0.8, 8, "rio:ipanema_beach", 300.227, 1.0),
    (1024, 0.8, 9, "rio:sc_pub", 5.56, 0.9333),
)
# the same, similar first: what differs
SWAPPED = {
    (128, 0.9, 3): ("rio:sc_restaurant", 64.493, 1.0),
    (1024, 0.8, 3): ("rio:sc_restaurant", 64.493, 1.0),
}
# tau_s, tau_t: Figure 8 (percent), Figure 9 (mean, posts, links, surplus), Figure 12 (mean)
FIGURES_8_9_12 = {
    (1, 0): (0.0, None, None, None, None, None),
    (1, 0.8): (0.0, None, None, None, None, None),
    (1, 0.9): (0.0, None, None, None, None, None),
    (1, 1): (0.0, None, None, None, None, None),
    (16, 0): (77.78, 1.429, 0.429, 0.6, 0.3, 1.143),
    (16, 0.8): (55.56, 1.4, 0.4, 0.571, 0.286, 1.2),
    (16, 0.9): (55.56, 1.4, 0.4, 0.571, 0.286, 1.2),
    (16, 1): (33.33, 1.667, 0.667, 0.8, 0.4, 1.333),
    (128, 0): (77.78, 2.429, 0.857, 0.941, 0.588, 1.143),
    (128, 0.8): (66.67, 1.667, 0.667, 0.8, 0.4, 1.167),
    (128, 0.9): (66.67, 1.667, 0.667, 0.8, 0.4, 1.167),
    (128, 1): (55.56, 1.4, 0.4, 0.571, 0.286, 1.2),
    (1024, 0): (88.89, 5.625, 1.0, 1.0, 0.822, 1.125),
    (1024, 0.8): (77.78, 1.571, 0.571, 0.727, 0.364, 1.143),
    (1024, 0.9): (77.78, 1.571, 0.571, 0.727, 0.364, 1.143),
    (1024, 1): (66.67, 1.333, 0.333, 0.5, 0.25, 1.167),
}
# tau_s, tau_t, resources, posts
FIGURE_10 = {
    (16, 0.9): [(1, 3), (2, 2)],
    (1024, 0.8): [(1, 3), (2, 4)],
}
FIGURE_13 = [
    ("class", "spatial:Feature", 4),
    ("class", "lgdm:Node", 4),
    ("class", "lgdo:Amenity", 4),
    ("class", "lgdo:Pub", 2),
    ("instance", "rio:sc_pub", 2),
    ("class", "dbo:Stadium", 1),
    ("class", "lgdm:Way", 1),
    ("class", "lgdo:Nightclub", 1),
    ("class", "lgdo:Restaurant", 1),
    ("instance", "dbr:Maracanã", 1),
    ("instance", "rio:lapa_club", 1),
    ("instance", "rio:lapa_club_way", 1),
    ("instance", "rio:sc_restaurant_2", 1),
]


def movement(order: list[int] | None = None) -> Movement:
    """Each post as a moving object of its own, in any order of rows."""
    posts = [(number + 1, *POSTS[number]) for number in order or range(len(POSTS))]
    names = [f"p{number}" for number, *_ in posts]
    positions = [
        {"object": name, "begin": 60.0 * number, "x": x, "y": y}
        for name, (number, x, y, _) in zip(names, posts, strict=True)
    ]
    texts = [
        {"target_kind": "position", "target": row, "property": BQ + "ppText", "kind": "text", "value": text}
        for row, (*_, text) in enumerate(posts)
    ]
    return Movement.of({"object": names}, positions, annotations=pl.DataFrame(texts))


def frames() -> dict[str, pl.DataFrame]:
    """geometries, labels and classes, as a knowledge base gives them."""
    labels, classes = [], []
    for place, _, names, kinds in PLACES:
        for name in names.split("|"):
            label, _, language = name.partition("@")
            labels.append({"resource": place, "label": label, "language": language or None})
        own = kinds.split() if kinds.startswith(("dbo:", "bq:Work")) else ["spatial:Feature", *kinds.split()]
        if "spatial:Feature" in own and "lgdm:Way" not in own:
            own.append("lgdm:Node")
        classes += [{"resource": place, "class": kind} for kind in own]
    geometries = pl.DataFrame([(place, wkt) for place, wkt, *_ in PLACES], schema=["resource", "wkt"], orient="row")
    return {"geometries": geometries, "labels": pl.DataFrame(labels), "classes": pl.DataFrame(classes)}


def resources(**more: object) -> Resources:
    """The places of the small world."""
    tables = frames()
    return Resources.of(tables["geometries"], tables["labels"], classes=tables["classes"], **more)  # type: ignore[arg-type]
