"""Random sequences of edits, publications and saves: no stored answer is lost or misread, and the index is right.

A model remembers what each person answered, as it is read.  After every step the answers, their history, and the index
are compared with it; a publication must be refused exactly if an answer would be read differently.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from sfumato.web.studies.choice_lists.options import change_option, retire_option
from sfumato.web.studies.design.impact import impact
from sfumato.web.studies.design.versions import PublishRefused, publish_version
from sfumato.web.studies.entry.saving import new_entry, save
from sfumato.web.studies.forms import editing
from sfumato.web.studies.forms.checks import problems
from sfumato.web.studies.forms.tree import Choice, Form, Question, Rule, When
from sfumato.web.studies.models import Cell, ChoiceList, Entry, Episode, Membership, Option, Revision, Study
from twins.study_answers import cells, episodes, missing, places, questions_of, replayed, shown

KINDS = ("string", "integer", "decimal", "date", "yes_no", "one", "many", "list", "calculated")
TEXTS = {
    "integer": ["5", "0", "-3"],
    "decimal": ["5", "2.5", "2.50", "-0.1"],
    "date": ["2020-02-29", "0001-01-01", "9999-12-31"],
    "yes_no": ["yes", "no"],
}

# what strings are in a world: few, so that another type may fit them all
STRINGS = (["5", "12"], ["5", "007"], ["yes"], ["2020-02-29"], ["Athens", "x"], ["2.5", "12"])
LIKELY = {  # types to which a question is changed, so that answers are in the way and so that they are not
    "string": ("integer", "decimal", "date", "yes_no", "one"),
    "integer": ("decimal", "string"),
    "many": ("one", "string"),
    "one": ("many", "string", "list", "yes_no"),
    "list": ("string", "one"),
}


class World:
    """A study whose form and answers change at random, beside the model of its answers.

    meant : by entry and place what the person reads as the answer.
    """

    def __init__(self, seed: int, owner: Any) -> None:
        self.chance, self.owner = random.Random(seed), owner
        self.texts = TEXTS | {"string": STRINGS[seed % len(STRINGS)]}
        self.lists = []
        for name, texts in (("towns", ("Athens", "Patras")), ("cities", ("Athens", "Rome"))):
            row = ChoiceList.objects.create(owner=owner, name=f"{name} {seed}")
            Option.objects.bulk_create(
                Option(choice_list=row, key=f"k{number}", texts={"en": text}, position=number)
                for number, text in enumerate(texts)
            )
            self.lists.append(row)
        form = _first_form(str(self.lists[0].id))
        self.study = Study.objects.create(name=f"Study {seed}", languages=["en"], draft=form, state=Study.OPEN)
        Membership.objects.create(study=self.study, user=owner, role="administrator", grants=list(Membership.GRANTS))
        publish_version(self.study, owner)
        self.entries = [new_entry(self.study, owner, client_key=str(number)) for number in range(2)]
        self.meant: dict[tuple[Any, str, str, str], frozenset[str]] = {}
        self.defined = questions_of(form)
        self.done: Counter[str] = Counter()

    @property
    def draft(self) -> Form:
        return Form.from_json(self.study.draft)

    @property
    def tree(self) -> dict[str, Any]:
        return self.study.form_version.tree

    def labels(self) -> dict[str, dict[str, str]]:
        """The texts of the options of each list."""
        return {str(row.id): {option.key: option.texts["en"] for option in row.options.all()} for row in self.lists}

    def step(self) -> None:
        """Answer some questions, edit the draft and publish it, and compare everything with the model."""
        for _number in range(self.chance.randint(1, 2)):
            self.answer()
        if self.chance.random() < 0.3:
            self.relabel()
        self.check()
        for _number in range(self.chance.randint(1, 4)):
            self.edit()
        self.publish()
        self.check()

    def edit(self) -> None:
        """Change the draft."""
        form = self.draft
        verb = self.chance.choice(
            [
                "add",
                "remove",
                "remove",
                "move",
                "type",
                "type",
                "options",
                "when",
                "when",
                "inside",
                "text",
                "back",
                "back",
                "back",
                "list",
                "required",
                "days",
                "formula",
            ]
        )
        keys = [key for key, (question, _group) in form.by_key.items() if question.choices or verb != "options"]
        if not keys:
            return
        try:
            after = getattr(self, f"_{verb}")(form, self.chance.choice(keys))
        except editing.EditRefused:
            return
        self.done[verb] += after != form
        self.study.draft = after.to_json()
        self.study.save()

    def _add(self, form: Form, key: str) -> Form:
        group = self.chance.choice([None, None, "g"])
        if group and group not in form.by_key:
            return form
        new = self._defined(form, editing.new_key(form), self.chance.choice(KINDS))
        return editing.add(form, new, group=group) if self.chance.random() < 0.5 else editing.add(form, new, after=key)

    def _remove(self, form: Form, key: str) -> Form:
        form = editing.remove(form, key)
        for other, (question, _group) in list(form.by_key.items()):
            rules = tuple(rule for rule in question.when.rules if rule.question in form.by_key)
            if rules != question.when.rules and self.chance.random() < 0.8:  # otherwise the draft has a problem
                form = editing.change(form, other, when=When(rules))
        return form

    def _move(self, form: Form, key: str) -> Form:
        return editing.move(
            form, key, **{self.chance.choice(["after", "before"]): self.chance.choice(list(form.by_key))}
        )

    def _type(self, form: Form, key: str) -> Form:
        likely = [other for other, (question, _group) in form.by_key.items() if question.type in LIKELY]
        key = self.chance.choice(likely or [key])
        if form.question(key).type == "group":
            return form
        kinds = LIKELY.get(form.question(key).type, KINDS) if self.chance.random() < 0.8 else KINDS
        new = self._defined(form, key, self.chance.choice(kinds))
        keep = form.question(key).choices if new.type in ("one", "many") else ()
        names = ("choices", "choice_list", "formula")
        fields = {name: getattr(new, name) for name in names} | ({"choices": keep} if keep else {})
        return editing.change(form, key, type=new.type, **fields)

    def _options(self, form: Form, key: str) -> Form:
        choices = list(form.question(key).choices)
        place = self.chance.randrange(len(choices))
        verb = self.chance.choice(["rename", "drop", "retire", "add", "move"])
        if verb == "rename":
            choices[place] = replace(choices[place], texts={"en": f"text {self.chance.random():.6f}"})
        elif verb == "drop":
            del choices[place]
        elif verb == "retire":
            choices[place] = replace(choices[place], retired=not choices[place].retired)
        elif verb == "add":
            choices.append(Choice(editing.new_key(prefix="c"), {"en": f"text {self.chance.random():.6f}"}))
        else:
            choices.insert(0, choices.pop(place))
        return editing.change(form, key, choices=tuple(choices))

    def _when(self, form: Form, key: str) -> Form:
        earlier = list(form.by_key)[: list(form.by_key).index(key)]
        if not earlier:
            return form
        return editing.change(form, key, when=When((self._rule(form, self.chance.choice(earlier)),)))

    def _inside(self, form: Form, _key: str) -> Form:
        """A rule of a question of the group on another one of the group."""
        inner = [question.key for question in form.question("g").questions] if "g" in form.by_key else []
        if len(inner) < 2:
            return form
        enabling, key = sorted(self.chance.sample(inner, 2), key=inner.index)
        return editing.change(form, key, when=When((self._rule(form, enabling),)))

    def _formula(self, form: Form, key: str) -> Form:
        """Another formula of a calculated question."""
        keys = [other for other, (question, _group) in form.by_key.items() if question.type == "calculated"]
        if not keys:
            return form
        chosen = self.chance.choice(keys)
        return editing.change(form, chosen, formula=self._defined(form, chosen, "calculated").formula)

    def _required(self, form: Form, key: str) -> Form:
        if form.question(key).type in ("group", "calculated"):
            return form
        return editing.change(form, key, required=not form.question(key).required)

    def _days(self, form: Form, _key: str) -> Form:
        """Other questions as the first and the last day of an episode."""
        if "g" not in form.by_key:
            return form
        dates = [question.key for question in form.question("g").questions if question.type == "date"]
        starts, ends = self.chance.sample([*dates, "", ""], 2)
        return editing.change(form, "g", starts=starts, ends=ends)

    def _text(self, form: Form, key: str) -> Form:
        return editing.change(form, key, texts={"en": f"Text {self.chance.random():.6f}"})

    def _back(self, form: Form, _key: str) -> Form:
        gone = [key for key in self.defined if key not in form.by_key and self.defined[key][0]["type"] != "group"]
        if not gone:
            return form
        question, group = self.defined[self.chance.choice(gone)]
        again = replace(Question.from_json(question), when=When())
        back = group if group in form.by_key and self.chance.random() < 0.8 else None
        return editing.add(form, again, group=back)

    def _list(self, form: Form, key: str) -> Form:
        lists = [other for other, (question, _group) in form.by_key.items() if question.type == "list"]
        if not lists:
            return form
        key = self.chance.choice(lists)
        return editing.change(form, key, choice_list=str(self.chance.choice(self.lists).id))

    def _defined(self, form: Form, key: str, kind: str) -> Question:
        texts = self.chance.sample(["yes", "no", "Athens", "x"], 2)
        options = tuple(
            Choice(self.chance.choice([text, f"c{number}"]), {"en": text}) for number, text in enumerate(texts)
        )
        numbers = [
            name
            for name, (question, group) in form.by_key.items()
            if not group and name != key and question.type in ("integer", "decimal", "calculated")
        ]
        formula = f"{self.chance.choice(numbers or ['a'])} {self.chance.choice(['+', '>'])} 1"
        return Question(
            key,
            kind,
            {"en": f"Text of {key}"},
            choices=options if kind in ("one", "many") else (),
            choice_list=str(self.chance.choice(self.lists).id) if kind == "list" else "",
            formula=formula if kind == "calculated" else "",
        )

    def _rule(self, form: Form, key: str) -> Rule:
        question = form.question(key)
        if question.type in ("one", "many") and question.choices:
            return Rule(key, (self.chance.choice(question.choices).key,))
        if question.type in ("integer", "decimal", "calculated"):
            return Rule(key, low="1")
        return Rule(key, ("yes",)) if question.type == "yes_no" else Rule(key)

    def publish(self) -> None:
        """Publish the draft: refused if it has problems, or if the model says that an answer would be misread."""
        draft, before = self.study.draft, self.tree
        faults = problems(self.draft)
        harmed = set() if faults else self._harmed(draft)
        foretold = [] if faults else impact(self.study)
        assert {change.key for change in foretold if not change.allowed} == harmed
        if faults or harmed:
            with pytest.raises(PublishRefused) as refusal:
                publish_version(self.study, self.owner)
            assert bool(refusal.value.problems) == bool(faults)
            assert {change.key for change in refusal.value.changes} == harmed
            assert self.tree == before
            self.done["refused for answers" if harmed else "refused"] += 1
            self.study.draft = before
            self.study.save()
            return
        publish_version(self.study, self.owner)
        self.done["published"] += 1
        self.defined |= questions_of(self.tree)
        self.reread()  # options may have been renamed; nothing else changes what is read

    def _harmed(self, draft: dict[str, Any]) -> set[str]:
        """Keys of questions whose stored answers a draft would lose or read differently."""
        pairs, lists, harmed = questions_of(draft), self.labels(), set()
        for entry in Entry.objects.filter(study=self.study):
            rows = [(group, key, stored) for group, _episode, key, stored in places(entry.answers)]
            rows += [("", group, None) for group, episodes in entry.answers.get("episodes", {}).items() if episodes]
            for group, key, stored in rows:
                if key not in pairs:
                    continue
                question, place = pairs[key]
                old = self.defined[key][0]
                if place != group or (stored is None and question["type"] != "group"):
                    harmed.add(key)
                elif stored is not None:
                    same = {old["type"], question["type"]} <= {"one", "many"}
                    kept = self._with_dropped(question, old) if same else question
                    now = shown(kept, stored, lists)
                    if now is None or (not same and now != shown(old, stored, lists)):
                        harmed.add(key)
        return harmed

    @staticmethod
    def _with_dropped(question: dict[str, Any], old: dict[str, Any]) -> dict[str, Any]:
        named = {choice["key"] for choice in question["choices"]}
        return {**question, "choices": [*question["choices"], *(c for c in old["choices"] if c["key"] not in named)]}

    def reread(self) -> None:
        """What persons read now: for options their new texts, for all others what it was."""
        stored, lists = self.stored(), self.labels()
        for place, before in self.meant.items():
            question = self.defined[place[3]][0]
            now = shown(question, stored[place], lists)
            assert now is not None, "every stored answer can be read"
            assert now == before or question["type"] in ("one", "many", "list"), "what a person reads stays"
            self.meant[place] = now

    def stored(self) -> dict[tuple[Any, str, str, str], Any]:
        """The stored text by entry, group, episode and question."""
        rows = Entry.objects.filter(study=self.study).values_list("pk", "answers")
        return {(entry, *row[:3]): row[3] for entry, answers in rows for row in places(answers)}

    def answer(self) -> None:
        """Answer questions of an entry, empty answers, add or retire an episode: all in one save."""
        entry = Entry.objects.get(pk=self.chance.choice(self.entries).pk)
        pairs, lists = questions_of(self.tree), self.labels()
        changes = []
        for key in self.chance.sample(list(pairs), min(len(pairs), self.chance.randint(1, 8))):
            question, group = pairs[key]
            names = [row["key"] for row in entry.answers.get("episodes", {}).get(group or key, [])]
            if question["type"] == "group":
                retires = len(names) > 1 and self.chance.random() < 0.3
                name = self.chance.choice(names) if retires else f"e{self.chance.randrange(10**6)}"
                changes.append({"group": key, "episode": name, "do": "retire" if retires else "add"})
            elif question["type"] != "calculated" and (names or not group):
                episode = self.chance.choice(names) if group else ""
                changes.append({"question": key, "episode": episode, "value": self._value(question, lists)})
        changes.sort(key=lambda change: change.get("do") == "retire")
        outcome = save(entry, changes, self.owner, base=entry.revision)
        assert not outcome.conflicts
        assert not outcome.refused
        for change in changes:
            self._remember(entry.pk, change, pairs, lists)
        self.done["answered"] += len(changes)

    def _remember(self, entry: Any, change: dict[str, Any], pairs: Any, lists: Any) -> None:
        """Put a saved change into the model."""
        if change.get("do") == "retire":
            for place in [place for place in self.meant if place[:3] == (entry, change["group"], change["episode"])]:
                del self.meant[place]
        elif "question" in change:
            question, group = pairs[change["question"]]
            place = (entry, group, change["episode"], question["key"])
            self.meant.pop(place, None)
            if change["value"] is not None:
                self.meant[place] = shown(question, change["value"], lists) or frozenset()

    def _value(self, question: dict[str, Any], lists: dict[str, dict[str, str]]) -> Any:
        kind = question["type"]
        if self.chance.random() < 0.1:
            return None
        if kind == "many":
            keys = [choice["key"] for choice in question["choices"]]
            return [key for key in keys if self.chance.random() < 0.5] or keys[:1]
        if kind == "one":
            return self.chance.choice(question["choices"])["key"]
        if kind == "list":
            return self.chance.choice(list(lists[question["choice_list"]]))
        return self.chance.choice(self.texts.get(kind, ["5"]))

    def relabel(self) -> None:
        """Rename, retire or restore an option of a list while it is in use."""
        row = self.chance.choice(self.lists)
        option = self.chance.choice(list(row.options.all()))
        if self.chance.random() < 0.5:
            text = self.chance.choice(["Athens", "Rome", f"text {self.chance.random():.6f}"])
            if text not in self.labels()[str(row.id)].values():
                change_option(row, self.owner, option.key, texts={"en": text}, ancestors=(), language="en")
        else:
            retire_option(row, self.owner, option.key, retired=option.retired is None)
        self.reread()

    def check(self) -> None:
        """Compare answers, history and index with the model."""
        tree, lists, stored = self.tree, self.labels(), self.stored()
        patches = self._rows(Revision.objects.order_by("number"), "patch")
        index = self._rows(Cell.objects, "question__key", "episode__key", "word", "number", "day")
        spans = self._rows(Episode.objects, "group__key", "key", "position", "starts", "ends")
        for entry in Entry.objects.filter(study=self.study):
            kept = {group: rows for group, rows in entry.answers.get("episodes", {}).items() if rows}
            history = [patch for (patch,) in patches.get(entry.pk, ())]
            assert replayed(history) == {"values": entry.answers.get("values", {}), "episodes": kept}
            assert Counter(index.get(entry.pk, ())) == cells(tree, entry.answers)
            assert Counter(spans.get(entry.pk, ())) == episodes(tree, entry.answers)
            assert entry.missing == missing(tree, entry.answers)
        assert stored.keys() == self.meant.keys(), "no answer is lost"
        for place, text in stored.items():
            assert shown(self.defined[place[3]][0], text, lists) == self.meant[place], "no answer is misread"

    def _rows(self, rows: Any, *columns: str) -> dict[Any, list[tuple[Any, ...]]]:
        """Rows about the entries of the study, by entry."""
        by_entry: dict[Any, list[tuple[Any, ...]]] = {}
        for entry, *row in rows.filter(entry__study=self.study).values_list("entry", *columns):
            by_entry.setdefault(entry, []).append(tuple(row))
        return by_entry


def _json(key: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"key": key, "type": kind, "texts": {"en": f"Text of {key}"}, **more}


def _first_form(list_id: str) -> dict[str, Any]:
    """A form with a question of each type and chains of rules, outside of a group and inside."""
    options = [{"key": key, "texts": {"en": text}} for key, text in (("yes", "yes"), ("c1", "Athens"))]
    inner = [
        _json("g1", "date"),
        _json("g2", "yes_no"),
        _json("g3", "string", when=_when("g2", values=["yes"])),
        _json("g4", "date", when=_when("g3")),
    ]
    return {
        "languages": ["en"],
        "questions": [
            _json("a", "string"),
            _json("b", "yes_no", when=_when("a")),
            _json("c", "integer"),
            _json("d", "decimal", when=_when("b", values=["yes"])),
            _json("k", "calculated", formula="c + 1"),
            _json("x", "string", when=_when("k", low="1")),
            _json("o", "one", choices=options),
            _json("m", "many", choices=options, when=_when("x")),
            _json("l", "list", choice_list=list_id),
            _json("g", "group", starts="g1", questions=inner),
        ],
    }


def _when(key: str, **more: Any) -> dict[str, Any]:
    return {"join": "all", "rules": [{"question": key, **more}]}


def test_random_sequences_of_edits_lose_and_misread_nothing(owner: Any) -> None:
    done: Counter[str] = Counter()
    for seed in range(6):
        world = World(seed, owner)
        for _step in range(12):
            world.step()
        done += world.done
    wanted = (
        "published",
        "refused for answers",
        "answered",
        "add",
        "remove",
        "back",
        "move",
        "type",
        "options",
        "when",
        "inside",
        "required",
        "days",
        "formula",
        "list",
    )
    assert min(done[name] for name in wanted) > 1, done
