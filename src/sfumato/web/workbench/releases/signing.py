"""Sign a published release with the key of its project, which only the server reads."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sfumato.errors import CallerError
from sfumato.io.published.certificate import SIGNATURE
from sfumato.io.published.ledger import digest_of
from sfumato.io.published.signature import check_signature, new_key, sign
from sfumato.web.accounts.models import Event
from sfumato.web.home import private_folder
from sfumato.web.workbench.models import Project, Release

__all__ = ["can_sign", "is_signed", "public_key_of", "sign_release", "signature_state"]


def can_sign(release: Release) -> bool:
    """Whether a signature can be added: the extra is installed, and the release is published and keeps its promises."""
    sound = release.published is not None and release.withdrawn is None and not release.certificate.get("override")
    return sound and not is_signed(release) and find_spec("cryptography") is not None


def is_signed(release: Release) -> bool:
    """Whether a signature lies beside the certificate."""
    return (release.folder / SIGNATURE).is_file()


def public_key_of(project: Project) -> Path | None:
    """The public key of a project, for those who check its signatures; None before the first signature."""
    path = _key(project).with_suffix(".pub")
    return path if path.is_file() else None


def sign_release(release: Release, user: Any) -> None:
    """Sign a release; the first signature of a project makes its key."""
    if not can_sign(release):
        raise CallerError("release: only a published release that keeps its promises is signed, and only once")
    if digest_of(release.folder) != release.sha256:
        raise CallerError("release: the files are not those that were published, so nothing is signed")
    key = _key(release.project)
    if not key.is_file():
        private_folder(key.parent)
        new_key(key)
        Event.record(user, "make", "signing key", project=release.project)
    sign(release.folder, key)
    Event.record(user, "sign", f"release {release.id}", project=release.project)


def signature_state(release: Release) -> str:
    """Of a signed release: ``own`` for a valid signature by the key of its project, otherwise ``other``."""
    key = public_key_of(release.project)
    if not is_signed(release):
        return ""
    return "own" if key is not None and check_signature(release.folder, key) is None else "other"


def _key(project: Project) -> Path:
    return project.folder / "keys" / "signing"
