"""Changes to the certificate."""

from __future__ import annotations

from typing import Any

from trials.changes.base import ORIGINAL, Copy, change
from trials.checkers import CHECKERS
from trials.files import Behind, read_directory


@change()
def foreign_field(copy: Copy) -> bool:
    return copy.edit(lambda one: one.update(note="private-person-1"))


@change()
def seed_and_seconds(copy: Copy) -> bool:
    return copy.edit(lambda one: one.update(seed=918273645, seconds={"verifying": 0.5}))


@change()
def foreign_field_of_a_guarantee(copy: Copy) -> bool:
    return copy.edit(lambda one: one["guarantees"][0].update(note="private-person-1"))


@change()
def foreign_field_of_a_verdict(copy: Copy) -> bool:
    return copy.edit(lambda one: one["guarantees"][0]["verdict"].update(note="private-person-1"))


@change()
def foreign_count(copy: Copy) -> bool:
    return copy.edit(lambda one: one["records"].update(persons=12))


@change()
def foreign_figure(copy: Copy) -> bool:
    return copy.edit(lambda one: one["guarantees"][0]["verdict"]["measured"].update(original_records=41))


@change()
def foreign_parameter(copy: Copy) -> bool:
    return copy.edit(lambda one: one["parameters"].update(note="private-person-1"))


@change()
def a_witness(copy: Copy) -> bool:
    return copy.edit(lambda one: one["guarantees"][0]["verdict"]["witnesses"].append({"pattern": ["private-person-1"]}))


@change()
def nothing_is_not_covered(copy: Copy) -> bool:
    return copy.edit(lambda one: one.update(not_covered=[]))


@change()
def one_limit_less(copy: Copy) -> bool:
    return copy.edit(lambda one: one["not_covered"].pop(0))


@change()
def one_limit_more(copy: Copy) -> bool:
    entry = "private-person-1 was here"
    return copy.edit(
        lambda one: one["not_covered"].append(
            entry if isinstance(one["not_covered"][0], str) else {**one["not_covered"][0], "text": entry}
        )
    )


@change()
def limits_in_another_order(copy: Copy) -> bool:
    return copy.edit(lambda one: one["not_covered"].reverse())


@change()
def forged_figures(copy: Copy) -> bool:
    def change(certificate: dict[str, Any]) -> None:
        for guarantee in certificate["guarantees"]:
            measured = guarantee["verdict"]["measured"]
            for name in measured:
                if isinstance(measured[name], int | float) and not isinstance(measured[name], bool):
                    measured[name] = measured[name] + 1

    return copy.edit(change)


@change()
def no_figures(copy: Copy) -> bool:
    return copy.edit(lambda one: one["guarantees"][0]["verdict"].update(measured={}))


@change()
def forged_beyond(copy: Copy) -> bool:
    def change(certificate: dict[str, Any]) -> None:
        for guarantee in certificate["guarantees"]:
            if "beyond" in guarantee:
                guarantee["beyond"]["known"] = 99

    return copy.edit(change)


@change()
def duplicate_key(copy: Copy) -> None:
    path = copy.folder / "certificate.json"
    text = path.read_text("utf-8")
    path.write_text(text.replace('  "kind":', '  "unit": "private-person-1",\n  "kind":', 1), "utf-8")


@change()
def duplicate_inner_key(copy: Copy) -> None:
    path = copy.folder / "certificate.json"
    text = path.read_text("utf-8")
    path.write_text(text.replace('"holds":', '"holds": false, "holds":', 1), "utf-8")


@change(ORIGINAL)
def another_unit(copy: Copy) -> bool:
    return copy.edit(lambda one: one.update(unit="record" if one["unit"] == "person" else "person"))


@change()
def unknown_unit(copy: Copy) -> bool:
    return copy.edit(lambda one: one.update(unit="household"))


@change()
def another_kind(copy: Copy) -> bool:
    others = {"trajectories": "transactions", "transactions": "trajectories", "table": "mixed", "mixed": "table"}
    return copy.edit(lambda one: one.update(kind=others.get(one["kind"], "table")))


@change()
def another_method(copy: Copy) -> bool:
    return copy.edit(lambda one: one.update(method="mix" if one["method"] != "mix" else "gsup"))


@change()
def another_version(copy: Copy) -> bool:
    return copy.edit(lambda one: one.update(sfumato="private-person-1"))


@change()
def seeded_otherwise(copy: Copy) -> bool:
    """Only a promise about noise is weaker where it was seeded."""
    if copy.certificate["guarantees"][0]["model"] != "epsilon":
        return False
    return copy.edit(lambda one: one.update(seeded=not one["seeded"]))


@change(ORIGINAL)
def stronger_claim(copy: Copy) -> bool:
    """Twice the k, or half the threshold, in the guarantee and in the parameters of the method."""

    def change(certificate: dict[str, Any]) -> None:
        for where in (certificate["parameters"], *(one["parameters"] for one in certificate["guarantees"])):
            for name, most in (("k", 1000), ("threshold", 1e-9), ("c", 1e-9), ("t", 0.0)):
                if name in where:
                    where[name] = most

    if copy.certificate["guarantees"][0]["model"] == "epsilon" or not copy.edit(change):
        return False
    seen = read_directory(copy.folder)
    behind = Behind(None, copy.case.original, copy.case.persons)
    return any(CHECKERS[one["model"]](seen, one["parameters"], behind) for one in seen.certificate["guarantees"])


@change()
def weaker_guarantee(copy: Copy) -> bool:
    """Another promise than the method with its parameters makes."""

    def change(certificate: dict[str, Any]) -> None:
        for guarantee in certificate["guarantees"]:
            for name, value in (("k", 2), ("m", 1), ("threshold", 1.0), ("c", 1.0), ("t", 1.0), ("epsilon", 100.0)):
                if name in guarantee["parameters"]:
                    guarantee["parameters"][name] = value

    return copy.edit(change)


@change()
def no_guarantee(copy: Copy) -> bool:
    return copy.edit(lambda one: one.update(guarantees=[]))


@change()
def another_model(copy: Copy) -> bool:
    def change(certificate: dict[str, Any]) -> None:
        certificate["guarantees"][0].update(model="epsilon", parameters={"epsilon": 1.0})

    return copy.edit(change) if copy.certificate["guarantees"][0]["model"] != "epsilon" else False


@change()
def a_verdict_from_nowhere(copy: Copy) -> bool:
    def change(certificate: dict[str, Any]) -> None:
        verdict = certificate["guarantees"][0]["verdict"]
        verdict["checked_from"] = "files" if verdict["checked_from"] != "files" else "ledger"

    return copy.edit(change)


@change()
def holds_not(copy: Copy) -> bool:
    return copy.edit(lambda one: one["guarantees"][0]["verdict"].update(holds=False))


@change()
def overridden(copy: Copy) -> bool:
    return copy.edit(lambda one: one.update(override=True))


@change()
def wrong_count(copy: Copy) -> bool:
    return copy.edit(lambda one: one["records"].update(published=one["records"]["published"] + 1))


@change(ORIGINAL)
def many_suppressed(copy: Copy) -> bool:
    return "suppressed" in copy.certificate["records"] and copy.edit(
        lambda one: one["records"].update(suppressed=10_000)
    )


@change()
def exact_counts_of_noise(copy: Copy) -> bool:
    if copy.certificate["guarantees"][0]["model"] != "epsilon":
        return False
    return copy.edit(lambda one: one["records"].update(suppressed=3, added=0, split=0))
