"""`sfumato hierarchy derive`: hierarchies computed by a rule, in files that say whether they are private."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.cli.shared.options import declared_options, input_options, load, names_of, side_paths
from sfumato.cli.shared.render import print_json, say
from sfumato.errors import DataError, MissingKnowledge, OutputError

if TYPE_CHECKING:
    from sfumato.data import Taxonomy
    from sfumato.prepare.hierarchies import HierarchyRule

__all__ = ["derive"]


class _Derive(click.Command):
    """The options of the rule are declared in the library, which is loaded when the command is used."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        if not any(parameter.name == "rule" for parameter in self.params):
            from sfumato.prepare.hierarchies import HierarchyRule

            of_rule = [option for option in declared_options(HierarchyRule, "hierarchy") if option.name != "dates"]
            self.params += [*of_rule, *input_options(("items", "places"))]  # these have --dates, too
        return super().get_params(ctx)


def _derive(
    *,
    input: Path,
    columns_to_derive: tuple[str, ...],
    out: Path,
    largest: int,
    sensitive: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    from sfumato.io.outputs import require_fresh, require_output
    from sfumato.prepare.hierarchies import HierarchyRule

    declared = {parameter.name for parameter in HierarchyRule.parameters()} - {"dates"}
    dates = "week" if "week" in names_of(options.get("dates")) else "month"
    rule = HierarchyRule(**{name: options.pop(name) for name in declared}, dates=dates)
    to_file = out.name.endswith(".csv")
    if to_file:
        require_output(out, "hierarchy", inputs=[input, *side_paths(options)])
    else:
        require_fresh(out)
    trees = _trees(input, columns_to_derive, rule, options, largest=largest, sensitive=names_of(sensitive))
    if to_file and len(trees) > 1:
        raise OutputError(f"{out}: wanted a directory for {len(trees)} hierarchies, found the name of a .csv file")
    files = _write(trees, out, to_file=to_file)
    if as_json:
        facts = {
            name: {
                "out": str(files[name]),
                "private": bool(tree.rule),
                "rule": tree.rule or None,
                "leaves": len(tree.leaves),
            }
            for name, tree in trees.items()
        }
        print_json({"out": str(out), "hierarchies": facts})
        return
    for name, tree in trees.items():
        rule_text = f", rule {tree.rule}" if tree.rule else ""
        say(f"{name}: {len(tree.leaves):,} leaves, {tree.height + 1} levels in {files[name]}{rule_text}")
    _say_privacy(trees, input)


def _say_privacy(trees: dict[str, Taxonomy], input: Path) -> None:
    private = [name for name, tree in trees.items() if tree.rule]
    if private:
        say(
            f"Private: {', '.join(private)}. The leaves are the values that occur in {input}, and intervals and groups "
            "are computed from them. The root's name says so in the file. A release publishes only what its "
            "labels need."
        )
    if len(private) < len(trees):
        public = [name for name, tree in trees.items() if not tree.rule]
        say(f"Public: {', '.join(public)}. The tree does not depend on the records.")


def _trees(
    path: Path,
    columns: tuple[str, ...],
    rule: HierarchyRule,
    options: dict[str, Any],
    *,
    largest: int,
    sensitive: tuple[str, ...],
) -> dict[str, Taxonomy]:
    """The hierarchy of each column, or the one of the items or locations."""
    from sfumato.data import Mixed, Table, Trajectories, Transactions
    from sfumato.prepare.derived_hierarchies import derived_hierarchies

    data = load(path, options)
    if isinstance(data, Transactions | Trajectories) and columns:
        raise click.UsageError(f"{path} holds {data.kind}, which have no columns to name; leave {columns[0]!r} out")
    if isinstance(data, Table | Mixed) and not columns:
        raise click.UsageError(f"{path} is a table; name the columns whose hierarchies to derive")
    try:
        return derived_hierarchies(data, columns, rule, largest=largest, sensitive=sensitive)
    except MissingKnowledge as error:
        raise click.UsageError(f"--sensitive names categories of places; give --places FILE: {error}") from None
    except DataError as error:
        raise DataError(f"{path}: {error}") from None


def _write(trees: dict[str, Taxonomy], out: Path, *, to_file: bool) -> dict[str, Path]:
    """Write one file for each hierarchy, readable by its owner alone; returns their names."""
    from sfumato.io import write_hierarchy, write_taxonomy
    from sfumato.io.atomic_writes import fresh_directory

    def write(name: str, path: Path) -> None:
        (write_taxonomy if name == "location" and len(trees) == 1 else write_hierarchy)(trees[name], path)

    if to_file:
        write(next(iter(trees)), out)
        return dict.fromkeys(trees, out)
    unusable = next((name for name in trees if Path(name).name != name or name.startswith(".")), None)
    if unusable is not None:
        raise OutputError(f"{unusable!r} cannot be the name of a file; derive this column alone (--out FILE.csv)")
    with fresh_directory(out, private=True) as folder:
        for name in trees:
            write(name, folder / f"{name}.csv")
    return {name: out / f"{name}.csv" for name in trees}


derive = _Derive(
    "derive",
    callback=_derive,
    help="Compute hierarchies of columns of INPUT, or of its items or places, and write them to files.\n\n"
    "Numbers get intervals, codes are masked from the right, dates get months, quarters and years, other texts and "
    "items are grouped.  Places get their categories and parts of the map.  A hierarchy of the values that occur is "
    "private, and its file says so; with --domain and --width, or --alphabet and --length, it covers what you state "
    "and is public.",
    params=[
        click.Argument(["input"], type=click.Path(path_type=Path)),
        click.Argument(["columns_to_derive"], nargs=-1, metavar="[COLUMN]..."),
        click.Option(
            ["--out"],
            type=click.Path(path_type=Path),
            required=True,
            help="The .csv file to write, or a new directory with one file for each column.",
        ),
        click.Option(
            ["--largest"],
            type=click.IntRange(min=1),
            default=50,
            show_default=True,
            help="Places: the largest number of places in a part of the map.",
        ),
        click.Option(["--sensitive"], help="Places: the sensitive categories, separated by commas."),
        click.Option(["--json", "as_json"], is_flag=True, help="Print JSON for machines."),
    ],
)
