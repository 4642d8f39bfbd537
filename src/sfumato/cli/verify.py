"""`sfumato verify`: check published files, or any file, again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sfumato.catalogue import MODELS, model_class
from sfumato.cli.shared.guarantee_options import promise_names, promise_of, promise_options
from sfumato.cli.shared.options import input_options, json_option, load, with_options
from sfumato.cli.shared.original_input import as_told_by
from sfumato.cli.shared.render import print_json, say, verdict_lines
from sfumato.cli.shared.signer import signature_holds
from sfumato.errors import CallerError

__all__ = ["command"]

_OPEN = "? some claims could not be checked, so the check is incomplete (exit code 3)"


class _Verify(click.Command):
    """Takes the parameters of all models; they are looked up when the command is used."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        own = super().get_params(ctx)
        return [*own[:-1], *promise_options("--model"), own[-1]]


@with_options(input_options())
@click.command("verify", cls=_Verify)
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--original",
    type=click.Path(path_type=Path),
    help="The private file: roles, sensitive flags, owners, policies and persons then come from it and its options.",
)
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    help="The private report of the run, whose correspondence is checked and used; goes with --original.",
)
@click.option("--model", type=click.Choice(list(MODELS)), help="The promise to check on a file that is no release.")
@click.option(
    "--signer",
    type=click.Path(path_type=Path),
    help="The public key of whoever signed the directory; nothing else counts if the signature is missing or false.",
)
@json_option
def command(
    path: Path,
    original: Path | None,
    report: Path | None,
    model: str | None,
    signer: Path | None,
    as_json: bool,
    **said: Any,
) -> int:
    """Check a published directory: digests and leaks, then every guarantee as far as files allow.

    With --model, check any file as if it were to be published as it is.

    Exits with 0 if all that is claimed was checked and holds, with 1 if something does not hold, and with 3 if
    something could not be checked, so that `sfumato verify DIR && publish` passes nothing unchecked.
    """
    parameters = {name: said.pop(name) for name in promise_names()}
    given = {name: value for name, value in parameters.items() if value is not None}
    if report is not None and original is None:
        raise click.UsageError("--report goes with --original: it tells which original record each published one was")
    if model is not None:
        if signer is not None:
            raise click.UsageError("--signer goes with a published directory; leave it or --model out")
        if original is not None and not model_class(model).needs_original:
            raise click.UsageError(
                f"--original goes with a published directory, --model {model} with a file alone; give one of them"
            )
        if report is not None:
            raise click.UsageError("--report goes with a published directory, --model with a file; give one of them")
        if (path / "certificate.json").is_file():
            raise click.UsageError(f"{path} is a published directory and states its own promise; leave --model out")
        return _verify_file(path, original, model, given, said, as_json)
    if given:
        raise click.UsageError(
            f"--{next(iter(given))} belongs to --model; a published directory states its own promise"
        )
    if not signature_holds(path, signer, as_json):
        return 1
    return _verify_directory(path, original, report, said, as_json)


def _verify_file(
    path: Path, original: Path | None, name: str, given: dict[str, Any], said: dict[str, Any], as_json: bool
) -> int:
    declared = model_class(name)
    model = promise_of(name, given)
    kind = declared.kinds[0] if len(declared.kinds) == 1 else None
    private = None
    if original is not None:
        private = load(original, dict(said), kind=kind)
        said["person"] = None  # persons are never published
    if kind == "chunks":  # two files, so a directory
        from sfumato.io.published.chunks import read_chunks

        data: Any = read_chunks(path)
    else:
        data = load(path, said, kind=kind, fits=declared.kinds)
    verdict = model.check(data, private)
    code = 0 if verdict.holds is True else 1 if verdict.holds is False else 3
    if as_json:
        found = {"model": name, "parameters": model.to_json(), "verdict": verdict.to_json()}
        print_json({"holds": code == 0, "code": code, **found})
    else:
        say("\n".join(verdict_lines(model.title, model.to_json(), verdict)))
        if code == 3:
            say(_OPEN)
    return code


def _verify_directory(
    path: Path, original: Path | None, report: Path | None, said: dict[str, Any], as_json: bool
) -> int:
    from sfumato.io.published import directory as published
    from sfumato.verification import verify

    if path.is_file():
        raise CallerError(f"{path} is a file: say which promise to check, e.g. --model km --k 5 --m 2")
    found = published.read(path)
    private = None
    claimed: tuple[str, ...] = ()
    if original is not None:
        claimed = _not_given(said)
        private = load(original, as_told_by(found, said), kind=found.certificate.original_kind)
    check = verify(found, original=private, report=report, claimed=claimed)
    if as_json:
        print_json(check.to_json())
        return check.code
    if not check.problems:
        say("✓ the files match the certificate and contain nothing else")
    for problem in check.problems:
        say(f"✗ {problem}")
    for one in check.counted:
        say(f"{'?' if one.source == 'claimed' else '·'} {one.sentence}")
    for sentence in check.unchecked:
        say(f"? {sentence}")
    for model, verdict in check.verdicts:
        say("\n".join(verdict_lines(model.title, model.to_json(), verdict)))
    if check.code == 3:
        say(_OPEN)
    return check.code


def _not_given(said: dict[str, Any]) -> tuple[str, ...]:
    """What the options do not say of the original, so that it comes from the release."""
    options = {"quasi_identifiers": "quasi-identifiers", "sensitive": "sensitive", "network": "network"}
    return tuple(what for option, what in options.items() if said.get(option) is None)
