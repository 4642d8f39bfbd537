"""Write the script that draws charts into a file: `python -m sfumato.web.interface.vega_file FILE`.

Putting it together takes seconds in which no other thread of the process runs, so a process of its own does it, once.
"""

from __future__ import annotations

import gzip
import os
import sys
from pathlib import Path

__all__ = ["write"]


def write(file: Path) -> None:
    """Write the compressed script; the file exists only if it is whole."""
    from sfumato.experiments.reports.javascript import javascript

    if file.exists():
        return
    part = file.with_name(f"{file.name}.{os.getpid()}")
    part.write_bytes(gzip.compress(javascript().encode(), mtime=0))
    part.replace(file)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
