"""Options made from declared parameters, and the options for reading an input file."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from sfumato.cli.shared.completion import complete_values, names_in
from sfumato.cli.threads_option import threads_option
from sfumato.errors import DataError, FileError, ParameterError, did_you_mean, either, listed
from sfumato.params import Declared, Parameter
from sfumato.registry import Registry
from sfumato.remedies import with_remedy

if TYPE_CHECKING:
    from sfumato.data import Table

__all__ = [
    "Named",
    "columns_of",
    "declared_options",
    "input_options",
    "json_option",
    "load",
    "names_of",
    "network_files",
    "seed_option",
    "show_notes",
    "side_paths",
    "sides_of",
]

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")
seed_option = click.option("--seed", type=int, default=None, help="The same seed repeats a run exactly.")

# option, what it is for, whether it is a file or directory (nothing for a flag)
_SIDE = {
    "places": ("--places", "Places file: location and x,y or lat,lon, category, owner, sensitive.", True),
    "taxonomy": (
        "--taxonomy",
        "Taxonomy of the locations or items: node,parent,sensitive, or leaf-to-root rows.",
        True,
    ),
    "constraints": ("--constraints", "Utility constraints: location,constraint, one row per location.", True),
    "workplaces": (
        "--workplaces",
        "Workplaces of persons: person,location, or trajectory,location. This file is private.",
        True,
    ),
    "privacy_policy": (
        "--privacy-policy",
        "Sets of items to protect: a file, or all:SIZE, rare:SIZE:BELOW, frequent:SIZE:FROM.",
        False,
    ),
    "utility_policy": ("--utility-policy", "Sets of items that may share a label: a file, or siblings:LEVEL.", False),
    "hierarchies": ("--hierarchies", "Directory with one hierarchy per attribute, found as *<attribute>.*.", True),
    "quasi_identifiers": ("--quasi-identifiers", "Columns that an attacker may know, separated by commas.", False),
    "sensitive": ("--sensitive", "Sensitive columns, or sensitive locations, separated by commas.", False),
    "network": (
        "--network",
        "Roads: a folder with nodes.csv and roads.csv, a GraphML file, or a CSV of ways.",
        True,
    ),
    "split_jumps": ("--split-jumps", "Start a new trajectory where a road does not continue the previous road.", None),
    "items": (
        "--items",
        "The column that holds items separated by blanks; the table is then read as mixed records.",
        False,
    ),
}
# needs that are columns of a file or come in two ways
_SIDES_OF_NEED = {"owners": ("places",), "sensitive": ("places", "sensitive")}
SIDE_OF_KIND = {
    "trajectories": (),
    "roads": ("network", "split_jumps"),
    "transactions": (),
    "table": ("quasi_identifiers", "sensitive"),
    "mixed": ("items", "quasi_identifiers", "sensitive"),
}


def sides_of(needs: Iterable[str], kind: str) -> list[str]:
    """The side options of a method: those of its needs first, then those of its kind of data."""
    if kind not in SIDE_OF_KIND:
        raise ParameterError(f"wanted data of the kind {either(list(SIDE_OF_KIND))}, found {kind!r}")
    several = _SIDES_OF_NEED if kind == "trajectories" else {}
    wanted = [side for need in needs for side in several.get(need, (need,))]
    if unknown := [side for side in wanted if side not in _SIDE]:
        raise ParameterError(f"no side knowledge is called {unknown[0]!r}; {did_you_mean(unknown[0], _SIDE)}")
    return list(dict.fromkeys([*wanted, *SIDE_OF_KIND[kind]]))


class Named(click.ParamType):  # type: ignore[type-arg]
    """The name of an installed class, or module:Class."""

    name = "name"

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        return f"[{'|'.join(self._registry)}|module:Class]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            self._registry.choose(value)
        except ParameterError as error:
            self.fail(str(error), param, ctx)
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        return names_in(self._registry, incomplete)


class _Typed(click.ParamType):  # type: ignore[type-arg]
    """The type of an option: a value checked by its declared parameter."""

    def __init__(self, owner: str, parameter: Parameter) -> None:
        self.name = {int: "integer", float: "number", bool: "boolean"}.get(parameter.type, "text")
        self._owner, self._parameter = owner, parameter

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return self._parameter.parse(self._owner, value)
        except ParameterError as error:
            self.fail(str(error).partition(": ")[2], param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        return complete_values(self._parameter, incomplete)


def declared_options(declared: type[Declared], owner: str) -> list[click.Option]:
    """One option for each declared parameter."""
    options = []
    for parameter in declared.parameters():
        sentence = parameter.help[0].upper() + parameter.help[1:]
        # a default of None would count as given
        default = {} if parameter.required else {"default": parameter.default}
        options.append(
            click.Option(
                [f"--{parameter.name.replace('_', '-')}", parameter.name],
                type=_Typed(owner, parameter),
                required=parameter.required,
                show_default=parameter.default is not None,
                help=f"{sentence} ({parameter.wanted}).",
                **default,
            )
        )
    return options


def input_options(sides: Iterable[str] = tuple(_SIDE), *, kinds: bool = True) -> list[click.Option]:
    """The options for reading an input file."""
    options = [
        click.Option(["--columns"], help="Other column names: trajectory=tid,location=poi."),
        click.Option(
            ["--person"], help="The column that names the person of each record; support then counts persons."
        ),
        click.Option(
            ["--missing"],
            help='Texts that stand for a missing value: "NA,?,-99"; "" for none [default: the usual ones, in tables].',
        ),
        click.Option(
            ["--dates"],
            help="Dates in tables: their hierarchy (month or week), their order (day-first or month-first), or text "
            "[default: month].",
        ),
        click.Option(["--sheet"], help="The sheet of an Excel workbook [default: the first]."),
        threads_option(),
    ]
    if kinds:
        kind = click.Choice(["trajectories", "roads", "transactions", "table", "mixed"])
        options.append(
            click.Option(["--kind"], type=kind, help="The kind of data, where the file could hold several kinds.")
        )
    for side in sides:
        flag, sentence, is_path = _SIDE[side]
        if is_path is None:
            options.append(click.Option([flag, side], is_flag=True, help=sentence))
            continue
        kind_of = click.Path(path_type=Path) if is_path else None
        options.append(click.Option([flag, side], type=kind_of, help=sentence))
    return options


def with_options(options: Iterable[click.Option]) -> Callable[[click.Command], click.Command]:
    """Add options to a command."""

    def decorate(command: click.Command) -> click.Command:
        command.params.extend(options)
        return command

    return decorate


def load(
    path: Path,
    options: dict[str, Any],
    kind: str | None = None,
    *,
    fits: tuple[str, ...] = (),
    strict: bool = False,
    notes: list[str] | None = None,
    complete: bool = True,
) -> Any:
    """Read an input file by its options, which are removed from `options`.

    fits : the accepted kinds, where several are; a file whose columns have other names looks like a table.
    strict : whether the values are taken as they are, as those of published data: only named markers are missing.
    notes : collects the notes about how the file was read; without it, they are shown.
    complete : whether values of a table that their hierarchy lacks are refused.
    """
    from sfumato.data import Table
    from sfumato.io import read, read_constraints, read_places, read_taxonomy, read_workplaces

    columns = columns_of(options.pop("columns", None))
    person = options.pop("person", None)
    if person is not None:
        columns["person"] = person
    kind = options.pop("kind", None) or kind
    collected: list[str] = []
    reading = _reading_of(options, strict=strict)
    sides = {side: options.pop(side, None) for side in _SIDE}
    arguments: dict[str, Any] = {"kind": kind, "columns": columns, "items": sides["items"], **reading}
    if sides["places"] is not None:
        arguments["places"] = read_places(sides["places"], notes=collected)
    if sides["taxonomy"] is not None:
        arguments["taxonomy"] = read_taxonomy(sides["taxonomy"])
    if sides["constraints"] is not None:
        arguments["constraints"] = read_constraints(sides["constraints"])
    if sides["workplaces"] is not None:
        arguments["workplaces"] = read_workplaces(sides["workplaces"])
    for role in ("quasi_identifiers", "sensitive"):
        arguments[role] = names_of(sides[role])
    arguments["hierarchies"] = sides["hierarchies"]
    arguments |= {"network": sides["network"], "split_jumps": bool(sides["split_jumps"])}
    from sfumato.cli.shared.policies import with_policies

    try:
        data = read(path, **arguments, notes=collected, complete=complete)
    except DataError:  # a wrong guess may be the reason
        show_notes(collected)
        raise
    if fits and kind is None and isinstance(data, Table) and "table" not in fits:
        raise _not_a_table(path, data, fits)
    if notes is None:
        show_notes(collected)
    else:
        notes += collected
    return with_policies(data, sides["privacy_policy"], sides["utility_policy"])


def _reading_of(options: dict[str, Any], *, strict: bool) -> dict[str, Any]:
    """How to read the values: what stands for a missing one, dates, the sheet."""
    missing, dates, sheet = (options.pop(name, None) for name in ("missing", "dates", "sheet"))
    if strict:
        return {"missing": names_of(missing), "dates": dates or "text", "sheet": sheet}
    return {"missing": None if missing is None else names_of(missing), "dates": dates or "month", "sheet": sheet}


def _not_a_table(path: Path, table: Table, fits: tuple[str, ...]) -> FileError:
    """The error about a table where data of another kind are wanted, with columns that could be those of that kind."""
    from sfumato.io.inputs.column_roles import required_roles, suggested_columns

    wanted = f"wanted {either(fits)}, found a table with the columns {listed(table.frame.columns)}"
    example = suggested_columns(table.frame, next((kind for kind in fits if required_roles(kind)), ""))
    return FileError(path, with_remedy(wanted, "name-visits", columns=example) if example else wanted)


def show_notes(notes: Iterable[str]) -> None:
    """Print notes about how a file was read to stderr."""
    from sfumato.cli.shared.escapes import escaped_line
    from sfumato.cli.shared.flags import with_flags

    for sentence in notes:
        click.echo(f"sfumato: note: {escaped_line(with_flags(sentence))}", err=True)


def side_paths(options: dict[str, Any]) -> list[Path]:
    """The files and directories of side knowledge that the options name; no output may replace them."""
    named = [Path(options[side]) for side in _SIDE if options.get(side) and _SIDE[side][2]]
    named += network_files(options.get("network"))
    # a policy is a file or a rule
    return named + [Path(options[side]) for side in ("privacy_policy", "utility_policy") if options.get(side)]


def network_files(network: Path | None) -> list[Path]:
    """The files that reading a network opens: the given file or folder, and both files of a folder."""
    if network is None:
        return []
    network = Path(network)
    files = ("nodes.csv", "roads.csv")
    return [network, *(network.with_name(name) for name in files if network.name in files)]


def columns_of(text: str | None) -> dict[str, str]:
    """The columns that ``role=column`` pairs name."""
    pairs = [part.partition("=") for part in names_of(text)]
    if any(not (role and equals and column) for role, equals, column in pairs):
        raise click.UsageError(f"--columns: wanted role=column pairs separated by commas, found {text!r}")
    return {role: column for role, _, column in pairs}


def names_of(text: str | None) -> tuple[str, ...]:
    """The names in a text, which commas separate; a name that contains a comma stands in quotation marks.

    >>> names_of('age, "town, street"')
    ('age', 'town, street')
    """
    if not text:
        return ()
    try:
        parts = next(csv.reader([text], skipinitialspace=True, strict=True), [])
    except csv.Error:
        raise click.UsageError(
            f"wanted names separated by commas, with quotation marks in pairs, found {text!r}"
        ) from None
    return tuple(part.strip() for part in parts if part.strip())
