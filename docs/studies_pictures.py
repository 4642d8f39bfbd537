"""`python -m docs.studies_pictures [TEST ...]`: make the pictures of docs/studies.md anew.

The pictures are what the browser tests of studies see, on a desktop and on a phone, reduced to 64 colours.
"""

from __future__ import annotations

import sys

from docs.workbench_pictures import keep_pictures

PICTURES = {  # of the documentation: of the tests
    "overview": "study-overview-desktop",
    "desk": "study-desk-desktop",
    "people": "study-people-desktop",
    "design": "study-design-desktop",
    "branching": "study-branching-desktop",
    "impact": "study-impact-desktop",
    "filter": "study-filter-desktop",
    "chart": "study-chart-desktop",
    "export": "study-export-desktop",
    "release": "study-release-desktop",
    "enter-phone": "study-enter-phone",
    "conflict-phone": "study-conflict-phone",
    "chart-phone": "study-chart-phone",
}

if __name__ == "__main__":
    sys.exit(keep_pictures("studies", PICTURES, ["tests/web/browser/studies"], sys.argv[1:]))
