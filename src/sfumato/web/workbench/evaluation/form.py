"""The form of an evaluation: what it shows, and the definition of a run that it makes of what was sent."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404, QueryDict
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from sfumato.catalogue import measure_class, model_class
from sfumato.errors import CallerError, ParameterError
from sfumato.experiments.reports.board.promise_sentences import promise_sentence
from sfumato.methods.preparation_texts import step_of_text, step_words, text_of_step
from sfumato.methods.promise_texts import promise_of_text, text_of_promise
from sfumato.web.interface.parameter_forms import FormErrors, fields_of, values_of
from sfumato.web.workbench.evaluation.choices import Choices
from sfumato.web.workbench.evaluation.varying import VaryingForm
from sfumato.web.workbench.models import Project, Version

__all__ = ["EvaluationForm"]

# of required parameters, so that a first run is one click
_STARTS = {"k": 5, "m": 2, "l": 2, "epsilon": 1.0, "c": 0.5, "delta": 0.2, "group_size": 5}
_P = "p-"


class EvaluationForm:
    """A form that was sent (`post`), or one that shows a definition; without both, an empty one.

    errors : a sentence by the name of the field.  redrawn : whether it was sent to see what fits another choice.
    """

    def __init__(
        self,
        project: Project,
        post: QueryDict | None = None,
        definition: dict[str, Any] | None = None,
        *,
        redrawn: bool = False,
    ) -> None:
        self.project, self.post, self.redrawn = project, post, redrawn
        self.known = definition or {}
        self.errors: dict[str, str] = {}
        self.version = self._version()
        self.choices = None if self.version is None else Choices(self.version)
        self.method = self._method()
        self.varying = VaryingForm(self.method, post, self.known.get("vary"))

    def definition(self) -> dict[str, Any]:
        """The definition of a run; raises `FormErrors`."""
        if self.post is None or self.version is None or self.choices is None or self.method is None:
            raise Http404
        parameters = self._sent(self.method, _P)
        try:
            if not self.errors:
                self.method.from_json(parameters)
        except ParameterError as error:
            self.errors["method"] = str(error)
        chosen = self._chosen_measures() if self.redrawn else self.post.getlist("measure")
        measures = [self._measure(name) for name in chosen]
        promises = [self._promise(name) for name in self._chosen_promises()]
        seed, vary = self._seed(), None
        try:
            vary = self.varying.definition(parameters)
        except FormErrors as refusal:
            self.errors |= refusal.errors
        if self.errors:
            raise FormErrors(self.errors)
        return {
            "version": str(self.version.id),
            "method": self.method.name,
            "parameters": parameters,
            "measures": measures,
            "promises": [promise for promise in promises if promise],
            "preparation": self._steps(),
            "seed": seed,
            "vary": vary,
        }

    def context(self) -> dict[str, Any]:
        """What the template shows."""
        if self.version is None or self.choices is None or self.method is None:
            return {"form": self, "versions": self.versions}
        values: Any = {**self._starts(), **self.known.get("parameters", {})}
        if self.post is not None:  # a method that was chosen just now has fields that were not on the page
            values = self._completed()
        return {
            "form": self,
            "versions": self.versions,
            "method": {"name": self.method.name, "paper": self.method.paper},
            "methods": [(name, declared.title) for name, declared in self.choices.methods],
            "fields": fields_of(
                self.method, values, prefix=_P, errors=self._errors_of(_P), offered=self.choices.offered
            ),
            "measures": [
                {
                    "name": choice.name,
                    "title": choice.declared.title,
                    "about": choice.declared.meaning,
                    "better": choice.declared.better,
                    "misfit": choice.misfit,
                    "chosen": choice.name in self._chosen_measures() and not choice.misfit,
                    "error": self.errors.get(f"measure-{choice.name}", ""),
                    "fields": self._nested(choice.declared, "measure", self.known.get("measures", [])),
                }
                for choice in self.choices.measures(self.method)
            ],
            "models": [
                {
                    "name": name,
                    "title": declared.title,
                    "chosen": name in self._chosen_promises(),
                    "error": self.errors.get(f"promise-{name}", ""),
                    "fields": self._nested(declared, "promise", self._known_promises()),
                }
                for name, declared in self.choices.models
            ],
            "more_promises": bool(self._chosen_promises()),
            **self.promise(),
        }

    def promise(self) -> dict[str, Any]:
        """What the method promises with these parameters, in words, and what it needs and these data lack."""
        assert self.method is not None
        assert self.choices is not None
        try:
            parameters = {**self._starts(), **self.known.get("parameters", {})}
            if self.post is not None:
                parameters = values_of(self.method, self._completed(), _P, offered=self.choices.offered)
            chosen = self.method.from_json(parameters)
        except (FormErrors, CallerError):
            return {"sentences": [], "missing": self.choices.missing(self.method, {})}
        kind = self.method.publishes or self.method.kind
        return {
            "sentences": [promise_sentence(model, unit=self.choices.unit, kind=kind) for model in chosen.guarantees],
            "missing": self.choices.missing(self.method, chosen.to_json()),
        }

    def known_so_far(self) -> dict[str, Any]:
        """The definition as far as the fields can be read; for the command that repeats it."""
        assert self.method is not None
        if self.post is None:
            known = {name: value for name, value in self.known.items() if name != "version"}
            return {"parameters": self._starts(), "measures": self._tables(), **known, "method": self.method.name}
        quiet = EvaluationForm(self.project, self._completed(), redrawn=self.redrawn)
        try:
            return quiet.definition()
        except FormErrors:
            return {"method": self.method.name}

    def _tables(self) -> list[dict[str, Any]]:
        return [{"measure": name, "parameters": {}} for name in self._usual_measures()]

    @property
    def versions(self) -> list[tuple[Any, list[Version]]]:
        """The datasets of the project with their versions."""
        return [
            (dataset, list(dataset.versions.all())) for dataset in self.project.datasets.prefetch_related("versions")
        ]

    @property
    def seed(self) -> str:
        """The text in the field of the seed."""
        if self.post is not None:
            return str(self.post.get("seed", ""))
        return "" if self.known.get("seed") is None else str(self.known["seed"])

    @property
    def preparation(self) -> list[tuple[str, str]]:
        """The steps that prepare movements before the method runs: as texts that can be read back, and in words."""
        return [(text, step_words(step_of_text(text))) for text in self._steps()]

    def _steps(self) -> list[str]:
        if self.choices is None or self.choices.kind != "trajectories":
            return []
        if self.post is None:
            return list(self.known.get("preparation") or ())
        try:
            return [text_of_step(step_of_text(text)) for text in self.post.getlist("preparation")]
        except ParameterError:
            raise Http404 from None

    @property
    def title(self) -> str:
        """The text in the field of the name."""
        return "" if self.post is None else str(self.post.get("title", ""))

    def _version(self) -> Version | None:
        asked = self.post.get("version") if self.post is not None else self.known.get("version")
        if not asked:
            dataset = self.project.datasets.filter(versions__isnull=False).first()
            return None if dataset is None else dataset.latest
        try:
            wanted = uuid.UUID(str(asked))
        except ValueError:
            raise Http404 from None
        return get_object_or_404(Version, pk=wanted, dataset__project=self.project)

    def _method(self) -> Any:
        if self.choices is None or not self.choices.methods:
            return None
        asked = self.post.get("method") if self.post is not None else self.known.get("method")
        fitting = dict(self.choices.methods)
        return fitting.get(str(asked)) or next(iter(fitting.values()))

    def _starts(self) -> dict[str, Any]:
        names = [parameter.name for parameter in self.method.parameters() if parameter.required]
        return {name: value for name, value in _STARTS.items() if name in names}

    def _completed(self) -> QueryDict:
        """What was sent, with values for required parameters that were not on the page."""
        assert self.post is not None
        sent = self.post.copy()
        for name, value in self._starts().items():
            sent.setdefault(f"{_P}{name}", str(value))
        return sent

    def _sent(self, declared: Any, prefix: str) -> dict[str, Any]:
        assert self.post is not None
        assert self.choices is not None
        try:
            return values_of(declared, self.post, prefix, offered=self.choices.offered)
        except FormErrors as refusal:
            self.errors |= {f"{prefix}{name}": sentence for name, sentence in refusal.errors.items()}
            return {}

    def _measure(self, name: str) -> dict[str, Any]:
        assert self.choices is not None
        fitting = {choice.name: choice for choice in self.choices.measures(self.method)}
        if name not in fitting:
            raise Http404
        parameters = self._sent(measure_class(name), f"measure-{name}-")
        if fitting[name].misfit:
            self.errors[f"measure-{name}"] = fitting[name].misfit
        else:
            try:
                measure_class(name).from_json(parameters)
            except ParameterError as error:
                self.errors[f"measure-{name}"] = str(error)
        return {"measure": name, "parameters": parameters}

    def _promise(self, name: str) -> str:
        assert self.choices is not None
        if name not in dict(self.choices.models):
            raise Http404
        parameters = self._sent(model_class(name), f"promise-{name}-")
        try:
            return text_of_promise(model_class(name).from_json(parameters))
        except ParameterError as error:
            self.errors.setdefault(f"promise-{name}", str(error))
            return ""

    def _seed(self) -> int | None:
        text = self.seed.strip()
        if not text:
            return None
        if text.isascii() and text.isdigit() and int(text) < 2**63:
            return int(text)
        self.errors["seed"] = _("The seed is a whole number of 0 or more, or empty.")
        return None

    def _chosen_measures(self) -> list[str]:
        if self.post is not None:
            assert self.choices is not None
            fitting = [choice.name for choice in self.choices.measures(self.method)]
            chosen = [name for name in self.post.getlist("measure") if name in fitting]
            return chosen or (self._usual_measures() if self.redrawn else [])
        if "measures" in self.known:
            return [table["measure"] for table in self.known["measures"]]
        return self._usual_measures()

    def _usual_measures(self) -> list[str]:
        """ARE, or the first measure that fits."""
        assert self.choices is not None
        fitting = [choice.name for choice in self.choices.measures(self.method) if not choice.misfit]
        return ["are"] if "are" in fitting else fitting[:1]

    def _chosen_promises(self) -> list[str]:
        if self.post is not None:
            fitting = [name for name, _declared in self.choices.models] if self.choices is not None else []
            return [name for name in self.post.getlist("promise") if name in fitting or not self.redrawn]
        return [table["promise"] for table in self._known_promises()]

    def _known_promises(self) -> list[dict[str, Any]]:
        models = [promise_of_text(text) for text in self.known.get("promises", [])]
        return [{"promise": model.name, "parameters": model.to_json()} for model in models]

    def _nested(self, declared: Any, what: str, known: list[dict[str, Any]]) -> Any:
        """The fields of a measure or a promise."""
        assert self.choices is not None
        prefix = f"{what}-{declared.name}-"
        values: Any = next((table["parameters"] for table in known if table[what] == declared.name), None)
        if self.post is not None and declared.name in self.post.getlist(what):
            values = self.post
        errors = self._errors_of(prefix)
        return fields_of(declared, values, prefix=prefix, errors=errors, offered=self.choices.offered)

    def _errors_of(self, prefix: str) -> dict[str, str]:
        return {key.removeprefix(prefix): text for key, text in self.errors.items() if key.startswith(prefix)}
