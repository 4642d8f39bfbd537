"""Small whole files of every format, and the reader of each: what mutants are made of.

Every private value holds `MARK`, so that a message which quotes one is noticed.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl

import sfumato
from sfumato.catalogue import method_class
from sfumato.data import Mixed, Places, RoadTrajectories, Table, Taxonomy, Trajectories, Transactions
from sfumato.data.roads.network import Network
from sfumato.io import (
    read,
    read_constraints,
    read_graph,
    read_graphs,
    read_hierarchies,
    read_network,
    read_places,
    read_policy,
    read_positions,
    read_taxonomy,
    read_workplaces,
)
from sfumato.io.published import directory as published
from sfumato.utility.workload import Workload

__all__ = ["MARK", "READERS", "Reader"]

MARK = "Zq9x"


@dataclass(frozen=True)
class Reader:
    """Files by name, the call that reads them, and whether their values are private.

    sealed : the certificate is given the digests of the spoiled files, as a clever forger would.
    """

    files: dict[str, bytes]
    read: Callable[[Path], Any]
    private: bool = True
    sealed: bool = False


def _csv(frame: pl.DataFrame) -> bytes:
    return frame.write_csv().encode()


def _parquet(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def _visits() -> pl.DataFrame:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    rows = [(at // 4, at // 8, at % 5, start + timedelta(minutes=7 * at)) for at in range(40)]
    return pl.DataFrame(
        {
            "trajectory": [f"{MARK}t{row[0]}" for row in rows],
            "person": [f"{MARK}p{row[1]}" for row in rows],
            "location": [f'{MARK} "{row[2]}", x' if row[2] == 3 else f"{MARK}l{row[2]}" for row in rows],
            "time": [row[3].isoformat() for row in rows],
            "x": [float(row[2]) for row in rows],
            "y": [row[2] / 2 for row in rows],
        }
    )


def _people() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "age": [20 + at % 7 for at in range(24)],
            "town": [f"{MARK}town{at % 3}" if at % 11 else None for at in range(24)],
            "pay": [at * 1.5 for at in range(24)],
            "illness": [f"{MARK}ill{at % 4}" for at in range(24)],
            "items": [f"{MARK}a{at % 3} {MARK}b{at % 2}" for at in range(24)],
        }
    )


_BASKETS = "\n".join(" ".join(f"{MARK}i{(at * step) % 6}" for step in (1, 2, 3)) for at in range(1, 20)) + "\n"
_SPMF = (
    f"@CONVERTED_FROM_TEXT\n@ITEM=1={MARK}home\n@ITEM=2={MARK}work\n"
    + "1 -1 2 -1 -2\n" * 3
    + "2 -1 -2\n%comment\n1 -1 -2\n"
)
_TAXONOMY = (
    f"node,parent,sensitive\n{MARK}all,,\n{MARK}food,{MARK}all,false\n{MARK}l0,{MARK}food,true\n{MARK}l1,{MARK}all,0\n"
)
_PATHS = f"{MARK}l0;{MARK}food;*\n{MARK}l1;{MARK}food;*\n{MARK}l2;{MARK}pet;*\n"
_AGES = "".join(f"{age};[{age // 5 * 5}:{age // 5 * 5 + 4}];*\n" for age in range(20, 27))
_POLICY = f"constraint,item\n1,{MARK}i1\n1,{MARK}i2\n2,{MARK}i3\n"
_CONSTRAINTS = f"location,constraint\n{MARK}l0,{MARK}c1\n{MARK}l1,{MARK}c1\n{MARK}l2,{MARK}c2\n"
_WORKPLACES = f"person,location\n{MARK}p0,{MARK}l1\n{MARK}p1,{MARK}l2\n"
_PLACES = f"location,x,y,category,owner,sensitive\n{MARK}l0,0,0,bar,{MARK}o1,true\n{MARK}l1,1,2.5,,{MARK}o2,false\n"
_POSITIONS = "person,time,lat,lon\n" + "".join(
    f"{MARK}p{at % 3},2026-01-01T10:{at:02}:00Z,{40 + at / 100},{9 + at / 100}\n" for at in range(20)
)
_NODES = "node,x,y\nn1,0,0\nn2,100,0\nn3,100,100\nn4,0,100\n"
_ROADS = (
    "road,from,to,class,oneway\nr1,n1,n2,primary,false\nr2,n2,n3,residential,true\n"
    "r3,n3,n4,primary,false\nr4,n4,n1,primary,no\n"
)
_DRIVES = "trajectory,road,direction,time,person\n" + "".join(
    f"{MARK}t{trip},{road},+,{60 * trip + at},{MARK}p{trip}\n"
    for trip in range(4)
    for at, road in enumerate(("r1", "r2"))
)
_WAYS = "way,node,lat,lon,class,oneway\n" + "".join(
    f"w{way},n{way + at},{40 + (way + at) / 1000},{9 + at / 1000},residential,{'yes' if way else 'no'}\n"
    for way in range(3)
    for at in range(3)
)
_GRAPHML = """<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="node" attr.name="x"/><key id="d1" for="node" attr.name="y"/>
<key id="d2" for="edge" attr.name="oneway"><default>false</default></key><key id="d3" for="edge" attr.name="geometry"/>
<graph edgedefault="directed">
<node id="a"><data key="d0">1.5</data><data key="d1">2</data></node>
<node id="b"><data key="d0">3</data><data key="d1">4</data></node>
<edge id="1" source="a" target="b"><data key="d3">LINESTRING (1.5 2, 2 3, 3 4)</data></edge>
<edge id="2" source="b" target="a"><data key="d2">true</data></edge>
</graph>
</graphml>
"""
_LG = f't # 1\nv 1 {MARK}bar\nv 2 "{MARK} ice"\nv 3 {MARK}shop\ne 1 2 {MARK}x\ne 2 3\n'
_LG_TWO = _LG + f"t # 2\nv 1 {MARK}bar\nv 2 {MARK}bar\ne 1 2\n"
_EDGES = f"from,to,label,weight\n{MARK}1,{MARK}2,x,2\n{MARK}2,{MARK}3,,1\n"
_WORKLOAD = json.dumps(
    {"rule": "given", "queries": [{"where": {"age": [20, 24]}}, {"items": [f"{MARK}a"]}, {"locations": [f"{MARK}l0"]}]}
)


def _released(kind: str) -> dict[str, bytes]:
    """The files of a release of this kind."""
    rows = [["a", "b", "c"][: 1 + at % 3] for at in range(9)]
    tree = Taxonomy({"all": None, "a": "all", "b": "all", "c": "all"})
    places = Places.from_frame({"location": list("abc"), "x": [0.0, 1, 2], "y": [0.0, 1, 0], "owner": ["A", "A", "C"]})
    people = pl.DataFrame({"age": [20 + at % 3 for at in range(9)], "pay": [at % 2 for at in range(9)]})
    network = Network.from_frames(
        pl.read_csv(_NODES.encode()), pl.read_csv(_ROADS.encode(), schema_overrides={"oneway": pl.String})
    )
    items = Transactions.from_lists(rows)
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "out"
        if kind == "trajectories":
            walks = Trajectories.from_lists(rows, places=places, taxonomy=tree)
            method_class("seqanon")(k=2, m=1).anonymize(walks, seed=1).write(out)
        elif kind == "transactions":
            taxonomy = replace(items, taxonomy=tree)
            method_class("apriori")(k=2, m=1).anonymize(taxonomy, seed=1).write(out)
        elif kind == "chunks":
            method_class("disassociate")(k=2, m=1).anonymize(items, seed=1).write(out)
        elif kind == "table":
            table = Table(people, quasi_identifiers=("age",), sensitive=("pay",))
            method_class("cluster")(k=2).anonymize(table, seed=1).write(out)
        elif kind == "mixed":
            mixed = Mixed(Table(people.select("age")), replace(items, taxonomy=tree), "items")
            method_class("r-first").from_json({"k": 2, "m": 1}).anonymize(mixed, seed=1).write(out)
        else:
            drives = RoadTrajectories.from_lists([["r1+", "r2+"]] * 4, network=network)
            method_class("icba")(k=2).anonymize(drives, seed=1).write(out)
        return {name: (out / name).read_bytes() for name in sorted(_names(out))}


def _names(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]


def _verified(folder: Path) -> None:
    sfumato.verify(folder)


def _read_published(folder: Path) -> None:
    published.read(folder)


def seal(folder: Path) -> None:
    """Write the digests of the files as they are into the certificate, as far as it can be read."""
    path = folder / "certificate.json"
    try:
        told = json.loads(path.read_bytes())
        told["files"] = {
            name: sha256((folder / name).read_bytes()).hexdigest()
            for name in sorted(_names(folder))
            if name != "certificate.json"
        }
    except (ValueError, TypeError, RecursionError):
        return
    path.write_text(json.dumps(told))


def _one(name: str, content: bytes | str, call: Callable[[Path], Any]) -> Reader:
    raw = content.encode() if isinstance(content, str) else content
    return Reader({name: raw}, lambda folder: call(folder / name))


def _readers() -> dict[str, Reader]:
    visits, people = _visits(), _people()
    typed = visits.with_columns(
        pl.col("location").cast(pl.Categorical), pl.col("time").str.to_datetime(time_zone="UTC")
    )
    roads = {"nodes.csv": _NODES.encode(), "roads.csv": _ROADS.encode()}
    found = {
        "trajectories csv": _one("v.csv", _csv(visits), read),
        "trajectories parquet": _one("v.parquet", _parquet(typed), read),
        "trajectories txt": _one("v.txt", _BASKETS, read),
        "sequences spmf": _one("v.spmf", _SPMF, read),
        "baskets dat": _one("v.dat", _BASKETS, read),
        "transactions csv": _one("v.csv", _csv(visits.select(record="trajectory", item="location")), read),
        "table csv": _one("t.csv", _csv(people), lambda path: read(path, kind="table", sensitive=("illness",))),
        "table parquet": _one("t.parquet", _parquet(people), lambda path: read(path, kind="table")),
        "mixed csv": _one("t.csv", _csv(people), lambda path: read(path, items="items")),
        "places": _one("p.csv", _PLACES, read_places),
        "places parquet": _one("p.parquet", _parquet(pl.read_csv(_PLACES.encode())), read_places),
        "taxonomy nodes": _one("x.csv", _TAXONOMY, read_taxonomy),
        "taxonomy paths": _one("x.csv", _PATHS, read_taxonomy),
        "policy csv": _one("p.csv", _POLICY, read_policy),
        "policy lines": _one("p.txt", _BASKETS, read_policy),
        "constraints": _one("c.csv", _CONSTRAINTS, read_constraints),
        "workplaces": _one("w.csv", _WORKPLACES, read_workplaces),
        "positions": _one("p.csv", _POSITIONS, read_positions),
        "graphml": _one("n.graphml", _GRAPHML, read_network),
        "ways": _one("w.csv", _WAYS, read_network),
        "graph lg": _one("g.lg", _LG, read_graph),
        "graphs lg": _one("g.lg", _LG_TWO, read_graphs),
        "graph csv": _one("g.csv", _EDGES, read_graph),
        "workload": _one("w.json", _WORKLOAD, Workload.load),
        "network csv": Reader(roads, read_network),
        "network txt": Reader(
            {"node.txt": b"1 0 0\n2 5 5\n3 9 1\n", "edge.txt": b"1 1 2 7 High Street\n2 2 3 7\n"}, read_network
        ),
        "roads csv": Reader(
            {**{f"net/{name}": raw for name, raw in roads.items()}, "d.csv": _DRIVES.encode()},
            lambda folder: read(folder / "d.csv", network=folder / "net"),
        ),
        "hierarchies": Reader(
            {"t.csv": _csv(people), "h/age.csv": _AGES.encode()},
            lambda folder: read(
                folder / "t.csv", kind="table", hierarchies=read_hierarchies(folder / "h", ("age", "town"))
            ),
        ),
    }
    for kind in ("trajectories", "transactions", "chunks", "table", "mixed", "roads"):
        files = _released(kind)
        found[f"directory of {kind}"] = Reader(files, _verified, private=False, sealed=True)
        if kind in ("trajectories", "table"):
            found[f"certificate of {kind}"] = Reader(
                {"certificate.json": files["certificate.json"]}, _read_published, private=False
            )
    return found


READERS: dict[str, Reader] = _readers()
