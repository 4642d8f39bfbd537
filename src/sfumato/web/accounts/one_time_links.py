"""The link with which one person's server opens signed in: a random token, used once, kept as a digest in a file."""

from __future__ import annotations

import hmac
import os
import secrets
from hashlib import sha256
from pathlib import Path

from django.conf import settings

from sfumato.web.accounts.models import User
from sfumato.web.home import private_folder

__all__ = ["new_link", "the_person", "use_link"]


def the_person() -> User:
    """The user of a server for one person, who has every role."""
    user, _ = User.objects.get_or_create(username="owner", defaults={"is_ita": True})
    if not user.leads_studies:
        user.leads_studies = True
        user.save(update_fields=["leads_studies"])
    return user


def new_link() -> str:
    """The token of a new link; the one before it is no longer valid."""
    token = secrets.token_urlsafe(32)
    file = _file()
    private_folder(file.parent)
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
        out.write(_digest(token))
    return token


def use_link(token: str) -> User | None:
    """The person whom the link signs in, if it is the current one and was not used."""
    try:
        expected = _file().read_text()
    except FileNotFoundError:
        return None
    if not hmac.compare_digest(expected, _digest(token)):
        return None
    try:
        _file().unlink()
    except FileNotFoundError:  # used at this moment
        return None
    return the_person()


def _file() -> Path:
    return Path(settings.SFUMATO_HOME) / "link"


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
