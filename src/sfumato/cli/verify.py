"""`sfumato verify`: check the guarantees of a published directory, or a privacy model on any file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.catalogue import MODELS
from sfumato.cli.engine_options import (
    check_on_spark,
    engine_options,
    load_chunks_on_spark,
    load_on_spark,
    load_roads_on_spark,
    load_table_on_spark,
    take_engine,
)
from sfumato.cli.on_spark.kinds import kind_of_files
from sfumato.cli.shared.guarantee_options import Promising, promise_names, promise_of
from sfumato.cli.shared.options import Named, input_options, json_option, load, side_paths, with_options
from sfumato.cli.shared.original_input import as_told_by
from sfumato.cli.shared.render import print_json, say, verdict_lines
from sfumato.cli.shared.repeated_commands import claimed_roles, repeated_commands
from sfumato.cli.shared.signer import signature_holds
from sfumato.errors import CallerError

if TYPE_CHECKING:
    from sfumato.io.published.directory import Published
    from sfumato.verification import Check

__all__ = ["command"]

_OPEN = "? some claims could not be checked, so the check is incomplete (exit code 3)"


@with_options([*input_options(), *engine_options()])
@click.command("verify", cls=Promising)
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--original",
    type=click.Path(path_type=Path),
    help="The original: roles, sensitive flags, owners, policies and persons are then read from it and its options.",
)
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    help="The private report of the run; its correspondence is checked and used. Needs --original.",
)
@click.option("--model", type=Named(MODELS), help="The privacy model to check on a file that is not a release.")
@click.option(
    "--signer",
    type=click.Path(path_type=Path),
    help="The public key of the signer; if the signature is missing or wrong, nothing else is checked.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Also write the checks as a .html page or a .pdf; private if --original is given.",
)
@json_option
def command(
    path: Path,
    original: Path | None,
    report: Path | None,
    model: str | None,
    signer: Path | None,
    out: Path | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Check the guarantees of a published directory or a file.

    For a directory, also check digests and leaks.  A guarantee is checked if the given files allow it.

    With --model, check a privacy model on any file, as if the file were published unchanged.

    The exit code is 0 if every claim was checked and holds, 1 if a claim does not hold, and 3 if a claim could not
    be checked.  `sfumato verify DIR && publish` therefore publishes only what was fully checked.
    """
    parameters = {name: options.pop(name) for name in promise_names()}
    given = {name: value for name, value in parameters.items() if value is not None}
    spark = take_engine(options)
    if spark is not None:
        others = {"original": original, "report": report, "signer": signer, "out": out}
        return _verify_on_spark(spark, path, model, given, options | others, as_json)
    if report is not None and original is None:
        raise click.UsageError("--report needs --original: it names the original record of each published record")
    if model is not None:
        if out is not None:
            raise click.UsageError("--out needs a published directory, and --model a file; leave one of them out")
        if signer is not None:
            raise click.UsageError("--signer needs a published directory; leave --signer or --model out")
        if original is not None and not MODELS.choose(model).needs_original:
            raise click.UsageError(
                f"--original needs a published directory, and --model {model} a file; leave one of them out"
            )
        if report is not None:
            raise click.UsageError("--report needs a published directory, and --model a file; leave one of them out")
        if (path / "certificate.json").is_file():
            raise click.UsageError(f"{path} is a published directory and states its own promise; leave --model out")
        return _verify_file(path, original, model, given, options, as_json)
    if given:
        raise click.UsageError(f"--{next(iter(given))} needs --model; a published directory states its own promise")
    if out is not None:
        _require_out(out, [path, original, report, signer, *side_paths(options)], private=original is not None)
    if not signature_holds(path, signer, as_json):
        return 1
    return _verify_directory(path, original, report, out, options, as_json)


def _require_out(out: Path, inputs: list[Path | None], *, private: bool) -> None:
    from sfumato.experiments.reports.board.board_report import require_document

    require_document(out, "page of checks", private=private, inputs=[path for path in inputs if path is not None])


def _verify_file(
    path: Path, original: Path | None, name: str, given: dict[str, Any], options: dict[str, Any], as_json: bool
) -> int:
    declared = MODELS.choose(name)
    model = promise_of(name, given)
    kind = declared.kinds[0] if len(declared.kinds) == 1 else None
    private = None
    if original is not None:
        private = load(original, dict(options), kind=kind)
        options["person"] = None  # persons are never published
    if kind == "chunks":  # two files, so a directory
        from sfumato.io.published.chunks import read_chunks

        data: Any = read_chunks(path)
    else:
        data = load(path, options, kind=kind, fits=declared.kinds, strict=True)
    return _show_verdict(model, model.check(data, private), as_json)


def _verify_on_spark(
    started: dict[str, Any], path: Path, name: str | None, given: dict[str, Any], options: dict[str, Any], as_json: bool
) -> int:
    from sfumato.spark.verifying import verify

    published = (path / "certificate.json").is_file()
    if name is None:
        if given:
            raise click.UsageError(f"--{next(iter(given))} needs --model; a published directory states its own promise")
        if not published:
            raise click.UsageError(f"{path} is not a published directory; name the privacy model, e.g. --model km")
        return _show_check(check_on_spark(started, path, options), as_json)
    if published:
        raise click.UsageError(f"{path} is a published directory and states its own promise; leave --model out")
    model = promise_of(name, given)
    kinds = MODELS.choose(name).kinds
    found = kind_of_files(path, options) if len(kinds) > 1 else kinds[0]
    kind = options.get("kind") or (found if found in kinds else kinds[0])
    if kind == "chunks":
        return _show_verdict(model, verify(model, load_chunks_on_spark(started, path, options)), as_json)
    if kind == "table":
        return _show_verdict(model, verify(model, load_table_on_spark(started, path, options)), as_json)
    if kind == "roads":
        return _show_verdict(model, verify(model, load_roads_on_spark(started, path, options)), as_json)
    return _show_verdict(model, verify(model, load_on_spark(started, path, options, kind)), as_json)


def _show_verdict(model: Any, verdict: Any, as_json: bool) -> int:
    code = 0 if verdict.holds is True else 1 if verdict.holds is False else 3
    if as_json:
        result = {"model": model.name, "parameters": model.to_json(), "verdict": verdict.to_json()}
        print_json({"holds": code == 0, "code": code, **result})
    else:
        say("\n".join(verdict_lines(model, verdict)))
        if code == 3:
            say(_OPEN)
    return code


def _verify_directory(
    path: Path, original: Path | None, report: Path | None, out: Path | None, options: dict[str, Any], as_json: bool
) -> int:
    from sfumato.io.published import directory as published
    from sfumato.verification import verify

    if path.is_file():
        raise CallerError(f"{path} is a file; name the privacy model to check, e.g. --model km --k 5 --m 2")
    published_release = published.read(path)
    repeat = repeated_commands(path, original, report, options).verify
    private = None
    claimed: tuple[str, ...] = ()
    if original is not None:
        claimed = claimed_roles(options)
        private = load(
            original, as_told_by(published_release, options), kind=published_release.certificate.original_kind
        )
    check = verify(published_release, original=private, report=report, claimed=claimed)
    if out is not None:
        _write(check, published_release, private, repeat, out)
    _show_check(check, as_json)
    if out is not None and not as_json:
        say(f"{out} is private: it holds figures about the original." if original is not None else f"Written to {out}.")
    return check.code


def _show_check(check: Check, as_json: bool) -> int:
    if as_json:
        print_json(check.to_json())
        return check.code
    if not check.problems:
        say("✓ the files match the certificate and contain nothing else")
    for problem in check.problems:
        say(f"✗ {problem}")
    for result in check.counted:
        say(f"{'?' if result.source == 'claimed' else '·'} {result.sentence}")
    for sentence in check.unchecked:
        say(f"? {sentence}")
    for model, verdict in check.verdicts:
        say("\n".join(verdict_lines(model, verdict)))
    if check.code == 3:
        say(_OPEN)
    return check.code


def _write(check: Check, release: Published, original: Any, repeat: str, out: Path) -> None:
    from sfumato.experiments.reports.board.board_report import write_checks
    from sfumato.experiments.reports.board.facts import Facts, Repeat

    write_checks(Facts(release, check, original, repeat=Repeat(repeat)), out)
