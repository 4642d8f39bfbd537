"""The section "Who checked what": each claim with its verdict now, and how to repeat the check."""

from __future__ import annotations

from typing import Any

from sfumato.experiments.reports.board.facts import Facts
from sfumato.experiments.reports.documents.document import Block, Bullets, Checks, Code, Paragraph, State, Subheading
from sfumato.io.published.certificate import SIGNATURE
from sfumato.privacy import PrivacyModel, Verdict

__all__ = ["answer", "figures_in_words", "unconfirmed", "verification"]

_ANSWERS = {
    0: "Everything that the release claims was checked, and it holds.",
    1: "Something does not hold. Do not rely on this release.",
    3: "No error was found, but not every claim could be checked with what was given.",
}
_WORDS = {
    "k_at_m_plus_1": "smallest support with one more known",
    "groups": "equivalence classes",
    "smallest_group": "smallest equivalence class",
    "violating_groups": "violating equivalence classes",
}
_FROM = {
    "files": "from the published files alone; every recipient can repeat it",
    "original": "with the original data, which only their owner has",
    "ledger": "from the record of the noise that the run spent, which only the owner of the data has",
}


_EXIT_CODES = "The exit code is 0 if every claim was checked and holds, 1 if one does not hold, 3 if one is open."
_PLACEHOLDER = "DIRECTORY stands for the directory with the published files."


def answer(facts: Facts) -> Paragraph:
    """The result of all checks in a sentence."""
    code = facts.check.code
    return Paragraph(_ANSWERS[code], "good" if code == 0 else "alarm" if code == 1 else "note")


def unconfirmed(facts: Facts) -> tuple[str, str]:
    """What only the release says and how to confirm it, in a sentence, and the command that does; empty if nothing."""
    claims = facts.unconfirmed
    if not claims:
        return "", ""
    options = list(dict.fromkeys(facts.repeat.confirm[what] for what in claims if what in facts.repeat.confirm))
    how = f" ({' '.join(options)})" if options else ""
    sentence = f"Only the release says this: {', '.join(claims)}. If it is right, give it with the original{how}."
    command = f"{facts.repeat.verify} {' '.join(options)}"
    return sentence, command if options and facts.repeat.verify.startswith("sfumato verify ") else ""


def verification(facts: Facts) -> tuple[Block, ...]:
    """The blocks of the section."""
    check = facts.check
    used = "with the original data" if facts.original is not None else "from the published files alone"
    if facts.original is not None and facts.run is not None:
        used = "with the original data and the private report of the run"
    blocks: list[Block] = [
        answer(facts),
        Paragraph(
            "Two parties checked: the publisher, when the release was written, by code that did not make the data; and "
            f"this report, when it was made, {used}. The list shows the second check."
        ),
        Checks((_directory(facts), *(_promise(facts, model, verdict) for model, verdict in check.verdicts))),
    ]
    if check.problems:
        blocks.append(Bullets(tuple(map(facts.sentence, check.problems))))
    if check.unchecked:
        blocks += [Subheading("Not checked"), Bullets(tuple(map(facts.sentence, check.unchecked)))]
    blocks += [Subheading("By the publisher"), Bullets(tuple(_claimed(facts)))]
    if check.counted:
        blocks += [
            Subheading("What counted as what, and by whose word"),
            Bullets(tuple(result.sentence for result in check.counted)),
        ]
    if facts.unconfirmed:
        blocks.append(Paragraph(unconfirmed(facts)[0], "note"))
    return (*blocks, *_repeat(facts))


def _directory(facts: Facts) -> tuple[State, str, str]:
    problems = facts.check.problems
    if not problems:
        return "yes", "The files are those of the certificate, and the directory holds nothing else", ""
    return "no", "The directory", "The problems are listed below."


def _promise(facts: Facts, model: PrivacyModel, verdict: Verdict) -> tuple[State, str, str]:
    states: dict[object, State] = {True: "yes", False: "no"}
    parts = [f"Checked {_FROM[verdict.checked_from]}."] if isinstance(verdict.holds, bool) else []
    if verdict.measured and (facts.private or verdict.checked_from == "files"):
        parts.append(f"Measured: {figures_in_words(verdict.measured)}.")
    if verdict.reason:
        parts.append(f"{facts.sentence(verdict.reason).rstrip('.')}.")
    if verdict.witnesses:
        many = len(verdict.witnesses)
        parts.append(f"{many} example{'s' if many > 1 else ''} of violations: sfumato verify shows them.")
    return states.get(verdict.holds, "open"), model.label, " ".join(part[0].upper() + part[1:] for part in parts)


def figures_in_words(measured: dict[str, Any]) -> str:
    """Measured figures as a text.

    >>> figures_in_words({"unit": "record", "smallest_group": 5})
    'unit record, smallest equivalence class 5'
    """
    return ", ".join(f"{_WORDS.get(name, name.replace('_', ' '))} {_plain(value)}" for name, value in measured.items())


def _plain(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "none" if value is None else str(value)


def _claimed(facts: Facts) -> list[str]:
    sentences = []
    for guarantee in facts.certificate.guarantees:
        words: dict[object, str] = {True: "holds", False: "does not hold"}
        word = words.get(guarantee.verdict.get("holds"), "was not checked")
        where = _FROM.get(str(guarantee.verdict.get("checked_from")), "")
        parameters = ", ".join(f"{name}={value}" for name, value in guarantee.parameters.items())
        sentences.append(f"{guarantee.model}({parameters}): the certificate says that it {word}, checked {where}.")
    return sentences


def _repeat(facts: Facts) -> tuple[Block, ...]:
    needs = [
        "The published directory, complete and unchanged.",
        "Python 3.11 or newer with Sfumato (pip install sfumato).",
    ]
    if any(verdict.holds == "not checkable" or verdict.checked_from != "files" for _, verdict in facts.check.verdicts):
        needs.append(
            "For claims that count persons or depend on the original: the original data, which only their owner has."
        )
    if facts.release.files.entries.get(SIGNATURE) == "file":
        needs.append(
            "The certificate is signed. With the public key of the publisher, received by another way than the "
            "release, the same command also checks who signed it. This report did not check the signature."
        )
    else:
        needs.append("The certificate is not signed: the files themselves do not prove who published them.")
    lines = [facts.repeat.verify, *([facts.repeat.attack] if facts.repeat.attack else [])]
    return (
        Subheading("How to repeat it"),
        *([Paragraph(_PLACEHOLDER)] if "DIRECTORY" in facts.repeat.verify else []),
        *(Code((line,)) for line in lines),
        *_confirm(facts),
        *([Paragraph(_EXIT_CODES)] if facts.repeat.verify.startswith("sfumato verify ") else []),
        Paragraph("What a recipient needs:"),
        Bullets(tuple(needs)),
    )


def _confirm(facts: Facts) -> tuple[Block, ...]:
    command = unconfirmed(facts)[1]
    if not command:
        return ()
    return Paragraph("To check also what only the release says, give it as you know it:"), Code((command,))
