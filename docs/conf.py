"""The documentation site: pages in Markdown, the rest generated from what the code declares.

A line ``<!-- generated: methods -->`` in a page is replaced by the catalogue's methods while the page is read, so that
a new method, model, measure, command or paper needs no change here.
"""

import inspect
import re
import sys
import textwrap
from importlib import import_module
from pathlib import Path

import click
from docutils import nodes

sys.path.insert(0, str(Path(__file__).parents[1]))  # docs and replications

import sfumato
from docs import decision_tree, example_list, notebook_pages, paper_pages
from sfumato import catalogue, errors
from sfumato.cli import cli
from sfumato.semantics.ontology import pages as ontology

project = "Sfumato"
author = "The Sfumato developers"
copyright = author
release = version = sfumato.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
source_suffix = {".md": "markdown"}
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
smartquotes = False  # help texts are shown as they are written

default_role = "code"
html_theme = "furo"
html_copy_source = False
html_show_sphinx = False
html_title = "Sfumato"
html_favicon = "../src/sfumato/web/interface/static/interface/mark.svg"
html_static_path = ["_static"]
html_css_files = ["sfumato.css"]

autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True


# --- the catalogue ---------------------------------------------------------------------------------------------------


def methods() -> str:
    return "\n".join(_method(name, catalogue.method_class(name)) for name in catalogue.METHODS)


def _method(name: str, method: type) -> str:
    promises = ", ".join(
        f"[`{model}`](models.md#{_slug(model)})" + _condition(method, model) for model in method.possible_promises()
    )
    facts = [
        ("Data", method.kind),
        ("Promise", promises),
        ("Needs", ", ".join(map(" or ".join, method.requirements())) or "only the data"),
        ("Paper", method.paper),
        ("In Python", _link(catalogue.METHODS[name])),
    ]
    if method.untruthful:
        facts.append(("Untruthful", method.untruthful))
    example = f"```text\nsfumato anonymize {name} INPUT {_required(method)} --out DIR\n```\n"
    return "\n".join((_head(name, method), _facts(facts), _parameters(method), _uncovered(method), example))


def models() -> str:
    return "\n".join(_model(name, catalogue.model_class(name)) for name in catalogue.MODELS)


def _model(name: str, model: type) -> str:
    methods = {method: catalogue.method_class(method) for method in catalogue.METHODS}
    keepers = [
        f"[`{method}`](methods.md#{_slug(method)})" + _condition(keeper, name)
        for method, keeper in methods.items()
        if name in keeper.possible_promises()
    ]
    facts = [
        ("Data", ", ".join(model.kinds)),
        ("Kept by", ", ".join(keepers)),
        ("In Python", _link(catalogue.MODELS[name])),
    ]
    example = f"```text\nsfumato verify FILE --model {name} {_required(model)}\n```\n"
    return "\n".join((_head(name, model), _facts(facts), _parameters(model), _uncovered(model), example))


def _condition(method: type, model: str) -> str:
    """With which parameters a method promises a model, where it does not always."""
    return f" if `{method.promises_if[model]}`" if model in method.promises_if else ""


def measures() -> str:
    return "\n".join(_measure(name, catalogue.measure_class(name)) for name in catalogue.MEASURES)


def _measure(name: str, measure: type) -> str:
    facts = [
        ("Meaning", measure.meaning),
        ("Formula", _prose(measure.formula)),
        ("Unit", measure.unit or "none, a pure number"),
        ("Better is", measure.better),
        ("Range", measure.range_text()),
        ("Paper", measure.paper),
        ("Data", ", ".join(measure.kinds)),
        ("Computed from", measure.computed_from()),
        ("In Python", _link(catalogue.MEASURES[name])),
    ]
    return "\n".join((_head(name, measure), _facts(facts), _parameters(measure)))


def attacks() -> str:
    return "\n".join(_attack(name, catalogue.attack_class(name)) for name in catalogue.ATTACKS)


def _attack(name: str, attack: type) -> str:
    facts = [
        ("Attacker", f"the attacker {attack.idea}"),
        ("Data", ", ".join(attack.kinds)),
        ("On", "a release" if attack.against else "an unchanged file, or a release"),
        ("In Python", _link(catalogue.ATTACKS[name])),
    ]
    against = " --against DIR" * attack.releases if attack.against else ""
    example = f"```text\nsfumato audit INPUT{against} --attack {name}\n```\n"
    return "\n".join((_head(name, attack), _facts(facts), _parameters(attack), example))


def _uncovered(declared: type) -> str:
    """What a model, or a method beside its models, does not cover."""
    if not declared.not_covered:
        return ""
    return "Not covered:\n\n" + "\n".join(f"- {sentence}" for sentence in declared.not_covered) + "\n"


def _head(name: str, declared: type) -> str:
    summary = declared.__doc__.partition("\n\n")[0].replace("\n", " ")
    title = declared.title[0].upper() + declared.title[1:]
    return f"## {name}\n\n**{title}.** {_prose(summary)}\n"


def _facts(pairs: list[tuple[str, str]]) -> str:
    return _table(("", ""), pairs)


def _parameters(declared: type) -> str:
    rows = [
        (
            f"`{parameter.name}`",
            parameter.wanted,
            "required" if parameter.required else f"`{parameter.default}`",
            parameter.help,
        )
        for parameter in declared.parameters()
    ]
    return _table(("parameter", "accepts", "default", "meaning"), rows) if rows else "It has no parameters.\n"


def _required(declared: type) -> str:
    return " ".join(f"{_flag(p.name)} {p.name.upper()}" for p in declared.parameters() if p.required)


# --- the command line ------------------------------------------------------------------------------------------------


def commands() -> str:
    return "\n".join(_command(context) for context in _contexts(click.Context(cli, info_name="sfumato")))


def _contexts(context: click.Context) -> list[click.Context]:
    """The commands below this one, each followed by its own subcommands."""
    found = []
    for name in context.command.list_commands(context):
        below = click.Context(context.command.get_command(context, name), info_name=name, parent=context)
        found += [below, *(_contexts(below) if isinstance(below.command, click.Group) else [])]
    return found


def _command(context: click.Context) -> str:
    command, path = context.command, context.command_path
    usage = " ".join(command.collect_usage_pieces(context))
    rows = [_option(parameter) for parameter in command.get_params(context) if isinstance(parameter, click.Option)]
    level = "##" if path.count(" ") == 1 else "###"
    return "\n".join(
        (
            f"{level} {path}\n",
            f"```text\n{path} {usage}\n```\n",
            _prose(inspect.cleandoc(command.help or "")) + "\n",
            _table(("option", "meaning"), [row for row in rows if "--help" not in row[0]]),
        )
    )


def _option(option: click.Option) -> tuple[str, str]:
    kind = "" if option.is_flag else " " + (option.metavar or option.type.name.upper())
    meaning = _prose(option.help or "")
    if isinstance(option.type, click.Choice):
        kind = " NAME"
        meaning += " One of " + ", ".join(f"`{choice}`" for choice in option.type.choices) + "."
    if option.required:
        meaning += " *Required.*"
    if option.show_default and option.default is not None:
        meaning += f" Default: `{option.default}`."
    return f"`{', '.join(option.opts)}{kind}`", meaning


# --- the reference ---------------------------------------------------------------------------------------------------


def classes_of(table: str) -> str:
    """Every class of a catalogue table, from its docstring."""
    return _autodoc("autoclass", [_python(where) for where in getattr(catalogue, table).values()])


def error_classes() -> str:
    """The tree as it is drawn at the top of the module, then every class."""
    tree = re.search(r"(?s)    SfumatoError.*?(?=\n\n)", errors.__doc__)
    places = [f"sfumato.errors.{name}" for name in errors.__all__ if isinstance(getattr(errors, name), type)]
    return f"```text\n{textwrap.dedent(tree[0])}\n```\n\n{_autodoc('autoexception', places)}"


def _autodoc(directive: str, places: list[str]) -> str:
    return "```{eval-rst}\n" + "\n".join(f".. {directive}:: {place}\n" for place in places) + "```\n"


# --- Markdown --------------------------------------------------------------------------------------------------------


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    if not rows:
        return ""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"


def _link(where: str) -> str:
    return f"{{py:class}}`{_python(where)}`"


def _python(where: str) -> str:
    """The shortest name that it can be imported by."""
    module, _, name = where.partition(":")
    packages = [module[: dot.start()] for dot in re.finditer(r"\.|$", module)]
    return next(f"{package}.{name}" for package in packages if hasattr(import_module(package), name))


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _slug(name: str) -> str:
    return name.replace("_", "-")


def _prose(text: str) -> str:
    """Help texts are plain: what Markdown would read as a mark is escaped."""
    return re.sub(r"(?<!`)([*<>])(?!`)", r"\\\1", text)


GENERATED = {
    "methods": methods,
    "models": models,
    "measures": measures,
    "attacks": attacks,
    "commands": commands,
    "errors": error_classes,
    "decisions": decision_tree.tree,
    "attackers": decision_tree.attackers,
    "examples": example_list.table,
    "notebook": notebook_pages.notebook_page,
    "paper": paper_pages.paper_page,
    "papers": paper_pages.papers_table,
    "works": paper_pages.works_table,
    "ontology-classes": ontology.index_table,
    "ontology-properties": ontology.property_table,
    "method-classes": lambda: classes_of("METHODS"),
    "model-classes": lambda: classes_of("MODELS"),
    "measure-classes": lambda: classes_of("MEASURES"),
    "attack-classes": lambda: classes_of("ATTACKS"),
}
MARK = re.compile(r"^<!-- generated: ([\w-]+)(?: (\w+))? -->$", flags=re.MULTILINE)


def fill_in(app, docname, source):
    source[0] = MARK.sub(lambda found: GENERATED[found[1]](*filter(None, [found[2]])), source[0])


def generated_pages(app, env, added, changed, removed):
    """What the code declares may have changed although the page has not."""
    return [name for name in env.found_docs if MARK.search(Path(env.doc2path(name)).read_text("utf-8"))]


def house_style(app, what, name, obj, options, lines):
    """Before napoleon reads a docstring: "name : meaning" in its free text becomes a list."""
    free = next((at - 1 for at, line in enumerate(lines) if line and set(line) == {"-"}), len(lines))
    inside = False
    for at, line in enumerate(lines[:free]):
        found = re.match(r"([a-z_]\w*(?:, [a-z_]\w*)*) : ", line)
        if found:
            lines[at] = f"* ``{found[1]}``: {line[found.end() :]}"
        elif inside and line:
            lines[at] = f"  {line}"
        inside = bool(line) and (inside or found is not None)


def after_napoleon(app, what, name, obj, options, lines):
    """Papers are [1] in every docstring, and one page holds many: a numbered list needs no unique labels.

    Of a property, napoleon takes the words before a colon for its type: they are put back.
    """
    if what == "property" and lines[-1:] and lines[-1].startswith(":type: "):
        lines[:] = [f"{lines[-1].removeprefix(':type: ')}: {lines[0]}", *lines[1:-1]]
    lines[:] = [re.sub(r"^\.\. \[(\d+)\] ", r"\1. ", re.sub(r"\[(\d+)\]_", r"[\1]", line)) for line in lines]


def dashes(app, doctree):
    """Sphinx writes two hyphens between a parameter and its meaning."""
    for node in list(doctree.findall(lambda node: isinstance(node, nodes.Text) and node == " -- ")):
        node.parent.replace(node, nodes.Text(" \u2013 "))


def ontology_pages(app):
    """A page for each class of the ontology; no file of it is in the repository."""
    for name, (title, body) in ontology.class_pages().items():
        yield name, {"title": title, "body": body}, "page.html"


def setup(app):
    app.connect("source-read", fill_in)
    app.connect("html-collect-pages", ontology_pages)
    app.connect("env-get-outdated", generated_pages)
    app.connect("doctree-read", dashes)
    app.connect("autodoc-process-docstring", house_style, priority=400)
    app.connect("autodoc-process-docstring", after_napoleon, priority=600)
