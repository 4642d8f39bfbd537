"""`sfumato sign DIR --key FILE`: sign a published directory, so that a changed certificate is detected."""

from __future__ import annotations

from pathlib import Path

import click

from sfumato.cli.shared.options import json_option
from sfumato.cli.shared.render import print_json, say

__all__ = ["command"]


@click.command("sign")
@click.argument("folder", metavar="[DIR]", type=click.Path(path_type=Path), required=False)
@click.option(
    "--key", type=click.Path(path_type=Path), help="The private key: an Ed25519 key in the format of OpenSSH."
)
@click.option(
    "--new-key",
    type=click.Path(path_type=Path),
    help="Make a new key instead of signing: the private key FILE and the public key FILE.pub.",
)
@json_option
def command(folder: Path | None, key: Path | None, new_key: Path | None, as_json: bool) -> int:
    """Sign the published directory DIR.

    The signature is written to DIR/certificate.json.sig.  `sfumato verify DIR --signer FILE.pub` checks it, and so does
    `ssh-keygen -Y verify -n sfumato`.  A directory that does not verify is not signed.
    """
    from sfumato.io.published import directory as published
    from sfumato.io.published import signature
    from sfumato.verification import verify

    if new_key is not None:
        if folder is not None or key is not None:
            raise click.UsageError("--new-key makes a key and does not sign; leave DIR and --key out")
        private, public = signature.new_key(new_key)
        if as_json:
            print_json({"private_key": str(private), "public_key": str(public)})
        else:
            say(f"{private} is private: a person who has it can sign in your name.")
            say(f"{public} is public: give it to those who check your signatures.")
        return 0
    if folder is None or key is None:
        raise click.UsageError("wanted DIR and --key FILE, or --new-key FILE")
    published_release = published.read(folder)
    check = verify(published_release)
    wrong = [
        *check.problems,
        *(f"{model} does not hold" for model, verdict in check.verdicts if verdict.holds is False),
    ]
    if wrong:
        if as_json:
            print_json({"signed": False, "problems": wrong})
        else:
            say(f"✗ not signed, because the directory does not verify: {wrong[0]}")
        return 1
    path = signature.sign(published_release, key)
    if as_json:
        print_json({"signed": True, "signature": str(path)})
    else:
        say(f"✓ signed: {path}")
    return 0
