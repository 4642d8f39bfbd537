"""The signature of a published directory: `certificate.json.sig`, over the bytes of the certificate.

The certificate names the digest of every other file, so one signature covers the directory.  Keys and signatures are
those of OpenSSH (Ed25519, the format of PROTOCOL.sshsig): ``ssh-keygen -t ed25519`` makes a key, ``ssh-keygen -Y sign
-n sfumato`` signs and ``ssh-keygen -Y verify -n sfumato`` checks just as well.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import FileError, MissingExtra, OutputError
from sfumato.io.outputs import require_output
from sfumato.io.published.certificate import CERTIFICATE, SIGNATURE

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

    from sfumato.io.published.directory import Published

__all__ = ["NAMESPACE", "SIGNATURE", "check_signature", "new_key", "sign", "signature_problem"]


NAMESPACE = "sfumato"
_MAGIC, _TYPE = b"SSHSIG", b"ssh-ed25519"
_HEAD, _END = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"
_WIDTH = 70  # of a line, as ssh-keygen writes it
_HASHES = {b"sha256": hashlib.sha256, b"sha512": hashlib.sha512}
_MOST_KEY, _MOST_CERTIFICATE = 1 << 16, 1 << 28  # bytes


def sign(release: str | Path | Published, key: str | Path) -> Path:
    """Sign a published directory with a private key; returns the file of the signature.

    A directory whose files are not what its certificate says is refused.
    """
    from sfumato.io.published.directory import as_published

    private = _private_key(Path(key))
    found = as_published(release)
    folder = found.folder
    if found.problems:
        raise FileError(folder, f"is not signed, since it does not fit its certificate: {found.problems[0]}")
    path = folder / SIGNATURE
    if os.path.lexists(path):
        raise OutputError(f"{path}: the directory is signed already; remove the signature first")
    digest = hashlib.sha512(found.raw).digest()
    signature = private.sign(_signed(b"sha512", digest))
    made = _Signature(_raw(private.public_key()), NAMESPACE.encode(), b"sha512", signature)
    partial = folder.with_name(f".{folder.name}.{os.getpid()}.sig.partial")  # the directory never holds half of it
    try:
        partial.write_bytes(made.armored())
        partial.replace(path)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None
    finally:
        partial.unlink(missing_ok=True)
    return path


def check_signature(folder: str | Path, public_key: str | Path) -> str | None:
    """What is wrong with the signature of a directory, given the public key of its signer; None if it is right."""
    folder, signer = Path(folder), _public_key(Path(public_key))
    if not os.path.lexists(folder / SIGNATURE):
        return f"the directory is not signed: {SIGNATURE} is missing"
    try:
        found = _parsed(_regular_bytes(folder / SIGNATURE, _MOST_KEY))
        message = _regular_bytes(folder / CERTIFICATE, _MOST_CERTIFICATE)
    except FileError as error:
        return str(error)
    if found is None:
        return f"{SIGNATURE} is no Ed25519 signature in the format of OpenSSH"
    if found.namespace != NAMESPACE.encode():
        return f"{SIGNATURE} was made for another purpose (its namespace is not {NAMESPACE!r})"
    if found.key != _raw(signer):
        return f"the certificate was signed with another key than {public_key}"
    from cryptography.exceptions import InvalidSignature

    try:
        signer.verify(found.signature, _signed(found.hash, _HASHES[found.hash](message).digest()))
    except InvalidSignature:
        return "the certificate was changed after it was signed, or its signature is false"
    return None


def signature_problem(folder: str | Path) -> str | None:
    """Why the file of the signature is none to the letter, so that something could hide in it; None if it is or lacks.

    Who made it is not checked, and nothing has to be installed for this.
    """
    path = Path(folder) / SIGNATURE
    if not os.path.lexists(path):
        return None
    try:
        content = _regular_bytes(path, _MOST_KEY)
    except FileError as error:
        return str(error)
    found = _parsed(content)
    if found is None or found.namespace != NAMESPACE.encode() or found.armored() != content:
        return f"{SIGNATURE} is not listed in the certificate and is no signature"
    return None


def new_key(path: str | Path) -> tuple[Path, Path]:
    """Write a new private key, for its owner alone, and its public key beside it, as ``ssh-keygen`` does."""
    path = Path(path)
    public = path.with_name(f"{path.name}.pub")
    _require_cryptography()
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    for one in (path, public):
        if os.path.lexists(one):
            raise OutputError(f"{one}: exists already, and no key is replaced; choose another name")
    require_output(path, "key")
    key = Ed25519PrivateKey.generate()
    private_text = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, serialization.NoEncryption()
    )
    public_text = key.public_key().public_bytes(serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH)
    try:
        _write_new(path, private_text, 0o600)
        _write_new(public, public_text + b" sfumato\n", 0o644)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None
    return path, public


def _write_new(path: Path, content: bytes, mode: int) -> None:
    with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode), "wb") as file:
        file.write(content)


# ---- keys


def _require_cryptography() -> None:
    try:
        import cryptography  # noqa: F401
    except ImportError:
        raise MissingExtra("cryptography", "sign") from None


def _private_key(path: Path) -> Ed25519PrivateKey:
    _require_cryptography()
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_ssh_private_key

    content = _regular_bytes(path, _MOST_KEY)
    if os.name != "nt" and path.stat().st_mode & 0o077:
        raise FileError(path, f"wanted a private key that only its owner can read; run chmod 600 {path}")
    try:
        key = load_ssh_private_key(content, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        if _is_protected(content):
            raise FileError(
                path,
                "is protected by a passphrase; sign with ssh-keygen -Y sign -f KEY -n sfumato DIR/certificate.json",
            ) from None
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise FileError(path, "wanted a private Ed25519 key of OpenSSH (sfumato sign --new-key makes one)")
    return key


def _is_protected(content: bytes) -> bool:
    """Whether the file is a private key of OpenSSH that is encrypted."""
    lines = [line for line in content.split(b"\n") if line and not line.startswith(b"-----")]
    try:
        raw = base64.b64decode(b"".join(lines), validate=True)
        return raw.startswith(b"openssh-key-v1\0") and _taken(raw, 15)[0] != b"none"
    except (ValueError, binascii.Error):
        return False


def _public_key(path: Path) -> Ed25519PublicKey:
    _require_cryptography()
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_ssh_public_key

    try:
        key = load_ssh_public_key(_regular_bytes(path, _MOST_KEY).strip())
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise FileError(path, "wanted a public Ed25519 key of OpenSSH (one line: ssh-ed25519 ...)")
    return key


def _raw(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes_raw()


def _regular_bytes(path: Path, most: int) -> bytes:
    """The content of an ordinary file that is not too large; no link is followed, and no pipe waited for."""
    try:
        opened = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        raise FileError(path, "no such file") from None
    except OSError as error:
        if path.is_symlink():
            raise FileError(path, "wanted an ordinary file, found a symbolic link; name the file itself") from None
        raise FileError(path, f"cannot be read ({error.strerror})") from None
    try:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            raise FileError(path, "wanted an ordinary file, found a directory, a device or a pipe")
        with open(opened, "rb", closefd=False) as file:
            content = file.read(most + 1)
    finally:
        os.close(opened)
    if len(content) > most:
        raise FileError(path, f"wanted at most {most:,} bytes, found more")
    return content


# ---- the format, PROTOCOL.sshsig of OpenSSH


@dataclass(frozen=True)
class _Signature:
    key: bytes
    namespace: bytes
    hash: bytes
    signature: bytes

    def armored(self) -> bytes:
        fields = (
            _string(_TYPE) + _string(self.key),
            self.namespace,
            b"",
            self.hash,
            _string(_TYPE) + _string(self.signature),
        )
        text = base64.b64encode(_MAGIC + (1).to_bytes(4) + b"".join(map(_string, fields))).decode()
        lines = [text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH)]
        return "\n".join([_HEAD, *lines, _END, ""]).encode()


def _parsed(content: bytes) -> _Signature | None:
    """The signature in a file, None where the file is none."""
    lines = content.decode("ascii", "replace").split()
    text = "".join(lines)
    head, end = _HEAD.replace(" ", ""), _END.replace(" ", "")
    if not (text.startswith(head) and text.endswith(end)):
        return None
    try:
        raw = base64.b64decode(text[len(head) : -len(end)], validate=True)
        if raw[:10] != _MAGIC + (1).to_bytes(4):
            return None
        key, at = _taken(raw, 10)
        namespace, at = _taken(raw, at)
        reserved, at = _taken(raw, at)
        hashed, at = _taken(raw, at)
        signature, at = _taken(raw, at)
        found = _Signature(_ed25519(key, 32), namespace, hashed, _ed25519(signature, 64))
    except (ValueError, binascii.Error):
        return None
    return found if at == len(raw) and not reserved and hashed in _HASHES else None


def _ed25519(blob: bytes, length: int) -> bytes:
    kind, at = _taken(blob, 0)
    value, at = _taken(blob, at)
    if kind != _TYPE or len(value) != length or at != len(blob):
        raise ValueError
    return value


def _taken(raw: bytes, at: int) -> tuple[bytes, int]:
    """A string behind its length, and where the next one begins."""
    end = at + 4 + int.from_bytes(raw[at : at + 4])
    if at + 4 > len(raw) or end > len(raw):
        raise ValueError
    return raw[at + 4 : end], end


def _string(content: bytes) -> bytes:
    return len(content).to_bytes(4) + content


def _signed(hashed: bytes, digest: bytes) -> bytes:
    """What the key signs: the purpose and a digest of the message."""
    return _MAGIC + b"".join(map(_string, (NAMESPACE.encode(), b"", hashed, digest)))
