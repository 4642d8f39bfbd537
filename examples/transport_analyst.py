"""A transport analyst publishes the check-ins of a town, in Python.

Run it in an empty directory: ``python transport_analyst.py``.  It writes the release to ``published/`` and a map for
its readers, and private pages: the audit, the maps before and after, and the report for the board.
"""

from pathlib import Path

import sfumato
from sfumato.generate import Checkins


def main() -> None:
    """Read, audit, choose a method, anonymize, publish, check, attack, draw and report."""
    walks = check_ins()
    print(walks)

    risk = sfumato.audit(walks, known=2)
    print(risk.summary)
    risk.write("audit.html")

    advice = sfumato.advise(walks, "km", k=5, m=2, care=["displacement", "are:queries=200"], seconds=30)
    print(advice)
    advised = advice.recommended
    assert advised is not None

    release = advised.candidate.method.anonymize(walks, seed=1)
    release.write("published", report="private.json", geometry=True)
    print(release)

    for measure, score in sfumato.evaluate(walks, release, ["displacement", "intact", "are"]).scores:
        print(f"{measure.title}: {score} ({measure.better} is better)")
    print(sfumato.verify("published", original=walks))
    print(sfumato.audit(walks, against="published", report="private.json").verdict)

    sfumato.draw_map(walks, release).write("map.html")
    sfumato.draw_map("published").write("public_map.html")
    sfumato.report("published", original=walks, report="private.json").write("board.html")

    areas = release.to_geopandas()
    print(areas.assign(hull=areas.geometry.convex_hull).sort_values("visits", ascending=False).head(3))


def check_ins() -> sfumato.Trajectories:
    """The visits of a generated town; files of your own are read the same way."""
    town = Checkins(trajectories=3_000, locations=120, persons=1_500, mean_length=3).make(seed=1)
    assert town.places is not None
    town.places.frame.select("location", "x", "y").write_csv("places.csv")
    town.to_polars().drop("x", "y", strict=False).write_csv("visits.csv")
    walks = sfumato.read(Path("visits.csv"), places="places.csv")
    assert isinstance(walks, sfumato.Trajectories)
    return walks


if __name__ == "__main__":
    main()
