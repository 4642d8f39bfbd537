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

    Refuses a directory whose files do not match its certificate.
    """
    from sfumato.io.published.directory import as_published

    private = _private_key(Path(key))
    published = as_published(release)
    folder = published.folder
    if published.problems:
        raise FileError(
            folder,
            f"wanted files that match the certificate, found a problem: {published.problems[0]}; nothing is signed",
        )
    path = folder / SIGNATURE
    if os.path.lexists(path):
        raise OutputError(f"{path}: the directory is signed already; remove the signature first")
    digest = hashlib.sha512(published.raw).digest()
    signature = private.sign(_signed(b"sha512", digest))
    ssh_signature = _Signature(_raw(private.public_key()), NAMESPACE.encode(), b"sha512", signature)
    partial = folder.with_name(
        f".{folder.name}.{os.getpid()}.sig.partial"
    )  # the directory never holds an incomplete signature
    try:
        partial.write_bytes(ssh_signature.armored())
        partial.replace(path)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None
    finally:
        partial.unlink(missing_ok=True)
    return path


def check_signature(folder: str | Path, public_key: str | Path) -> str | None:
    """The problem of a directory's signature, given the public key of its signer; None for a valid signature."""
    folder, signer = Path(folder), _public_key(Path(public_key))
    if not os.path.lexists(folder / SIGNATURE):
        return f"the directory is not signed: {SIGNATURE} is missing"
    try:
        parsed = _parsed(_regular_bytes(folder / SIGNATURE, _MOST_KEY))
        message = _regular_bytes(folder / CERTIFICATE, _MOST_CERTIFICATE)
    except FileError as error:
        return str(error)
    if parsed is None:
        return f"{SIGNATURE} is not an Ed25519 signature in the format of OpenSSH"
    if parsed.namespace != NAMESPACE.encode():
        return f"{SIGNATURE} was made for another purpose (its namespace is not {NAMESPACE!r})"
    if parsed.key != _raw(signer):
        return f"the certificate was signed with another key than {public_key}"
    from cryptography.exceptions import InvalidSignature

    try:
        signer.verify(parsed.signature, _signed(parsed.hash, _HASHES[parsed.hash](message).digest()))
    except InvalidSignature:
        return "the certificate was changed after it was signed, or its signature is invalid"
    return None


def signature_problem(folder: str | Path) -> str | None:
    """The problem of a signature file that is not exactly in the format, so that it could hide data; None without one.

    The signer is not checked, and no extra package is needed.
    """
    path = Path(folder) / SIGNATURE
    if not os.path.lexists(path):
        return None
    try:
        content = _regular_bytes(path, _MOST_KEY)
    except FileError as error:
        return str(error)
    parsed = _parsed(content)
    if parsed is None or parsed.namespace != NAMESPACE.encode() or parsed.armored() != content:
        return f"{SIGNATURE} is not listed in the certificate and is not a signature"
    return None


def new_key(path: str | Path) -> tuple[Path, Path]:
    """Write a new private key, for its owner alone, and its public key beside it, as ``ssh-keygen`` does."""
    path = Path(path)
    public = path.with_name(f"{path.name}.pub")
    _require_cryptography()
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    for key_path in (path, public):
        if os.path.lexists(key_path):
            raise OutputError(f"{key_path}: exists already, and a key is never replaced; choose another name")
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
        raise FileError(path, "wanted a private Ed25519 key of OpenSSH", remedy="new-key")
    return key


def _is_protected(content: bytes) -> bool:
    """Whether the file is a private key of OpenSSH that is encrypted."""
    lines = [line for line in content.split(b"\n") if line and not line.startswith(b"-----")]
    try:
        raw = base64.b64decode(b"".join(lines), validate=True)
        return raw.startswith(b"openssh-key-v1\0") and _read_string(raw, 15)[0] != b"none"
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
    """The content of an ordinary file of at most `most` bytes; does not follow a link or wait for a pipe."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        raise FileError(path, "no such file") from None
    except OSError as error:
        if path.is_symlink():
            raise FileError(path, "wanted an ordinary file, found a symbolic link; name the file itself") from None
        raise FileError(path, f"cannot be read ({error.strerror})") from None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise FileError(path, "wanted an ordinary file, found a directory, a device or a pipe")
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(most + 1)
    finally:
        os.close(descriptor)
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
        lines = [text[start : start + _WIDTH] for start in range(0, len(text), _WIDTH)]
        return "\n".join([_HEAD, *lines, _END, ""]).encode()


def _parsed(content: bytes) -> _Signature | None:
    """The signature in a file, None where the file is not a signature."""
    lines = content.decode("ascii", "replace").split()
    text = "".join(lines)
    head, end = _HEAD.replace(" ", ""), _END.replace(" ", "")
    if not (text.startswith(head) and text.endswith(end)):
        return None
    try:
        raw = base64.b64decode(text[len(head) : -len(end)], validate=True)
        if raw[:10] != _MAGIC + (1).to_bytes(4):
            return None
        key, position = _read_string(raw, 10)
        namespace, position = _read_string(raw, position)
        reserved, position = _read_string(raw, position)
        hashed, position = _read_string(raw, position)
        signature, position = _read_string(raw, position)
        parsed = _Signature(_ed25519(key, 32), namespace, hashed, _ed25519(signature, 64))
    except (ValueError, binascii.Error):
        return None
    return parsed if position == len(raw) and not reserved and hashed in _HASHES else None


def _ed25519(blob: bytes, length: int) -> bytes:
    kind, position = _read_string(blob, 0)
    value, position = _read_string(blob, position)
    if kind != _TYPE or len(value) != length or position != len(blob):
        raise ValueError
    return value


def _read_string(raw: bytes, start: int) -> tuple[bytes, int]:
    """The string after its length, and the start of the next one."""
    end = start + 4 + int.from_bytes(raw[start : start + 4])
    if start + 4 > len(raw) or end > len(raw):
        raise ValueError
    return raw[start + 4 : end], end


def _string(content: bytes) -> bytes:
    return len(content).to_bytes(4) + content


def _signed(hashed: bytes, digest: bytes) -> bytes:
    """The bytes that the key signs: the purpose and a digest of the message."""
    return _MAGIC + b"".join(map(_string, (NAMESPACE.encode(), b"", hashed, digest)))
