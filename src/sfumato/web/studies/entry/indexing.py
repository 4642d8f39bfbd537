"""The index of an entry's answers, its episodes and cells: made anew, or changed only where answers changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date
from decimal import Decimal
from typing import Any

from django.utils.timezone import localdate

from sfumato.web.studies.entry.words import LONGEST_WORD, searchable, word_of
from sfumato.web.studies.forms.answers import Answers, Stored
from sfumato.web.studies.forms.branching import asked
from sfumato.web.studies.forms.calculating import with_calculated
from sfumato.web.studies.forms.tree import Form, Question
from sfumato.web.studies.forms.values import value_of
from sfumato.web.studies.models import Cell, Entry, Episode
from sfumato.web.studies.models import Question as QuestionRow

__all__ = ["LONGEST_WORD", "index_entries", "missing_at_first", "question_rows", "searchable", "update_index"]

Place = tuple[str, str]  # a question and an episode, "" outside of groups


def index_entries(
    entries: Iterable[Entry], form: Form, rows: dict[str, int], only: Collection[str] | None = None
) -> None:
    """Make the episodes and cells of entries anew, in a transaction of the caller.

    form : the form by which their answers are read (the one in use).  rows : primary keys of questions by their key.
    only : questions whose cells are made anew, which change no episode; None makes everything anew.  Answers of
    questions that are not asked, or of another type than their text, have no cell.
    """
    chosen = list(entries)
    cells = Cell.objects.filter(entry__in=chosen)
    if only is None:
        cells.delete()
        Episode.objects.filter(entry__in=chosen).delete()
    else:
        cells.filter(question_id__in=[rows[key] for key in only if key in rows]).delete()
    indexes = [(entry, _Index(form, Answers.from_json(entry.answers), entry)) for entry in chosen]
    if only is None:
        episodes = {entry.pk: _new_episodes(entry, index.episodes, rows) for entry, index in indexes}
        Episode.objects.bulk_create([row for made in episodes.values() for row in made.values()], batch_size=2000)
    else:
        groups = {group.key for key in only if key in form.by_key and (group := form.group_of(key))}
        episodes = _known_episodes(chosen, groups)
    Cell.objects.bulk_create(
        [
            cell
            for entry, index in indexes
            for place in sorted(index.places)
            if only is None or place[0] in only
            for cell in _cells(entry, index, place, episodes[entry.pk], rows)
        ],
        batch_size=2000,
    )
    recounted = [(entry, index.missing) for entry, index in indexes if entry.missing != index.missing]
    for entry, missing in recounted:
        entry.missing = missing
    Entry.objects.bulk_update([entry for entry, _missing in recounted], ["missing"], batch_size=500)


def missing_at_first(form: Form, entry: Entry) -> int:
    """How many required questions an entry without answers leaves open."""
    return _Index(form, Answers(), entry).missing


def update_index(
    entry: Entry, form: Form, before: Answers, after: Answers, changed: set[Place]
) -> dict[Place, Stored | None]:
    """Change the index of an entry from answers to others that differ at these places, in the caller's transaction.

    Returns the calculated answers that are others now.  The result is what `index_entries` makes.
    """
    old, new = _Index(form, before, entry), _Index(form, after, entry)
    if new.missing != entry.missing:
        entry.missing = new.missing
        entry.save(update_fields=["missing"])
    calculated = {place for place in old.places | new.places if form.question(place[0]).type == "calculated"}
    calculated = {place for place in calculated if old.stored(place) != new.stored(place)}
    touched = {
        place
        for place in (old.places ^ new.places) | changed | calculated
        if place[0] in form.by_key and old.parts(place) != new.parts(place)
    }
    keys = {key for key, _episode in touched} | {group for group, _key in old.episodes | new.episodes}
    rows = dict(QuestionRow.objects.filter(study_id=entry.study_id, key__in=keys).values_list("key", "id"))
    episodes = _change_episodes(entry, old.episodes, new.episodes, rows)
    _delete_cells(entry, old, touched, episodes, rows)
    Cell.objects.bulk_create(
        [cell for place in sorted(touched) for cell in _cells(entry, new, place, episodes, rows)], batch_size=2000
    )
    return {place: new.stored(place) for place in calculated}


def question_rows(study: Any) -> dict[str, int]:
    """The primary keys of the questions of a study by their key."""
    return dict(QuestionRow.objects.filter(study=study).values_list("key", "id"))


class _Index:
    """What the index of an entry holds.

    places : the questions that are asked.  episodes : position, start and end by group and key.
    """

    def __init__(self, form: Form, answers: Answers, entry: Entry) -> None:
        self.form = form
        answers = with_calculated(form, answers, localdate(entry.created))
        self.places = asked(form, answers)
        self.values: dict[Place, dict[str, Stored]] = {("", ""): answers.values}
        self.episodes: dict[Place, tuple[int, int | None, int | None]] = {}
        for group, rows in answers.episodes.items():
            is_asked = (group, "") in self.places
            for position, (key, values) in enumerate(rows):
                self.values[group, key] = values
                if is_asked:
                    question = form.question(group)
                    days = [self._day(name, key, values) for name in (question.starts, question.ends)]
                    self.episodes[group, key] = (position, days[0], days[1])

    def stored(self, place: Place) -> Stored | None:
        """The answer at a place, if it is asked there."""
        if place not in self.places:
            return None
        group = self.form.group_of(place[0])
        return self.values.get((group.key, place[1]) if group else ("", ""), {}).get(place[0])

    @property
    def missing(self) -> int:
        """How many required questions are asked and not answered."""
        required = (place for place in self.places if self.form.question(place[0]).required)
        return sum(self.form.question(place[0]).is_answered and self.stored(place) is None for place in required)

    def parts(self, place: Place) -> list[dict[str, Any]]:
        """The columns of the cells at a place."""
        question, stored = self.form.question(place[0]), self.stored(place)
        return [] if stored is None or not question.is_answered else _parts(question, stored)

    def _day(self, name: str, episode: str, values: dict[str, Stored]) -> int | None:
        stored = values.get(name) if (name, episode) in self.places else None
        try:
            return date.fromisoformat(stored).toordinal() if isinstance(stored, str) else None
        except ValueError:
            return None


def _new_episodes(entry: Entry, wanted: dict[Place, Any], rows: dict[str, int]) -> dict[Place, Episode]:
    return {
        (group, key): Episode(
            entry=entry,
            author_id=entry.author_id,
            group_id=rows[group],
            key=key,
            position=position,
            starts=starts,
            ends=ends,
        )
        for (group, key), (position, starts, ends) in wanted.items()
        if group in rows
    }


def _known_episodes(entries: list[Entry], groups: set[str]) -> dict[Any, dict[Place, Episode]]:
    """The episodes of these groups that entries have, by entry, group and key."""
    known: dict[Any, dict[Place, Episode]] = {entry.pk: {} for entry in entries}
    if groups:
        for row in Episode.objects.filter(entry__in=entries, group__key__in=groups).select_related("group"):
            known[row.entry_id][row.group.key, row.key] = row
    return known


def _change_episodes(
    entry: Entry, old: dict[Place, Any], new: dict[Place, Any], rows: dict[str, int]
) -> dict[Place, Episode]:
    """Add, change and remove episodes; all that there are then, by group and key."""
    if not old and not new:
        return {}
    groups = {number: key for key, number in rows.items()}
    known = {(groups.get(row.group_id, ""), row.key): row for row in Episode.objects.filter(entry=entry)}
    if gone := [known.pop(place).pk for place in old.keys() - new.keys() if place in known]:
        Cell.objects.filter(episode__in=gone).delete()
        Episode.objects.filter(pk__in=gone).delete()
    moved = [place for place in old.keys() & new.keys() if place in known and old[place] != new[place]]
    for place in moved:
        known[place].position, known[place].starts, known[place].ends = new[place]
    Episode.objects.bulk_update([known[place] for place in moved], ["position", "starts", "ends"])
    added = {place: columns for place, columns in new.items() if place not in known}
    made = _new_episodes(entry, added, rows)
    Episode.objects.bulk_create(made.values())
    return known | made


def _delete_cells(
    entry: Entry, old: _Index, touched: set[Place], episodes: dict[Place, Episode], rows: dict[str, int]
) -> None:
    questions: dict[int | None, list[int]] = {}
    for key, episode in touched:
        group = old.form.group_of(key)
        if group and (group.key, episode) not in episodes:
            continue  # deleted with its episode
        number = episodes[group.key, episode].pk if group else None
        if key in rows and old.parts((key, episode)):
            questions.setdefault(number, []).append(rows[key])
    for number, keys in questions.items():
        Cell.objects.filter(entry=entry, episode=number, question_id__in=keys).delete()


def _cells(
    entry: Entry, index: _Index, place: Place, episodes: dict[Place, Episode], rows: dict[str, int]
) -> list[Cell]:
    if place[0] not in rows:
        return []
    group = index.form.group_of(place[0])
    episode = episodes.get((group.key, place[1])) if group else None
    common = {"entry": entry, "author_id": entry.author_id, "question_id": rows[place[0]], "episode": episode}
    return [Cell(**common, **part) for part in index.parts(place)]


def _parts(question: Question, stored: Stored) -> list[dict[str, Any]]:
    """The columns of the cells of an answer; none if its text is not of the type."""
    try:
        value = value_of(question, stored)
    except ValueError:
        return []
    if isinstance(value, list):
        return [{"word": key} for key in value]
    if isinstance(value, bool):
        return [{"word": "yes" if value else "no"}]
    if isinstance(value, date):
        return [{"day": value.toordinal()}]
    if isinstance(value, int | Decimal):
        return [{"number": float(value)}]
    if question.type == "string":
        return [{"word": word_of(value), "search": searchable(value)}]
    return [{"word": word_of(value)}]
