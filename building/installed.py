"""What an installation can do: run with its interpreter, in an empty folder, outside of the checkout.

python installed.py [EXTRA ...]

Without an extra it runs the demo, one method of each kind of data, and verify.  For each extra that is named it runs
what needs it.  Nothing here imports from the checkout, so the file can be copied to where it runs.
"""

from __future__ import annotations

import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

BASE = """
demo
verify demo-release
generate checkins --trajectories 300 --locations 60 --seed 1 --out visits.csv
anonymize seqanon visits.csv --k 5 --m 1 --out movements
verify movements
generate roads --nodes 60 --vehicles 80 --streets streets --seed 1 --out drives.csv
anonymize icba drives.csv --network streets --k 2 --out roads
verify roads
generate baskets --records 500 --items 60 --seed 1 --out baskets.csv
anonymize disassociate baskets.csv --kind transactions --k 3 --m 2 --out sets
verify sets
generate mixed --people 300 --codes 40 --seed 1 --out patients.csv
anonymize cluster patients.csv --kind table --quasi-identifiers age,sex --k 5 --out table
verify table
hierarchy derive patients.csv diagnoses --items diagnoses --rule prefix --out hierarchies
anonymize r-first patients.csv --items diagnoses --quasi-identifiers age,sex --hierarchies hierarchies --k 5 --m 1 \
 --out mixed
verify mixed
"""
COMMANDS = {
    "": BASE,
    "report": "demo\nreport demo-release --out board.pdf",
    "sign": "demo\nsign --new-key owner.key\nsign demo-release --key owner.key\n"
    "verify demo-release --signer owner.key.pub",
    "semantics": "kb load kb a.ttl\nkb query kb all.rq",
    "duckdb": "generate posts --people 20 --seed 1 --out posts.csv\nsegment posts.csv --out movement.duckdb",
}
FILES = {
    "a.ttl": "<http://example.org/a> <http://example.org/b> <http://example.org/c> .\n",
    "all.rq": "SELECT ?a WHERE { ?a <http://example.org/b> ?c }\n",
}
# what verify answers: 3 where a promise counts persons and only the files are given
ANSWERS = {"verify demo-release": 3, "verify demo-release --signer owner.key.pub": 3}


def main(extras: list[str]) -> str | None:
    """Try the installation, then each extra; returns what failed, if anything did."""
    import sfumato

    if not Path(sfumato.__file__).resolve().is_relative_to(Path(sys.prefix).resolve()):
        return f"wanted the package installed in {sys.prefix}, found {sfumato.__file__}"
    print(f"sfumato {sfumato.__version__} in {Path(sfumato.__file__).parent}, Python {sys.version.split()[0]}")
    program = Path(sys.executable).with_name("sfumato")
    shown = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if shown != sfumato.__version__:
        return f"sfumato --version: wanted {sfumato.__version__}, found {shown}"
    for name, text in FILES.items():
        Path(name).write_text(text)
    failures = [text for extra in extras or [""] for text in _tried(extra)]
    return "\n".join(failures) or None


def _tried(extra: str) -> list[str]:
    if extra not in COMMANDS and extra not in CHECKS:
        return [f"extra {extra}: nothing tries it"]
    failures = [text for line in _lines(COMMANDS.get(extra, "")) if (text := _command(line))]
    if extra in CHECKS:
        CHECKS[extra]()
    return failures


def _lines(text: str) -> list[str]:
    return [line for line in text.replace("\\\n", "").splitlines() if line]


def _command(line: str) -> str:
    """Run one command line in this process; returns a sentence if it does not answer as it should."""
    from sfumato.cli import main as sfumato

    try:
        sfumato(line.split())
    except SystemExit as left:
        if (left.code or 0) != ANSWERS.get(line, 0):
            return f"sfumato {line}: wanted the exit code {ANSWERS.get(line, 0)}, found {left.code}"
    return ""


# --- extras that need more than a command ----------------------------------------------------------------------------


def _frames() -> None:
    import geopandas
    import pandas as pd
    import pyarrow as pa

    import sfumato

    frame = pd.DataFrame({"trajectory": [1, 1, 2, 2], "location": list("abab"), "x": [0, 1, 0, 1], "y": [0, 0, 0, 0]})
    for given in (frame, pa.Table.from_pandas(frame)):
        release = sfumato.anonymize(given, "seqanon", k=2, m=2)
    assert isinstance(release.to_pandas(), pd.DataFrame)
    assert isinstance(release.to_geopandas(), geopandas.GeoDataFrame)


def _excel() -> None:
    import zipfile

    import sfumato

    rows = [["age", "sex"], ["30", "f"], ["40", "m"]]
    cells = "".join(
        "<row>" + "".join(f'<c t="inlineStr"><is><t>{text}</t></is></c>' for text in row) + "</row>" for row in rows
    )
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    sheet = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{types}.sheet.main+xml"/>'
        f'<Override PartName="/xl/sheet.xml" ContentType="{types}.worksheet+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="r1" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{sheet}" xmlns:r="{office}"><sheets>'
        '<sheet name="people" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="r1" Type="{office}/worksheet" Target="sheet.xml"/></Relationships>',
        "xl/sheet.xml": f'<worksheet xmlns="{sheet}"><sheetData>{cells}</sheetData></worksheet>',
    }
    with zipfile.ZipFile("people.xlsx", "w") as file:
        for name, text in parts.items():
            file.writestr(name, f'<?xml version="1.0" encoding="UTF-8"?>{text}')
    assert len(sfumato.read("people.xlsx", kind="table")) == 2


def _web() -> None:
    """The server of one person answers; it is asked until it does."""
    program = Path(sys.executable).with_name("sfumato")
    with subprocess.Popen([program, "serve", "--no-browser", "--port", "8799"], stdout=subprocess.DEVNULL) as server:
        try:
            print(f"/healthz: {_answer('http://127.0.0.1:8799/healthz')}")
        finally:
            server.terminate()


def _answer(url: str, seconds: float = 120) -> str:
    latest = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                return str(answer.status)
        except (OSError, urllib.error.URLError):
            if time.monotonic() > latest:
                raise
            time.sleep(0.5)


def _spark() -> None:
    import polars as pl

    Path("visits").mkdir()
    walks = pl.DataFrame({"trajectory": [1, 1, 2, 2], "location": list("abab"), "time": [1, 2, 1, 2]})
    walks.write_parquet("visits/part.parquet")
    failed = _command("verify visits --kind trajectories --model km --k 2 --m 2 --engine spark --master local[1]")
    assert not failed, failed


CHECKS: dict[str, Callable[[], None]] = {"frames": _frames, "excel": _excel, "web": _web, "spark": _spark}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
