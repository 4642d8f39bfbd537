"""The command line: one command per file.  A command reads options, calls the library and prints the result.

A command is loaded when it is used and imports what it needs when it runs, so that `sfumato --help` is fast.
Exit codes: 0 success, 1 a promise or check failed, 2 a mistake of the caller, 3 `verify` could not check every claim.
"""

import os
import sys
from importlib import import_module

import click

from sfumato import __version__
from sfumato.cli.shared.escapes import escaped_line
from sfumato.cli.shared.flags import with_flags
from sfumato.cli.shared.help_lines import WholeLines
from sfumato.cli.shared.interruption import end_when_interrupted
from sfumato.cli.shared.render import GLOSSARY, compilation_announced
from sfumato.cli.threads_option import choose_threads_of
from sfumato.errors import SfumatoError, did_you_mean
from sfumato.registry import own_code, own_code_in
from sfumato.threads import helpers_at_work

__all__ = ["cli", "main", "module_of"]

COMMANDS = (
    "methods",
    "measures",
    "promises",
    "attacks",
    "describe",
    "anonymize",
    "verify",
    "sign",
    "audit",
    "evaluate",
    "report",
    "advise",
    "compare",
    "ledger",
    "mine",
    "match",
    "map",
    "prepare",
    "kb",
    "enrich",
    "segment",
    "hierarchy",
    "policy",
    "workload",
    "reconstruct",
    "generate",
    "demo",
    "serve",
    "worker",
    "backup",
    "restore",
    "glossary",
)
_FOLDERS = {  # commands that are in a folder of cli/
    **dict.fromkeys(("hierarchy", "policy", "workload", "reconstruct"), "files"),
    **dict.fromkeys(("report", "sign"), "releases"),
    "prepare": "preparing",
    **dict.fromkeys(("kb", "enrich"), "semantics"),
    **dict.fromkeys(("segment",), "semantics"),
    **dict.fromkeys(("serve", "worker", "backup", "restore"), "serving"),
}


# commands that read module:Class; a server or a worker of one never does
OWN_CODE = ("anonymize", "verify", "audit", "evaluate", "advise", "compare", "mine", "generate")


def module_of(command: str) -> str:
    """The module of a command."""
    folder = f"{_FOLDERS[command]}." if command in _FOLDERS else ""
    return f"sfumato.cli.{folder}{command}"


class _LazyGroup(WholeLines):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(module_of(name)).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"no command is called {args[0]!r}; {did_you_mean(args[0], COMMANDS)}")
        choose_threads_of(ctx, args)
        name, command, rest = super().resolve_command(ctx, args)
        if name in OWN_CODE:
            ctx.with_resource(own_code())
        return name, command, rest


@click.group(cls=_LazyGroup, epilog=GLOSSARY, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(version)s")
def cli() -> None:
    """Anonymize data about people, check the guarantee, and measure the information loss."""


def main(args: list[str] | None = None) -> None:
    """Run the command line; every error is one sentence on stderr."""
    # any processor of the platform: compiled a sixth faster, as fast at work, and what a wheel brings
    os.environ.setdefault("NUMBA_CPU_NAME", "generic")
    interrupted = end_when_interrupted()
    try:
        with compilation_announced():
            result = cli.main(args, prog_name="sfumato", standalone_mode=False)
    except SfumatoError as error:
        _leave(with_flags(error), error.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else str(error))
        sys.exit(2)
    except click.ClickException as error:
        _leave(_sentence(error), 2)
    except (KeyboardInterrupt, click.Abort):
        _leave("interrupted, nothing was written", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except MemoryError:
        _leave("not enough memory for these data on this machine", 1)
    except Exception as error:
        if interrupted.is_set():  # an interruption inside compiled code can surface as another error
            _leave("interrupted, nothing was written", 130)
        if os.environ.get("SFUMATO_TRACEBACK"):
            raise
        if (where := own_code_in(error)) is not None:
            _leave(
                f"{type(error).__name__} in {where} "
                f"(set SFUMATO_TRACEBACK=1 to see the traceback, which may quote your data)",
                1,
            )
        _leave(
            f"{type(error).__name__} inside sfumato; this is a bug, please report it "
            f"(set SFUMATO_TRACEBACK=1 to see the traceback, which may quote your data)",
            1,
        )
    sys.exit(result if isinstance(result, int) else 0)


def _sentence(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    who = "" if context is None or context.command_path == "sfumato" else context.command_path.partition(" ")[2] + ": "
    if isinstance(error, click.MissingParameter) and isinstance(error.param, click.Option) and error.param.help:
        return f"{who}{error.param.opts[0]} is required: {_as_clause(error.param.help)}"
    return f"{who}{error.format_message()}"


def _as_clause(sentence: str) -> str:
    """A help text behind a colon."""
    first, *rest = sentence.rstrip(".").split(" ", 1)
    return " ".join((first.lower() if first[1:].islower() or len(first) == 1 else first, *rest))


def _leave(sentence: str, code: int) -> None:
    click.echo(f"sfumato: {escaped_line(sentence)}", err=True)
    if helpers_at_work():  # after an interruption; a thread inside compiled code cannot be ended otherwise
        sys.stdout.flush()
        os._exit(code)
    sys.exit(code)
