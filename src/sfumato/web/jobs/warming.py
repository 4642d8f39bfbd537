"""Compile kernels before a person waits for them: in the background, with low priority, once for each version."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato import __version__
from sfumato.data.base import Progress

if TYPE_CHECKING:
    from sfumato.web.jobs.processes import JobProcess

__all__ = ["Warming", "warm"]

_NICE = 19
_VALUES = {"k": 5, "m": 2, "l": 2, "delta": 0.2, "epsilon": 1.0, "c": 0.5, "group_size": 5}


class Warming:
    """The process that compiles; it ends with its worker."""

    def __init__(self) -> None:
        self._process: JobProcess | None = None
        self._done = False

    def start(self) -> None:
        """Start it, or note that it has ended."""
        if self._done:
            return
        if self._process is None:
            if _mark().exists():
                self._done = True
                return
            from sfumato.web.interface.vega import script_file
            from sfumato.web.jobs.processes import JobProcess

            folder = Path(tempfile.gettempdir())
            self._process = JobProcess()
            script = {"script": str(script_file().absolute())}
            self._process.order("warm", script, folder, limits={}, nice=_NICE)
            return
        _, outcome, ended = self._process.collected(0.01)
        if outcome is not None and "result" in outcome:
            _mark().touch(mode=0o600)
        if ended or outcome is not None:
            self.stop()

    def stop(self) -> None:
        """End it for good."""
        self._done = True
        self.pause()

    def pause(self) -> None:
        """End it because somebody has a job; what it compiled is kept, so it goes on there later."""
        if self._process is not None:
            self._process.end()
            self._process = None


def warm(*, progress: Progress, kinds: list[str] | None = None, script: str = "") -> dict[str, Any]:
    """Run every method on the examples, so that its compiled code is kept; returns their number.

    script : the file for the script that draws charts, if it is wanted.
    """
    import contextlib

    from sfumato.api.anonymizing import anonymize
    from sfumato.catalogue import METHODS, method_class
    from sfumato.errors import CallerError
    from sfumato.web.interface.vega_file import write
    from sfumato.web.workbench.examples.content import BUILDERS, dataset_of

    if script:
        write(Path(script))
    chosen = {kind: dataset_of(build()) for kind, build in BUILDERS.items() if kinds is None or kind in kinds}
    methods = [name for name in METHODS if method_class(name).kind in chosen]
    for number, name in enumerate(methods):
        progress("compiling", number, len(methods))
        method = method_class(name)
        values = {p.name: _VALUES[p.name] for p in method.parameters() if p.required}
        with contextlib.suppress(CallerError):  # the code was compiled before the method refused
            anonymize(chosen[method.kind], method.from_json(values))
    return {"methods": len(methods)}


def _mark() -> Path:
    from django.conf import settings

    return Path(settings.SFUMATO_HOME) / f"compiled-{__version__}"
