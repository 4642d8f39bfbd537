"""Warnings about near-total loss, and the commands that lose less."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.catalogue import METHODS
from sfumato.cli.shared.flags import with_flags
from sfumato.cli.shared.options import columns_of, sides_of

if TYPE_CHECKING:
    from sfumato.methods.alternative import Alternative
    from sfumato.params import JsonObject
    from sfumato.utility.heavy_losses import HeavyLoss

__all__ = ["TypedRun", "loss_lines", "losses_to_json"]

_LINES = (".txt", ".dat", ".spmf")  # files without columns


@dataclass(frozen=True)
class TypedRun:
    """A command that ran: its input, the options for reading it, and its output.

    kind : the kind that the input was read as.
    """

    input: Path
    options: Mapping[str, Any]
    out: Path
    kind: str

    def command(self, alternative: Alternative, number: int = 1) -> str:
        """A complete command that runs the alternative on the same input, with an output of its own.

        An alternative on prepared data has several, joined by ``&&``.
        """
        out, read = f"{self.out}-{number}", str(self.input)
        commands = []
        for at, text in enumerate(alternative.preparation, start=1):
            prepared = f"{out}-prepared{'' if at == 1 else f'-{at}'}.csv"
            commands.append(self._prepare(text, read, prepared, first=at == 1))
            read = prepared
        own = [word for name, value in alternative.parameters.items() for word in (_flag(name), _text(value))]
        words = ["sfumato", "anonymize", alternative.method, read, *own, *self._input_words(alternative)]
        return " && ".join([*commands, shlex.join([*words, "--out", out])])

    def _prepare(self, text: str, read: str, prepared: str, *, first: bool) -> str:
        """The command of one preparation; the first reads the input."""
        from sfumato.cli.preparing.steps import command_of_step
        from sfumato.methods.preparation_texts import step_of_text

        names = [name for name in ("columns", "person", "places") if self.options.get(name) is not None and first]
        words = [word for name in names for word in (_flag(name), str(self.options[name]))]
        return shlex.join(command_of_step(step_of_text(text), read, prepared, words))

    def _input_words(self, alternative: Alternative) -> list[str]:
        """The typed options for reading the input, as far as the other method has them; prepared data need few."""
        method = METHODS.choose(alternative.method)
        options = dict(self.options)
        if alternative.preparation:
            options |= dict.fromkeys(("columns", "person", "kind", "places"))
        if alternative.privacy_policy:
            options["privacy_policy"] = alternative.privacy_policy
        if not alternative.utility_policy:
            options["utility_policy"] = None
        if method.kind != self.kind:  # movements as sets of places
            options |= {"columns": self._columns_of_sets(), "kind": None}
        words: list[str] = []
        for name in ("columns", "person", "kind", *sides_of(method.side_knowledge(), method.kind)):
            value = options.get(name)
            if value is not None and value is not False:
                words += [_flag(name), *([] if value is True else [str(value)])]
        return words

    def _columns_of_sets(self) -> str | None:
        """The columns of movements, named as those of sets of items."""
        if any(ending in _LINES for ending in self.input.suffixes):
            return None
        columns = columns_of(self.options.get("columns"))
        named = {"record": columns.get("trajectory", "trajectory"), "item": columns.get("location", "location")}
        named |= {"person": columns["person"]} if "person" in columns else {}
        pairs = [f"{role}={column}" for role, column in named.items()]
        return ",".join(f'"{pair}"' if "," in pair else pair for pair in pairs)


def loss_lines(losses: Iterable[HeavyLoss], run: TypedRun) -> list[str]:
    """The near-total losses by their cause, then the commands that lose less, each once."""
    losses = list(losses)
    by_cause: dict[str, list[str]] = {}
    for loss in losses:
        by_cause.setdefault(with_flags(loss.cause), []).append(loss.sentence)
    lines = [f"warning: near-total loss: {'; '.join(texts)} ({cause})" for cause, texts in by_cause.items()]
    for alternative, command in _commands(losses, run):
        lines.append(f"{alternative.outcome}: {command}  # {alternative.note}")
    return lines


def losses_to_json(losses: Iterable[HeavyLoss], run: TypedRun) -> list[JsonObject]:
    """The losses as JSON, with the command of each alternative."""
    losses = list(losses)
    commands = _commands(losses, run)
    return [
        loss.to_json()
        | {
            "alternatives": [
                alternative.to_json() | {"command": command}
                for alternative, command in commands
                if alternative in loss.alternatives
            ]
        }
        for loss in losses
    ]


def _commands(losses: list[HeavyLoss], run: TypedRun) -> list[tuple[Alternative, str]]:
    alternatives: list[Alternative] = []
    for loss in losses:
        alternatives += [alternative for alternative in loss.alternatives if alternative not in alternatives]
    return [(alternative, run.command(alternative, number)) for number, alternative in enumerate(alternatives, start=1)]


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return json.dumps(value)
    return repr(value) if isinstance(value, float) else str(value)
