"""What the database holds of studies."""

from sfumato.web.studies.models.answers import Cell, Conflict, Entry, Episode, Note, Revision
from sfumato.web.studies.models.design import ChoiceList, DraftEdit, FormVersion, Option, Question, Template
from sfumato.web.studies.models.people import Centre, Inspection, Membership, Study
from sfumato.web.studies.models.publishing import SharedChart, Snapshot, View

__all__ = [
    "Cell",
    "Centre",
    "ChoiceList",
    "Conflict",
    "DraftEdit",
    "Entry",
    "Episode",
    "FormVersion",
    "Inspection",
    "Membership",
    "Note",
    "Option",
    "Question",
    "Revision",
    "SharedChart",
    "Snapshot",
    "Study",
    "Template",
    "View",
]
