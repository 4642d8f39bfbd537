"""What was written of a release: the published directory, the private report and the entry in the ledger."""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.io.published.certificate import Certificate
    from sfumato.methods.composition_check import Composed

__all__ = ["Written"]


@dataclass(frozen=True)
class Written(PathLike[str]):
    """What `Release.write` wrote; it stands for the path of the published directory where a path is wanted.

    certificate : as it is in the directory.
    report, ledger : private files; None where they were not asked for.
    earlier : the attacks together with earlier releases of the ledger that may be about the same people.
    """

    path: Path
    certificate: Certificate = field(repr=False)
    report: Path | None = None
    ledger: Path | None = None
    earlier: tuple[Composed, ...] = ()

    @property
    def files(self) -> dict[str, str]:
        """The digest of each published file by its name."""
        return dict(self.certificate.files or {})

    @property
    def overridden(self) -> bool:
        """Whether it was written although a promise does not hold, alone or together with an earlier release."""
        return self.certificate.override

    def __fspath__(self) -> str:
        return str(self.path)

    def __str__(self) -> str:
        return str(self.path)

    def __truediv__(self, name: str | PathLike[str]) -> Path:
        return self.path / name
