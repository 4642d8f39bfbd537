"""Signatures over certificates: made and checked here, and by ssh-keygen."""

from __future__ import annotations

import base64
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from sfumato import SeqAnon, Trajectories, verify
from sfumato.attacks.leaks.search import find_leaks
from sfumato.errors import FileError, MissingExtra, OutputError
from sfumato.io.published import signature
from sfumato.io.published.signature import SIGNATURE, check_signature, new_key, sign, signature_problem

WALKS = Trajectories.from_lists(["ab", "ab", "cd", "cd"], places={n: (i, 0) for i, n in enumerate("abcd")})
needs_ssh = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="needs ssh-keygen")


@pytest.fixture
def keys(tmp_path: Path) -> tuple[Path, Path]:
    return new_key(tmp_path / "key")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return SeqAnon(k=2, m=2).anonymize(WALKS).write(tmp_path / "release").path


def test_a_signed_directory_verifies_and_leaks_nothing(folder: Path, keys: tuple[Path, Path]) -> None:
    before = verify(folder)
    path = sign(folder, keys[0])
    assert path == folder / "certificate.json.sig"
    assert check_signature(folder, keys[1]) is None
    assert signature_problem(folder) is None
    assert verify(folder).problems == before.problems == ()
    assert find_leaks(folder, WALKS) == find_leaks(folder, None) == []
    assert sorted(file.name for file in folder.parent.iterdir()) == ["key", "key.pub", "release"]


def test_keys_are_made_once_and_for_their_owner_alone(tmp_path: Path, keys: tuple[Path, Path]) -> None:
    private, public = keys
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert public.read_text().startswith("ssh-ed25519 ")
    before = private.read_bytes()
    for name in ("key", "other"):
        (tmp_path / "other.pub").write_text("mine")
        with pytest.raises(OutputError, match="exists already, and a key is never replaced"):
            new_key(tmp_path / name)
    assert private.read_bytes() == before
    assert not (tmp_path / "other").exists()
    with pytest.raises(OutputError, match="does not exist; make it first"):
        new_key(tmp_path / "no" / "key")


def test_a_changed_certificate_is_noticed(folder: Path, keys: tuple[Path, Path]) -> None:
    sign(folder, keys[0])
    certificate = folder / "certificate.json"
    certificate.write_text(certificate.read_text().replace('"k": 2', '"k": 3'))
    assert (
        check_signature(folder, keys[1])
        == "the certificate was changed after it was signed, or its signature is invalid"
    )


def test_another_key_and_no_signature(folder: Path, keys: tuple[Path, Path], tmp_path: Path) -> None:
    assert check_signature(folder, keys[1]) == "the directory is not signed: certificate.json.sig is missing"
    sign(folder, keys[0])
    other = new_key(tmp_path / "other")[1]
    assert check_signature(folder, other) == f"the certificate was signed with another key than {other}"
    with pytest.raises(OutputError, match="is signed already"):
        sign(folder, keys[0])


def test_a_directory_that_was_altered_is_not_signed(folder: Path, keys: tuple[Path, Path]) -> None:
    (folder / "data.csv").write_text("trajectory,step,location\n")
    with pytest.raises(FileError, match=r"data\.csv was altered"):
        sign(folder, keys[0])
    assert not (folder / SIGNATURE).exists()


def raw_of(content: bytes) -> bytes:
    return base64.b64decode(b"".join(content.split(b"\n")[1:-2]))


def armored(raw: bytes) -> bytes:
    text = base64.b64encode(raw).decode()
    lines = [text[at : at + 70] for at in range(0, len(text), 70)]
    return "\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""]).encode()


def test_what_is_no_signature_is_refused_in_one_sentence(folder: Path, keys: tuple[Path, Path]) -> None:
    path = sign(folder, keys[0])
    good = path.read_bytes()
    raw = raw_of(good)
    assert armored(raw) == good
    broken = [
        b"",
        b"\xff" * 100,
        good[:40],
        good[:-20],
        b"-----BEGIN SSH SIGNATURE-----\n!\n-----END SSH SIGNATURE-----\n",
    ]
    broken += [armored(raw[:at]) for at in range(len(raw))] + [
        armored(raw + b"x"),
        armored(raw.replace(b"sha512", b"sha999")),
    ]
    for content in broken:
        path.write_bytes(content)
        assert (
            check_signature(folder, keys[1])
            == "certificate.json.sig is not an Ed25519 signature in the format of OpenSSH"
        )
        assert signature_problem(folder) is not None
    assert "certificate.json.sig is not listed in the certificate and is not a signature" in verify(folder).problems
    assert [leak.file for leak in find_leaks(folder, None)] == [SIGNATURE]
    for at in range(len(raw)):
        path.write_bytes(armored(raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]))
        assert check_signature(folder, keys[1]) is not None
    path.write_bytes(armored(raw.replace(b"\x07sfumato", b"\x07another")))
    assert check_signature(folder, keys[1]) == (
        "certificate.json.sig was made for another purpose (its namespace is not 'sfumato')"
    )
    path.write_bytes(good + b"\nmore")
    assert signature_problem(folder) == "certificate.json.sig is not listed in the certificate and is not a signature"


def test_a_signature_is_an_ordinary_small_file(folder: Path, keys: tuple[Path, Path], tmp_path: Path) -> None:
    path = sign(folder, keys[0])
    moved = path.rename(tmp_path / "elsewhere")
    path.symlink_to(moved)
    assert "found a symbolic link" in (check_signature(folder, keys[1]) or "")
    path.unlink()
    os.mkfifo(path)
    assert "wanted an ordinary file" in (check_signature(folder, keys[1]) or "")
    path.unlink()
    path.write_bytes(b"x" * 70_000)
    assert "wanted at most 65,536 bytes" in (check_signature(folder, keys[1]) or "")


def test_keys_that_are_none(folder: Path, keys: tuple[Path, Path], tmp_path: Path) -> None:
    private, public = keys
    wanted = "wanted a private Ed25519 key of OpenSSH"
    for content in (b"", b"no key", public.read_bytes(), private.read_bytes()[:100]):
        (tmp_path / "bad").write_bytes(content)
        (tmp_path / "bad").chmod(0o600)
        with pytest.raises(FileError, match=wanted):
            sign(folder, tmp_path / "bad")
    for content in (b"", b"no key", private.read_bytes(), b"ssh-ed25519 AAAA\n", b"\xff\xfe"):
        (tmp_path / "bad").write_bytes(content)
        with pytest.raises(FileError, match="wanted a public Ed25519 key of OpenSSH"):
            check_signature(folder, tmp_path / "bad")
    with pytest.raises(FileError, match="no such file"):
        sign(folder, tmp_path / "none")
    private.chmod(0o644)
    with pytest.raises(FileError, match="only its owner can read; run chmod 600"):
        sign(folder, private)


def test_without_the_package_one_sentence_says_what_to_install(
    folder: Path, keys: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    for work in (
        lambda: sign(folder, keys[0]),
        lambda: check_signature(folder, keys[1]),
        lambda: new_key(folder / "k"),
    ):
        with pytest.raises(MissingExtra, match=r"cryptography is not installed: pip install 'sfumato\[sign\]'"):
            work()


# ---- the same by OpenSSH


def ssh(*words: object, message: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    given = b"" if message is None else message.read_bytes()
    return subprocess.run(["ssh-keygen", *map(str, words)], input=given, capture_output=True, check=False)


@needs_ssh
def test_ssh_keygen_accepts_what_is_signed_here(folder: Path, keys: tuple[Path, Path], tmp_path: Path) -> None:
    path = sign(folder, keys[0])
    allowed = tmp_path / "allowed"
    allowed.write_text(f"owner {keys[1].read_text()}")
    asked = ("-Y", "verify", "-f", allowed, "-I", "owner", "-n", "sfumato", "-s", path)
    assert ssh(*asked, message=folder / "certificate.json").returncode == 0
    assert ssh(*asked, message=folder / "data.csv").returncode != 0


@needs_ssh
def test_keys_and_signatures_of_ssh_keygen_are_accepted(folder: Path, tmp_path: Path) -> None:
    assert ssh("-q", "-t", "ed25519", "-N", "", "-C", "a comment", "-f", tmp_path / "theirs").returncode == 0
    path = sign(folder, tmp_path / "theirs")
    assert check_signature(folder, tmp_path / "theirs.pub") is None
    ours = path.read_bytes()
    path.unlink()
    assert ssh("-Y", "sign", "-f", tmp_path / "theirs", "-n", "sfumato", folder / "certificate.json").returncode == 0
    assert path.read_bytes() == ours, "Ed25519 signs without randomness"
    assert verify(folder).problems == ()


@needs_ssh
def test_other_and_protected_keys_are_refused(folder: Path, tmp_path: Path) -> None:
    assert ssh("-q", "-t", "ed25519", "-N", "secret", "-f", tmp_path / "locked").returncode == 0
    with pytest.raises(FileError, match="is protected by a passphrase; sign with ssh-keygen -Y sign"):
        sign(folder, tmp_path / "locked")
    assert ssh("-q", "-t", "ecdsa", "-N", "", "-f", tmp_path / "ecdsa").returncode == 0
    with pytest.raises(FileError, match="wanted a private Ed25519 key"):
        sign(folder, tmp_path / "ecdsa")
    with pytest.raises(FileError, match="wanted a public Ed25519 key"):
        check_signature(folder, tmp_path / "ecdsa.pub")


def test_the_purpose_is_part_of_what_is_signed() -> None:
    assert signature.NAMESPACE == "sfumato"
