"""A query in a process of its own, which can be ended after some seconds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from sfumato.errors import Bug, CallerError, DataError

__all__ = ["answer_within"]


def answer_within(directory: Path, sparql: str, timeout_s: float) -> tuple[str, bytes]:
    """The kind and content of an answer; one sentence if it takes longer than some seconds."""
    command = [sys.executable, "-m", "sfumato.semantics.knowledge.query_process", str(directory)]
    try:
        done = subprocess.run(command, input=sparql.encode(), capture_output=True, timeout=timeout_s, check=False)
    except subprocess.TimeoutExpired:
        raise DataError(
            f"query: wanted an answer within {timeout_s:g} s, found none; ask for less or wait longer"
        ) from None
    head, _, content = done.stdout.partition(b"\n")
    if done.returncode or not head:
        raise Bug("the process that answers a query ended without an answer")
    note = json.loads(head)
    if "problem" in note:
        raise DataError(note["problem"])
    return note["kind"], content


def _main() -> None:
    from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

    out = sys.stdout.buffer
    try:
        with KnowledgeBase.open(sys.argv[1]) as base:
            answer = base.answer(sys.stdin.buffer.read().decode())
        out.write(json.dumps({"kind": answer.kind}).encode() + b"\n" + answer.content)
    except CallerError as error:
        out.write(json.dumps({"problem": str(error)}).encode() + b"\n")


if __name__ == "__main__":
    _main()
