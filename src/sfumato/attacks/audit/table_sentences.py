"""What the figures of a table's audit mean and what they assume, in sentences."""

from __future__ import annotations

from sfumato.attacks.audit.population_models import PITMAN, SMALL_FRACTION, PopulationEstimate
from sfumato.attacks.audit.table_risks import PopulationTable, TableRisks
from sfumato.data import Mixed

__all__ = ["notes_of", "rules_of"]


def rules_of(risks: TableRisks) -> list[str]:
    """How to read the figures."""
    who, threshold = risks.who, risks.audit.threshold
    rules = [
        f"An equivalence class is all {who} with the same values of {', '.join(risks.coded.columns)}. "
        "The risk in a class is 1 / (its size).",
        "Prosecutor: the attacker knows that the person is in the data. Journalist: the attacker does not know it, and "
        f"classes are counted in the population. Marketer: the expected share of {who} that are re-identified.",
        f"{who.capitalize()} are at risk if their risk is above {threshold:g}: "
        f"their class has at most {risks.audit.largest_at_risk:,} {who}.",
        "A missing value is a value of its own and matches other missing values only. Tools in which it matches every "
        "value find larger classes and lower risks.",
        f"A set of columns singles out {who} whose values in these columns no other {who[:-1]} has. It is minimal if "
        "no smaller part of it does. Singling out is meant as in recital 26 of the General Data Protection Regulation "
        "and in Opinion 05/2014 of the Article 29 Working Party: isolating records of a person.",
    ]
    if risks.disclosures:
        rules.append(
            "A sensitive value is inferred with its share in the equivalence class; "
            f"from {risks.audit.inference:g} on it counts as inferred."
        )
    if risks.data.persons is not None:
        rules.append("The class of a person is the smallest one that holds a record of theirs.")
    if isinstance(risks.data, Mixed):
        rules.append("Known items: the attacker knows the quasi-identifiers and the worst choice of so many items.")
    return rules


def notes_of(risks: TableRisks) -> list[str]:
    """What to bear in mind about these figures."""
    table = risks.data.table if isinstance(risks.data, Mixed) else risks.data
    notes = _population_notes(risks)
    if risks.n_lacking:
        notes.append(f"{risks.n_lacking:,} of {risks.n_records:,} records lack the value of a quasi-identifier.")
    if table.persons is None:
        notes.append("Persons are not known here: records are counted, and several may belong to one person.")
    if table.members or (isinstance(risks.data, Mixed) and risks.data.items.members):
        notes.append("Labels are compared as they are published; their members are not considered.")
    sampled = [part for part in risks.known_items or () if not part.exact]
    if sampled:
        notes.append(
            f"With {sampled[0].known} or more known items, an exact answer exceeds the budget: {sampled[0].examined:,} "
            f"of {len(risks):,} {risks.who} were drawn at random; their risk is at least the figure that is shown."
        )
    return notes


def _population_notes(risks: TableRisks) -> list[str]:
    population = risks.population
    if population is None:
        return [
            "No population is given, so the data are taken as the population: journalist risk equals prosecutor risk, "
            "and marketer risk is its average."
        ]
    if isinstance(population, PopulationTable):
        notes = [
            f"The population is a table of {population.size:,} rows, in which classes are counted exactly; "
            f"{population.uniques_in_data:,} {risks.who} of the data are unique in it."
        ]
        if population.lacking:
            notes.append(
                f"{population.lacking:,} {risks.who} have values that are rarer in the population table than in the "
                "data, so the table is not complete; for them the size of the class in the data is used."
            )
        return notes
    return _estimate_notes(population, risks.who)


def _estimate_notes(estimate: PopulationEstimate, who: str) -> list[str]:
    if estimate.uniques_model == PITMAN:
        why = "it is the most accurate one for samples of up to 10% (Dankar et al. 2012)"
    elif estimate.risk_model == PITMAN and estimate.fraction > SMALL_FRACTION:
        why = "it is more accurate than Pitman's for samples of more than 10% (Dankar et al. 2012)"
    else:
        why = "Pitman's model does not fit the data"
    share = f"{estimate.fraction:.2%}"
    return [
        f"The population has {estimate.size:,} persons, and the data are {share} of it. Journalist and marketer risk "
        f"are estimates with the model {estimate.risk_model}. They assume that the data are a random sample. "
        "The risk of a record that is unique in the data is at least the estimated share of such records that are "
        "unique in the population.",
        f"Estimated population uniques: {estimate.uniques:,.0f} in the population, {estimate.uniques_in_data:,.0f} of "
        f"the {who} in the data. The model is {estimate.uniques_model}: {why}.",
    ]
