"""Write the files of an example into the folder of its project.  Without Django: it is the work of a job."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

from sfumato.data.base import Progress

__all__ = ["make_files"]


def make_files(*, example: str, progress: Progress) -> dict[str, Any]:
    """Write the dataset and its side knowledge, and return what `record_example` needs, in JSON."""
    from sfumato.io.frames import write_frame
    from sfumato.io.roads.network import write_network
    from sfumato.io.taxonomies import write_taxonomy
    from sfumato.web.workbench.examples.content import BUILDERS

    progress("generating", 0, 2)
    content = BUILDERS[example]()
    progress("writing", 1, 2)
    file = f"versions/{uuid.uuid4()}.parquet"
    write_frame(content.frame, file)
    assets: list[dict[str, str]] = []

    def add(kind: str, name: str, ending: str = ".csv", attribute: str = "") -> Path:
        path = f"assets/{uuid.uuid4()}{ending}"
        assets.append({"kind": kind, "attribute": attribute, "name": name, "file": path})
        return Path(path)

    for column, tree in content.trees.items():
        write_taxonomy(tree, add("hierarchy", column, attribute=column))
    if content.taxonomy is not None:
        write_taxonomy(content.taxonomy, add("taxonomy", "taxonomy"))
    for kind, frame in content.frames.items():
        write_frame(frame, add(kind, kind))
    if content.network is not None:
        write_network(content.network, add("network", "streets", ending=""))
    assets += [{"kind": kind, "name": rule, "text": rule} for kind, rule in content.policies.items()]
    progress("writing", 2, 2)
    return {
        "name": content.name,
        "file": file,
        "rows": len(content.frame),
        "reading": content.reading,
        "assets": assets,
    }
