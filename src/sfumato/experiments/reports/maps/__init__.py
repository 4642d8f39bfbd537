"""Maps of movements: visits, flows between places, areas of generalized labels, and traffic on roads.

A `Scene` is what is drawn.  `static_svg` draws it as a picture, `map_page` as a page that zooms.
"""

from sfumato.experiments.reports.maps.drawn_map import DrawnMap, map_svg, map_svgs
from sfumato.experiments.reports.maps.style import LAYERS, MapStyle

__all__ = ["LAYERS", "DrawnMap", "MapStyle", "map_svg", "map_svgs"]
