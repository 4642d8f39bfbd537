"""The script of a map's page that answers to mouse, touch and keyboard: moving, zooming, tooltips and layers.

It goes on where `page_script` ends.
"""

__all__ = ["EVENTS"]

EVENTS = r"""
function redraw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; atLevel(); panels.forEach(draw); });
}
function fit() {
  view.x = DATA.width / 2; view.y = DATA.height / 2;
  view.scale = Math.min(...panels.map((p) => Math.min(p.size.width / DATA.width, p.size.height / DATA.height))) * .92;
  view.least = view.scale / 4; view.greatest = view.scale * 20000;
  redraw();
}
function resize() {
  const first = !view.scale, before = first ? 1 : panels[0].size.width;
  for (const panel of panels) {
    const ratio = window.devicePixelRatio || 1;
    panel.size = {width: Math.max(1, panel.canvas.clientWidth), height: Math.max(1, panel.canvas.clientHeight)};
    panel.canvas.width = Math.round(panel.size.width * ratio);
    panel.canvas.height = Math.round(panel.size.height * ratio);
  }
  if (first) fit(); else { view.scale *= panels[0].size.width / before; redraw(); }
}
function zoom(factor, panel, px, py) {
  const f = frame(panel), x = px === undefined ? f.w / 2 : px, y = py === undefined ? f.h / 2 : py;
  const gx = view.x + (x - f.w / 2) / view.scale, gy = view.y - (y - f.h / 2) / view.scale;
  view.scale = Math.min(view.greatest, Math.max(view.least, view.scale * factor));
  view.x = gx - (x - f.w / 2) / view.scale; view.y = gy + (y - f.h / 2) / view.scale;
  hide(); redraw();
}
function pan(dx, dy) { view.x -= dx / view.scale; view.y += dy / view.scale; hide(); redraw(); }
function hide() { $("tip").hidden = true; if (hovered) { hovered = null; redraw(); } }
function within(area, x, y) {
  let odd = false;
  const p = area.flat;
  for (let i = 0, j = p.length - 2; i < p.length; j = i, i += 2)
    if ((p[i + 1] > y) !== (p[j + 1] > y) &&
        x < (p[j] - p[i]) * (y - p[i + 1]) / (p[j + 1] - p[i + 1]) + p[i]) odd = !odd;
  return odd;
}
function apart(x, y, ax, ay, bx, by) {
  const dx = bx - ax, dy = by - ay;
  const t = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}
function under(panel, px, py) {
  const f = frame(panel), gx = view.x + (px - f.w / 2) / view.scale, gy = view.y - (py - f.h / 2) / view.scale;
  if (panel.trails) return underTrails(panel, px, py, f);
  if (shown.visits) for (let i = panel.drawn.marks.length - 1; i >= 0; i--) {
    const mark = panel.drawn.marks[i];
    if (Math.hypot(f.x(mark.x) - px, f.y(mark.y) - py) <= radius(mark.visits) + 2) return {panel, mark};
  }
  if (shown.flows) for (const flow of panel.flowsInView) {
    const [ax, ay, cx, cy, bx, by] = bend(f, flow);
    for (let t = 0, x = ax, y = ay; t < 1; t += .125) {
      const u = t + .125, v = 1 - u;
      const nx = v * v * ax + 2 * u * v * cx + u * u * bx, ny = v * v * ay + 2 * u * v * cy + u * u * by;
      if (apart(px, py, x, y, nx, ny) < width(flow.moves) / 2 + 3) return {panel, flow};
      x = nx; y = ny;
    }
  }
  if (panel.roads && shown.roads) {
    const {ends, vehicles} = panel.roads;
    for (let i = vehicles.length - 1; i >= 0 && vehicles[i]; i--) {
      const [ax, ay, bx, by] = ends.slice(4 * i, 4 * i + 4);
      if (apart(px, py, f.x(ax), f.y(ay), f.x(bx), f.y(by)) < 4) return {panel, road: i};
    }
  }
  if (shown.areas) for (let i = panel.areas.length - 1; i >= 0; i--)
    if (within(panel.areas[i], gx, gy)) return {panel, area: panel.areas[i]};
  return null;
}
function named(mark) {
  if (mark.name) return mark.general ? `${mark.name} (stands for ${many(mark.members, "place")})` : mark.name;
  return mark.general ? many(mark.labels, "label") + " that stand for several places" : many(mark.labels, "place");
}
function words(hit) {
  if (hit.panel.trails) return card(hit);
  if (hit.mark) return named(hit.mark) + ": " + many(hit.mark.visits, "visit");
  if (hit.flow) return named(hit.flow.a) + " → " + named(hit.flow.b) + ": " + many(hit.flow.moves, "move");
  if (hit.road !== undefined) {
    const {names, vehicles} = hit.panel.roads;
    return "road " + names[hit.road] + ": " + many(vehicles[hit.road], "vehicle");
  }
  const {name, members, visits} = hit.area;
  const what = members > 1 ? `area of ${name}, which stands for ${many(members, "place")}` : name;
  return what + ": " + many(visits, "visit");
}
function point(panel, px, py, event) {
  const hit = under(panel, px, py), tip = $("tip");
  hovered = hit; tip.hidden = !hit;
  if (hit) {
    tip.textContent = words(hit);
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - box.width - 6)) + "px";
    const below = event.clientY + 18 + box.height <= innerHeight;
    tip.style.top = (below ? event.clientY + 18 : event.clientY - box.height - 10) + "px";
  }
  redraw();
}
for (const panel of panels) {
  const canvas = panel.canvas, fingers = new Map();
  let moved = 0;
  const spot = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left - 1, event.clientY - box.top - 1];
  };
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(2 ** (-event.deltaY / (event.deltaMode ? 12 : 300)), panel, ...spot(event));
  }, {passive: false});
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, spot(event));
    moved = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const now = spot(event), before = fingers.get(event.pointerId);
    if (!before) { if (event.pointerType === "mouse") point(panel, ...now, event); return; }
    const dx = now[0] - before[0], dy = now[1] - before[1];
    moved += Math.abs(dx) + Math.abs(dy);
    if (fingers.size === 2) {
      const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
      const wide = Math.hypot(before[0] - other[0], before[1] - other[1]);
      const wider = Math.hypot(now[0] - other[0], now[1] - other[1]);
      pan(dx / 2, dy / 2);
      if (wide > 4) zoom(wider / wide, panel, (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    } else if (moved > 3) pan(dx, dy);
    fingers.set(event.pointerId, now);
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => {
    if (end === "pointerup" && fingers.size === 1 && moved <= 3) point(panel, ...spot(event), event);
    fingers.delete(event.pointerId);
  });
  canvas.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") hide(); });
  canvas.addEventListener("dblclick", (event) => zoom(2, panel, ...spot(event)));
  canvas.addEventListener("keydown", (event) => {
    const keys = {ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60]};
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (keys[event.key]) pan(...keys[event.key]);
    else if (event.key === "+" || event.key === "=") zoom(1.5, panel);
    else if (event.key === "-") zoom(1 / 1.5, panel);
    else if (event.key === "0") fit();
    else return;
    event.preventDefault();
  });
}
for (const button of document.querySelectorAll("[data-do]")) button.addEventListener("click", () => {
  if (button.dataset.do === "all") fit(); else zoom(button.dataset.do === "in" ? 1.5 : 1 / 1.5, panels[0]);
});
if ($("objects")) chooseObjects($("objects"));
addEventListener("resize", resize);
resize();
"""
