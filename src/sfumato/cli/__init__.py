"""The command line: one command a file, a thin translator.

Commands are loaded when they are used and import what they need when they run, so that `sfumato --help` answers at
once.  Exit codes: 0 success, 1 a promise or check failed, 2 a mistake of the caller, 3 where `verify`
could not check all that is claimed.
"""

import os
import signal
import sys
import threading
from importlib import import_module
from typing import Any

import click

from sfumato.cli.shared.escapes import escaped_line
from sfumato.errors import SfumatoError

__all__ = ["cli", "main"]

COMMANDS = (
    "methods",
    "describe",
    "anonymize",
    "verify",
    "sign",
    "audit",
    "evaluate",
    "advise",
    "compare",
    "ledger",
    "mine",
    "match",
    "map",
    "prepare",
    "generate",
    "demo",
)


class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"sfumato.cli.{name}").command
        return command


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sfumato", message="%(version)s")
def cli() -> None:
    """Publish data about people so that nobody can be picked out and the data stay true and useful."""


def main(args: list[str] | None = None) -> None:
    """Run the command line; every mistake ends with one sentence on stderr."""
    stopped = threading.Event()

    def stop(signum: int, frame: Any) -> None:  # noqa: ARG001
        stopped.set()
        raise KeyboardInterrupt

    for sent in (signal.SIGTERM, signal.SIGINT):
        signal.signal(sent, stop)
    try:
        result = cli.main(args, prog_name="sfumato", standalone_mode=False)
    except SfumatoError as error:
        _leave(str(error), error.exit_code)
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
        if stopped.is_set():  # an interruption inside compiled code can surface as another error
            _leave("interrupted, nothing was written", 130)
        if os.environ.get("SFUMATO_TRACEBACK"):
            raise
        _leave(
            f"{type(error).__name__} inside sfumato; this is a bug, please report it "
            f"(SFUMATO_TRACEBACK=1 shows where; what it shows may quote your data)",
            1,
        )
    sys.exit(result if isinstance(result, int) else 0)


def _sentence(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    who = "" if context is None or context.command_path == "sfumato" else context.command_path.partition(" ")[2] + ": "
    return f"{who}{error.format_message()}"


def _leave(sentence: str, code: int) -> None:
    click.echo(f"sfumato: {escaped_line(sentence)}", err=True)
    sys.exit(code)
