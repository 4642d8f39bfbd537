"""`sfumato verify`: check published files, or any file, again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sfumato.catalogue import MODELS, model_class
from sfumato.cli._behind import as_told_by
from sfumato.cli._options import input_options, json_option, load, with_options
from sfumato.cli._promises import promise_names, promise_of, promise_options
from sfumato.cli._render import print_json, say, verdict_lines
from sfumato.errors import CallerError

__all__ = ["command"]


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
    help="The private file, where a promise counts persons or speaks of it.",
)
@click.option("--model", type=click.Choice(list(MODELS)), help="The promise to check on a file that is no release.")
@json_option
def command(path: Path, original: Path | None, model: str | None, as_json: bool, **said: Any) -> int:
    """Check a published directory: digests, then every guarantee as far as files allow.

    With --model, check any file as if it were to be published as it is.  Exits with 1 if something does not hold.
    """
    parameters = {name: said.pop(name) for name in promise_names()}
    given = {name: value for name, value in parameters.items() if value is not None}
    if model is not None:
        if original is not None and not model_class(model).needs_original:
            raise click.UsageError(
                f"--original goes with a published directory, --model {model} with a file alone; give one of them"
            )
        if (path / "certificate.json").is_file():
            raise click.UsageError(f"{path} is a published directory and states its own promise; leave --model out")
        return _verify_file(path, original, model, given, said, as_json)
    if given:
        raise click.UsageError(
            f"--{next(iter(given))} belongs to --model; a published directory states its own promise"
        )
    return _verify_directory(path, original, said, as_json)


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
        from sfumato.io.chunks import read_chunks

        data: Any = read_chunks(path)
    else:
        data = load(path, said, kind=kind, fits=declared.kinds)
    verdict = model.check(data, private)
    if as_json:
        print_json({"model": name, "parameters": model.to_json(), "verdict": verdict.to_json()})
    else:
        say("\n".join(verdict_lines(model.title, model.to_json(), verdict)))
    return 1 if verdict.holds is False else 0


def _verify_directory(path: Path, original: Path | None, said: dict[str, Any], as_json: bool) -> int:
    from sfumato.data import ORIGINAL_KIND
    from sfumato.io import published
    from sfumato.privacy.directory import verify

    if path.is_file():
        raise CallerError(f"{path} is a file: say which promise to check, e.g. --model km --k 5 --m 2")
    private = None
    if original is not None:
        kind = published.read(path).certificate["kind"]
        private = load(original, as_told_by(path, kind, said), kind=ORIGINAL_KIND.get(kind, kind))
    check = verify(path, original=private)
    if as_json:
        print_json(
            {
                "holds": check.holds,
                "problems": list(check.problems),
                "guarantees": [
                    {"model": model.name, "parameters": model.to_json(), "verdict": verdict.to_json()}
                    for model, verdict in check.verdicts
                ],
            }
        )
        return 0 if check.holds else 1
    if not check.problems:
        say("✓ every file is as the certificate says")
    for problem in check.problems:
        say(f"✗ {problem}")
    for model, verdict in check.verdicts:
        say("\n".join(verdict_lines(model.title, model.to_json(), verdict)))
    return 0 if check.holds else 1
