"""Policies on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

BASKETS = "a b\na b\nb c\nc d\na\nd\n"


@pytest.fixture
def baskets(tmp_path: Path) -> Path:
    (tmp_path / "b.dat").write_text(BASKETS)
    (tmp_path / "tree.csv").write_text("node,parent\n*,\nA,*\nB,*\na,A\nb,A\nc,B\nd,B\n")
    return tmp_path


@pytest.mark.parametrize("method", ["coat", "pcta"])
@pytest.mark.parametrize("privacy", ["all:2", "rare:2:2", "frequent:1:2", "FILE"])
def test_a_policy_is_a_file_or_a_rule_and_travels_with_the_release(
    method: str, privacy: str, baskets: Path, run: Any
) -> None:
    (baskets / "p.txt").write_text("a b\nb c\n")
    said = str(baskets / "p.txt") if privacy == "FILE" else privacy
    out = baskets / "out"
    done = run(
        *("anonymize", method, baskets / "b.dat", "--k", "2", "--suppression", "1", "--privacy-policy", said),
        *("--utility-policy", "siblings:1", "--taxonomy", baskets / "tree.csv", "--out", out),
    )
    assert done.code == 0, done.err
    derived = privacy.startswith(("rare", "frequent"))
    assert (out / "context" / "privacy_policy.csv").is_file() is not derived
    assert (out / "context" / "utility_policy.csv").is_file()
    certificate = json.loads((out / "certificate.json").read_text())
    assert certificate.get("policy") == ({"privacy_policy": privacy} if derived else None)
    original = ("--original", baskets / "b.dat", "--privacy-policy", said, "--taxonomy", baskets / "tree.csv")
    checked = run("verify", out, *original, "--utility-policy", "siblings:1", "--json")
    assert checked.code == 0, checked.out
    assert json.loads(checked.out)["holds"] is True


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ("--privacy-policy", "rare:2"),
            "--privacy-policy: wanted rare:SIZE:BELOW with whole numbers of at least 1, found 'rare:2'",
        ),
        (
            ("--privacy-policy", "all:0"),
            "--privacy-policy: wanted all:SIZE with whole numbers of at least 1, found 'all:0'",
        ),
        (("--privacy-policy", "nowhere.txt"), "nowhere.txt"),
        (("--privacy-policy", "all:2", "--utility-policy", "siblings:1"), "needs a hierarchy of the items"),
        (
            (),
            "coat: needs a privacy policy, these data carry none; say which sets of items to protect (--privacy-policy FILE",
        ),
    ],
)
def test_wrong_policies_are_refused(options: tuple[str, ...], sentence: str, baskets: Path, run: Any) -> None:
    done = run("anonymize", "coat", baskets / "b.dat", "--k", "2", *options, "--out", baskets / "out")
    assert done.code == 2
    assert sentence in done.err
    assert not (baskets / "out").exists()


def test_items_of_the_hierarchy_that_do_not_occur_stay_in_the_published_policy(baskets: Path, run: Any) -> None:
    with (baskets / "tree.csv").open("a") as tree:
        tree.write("x,A\ny,B\nz,B\n")
    out = baskets / "out"
    sides = ("--privacy-policy", "all:1", "--utility-policy", "siblings:1", "--taxonomy", baskets / "tree.csv")
    done = run("anonymize", "coat", baskets / "b.dat", "--k", "3", *sides, "--out", out)
    assert done.code == 0, done.err
    policy = (out / "context" / "utility_policy.csv").read_text()
    assert policy == "constraint,item\n1,a\n1,b\n1,x\n2,c\n2,d\n2,y\n2,z\n"
    assert run("verify", out, "--original", baskets / "b.dat", *sides).code == 0
    by_files = run("verify", out)
    assert by_files.code == 3
    assert "the share of suppressed items is not known" in by_files.out


@pytest.mark.parametrize("method", ["r-first", "t-first", "rum-bound", "tum-bound"])
def test_mixed_methods_take_both_policies(method: str, tmp_path: Path, run: Any) -> None:
    rows = [f"{30 + number % 9},{'a b' if number % 3 else 'c'}\n" for number in range(36)]
    (tmp_path / "p.csv").write_text("age,ills\n" + "".join(rows))
    (tmp_path / "tree.csv").write_text("node,parent\n*,\nA,*\nB,*\na,A\nb,A\nx,A\nc,B\nd,B\n")
    sides = ("--items", "ills", "--taxonomy", tmp_path / "tree.csv", "--privacy-policy", "all:2")
    sides += ("--utility-policy", "siblings:1")
    bound = ("--delta", "0.9") if method.endswith("bound") else ()
    coat = ("--transaction", '{"method": "coat", "suppression": 1.0}')
    out = tmp_path / "out"
    done = run("anonymize", method, tmp_path / "p.csv", "--k", "3", "--m", "0", *coat, *bound, *sides, "--out", out)
    assert done.code == 0, done.err
    assert "✓ k-anonymity with policy-based protection(k=3) holds" in done.out
    assert run("verify", out).code == 0
    assert run("verify", out, "--original", tmp_path / "p.csv", *sides).code == 0
    refused = run("anonymize", method, tmp_path / "p.csv", "--k", "3", "--m", "0", *bound, *sides, "--out", out / "b")
    assert refused.code == 2
    assert "coat and pcta keep a privacy policy in its place" in refused.err
