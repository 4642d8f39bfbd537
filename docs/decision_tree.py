"""The decision tree of docs/which-promise.md, from the questions that `sfumato.methods.choosing` declares.

A list of lists, so that it can be read aloud and followed with a keyboard; sfumato.css draws it as a tree.
"""

from __future__ import annotations

from collections.abc import Iterator

from sfumato.catalogue import MODELS
from sfumato.methods.choosing import WHICH_PROMISE, Choice, Question

__all__ = ["attackers", "command_of", "tree"]

_LIMITS = 3  # of a promise, the first


def tree() -> str:
    """The questions with their answers, as a nested list with a link to each promise."""
    lines = [f"**{WHICH_PROMISE.text}**\n", *_branches(WHICH_PROMISE, "")]
    return ":::{container} tree\n\n" + "\n".join(lines) + "\n\n:::\n"


def _branches(question: Question, indent: str) -> Iterator[str]:
    for answer, then in question.answers.items():
        if isinstance(then, Choice):
            title = MODELS.load(then.model).title
            yield f"{indent}- {answer}: [{title}](#{_anchor(then)})"
        else:
            yield f"{indent}- {answer}. **{then.text}**"
            yield from _branches(then, f"{indent}  ")


def attackers() -> str:
    """A section for each kind of record, with the attackers whom its promises are about."""
    return "\n".join(
        f"## {record}\n\n" + "\n".join(map(_attacker, question.choices()))
        for record, question in WHICH_PROMISE.answers.items()
        if isinstance(question, Question)
    )


def _attacker(choice: Choice) -> str:
    model = MODELS.load(choice.model)
    limits = "".join(f"- {limit}\n" for limit in model.not_covered[:_LIMITS])
    return (
        f"({_anchor(choice)})=\n### {model.title[0].upper()}{model.title[1:]}\n\n"
        f"{choice.attacker}\n\n"
        f"The promise is [`{choice.model}`](models.md#{choice.model}); `{choice.method}` keeps it:\n\n"
        f"```text\n{command_of(choice)}\n```\n\n"
        f"Not covered, among others:\n\n{limits}"
    )


def command_of(choice: Choice) -> str:
    """A command that keeps the promise; INPUT stands for the data and their side knowledge."""
    options = "".join(f" --{name.replace('_', '-')} {value}" for name, value in choice.parameters.items())
    return f"sfumato anonymize {choice.method} INPUT{options} --out DIR"


def _anchor(choice: Choice) -> str:
    """The name of a section; a model is chosen for several kinds of data."""
    return f"{choice.model}-by-{choice.method}"
