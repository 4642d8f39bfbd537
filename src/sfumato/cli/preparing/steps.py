"""`sfumato prepare grid|regions|split|stops|slots`: positions or visits in, positions or visits out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from sfumato.cli.shared.options import columns_of, declared_options, load, show_notes, side_paths
from sfumato.cli.shared.render import print_json, say
from sfumato.errors import FileError, OutputError, ParameterError, either

if TYPE_CHECKING:
    from sfumato.prepare.base import Preparation

__all__ = ["command_of_step", "step_command"]


@dataclass(frozen=True)
class _Step:
    """A command: what it does, the classes to choose from, the choice without an option, and further files.

    ways : by the value of --by, the class in `sfumato.prepare`; a single one has no --by.
    """

    help: str
    ways: dict[str, str]
    default: str | None = None
    writes: tuple[str, ...] = ()


_STEPS = {
    "grid": _Step("Write the visits to the cells of a uniform grid.", {"grid": "Grid"}, "grid", ("places",)),
    "regions": _Step(
        "Write the visits to regions that many trajectories cross.",
        {"regions": "RegionsOfInterest"},
        "regions",
        ("places",),
    ),
    "split": _Step(
        "Write the movements of each person as several trajectories.",
        {
            "day": "SplitByDay",
            "week": "SplitByWeek",
            "gap": "SplitByGap",
            "distance": "SplitByDistance",
            "travelled": "SplitByTravelledDistance",
        },
    ),
    "stops": _Step(
        "Write the stops: as visits where the places are known, else with their centres.",
        {"stay-points": "StayPoints", "places": "StaysAtPlaces", "speed": "SpeedClusters"},
        "stay-points",
    ),
    "slots": _Step(
        "Write locations combined with the time of day: a at 14:20 becomes a@14.",
        {"slots": "TimeSlots"},
        "slots",
        ("taxonomy",),
    ),
}
_FILES = {
    "places": ("--places-out", "Also write the places, for the method that anonymizes; this file is private."),
    "taxonomy": ("--taxonomy-out", "Also write the taxonomy with the slots as leaves; this file is private."),
}
_COUNTS = {
    "outside": "positions or visits left out, outside the box or the regions",
    "repeats": "merged with the one before, at the same location",
    "nowhere": "trajectories left out, with no visit left",
    "regions": "regions",
    "parts": "trajectories after splitting",
    "empty": "trajectories left out, without a position or visit",
    "stops": "stops",
    "moving": "positions left out, outside stops",
    "elsewhere": "stops left out, with no place near them",
    "locations": "locations with a time of day",
}


def step_command(name: str) -> click.Command:
    """The command of a preparation, with an option for each of its parameters."""
    step = _STEPS[name]
    path = click.Path(path_type=Path)
    text = (
        "\n\nINPUT has positions (time, lat and lon or x and y, trajectory or person) or visits (trajectory, location)."
        "  The output is as private as INPUT."
    )
    return click.Command(
        name,
        callback=click.pass_context(lambda ctx, **options: _run(ctx, name, step, **options)),
        help=step.help + text,
        params=[
            click.Argument(["input"], type=path),
            click.Option(["--out"], type=path, required=True, help="The file to write; it is private."),
            *_choice(step),
            *_parameters(name, step),
            *(click.Option([_FILES[what][0]], type=path, help=_FILES[what][1]) for what in step.writes),
            click.Option(["--columns"], help="Other column names: time=t,lat=Y,lon=X, or trajectory=tid,location=poi."),
            click.Option(["--person"], help="The column that names the person of each trajectory."),
            click.Option(
                ["--places"],
                type=path,
                help="Places file: location and x,y or lat,lon; visits need it for coordinates, stops for names.",
            ),
            *_taxonomy(step, path),
            click.Option(["--json", "as_json"], is_flag=True, help="Print JSON for machines."),
        ],
    )


def command_of_step(preparation: Preparation, source: str, out: str, options: Sequence[str] = ()) -> list[str]:
    """The command that applies a preparation to a file, as a list of words.

    >>> from sfumato.prepare import SplitByDay
    >>> " ".join(command_of_step(SplitByDay(), "visits.csv", "days.csv"))
    'sfumato prepare split visits.csv --by day --out days.csv'
    """
    declared = type(preparation).__name__
    name, step = next((name, step) for name, step in _STEPS.items() if declared in step.ways.values())
    way = next(way for way, known in step.ways.items() if known == declared)
    words = ["sfumato", "prepare", name, source, *([] if len(step.ways) == 1 else ["--by", way])]
    for parameter in preparation.parameters():
        value = getattr(preparation, parameter.name)
        if value != parameter.default:
            flag = f"--{parameter.name.replace('_', '-')}"
            words += [flag] if value is True else [flag, repr(value) if isinstance(value, float) else str(value)]
    return [*words, *options, "--out", out]


def _choice(step: _Step) -> list[click.Option]:
    if len(step.ways) == 1:
        return []
    choice = click.Choice(list(step.ways))
    default: dict[str, Any] = {} if step.default is None else {"default": step.default, "show_default": True}
    return [click.Option(["--by"], type=choice, help="The rule that divides or finds stops.", **default)]


def _taxonomy(step: _Step, path: click.Path) -> list[click.Option]:
    if "taxonomy" not in step.writes:
        return []
    sentence = "Taxonomy of the locations: node,parent,sensitive, or leaf-to-root rows."
    return [click.Option(["--taxonomy"], type=path, help=sentence)]


def _parameters(name: str, step: _Step) -> list[click.Option]:
    """One option for each parameter of any of the classes; required ones are demanded when the rule is chosen."""
    options: dict[str, click.Option] = {}
    rules: dict[str, dict[str, list[str]]] = {}  # of each parameter, the rules that it means the same for
    for way, declared in _classes(step).items():
        for option in declared_options(declared, f"prepare {name}"):
            options.setdefault(str(option.name), option)
            rules.setdefault(str(option.name), {}).setdefault(str(option.help).removesuffix("."), []).append(way)
    for parameter, option in options.items():
        meanings = rules[parameter]
        if sum(map(len, meanings.values())) < len(step.ways):
            option.required = False
            option.help = " ".join(f"{help}; for --by {either(ways)}." for help, ways in meanings.items())
    return list(options.values())


def _classes(step: _Step) -> dict[str, Any]:
    from sfumato import prepare

    return {way: getattr(prepare, declared) for way, declared in step.ways.items()}


def _run(ctx: click.Context, name: str, step: _Step, /, **options: Any) -> None:
    from sfumato.io import write_places, write_taxonomy
    from sfumato.io.outputs import require_outputs

    source, out, as_json = options.pop("input"), options.pop("out"), options.pop("as_json")
    beside = {what: options.pop(f"{what}_out") for what in step.writes}
    preparation = _preparation(ctx, name, step, options)
    _require_table(out)
    files = [("output", out), *((f"file of the {what}", file) for what, file in beside.items())]
    require_outputs(files, inputs=[source, *side_paths(options)])
    if beside.get("taxonomy") is not None and options["taxonomy"] is None:
        raise ParameterError(f"prepare {name}: wanted the taxonomy of the locations, found none (--taxonomy FILE)")
    prepared = preparation.apply(_input(source, options))
    result, words = _written(prepared.data, out)
    if beside.get("places") is not None:
        write_places(result.places, beside["places"])
    if beside.get("taxonomy") is not None:
        write_taxonomy(result.taxonomy, beside["taxonomy"])
    records, elements = words
    count = int(result.offsets[-1])
    if as_json:
        facts = {"out": str(out), "records": len(result), elements: count, **prepared.counts}
        print_json({**facts, "parameters": preparation.to_json()})
        return
    say(f"{len(result):,} {records} with {count:,} {elements} in {out}")
    for what, number in prepared.counts.items():
        if number and what not in (elements, "parts"):
            say(f"    {_COUNTS[what]}: {number:,}")


def _require_table(out: Path) -> None:
    from sfumato.io.files import suffix_of

    if suffix_of(out) not in (".csv", ".parquet"):
        raise OutputError(f"{out}: wanted a file that ends in .csv or .parquet")


def _preparation(ctx: click.Context, name: str, step: _Step, options: dict[str, Any]) -> Any:
    """The preparation with the parameters that were given; they are removed from the options."""
    way = options.pop("by", step.default)
    if way is None:
        raise ParameterError(f"prepare {name}: wanted a rule, found none; choose one (--by {either(list(step.ways))})")
    classes = _classes(step)
    own = {parameter.name: parameter for parameter in classes[way].parameters()}
    given: dict[str, Any] = {}
    for parameter in dict.fromkeys(each.name for declared in classes.values() for each in declared.parameters()):
        value = options.pop(parameter)
        if ctx.get_parameter_source(parameter) in (None, ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP):
            continue
        flag = f"--{parameter.replace('_', '-')}"
        if parameter not in own:
            raise ParameterError(f"prepare {name}: --by {way} has no {flag}; leave it out")
        given[parameter] = value
    for parameter, declared in own.items():
        if declared.required and parameter not in given:
            flag = f"--{parameter.replace('_', '-')}"
            raise ParameterError(f"prepare {name}: --by {way} needs {flag}: {declared.wanted}")
    return classes[way].from_json(given)


def _input(path: Path, options: dict[str, Any]) -> Any:
    """Visits, if the file has locations, or else positions."""
    from sfumato.io import read_places, read_positions
    from sfumato.io.datasets import kind_in_file
    from sfumato.io.files import suffix_of

    columns = columns_of(options["columns"])
    if options["person"] is not None:
        columns["person"] = options["person"]
    lines = suffix_of(path) in (".txt", ".dat", ".spmf")
    kind = "trajectories" if lines else kind_in_file(path, columns=columns)
    if kind == "trajectories":
        return load(path, options, "trajectories")
    if kind == "roads":
        raise FileError(path, "wanted positions or visits, found roads")
    if "taxonomy" in options:
        problem = "wanted visits (trajectory, location), found other columns"
        raise FileError(path, f"{problem}; make visits of positions first (sfumato prepare grid)")
    notes: list[str] = []
    places = None if options["places"] is None else read_places(options["places"], notes=notes)
    positions = read_positions(path, columns=columns, places=places, notes=notes)
    show_notes(notes)
    return positions


def _written(data: Any, out: Path) -> tuple[Any, tuple[str, str]]:
    """Write the data; what was written, and the words for its records and their elements."""
    from sfumato.data.stops import Stops
    from sfumato.data.trajectories import Trajectories
    from sfumato.io import write, write_positions
    from sfumato.io.frames import write_frame

    if isinstance(data, Stops) and data.locations is not None:
        data = data.to_trajectories()
    if isinstance(data, Trajectories):
        write(data, out)
        return data, ("trajectories", "visits")
    if isinstance(data, Stops):
        write_frame(data.to_polars().rename({"arrival": "time", "departure": "end"}), out)
        return data, ("tracks", "stops")
    write_positions(data, out)
    return data, ("tracks", "positions")
