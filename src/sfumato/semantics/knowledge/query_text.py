"""The text of a query before it is evaluated: what would reach another address is refused; errors in one sentence."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TypeVar

from sfumato.errors import DataError
from sfumato.semantics.knowledge.generations import oxigraph

__all__ = ["evaluated", "interruptible", "require_local"]

Result = TypeVar("Result")

_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|'
    r"'''(?:[^\\]|\\.)*?'''|"
    r'"(?:[^"\\\n\r]|\\.)*"|'
    r"'(?:[^'\\\n\r]|\\.)*'|"
    r"<[^<>\"{}|^`\x00-\x20]*>|"
    r"#[^\n\r]*|"
    r"[?$@]\w+|"
    r"[\w.-]*:(?:[\w.:%-]|\\.)*|"
    r"(?P<word>\w+)|.",
    re.DOTALL,
)
_REMOTE = {"SERVICE", "LOAD"}  # LOAD is no word of a query, only of an update
_OUTWARD = re.compile("service|load", re.IGNORECASE)
_REPLACED = {"service": "serwice", "load": "lowd"}
_UPDATES = {"INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH"}
_FUNCTION = re.compile(r"function (<[^<>]*>) is not supported")


def require_local(what: str, text: str) -> None:
    """Refuse a query or update that would send a part of it to another address, or read a file.

    >>> require_local("query", 'SELECT ?service { ?service <urn:service> "SERVICE" }  # SERVICE')
    >>> require_local("query", "SELECT * { SERVICE SILENT <http://example.org/> { ?s ?p ?o } }")
    Traceback (most recent call last):
    ...
    sfumato.errors.DataError: query: wanted a question to this knowledge base alone, found SERVICE, which sends a part \
of it to another address; load what it needs from there first
    """
    if not _OUTWARD.search(text):
        return
    for word in _words(text):
        if word in _REMOTE:
            wanted = "a question to" if what == "query" else "statements of"
            sends = "sends a part of it to another address" if word == "SERVICE" else "reads another address"
            raise DataError(
                f"{what}: wanted {wanted} this knowledge base alone, found {word}, which {sends}; "
                "load what it needs from there first"
            )
    if not _stays_well_formed(what, text):
        raise DataError(
            f"{what}: wanted SPARQL 1.1 without SERVICE and LOAD, found one of them or another syntax; load what other "
            "machines state into the knowledge base first"
        )


def _stays_well_formed(what: str, text: str) -> bool:
    """Whether the parser of the store accepts a text without the letters of SERVICE and LOAD.

    That is so exactly if they occur only as parts of names, texts and comments, however the text is written.
    """
    store = oxigraph().Store()  # empty
    try:
        (store.query if what == "query" else store.update)(
            _OUTWARD.sub(lambda match: _REPLACED[match[0].lower()], text)
        )
    except SyntaxError:
        return False
    except (OSError, RuntimeError):
        return True  # the evaluation itself will say what is wrong
    return True


def interruptible(evaluate: Callable[[], Result]) -> Result:
    """What a function returns, which runs in a thread of its own, so that Ctrl-C ends the wait for it at once.

    The store does not notice a signal while it evaluates; the thread ends with the process.
    """
    if threading.current_thread() is not threading.main_thread():
        return evaluate()
    future: Future[Result] = Future()

    def run() -> None:
        try:
            future.set_result(evaluate())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, name="query", daemon=True).start()
    return future.result()


@contextmanager
def evaluated(what: str, text: str) -> Iterator[None]:
    """Turn an error of the store into one sentence that quotes no data."""
    try:
        yield
    except SyntaxError as error:
        raise DataError(f"{what}: {_syntax(what, text, str(error))}") from None
    except (OSError, RuntimeError) as error:
        if (match := _FUNCTION.search(str(error))) is not None:
            raise DataError(f"{what}: no function is called {match[1]}") from None
        raise DataError(f"{what}: cannot be evaluated ({type(error).__name__})") from None


def _words(text: str) -> Iterator[str]:
    """The words outside texts, IRIs, comments, variables and names with a prefix, in capitals."""
    return (match["word"].upper() for match in _TOKEN.finditer(text) if match["word"])


def _syntax(what: str, text: str, message: str) -> str:
    first = message.splitlines()[0] if message else ""
    head, _, rest = first.partition(": ")
    line, _, column = head.removeprefix("error at ").partition(":")
    if not (line.isdigit() and column.isdigit()):
        return "wanted SPARQL 1.1, found another syntax"
    form = next((word for word in _words(text) if word not in ("PREFIX", "BASE")), "")
    if what == "query" and form in _UPDATES:
        return f"wanted SELECT, ASK, CONSTRUCT or DESCRIBE, found an update ({form})"
    reason = ", a prefix is not declared" if "Prefix not found" in rest else ""
    return f"wanted SPARQL 1.1, found an error on line {line}, column {column}{reason}"
