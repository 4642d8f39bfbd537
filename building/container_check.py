"""What can be checked of Containerfile and compose.yaml without a registry and without a container engine.

python -m building.container_check [--root FOLDER]

Sources of COPY exist, the image does not run as root, every command line of sfumato in both files parses, every setting
is documented, and no password is written down.  With --root, a folder with a Debian system that has Python (debootstrap
makes one), the steps of the Containerfile are run in it by chroot, and what they made shows its version and its demo;
this needs the rights of root.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

ROOT = Path(__file__).parent.parent
WORDS = {"ARG", "FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
SECRET = re.compile(r"(?i)(password|secret|token|key)$")


class Step(NamedTuple):
    """An instruction of a Containerfile and what stands behind it."""

    word: str
    rest: str


def steps_of(text: str) -> list[Step]:
    r"""The instructions of a Containerfile.

    >>> steps_of("FROM a\n# note\nRUN b \\\n && c\n")
    [Step(word='FROM', rest='a'), Step(word='RUN', rest='b  && c')]
    """
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [Step(*line.split(maxsplit=1)) for line in joined.splitlines()]


def problems_of_containerfile(text: str, root: Path = ROOT) -> Iterator[str]:
    """What is wrong in a Containerfile, a sentence each."""
    steps = steps_of(text)
    last = {step.word: step.rest for step in steps}
    for step in steps:
        if step.word not in WORDS:
            yield f"wanted an instruction of a Containerfile, found {step.word}"
        if step.word == "COPY" and "--from=" not in step.rest:
            *sources, _ = [word for word in step.rest.split() if not word.startswith("--")]
            yield from (f"COPY: {name} does not exist" for name in sources if not (root / name).exists())
    if last.get("USER", "root") in ("root", "0"):
        yield "the image runs as root; name another user with USER"
    for word in ("HEALTHCHECK", "ENTRYPOINT", "CMD"):
        if word not in last:
            yield f"there is no {word}"
    if "CMD" in last:
        yield from problems_of_command(json.loads(last["CMD"]))


def problems_of_compose(text: str, documented: str) -> Iterator[str]:
    """What is wrong in a compose file; `documented` is the page that explains its settings."""
    content: dict[str, Any] = yaml.safe_load(text)
    services = content["services"]
    for name, service in services.items():
        if "build" in service and "command" in service:
            yield from (f"{name}: {sentence}" for sentence in problems_of_command(service["command"]))
        for other in service.get("depends_on", ()):
            if other not in services:
                yield f"{name} depends on {other}, which is no service"
        for secret in service.get("secrets", ()):
            if secret not in content.get("secrets", ()):
                yield f"{name} uses the secret {secret}, which is not declared"
        for key, value in service.get("environment", {}).items():
            if SECRET.search(key) and not str(value).startswith("${"):
                yield f"{name}: {key} is written down; read it from a file"
        for volume in service.get("volumes", ()):
            if (named := volume.partition(":")[0]) not in content.get("volumes", ()):
                yield f"{name} uses the volume {named}, which is not declared"
    settings = set(re.findall(r"\$\{(\w+)", text)) | {
        key for service in services.values() for key in service.get("environment", {}) if key.startswith("SFUMATO_")
    }
    yield from (f"the setting {name} is not documented" for name in sorted(settings) if f"`{name}`" not in documented)


def problems_of_command(words: list[str]) -> Iterator[str]:
    """Whether the command line of sfumato has such a command with such options."""
    import click

    from sfumato.cli import cli

    context = click.Context(cli, info_name="sfumato")
    command = cli.get_command(context, words[0]) if words else None
    if command is None:
        yield f"sfumato has no command {words[:1]}"
        return
    try:
        command.make_context(words[0], list(words[1:]), parent=context)
    except click.ClickException as error:
        yield f"sfumato {' '.join(words)}: {error.format_message()}"


def run_steps(text: str, system: Path) -> None:
    """Run the steps in a Debian system by chroot: both stages in one system, so what one leaves the other has."""
    surroundings = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/root"}
    surroundings |= {name: value for name, value in os.environ.items() if name in ("PIP_CERT", "SFUMATO_COMPILE")}
    folder, user = "/", "root"
    for word, rest in steps_of(text):
        if word == "WORKDIR":
            folder = rest
            (system / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif word == "COPY" and "--from=" not in rest:
            *sources, target = [part for part in rest.split() if not part.startswith("--")]
            for name in sources:
                _copy(ROOT / name, system / (Path(folder) / target).as_posix().lstrip("/"), one=len(sources) == 1)
        elif word == "ENV":
            surroundings |= dict(part.split("=", 1) for part in rest.split())
        elif word == "USER":
            user = rest
        elif word == "RUN":
            print(f"RUN {rest}", flush=True)
            _in_system(system, ["sh", "-c", rest], folder, user, surroundings)
    last = {step.word: json.loads(step.rest) for step in steps_of(text) if step.word == "ENTRYPOINT"}
    _in_system(system, [*last["ENTRYPOINT"], "--version"], folder, user, surroundings)
    _in_system(system, [*last["ENTRYPOINT"], "demo"], folder, user, surroundings)


def _copy(source: Path, target: Path, *, one: bool) -> None:
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        target = target if one and target.name == source.name else target / source.name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


def _in_system(system: Path, words: list[str], folder: str, user: str, surroundings: dict[str, str]) -> None:
    line = [
        shutil.which("chroot") or "chroot",
        f"--userspec={user}",
        str(system),
        "/usr/bin/env",
        f"--chdir={folder}",
        *words,
    ]
    subprocess.run(line, env=surroundings, check=True)


def main() -> str | None:
    """Check both files; returns what is wrong, if anything is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--root", type=Path, help="a Debian system with Python, to run the steps in")
    asked = parser.parse_args()
    text = (ROOT / "Containerfile").read_text("utf-8")
    page = (ROOT / "docs" / "deployment.md").read_text("utf-8")
    problems = [
        *problems_of_containerfile(text),
        *problems_of_compose((ROOT / "compose.yaml").read_text("utf-8"), page),
    ]
    if not problems and asked.root is not None:
        run_steps(text, asked.root.absolute())
    if not problems:
        print("Containerfile and compose.yaml: no problem")
    return "\n".join(problems) or None


if __name__ == "__main__":
    sys.exit(main())
