"""`sfumato workload`: counting queries in a file, so that several releases are measured by the same ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sfumato.cli.shared.help_lines import WholeLines
from sfumato.cli.shared.options import declared_options, input_options, json_option, load, side_paths
from sfumato.cli.shared.render import print_json, say, table

__all__ = ["command"]

SHOWN = 10
_SIDES = ("items", "quasi_identifiers", "sensitive", "hierarchies", "places")
_KINDS = ("trajectories", "transactions", "table", "mixed")
_SIZES = ("values", "items", "visits")  # numbers; --items names a column


@click.group("workload", cls=WholeLines, options_metavar="", subcommand_metavar="generate|show ...")
def command() -> None:
    """Generate or show a workload: counting queries in a file.

    Measures take the file, as in --measure are:workload=FILE: several releases are measured by the same queries.
    """


def _generate(*, input: Path, out: Path, queries: int, as_json: bool, **options: Any) -> None:
    from sfumato.errors import OutputError
    from sfumato.io.files import suffix_of
    from sfumato.io.outputs import require_output
    from sfumato.utility.workload import Workload

    rule = {name: options.pop(name) for name in (*_rule_names(), *map(_flag_name, _SIZES)) if name in options}
    rule = {name.removesuffix("_per_query"): value for name, value in rule.items()}
    if suffix_of(out) not in (".csv", ".json"):
        raise OutputError(f"{out}: wanted a file that ends in .csv or .json")
    require_output(out, "workload", inputs=[input, *side_paths(options)])
    data = load(input, options, fits=_KINDS)
    workload = Workload.of(data, number=queries, **rule)
    workload.save(out)
    if as_json:
        print_json({"out": str(out), "queries": len(workload), "rule": workload.rule, "private": workload.private})
        return
    say(f"{len(workload):,} queries in {out}: {workload.rule}")
    say(f"{out} is private: its queries name values that occur in {input}.")


def _rule_names() -> tuple[str, ...]:
    from sfumato.utility.workloads.drawn_queries import DrawnQueries

    return tuple(parameter.name for parameter in DrawnQueries.parameters() if parameter.name not in _SIZES)


def _flag_name(size: str) -> str:
    return f"{size}_per_query"


def _rule_options() -> list[click.Option]:
    """The options of the measure that asks the queries; the sizes get names that differ from the column of items."""
    from sfumato.utility.queries import Are

    options = []
    for option in declared_options(Are, "workload"):
        if option.name in _SIZES:
            name = _flag_name(option.name)
            option = click.Option([f"--{name.replace('_', '-')}", name], type=option.type, help=option.help)
        if option.name not in ("workload", "estimate"):
            options.append(option)
    return options


class _Generate(click.Command):
    """The options of the rule are declared in the library, which is loaded when the command is used."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        if not any(parameter.name == "queries" for parameter in self.params):
            self.params += [*_rule_options(), *input_options(_SIDES)]
        return super().get_params(ctx)


command.add_command(
    _Generate(
        "generate",
        callback=_generate,
        help="Draw counting queries from INPUT and write them to a file.\n\n"
        "The file is private: its queries name values that occur in INPUT.",
        params=[
            click.Argument(["input"], type=click.Path(path_type=Path)),
            click.Option(
                ["--out"],
                type=click.Path(path_type=Path),
                required=True,
                help="The .csv or .json file to write; it is private.",
            ),
            click.Option(["--json", "as_json"], is_flag=True, help="Print JSON for machines."),
        ],
    )
)


@command.command("show")
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def show(file: Path, as_json: bool) -> None:
    """Show the queries of a workload FILE and the rule that drew them."""
    from sfumato.utility.workload import Workload

    workload = Workload.load(file)
    if as_json:
        print_json({"file": str(file), **workload.to_json()})
        return
    private = "; private: the queries were drawn from data" if workload.private else ""
    say(f"{len(workload):,} queries, {workload.rule}{private}")
    table("", ("query", "asks for"), workload.to_polars().head(SHOWN).rows())
    if len(workload) > SHOWN:
        say(f"and {len(workload) - SHOWN:,} more; --json prints all queries.")
