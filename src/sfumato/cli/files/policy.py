"""`sfumato policy`: privacy and utility policies derived, shown and compared with data."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.cli.shared.help_lines import WholeLines
from sfumato.cli.shared.options import input_options, json_option, load, names_of, side_paths, with_options
from sfumato.cli.shared.render import print_json, say, table
from sfumato.errors import DataError, OutputError, counted

if TYPE_CHECKING:
    from sfumato.data import Policy

__all__ = ["command"]

SHOWN = 10
_RULE = re.compile(r"(all|rare|frequent|siblings):")


@click.group("policy", cls=WholeLines, options_metavar="", subcommand_metavar="derive|show|check|edit ...")
def command() -> None:
    """Derive, show, check or edit a policy: sets of items to protect, or sets of items that may share a label."""


@with_options(input_options(("taxonomy", "hierarchies")))
@command.command("derive")
@click.argument("input", type=click.Path(path_type=Path))
@click.option("--privacy", help="Sets of items to protect: all:SIZE, rare:SIZE:BELOW or frequent:SIZE:FROM.")
@click.option("--utility", help="Sets of items that may share a label: siblings:LEVEL, in the tree of --taxonomy.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="The .csv or .parquet file to write (constraint,item).",
)
@json_option
def derive(input: Path, privacy: str | None, utility: str | None, out: Path, as_json: bool, **options: Any) -> None:
    """Compute a policy from the transactions in INPUT by a rule, and write it to a file.

    The sets that rare and frequent list are private: they name items that occur together in INPUT.  Their file has a
    column `rule`, by which a release names the rule and never the sets.
    """
    from sfumato.cli.shared.policies import with_policies
    from sfumato.io import write_policy
    from sfumato.io.files import suffix_of
    from sfumato.io.outputs import require_output

    rule = _only_rule(privacy, utility)
    if suffix_of(out) not in (".csv", ".parquet"):
        raise OutputError(f"{out}: wanted a file that ends in .csv or .parquet")
    require_output(out, "policy", inputs=[input, *side_paths(options)])
    data = with_policies(load(input, options, kind="transactions"), privacy, utility)
    policy = data.privacy_policy if privacy is not None else data.utility_policy
    if utility is not None and data.taxonomy is not None and data.taxonomy.rule:
        raise DataError(
            "siblings: wanted a hierarchy that was given, found one that was computed from private data; its policy "
            "would disclose which items occur"
        )
    write_policy(policy, out)
    if as_json:
        print_json({"out": str(out), "rule": rule, **_facts(policy)})
        return
    say(f"{_size(policy)} in {out}: {rule}")
    if policy.private:
        say(f"{out} is private: its sets occur in {input}. A release names the rule {policy.rule}, never the sets.")
    else:
        say(f"{out} is public: it does not depend on the records.")


def _only_rule(privacy: str | None, utility: str | None) -> str:
    """The one rule that was given."""
    if (privacy is None) == (utility is None):
        given = "neither" if privacy is None else "both"
        raise click.UsageError(f"wanted one of --privacy and --utility, found {given}")
    rule = privacy or utility or ""
    if not _RULE.match(rule):
        wanted = "all:SIZE, rare:SIZE:BELOW or frequent:SIZE:FROM" if privacy is not None else "siblings:LEVEL"
        raise click.UsageError(f"wanted a rule {wanted}, found {rule!r}")
    return rule


def _facts(policy: Policy) -> dict[str, Any]:
    return {"private": policy.private, "constraints": len(policy), "size": policy.size, "items": len(policy.items)}


def _size(policy: Policy) -> str:
    if policy.size:
        return f"all sets of up to {policy.size} items"
    return f"{len(policy):,} {'constraint' if len(policy) == 1 else 'constraints'} on {len(policy.items):,} items"


@command.command("show")
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def show(file: Path, as_json: bool) -> None:
    """Show the constraints of a policy FILE, how many items each has, and the rule that computed them."""
    from collections import Counter

    from sfumato.io import read_policy

    policy = read_policy(file)
    sizes = Counter(map(len, policy.sets))
    if as_json:
        sets = [list(items) for items in policy.sets]
        rule = {"rule": policy.rule} if policy.private else {}
        print_json({"file": str(file), **_facts(policy), **rule, "sets": sets})
        return
    private = f"; private: computed by the rule {policy.rule}" if policy.private else ""
    say(f"{_size(policy)}{private}")
    if not policy.sets:
        return
    table("", ("items in a constraint", "constraints"), sorted(sizes.items()))
    rows = [(number, " ".join(items)) for number, items in enumerate(policy.sets[:SHOWN], start=1)]
    table("", ("constraint", "items"), rows)
    if len(policy) > SHOWN:
        say(f"and {len(policy) - SHOWN:,} more; --json prints all constraints.")


@with_options(input_options(("taxonomy", "hierarchies", "utility_policy")))
@command.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--against", type=click.Path(path_type=Path), required=True, help="The transactions to compare with.")
@click.option(
    "--role",
    type=click.Choice(["privacy", "utility"]),
    default="privacy",
    show_default=True,
    help="What FILE is: sets of items to protect, or sets of items that may share a label.",
)
@click.option(
    "--k", type=click.IntRange(min=2), help="The smallest support of protected sets; says whether merging reaches it."
)
@json_option
def check(file: Path, against: Path, role: str, k: int | None, as_json: bool, **options: Any) -> int:
    """Compare a policy FILE with data: unknown items, sizes, supports below k, and whether it can be kept.

    Exits with 1 if a method would refuse the policy, or could not keep it without suppressing items.
    """
    from sfumato.io import read_policy
    from sfumato.privacy.policy_feasibility import review_privacy_policy, review_utility_policy

    policy = read_policy(file)
    data = load(against, options, kind="transactions")
    if role == "privacy":
        review = review_privacy_policy(policy, data, k=k, utility=data.utility_policy)
    else:
        review = review_utility_policy(policy, data)
    if as_json:
        print_json({"file": str(file), "against": str(against), "role": role, "k": k, **review.to_json()})
        return 1 if review.problems else 0
    say(_size(policy))
    sizes = ", ".join(f"{number:,} with {counted(size, 'item')}" for size, number in review.sizes.items())
    say(f"  constraints by their number of items: {sizes}" if sizes else "  no listed constraint")
    say(f"  items that do not occur in the data: {review.unknown_items:,}")
    if k is not None and role == "privacy":
        smallest = "none occurs" if review.smallest_support is None else f"{review.smallest_support:,}"
        say(f"  smallest support of a protected set that occurs: {smallest} (counting {review.unit}s)")
        say(f"  protected sets with a support below {k}: {review.below_k:,}")
    for problem in review.problems:
        say(f"✗ {problem}")
    if not review.problems:
        say(
            "✓ the policy fits these data" + (f" and can be kept by merging items, k={k}" if review.satisfiable else "")
        )
    return 1 if review.problems else 0


@command.command("edit")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The .csv or .parquet file to write.")
@click.option(
    "--edit",
    "operations",
    multiple=True,
    required=True,
    help="An operation; several are applied in order: add,ITEM,...  change,NUMBER,ITEM,...  remove,NUMBER  own. A name "
    "with a comma stands in quotation marks; own makes derived constraints yours, which a release publishes.",
)
@json_option
def edit(file: Path, out: Path, operations: tuple[str, ...], as_json: bool) -> None:
    """Change the constraints in FILE and write them to another file."""
    from sfumato.io import read_policy, write_policy
    from sfumato.io.outputs import require_output
    from sfumato.prepare.editing.policy_edits import edited_policy

    require_output(out, "policy", inputs=[file])
    policy = edited_policy(read_policy(file), [names_of(text) for text in operations])
    write_policy(policy, out)
    if as_json:
        print_json({"out": str(out), "edits": len(operations), **_facts(policy)})
        return
    say(f"{len(operations)} {'edit' if len(operations) == 1 else 'edits'}: {_size(policy)} in {out}")
