"""Every remedy is followed: a case causes its message, applies the options that the message names, and gets past it."""

from __future__ import annotations

import re
import shlex
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from sfumato.cli import main
from sfumato.cli.shared.flags import FLAGS
from sfumato.remedies import REMEDIES

SQUARE = {"a": (0, 0), "b": (-1, 0), "c": (1, 0), "d": (-1, 1.5), "e": (1, 1.6)}
WALKS = ["dace", "baec", "ade", "bdec", "dc", "de"]


@dataclass
class Shell:
    """A folder, and commands that run in it."""

    folder: Path
    capsys: pytest.CaptureFixture[str]
    files: dict[str, Path] = field(default_factory=dict)

    def file(self, name: str, *lines: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n")
        return path

    def run(self, *words: object) -> tuple[int, str]:
        with pytest.raises(SystemExit) as left:
            main([str(word) for word in words])
        out, err = self.capsys.readouterr()
        return int(left.value.code or 0), out + err

    def done(self, *words: object) -> str:
        code, text = self.run(*words)
        assert code == 0, text
        return text

    def visits(self, *, where: bool = True, person: bool = True) -> Path:
        rows = [
            ",".join([f"t{number}", *([f"p{number % 6}"] if person else []), spot, *map(str, SQUARE[spot] * where)])
            for number, row in enumerate(WALKS * 2, start=1)
            for spot in row
        ]
        head = ["trajectory", *(["person"] if person else []), "location", *(["x", "y"] if where else [])]
        return self.file("visits.csv", ",".join(head), *rows)

    def places(self, *columns: str) -> Path:
        extra = {"owner": "owner-{}", "sensitive": "{}", "category": "kind-{}"}
        rows = [
            ",".join([name, str(x), str(y), *(extra[column].format(int(name in "ab")) for column in columns)])
            for name, (x, y) in SQUARE.items()
        ]
        return self.file("places.csv", ",".join(["location", "x", "y", *columns]), *rows)

    def people(self) -> Path:
        rows = [f"n{at},{20 + at % 4},{'mw'[at % 2]},{('flu', 'ache', 'cold')[at % 3]}" for at in range(24)]
        return self.file("people.csv", "name,age,sex,illness", *rows)

    def baskets(self) -> Path:
        rows = [f"r{at},{item}" for at in range(12) for item in ("ale", "tea", ("fig", "oil")[at % 2])]
        return self.file("baskets.csv", "record,item", *rows)

    def tree(self, *names: str) -> Path:
        return self.file("tree.csv", "node,parent", "all,", *(f"{name},all" for name in names))

    def roads(self, *, jump: bool = False, time: bool = True) -> tuple[Path, Path]:
        self.file("net/nodes.csv", "node,x,y", "1,0,0", "2,1,0", "3,2,0")
        self.file("net/roads.csv", "road,from,to", "r1,1,2", "r2,2,3")
        second = "r1" if jump else "r2"
        rows = [
            f"{number},{road},+" + (f",{60 * at}" if time else "")
            for number in range(6)
            for at, road in enumerate(("r1", second))
        ]
        head = "trajectory,road,direction" + (",time" if time else "")
        return self.file("drives.csv", head, *rows), self.folder / "net"


@dataclass
class Case:
    """A command that says a remedy.

    values : what stands for the capital words of an option, by option (or by the word).
    also : words of another way to follow the remedy, which its sentence names.
    code : the exit code after the remedy; 1 for a release that is written although a promise does not hold.
    follow : what the remedy means, where it is no option of the same command.
    """

    words: list[object]
    values: dict[str, object] = field(default_factory=dict)
    also: list[list[object]] = field(default_factory=list)
    code: int = 0
    follow: Callable[[Shell, str, str], None] | None = None


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Shell]:
    before = {sent: signal.getsignal(sent) for sent in (signal.SIGTERM, signal.SIGINT)}
    yield Shell(tmp_path, capsys)
    for sent, handler in before.items():
        signal.signal(sent, handler)


CASES: dict[str, list[Callable[[Shell], Case]]] = {}


def remedy(key: str) -> Callable[[Callable[[Shell], Case]], Callable[[Shell], Case]]:
    def register(make: Callable[[Shell], Case]) -> Callable[[Shell], Case]:
        CASES.setdefault(key, []).append(make)
        return make

    return register


def test_every_remedy_has_a_case() -> None:
    assert sorted(CASES) == sorted(REMEDIES)


# one test a case
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" in metafunc.fixturenames:
        cases = [pytest.param(key, make, id=make.__name__) for key, makes in CASES.items() for make in makes]
        metafunc.parametrize(("key", "case"), cases)


def test_following_it_leads_past_the_message(key: str, case: Callable[[Shell], Case], shell: Shell) -> None:
    told = case(shell)
    _, text = shell.run(*told.words)
    assert "Traceback" not in text
    options = named_options(key, text)
    assert options, f"the message does not name the options of {key}: {text}"
    if told.follow is not None:
        told.follow(shell, options, text)
        return
    ways = [[*told.words, *filled(words, told.values)] for words in alternatives(options)]
    for words in [*ways, *told.also]:
        _clear(words)
        again, after = shell.run(*words)
        assert named_options(key, after) is None, after
        assert again == told.code, after
        if "--out" in words:
            assert Path(str(words[words.index("--out") + 1])).exists()


def named_options(key: str, text: str) -> str | None:
    """The options of a remedy as a message names them, or None."""
    pattern = re.sub(r"\\\{\w+\\\}", r".+?", re.escape(FLAGS[key]))
    match = re.search(rf"\(({pattern})\)", text)
    return None if match is None else match[1]


def alternatives(options: str) -> list[list[str]]:
    """The words of each alternative; what a comma sets off explains a value."""
    parts = [part for part in options.split(" or ") if part.startswith("--")]
    return [shlex.split(part if "=" in part else part.partition(",")[0]) for part in parts]


def filled(words: list[str], values: dict[str, object]) -> list[str]:
    """The words with values for the capital ones, or after an option without a value."""
    complete: list[str] = []
    for at, word in enumerate(words):
        flag = words[at - 1] if at else ""
        if word.isupper() and not word.startswith("-"):
            complete.append(str(values.get(flag, values.get(word))))
        else:
            complete.append(word)
            last = at == len(words) - 1
            if last and word in values and word.startswith("--"):
                complete.append(str(values[word]))
    return complete


def _clear(words: list[object]) -> None:
    """Remove the output of the run before."""
    if "--out" in words:
        shutil.rmtree(Path(str(words[words.index("--out") + 1])), ignore_errors=True)


@remedy("allow-keys")
def a_column_that_names_everybody(shell: Shell) -> Case:
    people, out = shell.people(), shell.folder / "out"
    words = ["anonymize", "cluster", people, "--quasi-identifiers", "age", "--k", 2, "--out", out]
    as_identifier = ["anonymize", "cluster", people, "--quasi-identifiers", "age,name", "--k", 2, "--out", out]
    return Case(words, also=[as_identifier])


@remedy("attack-two-releases")
def composition_of_one_release(shell: Shell) -> Case:
    visits = shell.visits()
    for number in (1, 2):
        out = shell.folder / f"r{number}"
        shell.done("anonymize", "seqanon", visits, "--k", 2, "--m", number, "--out", out)
    first, second = shell.folder / "r1", shell.folder / "r2"

    def follow(shell: Shell, options: str, text: str) -> None:  # noqa: ARG001
        assert options == "--against DIR, twice"
        _, after = shell.run("audit", visits, "--attack", "composition", "--against", first, "--against", second)
        assert "needs two releases" not in after
        assert "composition" in after

    return Case(["audit", visits, "--attack", "composition", "--against", first], follow=follow)


@remedy("choose-intervals")
def intervals_before_every_drive(shell: Shell) -> Case:
    drives, network = shell.roads()
    words = ["anonymize", "icba", drives, "--network", network, "--k", 2, "--out", shell.folder / "out"]

    def follow(shell: Shell, options: str, text: str) -> None:  # noqa: ARG001
        shell.done(*words, options, "3600")

    return Case([*words, "--interval", "90000,93600"], follow=follow)


@remedy("leave-out-intervals")
def intervals_without_times(shell: Shell) -> Case:
    drives, network = shell.roads(time=False)
    words = ["anonymize", "icba", drives, "--network", network, "--k", 2, "--out", shell.folder / "out"]

    def follow(shell: Shell, options: str, text: str) -> None:
        assert "leave out the intervals" in text
        assert options == "--interval"
        shell.done(*words)
        shutil.rmtree(shell.folder / "out")
        timed, _ = shell.roads()
        shell.done("anonymize", "icba", timed, *words[3:], "--interval", "3600")

    return Case([*words, "--interval", "3600"], follow=follow)


def published_twice(shell: Shell) -> tuple[Path, Path, list[object]]:
    """A ledger, the first release in it, and the command that publishes again."""
    visits, ledger, first = shell.visits(), shell.folder / "ledger.db", shell.folder / "first"
    shell.done("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--ledger", ledger, "--out", first)
    again = ["anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--ledger", ledger, "--out", shell.folder / "second"]
    return ledger, first, again


@remedy("move-release")
def an_earlier_release_was_moved(shell: Shell) -> Case:
    _, first, again = published_twice(shell)
    first.rename(shell.folder / "moved")

    def follow(shell: Shell, options: str, text: str) -> None:  # noqa: ARG001
        move, override = options.split("; or ")
        shell.done(*(str(shell.folder / "moved") if word == "DIR" else word for word in shlex.split(move)[1:]))
        shell.done(*again)
        shutil.rmtree(shell.folder / "second")
        (shell.folder / "moved").rename(shell.folder / "elsewhere")
        code, _ = shell.run(*again, override)
        assert code == 1
        assert (shell.folder / "second").is_dir()

    return Case(again, follow=follow)


@remedy("close-release")
def the_run_of_an_earlier_release_was_killed(shell: Shell) -> Case:
    import sqlite3

    ledger, first, again = published_twice(shell)
    with sqlite3.connect(ledger) as book:  # as a kill between the entry and the directory leaves it
        book.execute("update releases set state = 'intended'")
    first.rename(shell.folder / "moved")

    def follow(shell: Shell, options: str, text: str) -> None:  # noqa: ARG001
        commands, override = options.split("; or ")
        move, close = commands.split(" or ")
        shell.done(*shlex.split(move)[1:3], *shlex.split(close))
        shell.done(*again)
        shutil.rmtree(shell.folder / "second")
        assert shell.run(*again)[0] == 1
        assert shell.run(*again, override)[0] == 1
        assert (shell.folder / "second").is_dir()

    return Case(again, follow=follow)


@remedy("allow-suppression")
def items_of_clusters_that_may_share_no_label(shell: Shell) -> Case:
    rows = [f"{20 + number // 2},{item}" for number, item in enumerate(["a b", "a", "b c", "c d", "d", "a d"])]
    people = shell.file("mixed.csv", "age,codes", *rows)
    apart = shell.file("apart.txt", "a", "b", "c", "d")
    words = ["anonymize", "r-first", people, "--items", "codes", "--quasi-identifiers", "age", "--k", 2, "--m", 1]
    words += ["--transaction", "coat", "--utility-policy", apart]
    return Case([*words, "--out", shell.folder / "out"])


@remedy("give-hierarchies")
def a_method_of_somebody_else_that_needs_hierarchies(shell: Shell) -> Case:
    people = shell.people()
    trees = shell.file("trees/tree_sex.csv", "m;*", "w;*").parent
    words = ["anonymize", "toys:NeedsHierarchies", people, "--quasi-identifiers", "sex", "--k", 2]
    return Case([*words, "--out", shell.folder / "out"], {"DIR": trees})


@remedy("equal-distance")
def an_ordered_distance_of_texts(shell: Shell) -> Case:
    people = shell.people()
    words = [
        "verify",
        people,
        "--model",
        "t-closeness",
        "--t",
        1,
        "--quasi-identifiers",
        "sex",
        "--sensitive",
        "illness",
    ]

    def follow(shell: Shell, options: str, text: str) -> None:  # noqa: ARG001
        shell.done(*words, *shlex.split(options))

    return Case([*words, "--distance", "ordered"], follow=follow)


@remedy("fewer-quasi-identifiers")
def a_lattice_without_end(shell: Shell) -> Case:
    for number in range(9):
        rows = [
            f"{value};" + ";".join(f"l{level}-{value >> level}" for level in range(1, 7)) + ";*" for value in range(64)
        ]
        shell.file(f"trees/tree_c{number}.csv", *rows)
    columns = [f"c{number}" for number in range(9)]
    rows = [",".join(str((at * (number + 3)) % 64) for number in range(9)) for at in range(40)]
    people, out = shell.file("wide.csv", ",".join(columns), *rows), shell.folder / "out"
    given = ["--hierarchies", shell.folder / "trees", "--k", 2, "--out", out, "--allow-keys", "true"]

    def follow(shell: Shell, options: str, text: str) -> None:
        assert "take top-down" in text
        shell.done("anonymize", "incognito", people, *given, *filled(shlex.split(options), {"COLUMNS": "c1,c2"}))
        shutil.rmtree(out)
        shell.done("anonymize", "top-down", people, *given)
        shutil.rmtree(out)
        for number in range(9):
            shell.file(f"trees/tree_c{number}.csv", *(f"{value};*" for value in range(64)))
        shell.done("anonymize", "incognito", people, *given)

    return Case(["anonymize", "incognito", people, *given], follow=follow)


@remedy("fewer-records")
def one_person_with_most_of_the_records(shell: Shell) -> Case:
    rows = [f"r{at},busy,hiv" for at in range(10)] + [f"s{at},p{at},ale" for at in range(6)]
    baskets = shell.file("baskets.csv", "record,person,item", *rows, *(row.rpartition(",")[0] + ",tea" for row in rows))
    tree = shell.tree("hiv", "ale", "tea")
    words = ["--taxonomy", tree, "--sensitive", "hiv", "--k", 2, "--m", 1, "--l", 3, "--out", shell.folder / "out"]

    def follow(shell: Shell, options: str, text: str) -> None:  # noqa: ARG001
        fewer = shell.folder / "fewer.csv"
        shell.done(*filled(shlex.split(options)[1:], {"N": 1}), baskets, "--out", fewer)
        shell.done("anonymize", "apriori", fewer, *words)

    return Case(["anonymize", "apriori", baskets, *words], follow=follow)


@remedy("give-categories")
def subgraphs_of_places_without_categories(shell: Shell) -> Case:
    visits, out = shell.visits(), shell.folder / "out"
    shell.done("anonymize", "seqanon", visits, "--k", 2, "--m", 1, "--out", out)
    taxonomy = shell.tree(*SQUARE)
    words = ["evaluate", visits, out, "--measure", "subgraphs-preserved"]

    def follow(shell: Shell, options: str, text: str) -> None:  # noqa: ARG001
        for way in alternatives(options):
            values = {"--places": shell.places("category"), "--taxonomy": taxonomy}
            assert "needs categories" not in shell.done(*words, *filled(way, values))

    return Case(words, follow=follow)


@remedy("give-constraints")
def constraints(shell: Shell) -> Case:
    visits = shell.visits()
    together = shell.file("together.csv", "location,constraint", *(f"{name},1" for name in SQUARE))
    words = ["anonymize", "u-seqanon", visits, "--k", 2, "--m", 1, "--delta", 0.5, "--out", shell.folder / "out"]
    return Case(words, {"FILE": together})


@remedy("give-network")
def roads_without_a_network(shell: Shell) -> Case:
    drives, network = shell.roads()
    return Case(["anonymize", "icba", drives, "--k", 2, "--out", shell.folder / "out"], {"DIR": network})


@remedy("give-network")
def roads_without_a_network_described(shell: Shell) -> Case:
    drives, network = shell.roads()
    return Case(["describe", drives, "--kind", "roads"], {"DIR": network})


@remedy("give-original")
def a_promise_about_the_original_sequences(shell: Shell) -> Case:
    visits, out = shell.visits(person=False), shell.folder / "out"
    shell.done("anonymize", "bf-p2ka", visits, "--k", 2, "--out", out)
    return Case(["verify", out], {"FILE": visits})


@remedy("give-original")
def a_policy_that_a_rule_made(shell: Shell) -> Case:
    rows = [f"r{at},{item}" for at in range(12) for item in ("ale", "tea", ("fig", "oil", "gin")[at % 3])]
    baskets = shell.file("baskets.csv", "record,item", *rows, "x,fig", "x,oil")
    out = shell.folder / "out"
    rule = ["--privacy-policy", "frequent:2:4"]
    shell.done("anonymize", "coat", baskets, *rule, "--k", 4, "--suppression", 0, "--out", out)
    confirmed = ["verify", out, "--original", baskets, *rule]  # whoever knows that the owner chose this rule
    assert shell.run(*confirmed)[0] == 0
    return Case(["verify", out], {"FILE": baskets}, code=3)


@remedy("give-original-and-report")
def a_promise_that_counts_persons(shell: Shell) -> Case:
    visits, out, report = shell.visits(), shell.folder / "out", shell.folder / "private.json"
    shell.done("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--out", out, "--report", report)
    return Case(["verify", out], {"--original": visits, "--report": report})


@remedy("give-owners")
def places_without_owners(shell: Shell) -> Case:
    words = ["anonymize", "lsup", shell.visits(), "--out", shell.folder / "out"]
    return Case(words, {"FILE": shell.places("owner")})


@remedy("give-owners")
def places_without_owners_verified(shell: Shell) -> Case:
    words = ["verify", shell.visits(), "--model", "projection", "--threshold", 1]
    return Case(words, {"FILE": shell.places("owner")})


@remedy("give-places")
def visits_without_coordinates(shell: Shell) -> Case:
    bare, out = shell.visits(where=False), shell.folder / "out"
    words = ["anonymize", "seqanon", bare, "--k", 2, "--m", 1, "--out", out]
    return Case(words, {"FILE": shell.places()})


@remedy("give-places-or-taxonomy")
def sparse_visits_without_side_knowledge(shell: Shell) -> Case:
    bare, out = shell.visits(where=False), shell.folder / "out"
    words = ["anonymize", "km-suppress", bare, "--k", 2, "--m", 1, "--out", out]
    return Case(words, {"--places": shell.places(), "--taxonomy": shell.tree(*SQUARE)})


@remedy("give-places-file")
def places_made_from_the_data(shell: Shell) -> Case:
    words = ["anonymize", "ngrams", shell.visits(), "--epsilon", 50, "--out", shell.folder / "out"]
    return Case(words, {"FILE": shell.places()})


@remedy("give-places-file")
def sensitive_names_without_places(shell: Shell) -> Case:
    words = ["describe", shell.visits(where=False), "--sensitive", "a"]
    return Case(words, {"FILE": shell.places()})


@remedy("give-privacy-policy")
def items_without_a_policy(shell: Shell) -> Case:
    baskets, out = shell.baskets(), shell.folder / "out"
    policy = shell.file("policy.csv", "constraint,item", "1,ale", "1,fig")
    words = ["anonymize", "coat", baskets, "--k", 2, "--out", out]
    return Case(words, {"FILE": policy}, also=[[*words, "--privacy-policy", "all:2"]])


@remedy("give-report")
def an_attack_without_the_correspondence(shell: Shell) -> Case:
    people, out, report = shell.people(), shell.folder / "out", shell.folder / "private.json"
    given = ["--quasi-identifiers", "age,sex,name"]
    shell.done("anonymize", "cluster", people, *given, "--k", 2, "--out", out, "--report", report)
    words = ["audit", people, *given, "--against", out, "--attack", "linkage", "--attack", "downcoding"]

    def follow(shell: Shell, options: str, text: str) -> None:  # noqa: ARG001
        _, after = shell.run(*words, *filled(shlex.split(options), {"FILE": report}))
        assert named_options("give-report", after) is None

    return Case(words, follow=follow)


@remedy("give-sensitive-places")
def no_place_is_flagged(shell: Shell) -> Case:
    words = ["anonymize", "zga", shell.visits(), "--k", 2, "--l", 2, "--m", 1, "--out", shell.folder / "out"]
    flagged = shell.file("places.csv", "location,x,y,sensitive", *(
        f"{name},{x},{y},{int(name == 'b')}" for name, (x, y) in SQUARE.items()
    ))  # fmt: skip
    return Case(words, {"--places": flagged, "--sensitive": "b"})


@remedy("give-sensitive-places")
def no_place_is_flagged_for_a_measure(shell: Shell) -> Case:
    visits, out = shell.visits(), shell.folder / "out"
    shell.done("anonymize", "seqanon", visits, "--k", 2, "--m", 1, "--out", out)

    def follow(shell: Shell, options: str, text: str) -> None:  # noqa: ARG001
        words = ["evaluate", visits, out, "--measure", "intact:count_sensitive=false"]
        for way in alternatives(options):
            after = shell.done(*words, *filled(way, {"--places": shell.places("sensitive"), "--sensitive": "b"}))
            assert named_options("give-sensitive-places", after) is None

    return Case(["evaluate", visits, out, "--measure", "intact:count_sensitive=false"], follow=follow)


@remedy("give-taxonomy")
def items_without_a_taxonomy(shell: Shell) -> Case:
    words = ["anonymize", "apriori", shell.baskets(), "--k", 2, "--m", 1, "--out", shell.folder / "out"]
    return Case(words, {"FILE": shell.tree("ale", "tea", "fig", "oil")})


@remedy("give-taxonomy")
def a_measure_without_a_taxonomy(shell: Shell) -> Case:
    visits, out = shell.visits(), shell.folder / "out"
    shell.done("anonymize", "seqanon", visits, "--k", 2, "--m", 1, "--out", out)

    def follow(shell: Shell, options: str, text: str) -> None:  # noqa: ARG001
        words = ["evaluate", visits, out, "--measure", "semantic-penalty"]
        after = shell.done(*words, *filled(shlex.split(options), {"FILE": shell.tree(*SQUARE)}))
        assert named_options("give-taxonomy", after) is None

    return Case(["evaluate", visits, out, "--measure", "semantic-penalty"], follow=follow)


@remedy("ignore-edge-labels")
def edges_without_labels_in_a_labelled_graph(shell: Shell) -> Case:
    graph = shell.file("g.lg", "t # 1", *(f"v {at} x" for at in range(4)), "e 0 1 road", "e 2 3 road")
    pattern = shell.file("pattern.lg", "t # 1", "v 0 x", "v 1 x", "e 0 1")
    return Case(["mine", "subgraphs", graph, "--support", 2, "--without-subgraphs", pattern])


@remedy("largest-piece")
def a_network_in_two_pieces(shell: Shell) -> Case:
    shell.file("net/nodes.csv", "node,x,y", "1,0,0", "2,900,0", "3,900,900", "4,5000,5000", "5,6000,5000")
    shell.file("net/roads.csv", "road,from,to", "r1,1,2", "r2,2,3", "r3,3,1", "r4,4,5")
    words = ["generate", "city", "--network", shell.folder / "net", "--out", shell.folder / "city.csv", "--seed", 1]
    return Case(words)


@remedy("measure-the-run")
def a_measure_of_the_run(shell: Shell) -> Case:
    visits, out = shell.visits(), shell.folder / "out"
    shell.done("anonymize", "seqanon", visits, "--k", 2, "--m", 1, "--out", out)

    def follow(shell: Shell, options: str, text: str) -> None:  # noqa: ARG001
        command, *words = filled(shlex.split(options), {"FILE": shell.folder / "private.json"})
        again = ["seqanon", visits, "--k", 2, "--m", 1, "--out", shell.folder / "again"]
        assert "displacement" in shell.done(command, *again, *words)

    return Case(["evaluate", visits, out, "--measure", "displacement"], follow=follow)


@remedy("name-columns")
def another_name_of_a_column(shell: Shell) -> Case:
    body = [f"t{number},p{number % 6},{spot}" for number, row in enumerate(WALKS, start=1) for spot in row]
    visits = shell.file("visits.csv", "trajectory,person,poi", *body)
    return Case(["describe", visits, "--kind", "trajectories"])


@remedy("name-person-column")
def nobody_behind_the_records(shell: Shell) -> Case:
    visits, out = shell.visits(), shell.folder / "out"
    shell.done("anonymize", "seqanon", visits, "--k", 2, "--m", 2, "--out", out)
    renamed = shell.file("renamed.csv", visits.read_text().replace("person", "who", 1).rstrip("\n"))
    return Case(["verify", out, "--original", renamed], {"COLUMN": "who"})


@remedy("name-sensitive")
def l_without_a_sensitive_column(shell: Shell) -> Case:
    words = ["anonymize", "cluster", shell.people(), "--quasi-identifiers", "age,name", "--k", 2, "--l", 2]
    return Case([*words, "--out", shell.folder / "out"], {"NAMES": "illness"})


@remedy("name-sensitive")
def l_without_a_sensitive_item(shell: Shell) -> Case:
    words = ["anonymize", "apriori", shell.baskets(), "--taxonomy", shell.tree("ale", "tea", "fig", "oil"), "--k", 2]
    return Case([*words, "--m", 1, "--l", 2, "--out", shell.folder / "out"], {"NAMES": "fig"})


@remedy("name-sensitive")
def a_model_without_a_sensitive_column(shell: Shell) -> Case:
    words = ["verify", shell.people(), "--model", "l-diversity", "--l", 2, "--quasi-identifiers", "sex"]
    return Case(words, {"NAMES": "illness"})


@remedy("name-sensitive")
def an_attack_without_sensitive_values(shell: Shell) -> Case:
    people, out = shell.people(), shell.folder / "out"
    given = ["--quasi-identifiers", "age,sex,name"]
    shell.done("anonymize", "cluster", people, *given, "--k", 2, "--out", out)

    def follow(shell: Shell, options: str, text: str) -> None:  # noqa: ARG001
        words = ["audit", people, *given, "--against", out, "--attack", "inference"]
        _, after = shell.run(*words, *filled(shlex.split(options), {"NAMES": "illness"}))
        assert named_options("name-sensitive", after) is None

    return Case(["audit", people, *given, "--against", out, "--attack", "inference"], follow=follow)


@remedy("new-key")
def a_file_that_is_no_key(shell: Shell) -> Case:
    out = shell.folder / "out"
    shell.done("anonymize", "seqanon", shell.visits(), "--k", 2, "--m", 1, "--out", out)
    wrong = shell.file("key", "nothing")
    wrong.chmod(0o600)

    def follow(shell: Shell, options: str, text: str) -> None:  # noqa: ARG001
        key = shell.folder / "new-key"
        shell.done(*filled(shlex.split(options)[1:], {"FILE": key}))
        shell.done("sign", out, "--key", key)

    return Case(["sign", out, "--key", wrong], follow=follow)


@remedy("override")
def two_releases_that_identify_everybody_together(shell: Shell) -> Case:
    people = shell.file("ages.csv", "name,age,illness", "a,30,flu", "b,31,ache", "c,52,flu", "d,53,ache")
    for tree, groups in {"one": (0, 0, 1, 1), "two": (0, 1, 0, 1)}.items():
        shell.file(
            f"{tree}/tree_age.csv", *(f"{age};g{group};*" for age, group in zip((30, 31, 52, 53), groups, strict=True))
        )
    given = ["--person", "name", "--quasi-identifiers", "age", "--k", 2, "--ledger", shell.folder / "ledger.db"]
    first, second = (
        [
            "anonymize",
            "incognito",
            people,
            *given,
            "--hierarchies",
            shell.folder / tree,
            "--out",
            shell.folder / f"r-{tree}",
        ]
        for tree in ("one", "two")
    )
    shell.done(*first)
    return Case(second, code=1)


@remedy("read-as-the-run")
def other_missing_values_than_the_run(shell: Shell) -> Case:
    people, out, report = shell.people(), shell.folder / "out", shell.folder / "private.json"
    shell.done("anonymize", "local", people, "--person", "name", "--k", 2, "--out", out, "--report", report)
    command = ["report", out, "--original", people, "--person", "name", "--report", report]
    board = ["--out", shell.folder / "board.html"]

    def follow(shell: Shell, options: str, text: str) -> None:  # noqa: ARG001
        assert "--missing" in options
        shell.done(*command, *board)

    return Case([*command, "--missing", "flu", *board], follow=follow)


@remedy("safe-chunks")
def items_that_are_always_together(shell: Shell) -> Case:
    rows = [f"r{at},{item}" for at in range(8) for item in ("ale", "tea")] + ["r8,ale", "r9,gin", "r10,oil"]
    baskets, out = shell.file("baskets.csv", "record,item", *rows), shell.folder / "out"
    made = ["anonymize", "disassociate", baskets, "--k", 2, "--m", 2]
    shell.done(*made, "--out", out)

    def follow(shell: Shell, options: str, text: str) -> None:  # noqa: ARG001
        safe = shell.folder / "safe"
        shell.done(*made, *shlex.split(options), "--out", safe)
        _, after = shell.run("audit", safe)
        assert named_options("safe-chunks", after) is None

    return Case(["audit", out], follow=follow)


@remedy("split-jumps")
def a_jump_between_roads(shell: Shell) -> Case:
    drives, network = shell.roads(jump=True)
    return Case(["anonymize", "icba", drives, "--network", network, "--k", 2, "--out", shell.folder / "out"])


@remedy("choose-sheet")
def a_workbook_with_two_sheets(shell: Shell) -> Case:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for name, sheet in (("first", book.active), ("second", book.create_sheet("second"))):
        sheet.title = name
        for row in (["age", "sex"], ["31", "m"], ["32", "w"]):
            sheet.append(row)
    book.save(shell.folder / "people.xlsx")
    return Case(["describe", shell.folder / "people.xlsx"], values={"--sheet": "second"})


@remedy("keep-markers")
def values_that_look_missing(shell: Shell) -> Case:
    rows = [f"{20 + number},{('NA', 'Oslo', 'Rome')[number % 3]}" for number in range(12)]
    words = ["describe", shell.file("towns.csv", "age,town", *rows)]

    def follow(shell: Shell, options: str, text: str) -> None:
        for markers in ("x", ""):
            assert named_options("keep-markers", shell.done(*words, "--missing", markers)) is None, (options, text)

    return Case(words, follow=follow)


@remedy("name-missing")
def a_number_that_is_a_word(shell: Shell) -> Case:
    rows = [f"{20 + number}" for number in range(40)]
    return Case(
        ["describe", shell.file("ages.csv", "age", *rows, "none"), "--kind", "table"], values={"--missing": "none"}
    )


@remedy("name-other-columns")
def columns_that_were_guessed(shell: Shell) -> Case:
    rows = [f"{number},{spot}" for number, row in enumerate(WALKS) for spot in row]
    return Case(["describe", shell.file("trips.csv", "tid,poi", *rows)])


@remedy("name-degrees")
def coordinates_that_look_like_degrees(shell: Shell) -> Case:
    rows = [
        f"{number},{spot},{10 + x},{50 + y}"
        for number, row in enumerate(WALKS)
        for spot in row
        for x, y in [SQUARE[spot]]
    ]
    return Case(["describe", shell.file("trips.csv", "tid,poi,X,Y", *rows)])


@remedy("swap-coordinates")
def coordinates_in_the_wrong_order(shell: Shell) -> Case:
    rows = [
        f"{number},{spot},{150 + x},{50 + y}"
        for number, row in enumerate(WALKS)
        for spot in row
        for x, y in [SQUARE[spot]]
    ]
    return Case(["describe", shell.file("trips.csv", "trajectory,location,lat,lon", *rows)])


@remedy("name-quasi-identifiers")
def an_audit_without_quasi_identifiers(shell: Shell) -> Case:
    return Case(["audit", shell.people()], values={"--quasi-identifiers": "age,sex"})


@remedy("name-visits")
def a_table_that_holds_visits(shell: Shell) -> Case:
    rows = [f"{number},{spot}" for number, row in enumerate(WALKS) for spot in row]
    return Case(["mine", "sequences", shell.file("trips.csv", "walk_no,spot", *rows), "--support", 2])


@remedy("say-date-order")
def dates_of_an_unknown_order(shell: Shell) -> Case:
    rows = [f"0{number % 9 + 1}/0{number % 7 + 1}/2024" for number in range(20)]
    words = ["describe", shell.file("days.csv", "day", *rows), "--kind", "table"]
    ordered = [[*words, "--dates", word] for word in ("day-first", "month-first", "text")]
    return Case(
        words, also=ordered, follow=lambda shell, _options, _text: [shell.done(*way) for way in ordered] and None
    )
