"""`sfumato policy`: derived, shown, checked, used; what was computed from private data stays private."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from sfumato.io import read_policy

ROWS = ["a b", "a b", "a b", "a c", "c", "b", "c d", "d"]
TREE = "a;x;*\nb;x;*\nc;y;*\nd;y;*\ne;y;*\n"


@pytest.fixture
def baskets(tmp_path: Path) -> Path:
    (tmp_path / "baskets.dat").write_text("\n".join(ROWS) + "\n")
    (tmp_path / "items.csv").write_text(TREE)
    return tmp_path / "baskets.dat"


def test_a_derived_policy_is_private_and_used_as_its_rule(run, baskets: Path, tmp_path: Path) -> None:
    out = tmp_path / "rare.csv"
    done = run("policy", "derive", baskets, "--kind", "transactions", "--privacy", "rare:2:2", "--out", out)
    assert done.code == 0, done.err
    assert done.out.splitlines() == [
        f"2 constraints on 3 items in {out}: rare:2:2",
        f"{out} is private: its sets occur in {baskets}. A release names the rule rare:2:2, never the sets.",
    ]
    assert out.read_text() == "constraint,item,rule\n1,a,rare:2:2\n1,c,rare:2:2\n2,c,rare:2:2\n2,d,rare:2:2\n"
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    from_file, from_rule = tmp_path / "from-file", tmp_path / "from-rule"
    options = ("--kind", "transactions", "--k", 2, "--suppression", 1)
    assert run("anonymize", "coat", baskets, *options, "--privacy-policy", out, "--out", from_file).code == 0
    assert run("anonymize", "coat", baskets, *options, "--privacy-policy", "rare:2:2", "--out", from_rule).code == 0
    names = sorted(path.relative_to(from_rule) for path in from_rule.rglob("*"))
    assert names == sorted(path.relative_to(from_file) for path in from_file.rglob("*"))
    assert all((from_file / name).read_bytes() == (from_rule / name).read_bytes() for name in names)
    assert not (from_file / "context").exists()
    assert json.loads((from_file / "certificate.json").read_text())["policy"] == {"privacy_policy": "rare:2:2"}
    assert run("verify", from_file, "--original", baskets, "--privacy-policy", out).code == 0


def test_a_changed_private_policy_is_refused_because_its_release_would_name_the_rule(
    run, baskets: Path, tmp_path: Path
) -> None:
    out = tmp_path / "rare.csv"
    run("policy", "derive", baskets, "--kind", "transactions", "--privacy", "rare:2:2", "--out", out)
    out.write_text("".join(out.read_text().splitlines(keepends=True)[:3]))
    words = ("--kind", "transactions", "--k", 2, "--suppression", 1, "--privacy-policy", out, "--out", tmp_path / "out")
    refused = run("anonymize", "coat", baskets, *words)
    assert (refused.code, (tmp_path / "out").exists()) == (2, False)
    assert "wanted the constraints that its rule rare:2:2 computes from these data, found others" in refused.err
    checked = run("policy", "check", out, "--against", baskets)
    assert checked.code == 1
    assert "not those that the rule rare:2:2 computes" in checked.out


def test_a_rule_that_does_not_look_at_records_is_public(run, baskets: Path, tmp_path: Path) -> None:
    done = run("policy", "derive", baskets, "--privacy", "all:2", "--out", tmp_path / "all.csv", "--json")
    assert json.loads(done.out) == {
        "out": str(tmp_path / "all.csv"), "rule": "all:2", "private": False, "constraints": 0, "size": 2, "items": 0,
    }  # fmt: skip
    tree = ("--taxonomy", tmp_path / "items.csv")
    done = run("policy", "derive", baskets, "--utility", "siblings:1", "--out", tmp_path / "u.csv", *tree)
    assert done.code == 0, done.err
    assert "is public" in done.out
    assert (tmp_path / "u.csv").read_text() == "constraint,item\n1,a\n1,b\n2,c\n2,d\n2,e\n"


def test_siblings_in_a_private_tree_are_refused(run, baskets: Path, tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text(TREE.replace("*", "* (private: balanced:2)"))
    words = ("--utility", "siblings:1", "--out", tmp_path / "u.csv", "--taxonomy", tmp_path / "items.csv")
    refused = run("policy", "derive", baskets, *words)
    assert (refused.code, (tmp_path / "u.csv").exists()) == (2, False)
    assert "would disclose which items occur" in refused.err


def test_show(run, baskets: Path, tmp_path: Path) -> None:
    run("policy", "derive", baskets, "--kind", "transactions", "--privacy", "frequent:1:2", "--out", tmp_path / "f.csv")
    said = run("policy", "show", tmp_path / "f.csv").out
    assert "4 constraints on 4 items; private: computed by the rule frequent:1:2" in said
    facts = json.loads(run("policy", "show", tmp_path / "f.csv", "--json").out)
    assert (facts["private"], facts["rule"], facts["sets"]) == (True, "frequent:1:2", [["a"], ["b"], ["c"], ["d"]])


def test_check(run, baskets: Path, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("constraint,item\n1,a\n1,c\n2,d\n")
    (tmp_path / "u.csv").write_text("constraint,item\n1,a\n1,b\n2,c\n2,d\n")
    words = ("--against", baskets, "--kind", "transactions", "--k", 3, "--json")
    facts = json.loads(run("policy", "check", tmp_path / "p.csv", *words).out)
    assert (facts["smallest_support"], facts["below_k"], facts["satisfiable"]) == (1, 2, True)
    stuck = run("policy", "check", tmp_path / "p.csv", *words, "--utility-policy", tmp_path / "u.csv")
    facts = json.loads(stuck.out)  # {a, b} and {c, d} meet in one record
    assert (stuck.code, facts["satisfiable"]) == (1, False)
    assert facts["problems"] == [
        "merging items alone cannot give every protected set a support of 3: a method has to suppress items"
    ]
    (tmp_path / "strange.csv").write_text("constraint,item\n1,a\n1,zzz\n")
    unknown = run("policy", "check", tmp_path / "strange.csv", "--against", baskets, "--kind", "transactions")
    assert unknown.code == 1
    assert "✗ 1 items of the policy are neither in the data nor in their hierarchy" in unknown.out
    (tmp_path / "twice.csv").write_text("constraint,item\n1,a\n1,b\n2,b\n")
    twice = run("policy", "check", tmp_path / "twice.csv", "--against", baskets, "--role", "utility")
    assert twice.code == 1
    assert "1 items are in several constraints" in twice.out
    assert run("policy", "check", tmp_path / "u.csv", "--against", baskets, "--role", "utility").code == 0


def test_refusals(run, baskets: Path, tmp_path: Path) -> None:
    out = ("--out", tmp_path / "p.csv")
    assert "wanted one of --privacy and --utility, found neither" in run("policy", "derive", baskets, *out).err
    assert "wanted a rule all:SIZE" in run("policy", "derive", baskets, "--privacy", "p.csv", *out).err
    assert run("policy", "derive", baskets, "--privacy", "rare:2", *out).code == 2
    assert "ends in .csv" in run("policy", "derive", baskets, "--privacy", "all:2", "--out", tmp_path / "p.txt").err
    (tmp_path / "mixed.csv").write_text("constraint,item,rule\n1,a,rare:2:2\n1,b,\n")
    assert "wanted the same rule in every row" in run("policy", "show", tmp_path / "mixed.csv").err


def test_edit(run, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("constraint,item\n1,flu\n1,cough\n2,hiv\n")
    edits = ("--edit", "remove,1", "--edit", 'add,"a,b",flu')
    done = run("policy", "edit", tmp_path / "p.csv", "--out", tmp_path / "q.csv", *edits)
    assert (done.code, done.out) == (0, f"2 edits: 2 constraints on 3 items in {tmp_path / 'q.csv'}\n")
    assert read_policy(tmp_path / "q.csv").sets == (("hiv",), ("a,b", "flu"))
    (tmp_path / "r.csv").write_text("constraint,item,rule\n1,flu,rare:1:2\n")
    refused = run("policy", "edit", tmp_path / "r.csv", "--out", tmp_path / "s.csv", "--edit", "remove,1")
    assert "wanted constraints that were given" in refused.err
    assert not (tmp_path / "s.csv").exists()
