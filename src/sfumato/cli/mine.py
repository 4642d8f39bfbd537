"""`sfumato mine`: frequent sequences, itemsets and subgraphs."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.catalogue import MINERS
from sfumato.cli.shared.help_lines import WholeLines
from sfumato.cli.shared.options import declared_options, input_options, load, side_paths
from sfumato.cli.shared.render import print_json, progress, say, table
from sfumato.errors import OutputError, ParameterError, did_you_mean

if TYPE_CHECKING:
    import polars as pl

    from sfumato.data.ragged import Ragged

__all__ = ["command"]

SHOWN = 20
SUBGRAPHS = "subgraphs"  # of one graph, which has no records


class _Support(click.ParamType):  # type: ignore[type-arg]
    """A number, or a share such as 0.005 or 0.5%; 100% is a share, and 1 is a number."""

    name = "count or share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        text = value.strip()
        try:
            number = Fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except (ValueError, ZeroDivisionError):
            number = Fraction(0)
        share = text.endswith("%") or 0 < number < 1
        if number <= 0 or (number > 1 if share else number.denominator > 1):
            self.fail(f"wanted a whole number, or a share such as 0.5%, found {value!r}", param, ctx)
        return share, number


class _Miners(WholeLines):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [*(name for name in MINERS if MINERS.load(name).kind != "graph"), SUBGRAPHS]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name == SUBGRAPHS:
            from sfumato.cli.shared.mine_subgraphs import subgraphs_command

            return subgraphs_command()
        known = self.list_commands(ctx)
        if ":" not in name and name not in known:
            ctx.fail(f"no miner is called {name!r}; {did_you_mean(name, known)}")
        miner = _miner(name)
        declared = [option for option in declared_options(miner, name) if option.name not in ("support", "keep")]
        return click.Command(
            name,
            callback=lambda **options: _run(miner, **options),
            help=f"{miner.__doc__.partition(chr(10))[0]}\n\nINPUT is a file or a published directory.",
            params=[
                click.Argument(["input"], type=click.Path(path_type=Path)),
                click.Option(
                    ["--support"],
                    type=_Support(),
                    help="Smallest support: a number of persons (records if persons are unknown), or a share of them "
                    "such as 0.5%. Not needed with --top.",
                ),
                *declared,
                click.Option(
                    ["--closed"],
                    is_flag=True,
                    help="Only closed patterns: no longer pattern that contains them has the same support.",
                ),
                click.Option(
                    ["--maximal"], is_flag=True, help="Only maximal patterns: no longer frequent pattern contains them."
                ),
                click.Option(
                    ["--out"],
                    type=click.Path(path_type=Path),
                    help="Write all patterns to a .csv (each a JSON list) or .parquet file.",
                ),
                click.Option(["--json", "as_json"], is_flag=True, help="Print JSON for machines."),
                *input_options(miner.sides, kinds=False),
            ],
        )


@click.command("mine", cls=_Miners, options_metavar="", subcommand_metavar="WHAT INPUT [OPTIONS]")
def command() -> None:
    """Find frequent sequences, itemsets or subgraphs.

    The patterns are as private as the data.
    """


def _miner(name: str) -> Any:
    from sfumato.mining.base import Mining

    miner = MINERS.choose(name)
    if not issubclass(miner, Mining):
        raise ParameterError(f"{name}: wanted a miner of records, which inherits from sfumato.mining.base.Mining")
    return miner


def _run(
    declared: Any,
    *,
    input: Path,
    support: tuple[bool, Fraction] | None,
    closed: bool,
    maximal: bool,
    out: Path | None,
    as_json: bool,
    top: int | None,
    min_length: int,
    max_length: int | None,
    **options: Any,
) -> None:
    if closed and maximal:
        raise click.UsageError("--closed and --maximal exclude each other")
    if support is None and top is None:
        raise click.UsageError("wanted --support, --top or both, found neither")
    _require_writable(out, [input, *side_paths(options)])
    data = _load(declared.kind, input, options)
    keep = "closed" if closed else "maximal" if maximal else "all"
    count = _count(support, data)
    miner = declared(support=count, top=top, min_length=min_length, max_length=max_length, keep=keep)
    with progress(not as_json) as advance:
        frame = miner.mine(data, progress=advance)
    if out is not None:
        _write(frame, out)
    facts = {
        "input": str(input),
        "kind": data.kind,
        "unit": data.unit,
        "support": miner.threshold(data),
        "keep": keep,
        "patterns": len(frame),
    }
    if as_json:
        print_json({**facts, **({"found": frame.to_dicts()} if out is None else {"out": str(out)})})
    else:
        _show(frame, facts, declared.separator, out)


def _require_writable(out: Path | None, inputs: list[Path]) -> None:
    from sfumato.io.files import suffix_of
    from sfumato.io.outputs import require_output

    if out is None:
        return
    if suffix_of(out) not in (".csv", ".parquet"):
        raise OutputError(f"{out}: wanted a file that ends in .csv or .parquet")
    require_output(out, "list of patterns", inputs=inputs)


def _load(kind: str, input: Path, options: dict[str, Any]) -> Any:
    """Trajectories or transactions; of mixed records the items."""
    from sfumato.io.published import directory as published

    if (input / published.CERTIFICATE).is_file():
        data = published.read(input).require_data()
    else:
        data = load(input, options, None if options.get("items") else kind)
    return data.items.with_persons(data.persons) if data.kind == "mixed" and kind == "transactions" else data


def _count(support: tuple[bool, Fraction] | None, data: Ragged) -> int | None:
    """The smallest support as a number of persons or records."""
    if support is None:
        return None
    from sfumato.mining.base import share_of

    share, number = support
    return share_of(data, number) if share else int(number)


def _write(frame: pl.DataFrame, out: Path) -> None:
    from sfumato.io.files import suffix_of
    from sfumato.io.frames import write_frame

    if suffix_of(out) == ".csv":
        frame = frame.with_columns(pattern=_json_lists(frame["pattern"]))
    write_frame(frame, out)


def _json_lists(patterns: pl.Series) -> pl.Series:
    import polars as pl

    texts = [json.dumps(pattern, ensure_ascii=False) for pattern in patterns.to_list()]
    return pl.Series("pattern", texts, dtype=pl.String)


def _show(frame: pl.DataFrame, facts: dict[str, Any], between: str, out: Path | None) -> None:
    kept = "" if facts["keep"] == "all" else f"{facts['keep']} "
    say(f"{facts['patterns']:,} {kept}patterns with a support of at least {facts['support']:,} {facts['unit']}s")
    head = frame.head(SHOWN)
    rows = [(between.join(pattern), length, support) for pattern, length, support in head.rows()]
    table("", ("pattern", "length", "support"), rows)
    if out is not None:
        say(f"All patterns are in {out}.")
    elif len(frame) > SHOWN:
        say(f"and {len(frame) - SHOWN:,} more; --out FILE writes all patterns.")
