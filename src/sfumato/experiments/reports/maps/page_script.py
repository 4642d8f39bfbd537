"""The script of a map's page that draws: circles, flows, areas and roads on canvases, the legend and the scale bar.

It mirrors `clusters.clustered`: at every zoom, circles that would lie on each other are drawn as one.  `DATA` is what
`page` makes of a scene.  Names reach the page as text alone, never as markup.
"""

__all__ = ["SCRIPT"]

SCRIPT = r"""
const SQUARE = 14, LARGEST = 20, SMALLEST = 1.6, WIDEST = 7, TRAFFIC = [[158,202,225],[49,130,189],[8,48,107]];
const $ = (id) => document.getElementById(id);
const whole = (n) => n.toLocaleString("en");
const many = (n, word) => whole(n) + " " + word + (n === 1 ? "" : "s");
for (const id of ["tools", "panels", "legend"]) $(id).hidden = false;
const canvases = [...document.querySelectorAll("canvas")];
const panels = DATA.panels.map((panel, i) => prepared(panel, canvases[i]));
const lines = DATA.lines.map(path);
const shown = {};
for (const box of document.querySelectorAll("[data-layer]")) {
  shown[box.dataset.layer] = box.checked;
  box.addEventListener("change", () => { shown[box.dataset.layer] = box.checked; redraw(); });
}
const view = {x: DATA.width / 2, y: DATA.height / 2, scale: 0};
let level = null, most = null, hovered = null, waiting = false;

function path(flat) {
  let w = Infinity, s = Infinity, e = -Infinity, n = -Infinity;
  for (let i = 0; i < flat.length; i += 2) {
    w = Math.min(w, flat[i]); e = Math.max(e, flat[i]); s = Math.min(s, flat[i + 1]); n = Math.max(n, flat[i + 1]);
  }
  return {flat, w, s, e, n};
}
function prepared(panel, canvas) {
  panel.canvas = canvas;
  panel.levels = new Map();
  panel.areas = panel.areas.map((area) => Object.assign(path(area.o), area));
  panel.areaOf = new Map(panel.areas.map((area) => [area.name, area]));
  if (panel.trails) preparedTrails(panel.trails);
  return panel;
}
// marks in one square of a grid are one mark
function joined(set, side) {
  const {points, visits, members} = set, slots = new Map(), of = new Int32Array(visits.length), marks = [];
  for (let i = 0; i < visits.length; i++) {
    const labels = set.labels ? set.labels[i] : 1, general = members[i] > labels;
    const key = Math.floor(points[2 * i] / side) + "," + Math.floor(points[2 * i + 1] / side) + "," + general;
    let slot = slots.get(key);
    if (slot === undefined) {
      slot = marks.length; slots.set(key, slot);
      marks.push({x: 0, y: 0, weight: 0, visits: 0, members: 0, labels: 0, size: 0, general, name: ""});
    }
    const mark = marks[slot], weight = Math.max(visits[i], 1e-9);
    of[i] = slot;
    mark.x += weight * points[2 * i]; mark.y += weight * points[2 * i + 1]; mark.weight += weight;
    mark.visits += visits[i]; mark.members += members[i]; mark.labels += labels; mark.size += 1;
    mark.name = mark.size === 1 ? set.names[i] : "";
  }
  for (const mark of marks) { mark.x /= mark.weight; mark.y /= mark.weight; }
  return {of, marks};
}
// circles, and the flows between them, the strongest first
function clustered(panel, side) {
  const circles = joined(panel.marks, side), {of, marks} = panel.ends ? joined(panel.ends, side) : circles;
  const totals = new Map(), flat = panel.flows;
  for (let i = 0; i < flat.length; i += 3) {
    const a = of[flat[i]], b = of[flat[i + 1]];
    if (a !== b) { const key = a * marks.length + b; totals.set(key, (totals.get(key) || 0) + flat[i + 2]); }
  }
  const order = [...totals].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const flows = order.map(([key, moves]) =>
    ({a: marks[Math.floor(key / marks.length)], b: marks[key % marks.length], moves}));
  return {marks: circles.marks.slice().sort((a, b) => b.visits - a.visits), flows};
}
function atLevel() {
  const side = 2 ** Math.floor(Math.log2(SQUARE / view.scale));
  if (side !== level) {
    level = side;
    for (const panel of panels) {
      if (!panel.levels.has(side)) panel.levels.set(side, clustered(panel, side));
      panel.drawn = panel.levels.get(side);
    }
    const top = (rows) => rows.reduce((a, b) => Math.max(a, b), 1);
    most = {
      visits: top(panels.map((p) => top(p.drawn.marks.map((m) => m.visits)))),
      moves: top(panels.map((p) => p.drawn.flows.length ? p.drawn.flows[0].moves : 1)),
      vehicles: top(panels.map((p) => p.roads ? top(p.roads.vehicles) : 1)),
    };
    legend();
  }
}
const radius = (visits) => Math.max(SMALLEST, LARGEST * Math.sqrt(visits / most.visits));
const width = (moves) => 0.6 + WIDEST * moves / most.moves;
function traffic(vehicles) {
  const share = most.vehicles > 1 ? Math.log(vehicles) / Math.log(most.vehicles) : 1;
  const [a, b, t] = share < .5 ? [TRAFFIC[0], TRAFFIC[1], share * 2] : [TRAFFIC[1], TRAFFIC[2], share * 2 - 1];
  const colour = a.map((n, i) => Math.round(n + (b[i] - n) * t));
  return [`rgb(${colour})`, .4 + 4 * Math.sqrt(vehicles / most.vehicles)];
}
function frame(panel) {
  const {width: w, height: h} = panel.size;
  return {x: (x) => w / 2 + (x - view.x) * view.scale, y: (y) => h / 2 - (y - view.y) * view.scale, w, h,
    west: view.x - w / 2 / view.scale, east: view.x + w / 2 / view.scale,
    south: view.y - h / 2 / view.scale, north: view.y + h / 2 / view.scale};
}
const inside = (f, p) => p.e >= f.west && p.w <= f.east && p.n >= f.south && p.s <= f.north;
function trace(pen, f, flat, close) {
  for (let i = 0; i < flat.length; i += 2) pen[i ? "lineTo" : "moveTo"](f.x(flat[i]), f.y(flat[i + 1]));
  if (close) pen.closePath();
}
// bent to the left of its direction
function bend(f, flow) {
  const ax = f.x(flow.a.x), ay = f.y(flow.a.y), bx = f.x(flow.b.x), by = f.y(flow.b.y);
  return [ax, ay, (ax + bx) / 2 + (by - ay) * .14, (ay + by) / 2 - (bx - ax) * .14, bx, by];
}
function draw(panel) {
  const pen = panel.canvas.getContext("2d"), f = frame(panel), ratio = window.devicePixelRatio || 1;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, f.w, f.h);
  pen.lineJoin = pen.lineCap = "round";
  if (shown.basemap) {
    pen.beginPath();
    for (const line of lines) if (inside(f, line)) trace(pen, f, line.flat, false);
    pen.strokeStyle = "#c4c4c0"; pen.lineWidth = .8; pen.stroke();
  }
  if (panel.roads && shown.roads) roads(panel, pen, f);
  if (shown.areas) areas(panel, pen, f);
  if (shown.flows) flows(panel, pen, f);
  if (shown.visits) circles(panel, pen, f);
  if (panel.trails) drawTrails(panel, pen, f);
  if (hovered && hovered.panel === panel) highlight(pen, f);
  bar(pen, f);
}
function areas(panel, pen, f) {
  pen.lineWidth = .8;
  for (const area of panel.areas) {
    if (!inside(f, area)) continue;
    pen.fillStyle = pen.strokeStyle = area.members > 1 ? DATA.colours.label : DATA.colours.place;
    pen.beginPath(); trace(pen, f, area.flat, true);
    pen.globalAlpha = panel.fill; pen.fill();
    pen.globalAlpha = panel.edge; pen.stroke();
  }
  pen.globalAlpha = 1;
}
// the strongest flows that begin or end in view
function inView(panel, f) {
  const sees = (m) => m.x >= f.west && m.x <= f.east && m.y >= f.south && m.y <= f.north, chosen = [];
  for (const flow of panel.drawn.flows) {
    if (chosen.length === DATA.topFlows) break;
    if (sees(flow.a) || sees(flow.b)) chosen.push(flow);
  }
  return chosen;
}
function flows(panel, pen, f) {
  panel.flowsInView = inView(panel, f);
  pen.strokeStyle = pen.fillStyle = DATA.colours.flow; pen.globalAlpha = .55;
  for (const flow of panel.flowsInView.slice().reverse()) {
    const [ax, ay, cx, cy, bx, by] = bend(f, flow), wide = width(flow.moves);
    pen.lineWidth = wide;
    pen.beginPath(); pen.moveTo(ax, ay); pen.quadraticCurveTo(cx, cy, bx, by); pen.stroke();
    const far = Math.hypot(bx - cx, by - cy);
    if (far > 14) {  // an arrow head in the middle of the way
      const mx = (ax + 2 * cx + bx) / 4, my = (ay + 2 * cy + by) / 4, s = wide + 4;
      const angle = Math.atan2(by - ay, bx - ax);
      pen.beginPath(); pen.moveTo(mx + s * Math.cos(angle), my + s * Math.sin(angle));
      for (const turn of [2.5, -2.5]) pen.lineTo(mx + s * Math.cos(angle + turn), my + s * Math.sin(angle + turn));
      pen.fill();
    }
  }
  pen.globalAlpha = 1;
}
function circles(panel, pen, f) {
  pen.globalAlpha = .62; pen.strokeStyle = "#fff"; pen.lineWidth = .7;
  for (const mark of panel.drawn.marks) {
    const x = f.x(mark.x), y = f.y(mark.y), r = radius(mark.visits);
    if (x < -r || y < -r || x > f.w + r || y > f.h + r) continue;
    pen.fillStyle = mark.general ? DATA.colours.label : DATA.colours.place;
    pen.beginPath(); pen.arc(x, y, r, 0, 7); pen.fill(); pen.stroke();
  }
  pen.globalAlpha = 1;
}
function roads(panel, pen, f) {
  const {ends, vehicles} = panel.roads;
  for (let i = 0; i < vehicles.length; i++) {
    const ax = f.x(ends[4 * i]), ay = f.y(ends[4 * i + 1]), bx = f.x(ends[4 * i + 2]), by = f.y(ends[4 * i + 3]);
    if (Math.max(ax, bx) < 0 || Math.min(ax, bx) > f.w || Math.max(ay, by) < 0 || Math.min(ay, by) > f.h) continue;
    [pen.strokeStyle, pen.lineWidth] = vehicles[i] ? traffic(vehicles[i]) : ["#d9d9d9", .6];
    pen.beginPath(); pen.moveTo(ax, ay); pen.lineTo(bx, by); pen.stroke();
  }
}
function highlight(pen, f) {
  const {mark, flow, area} = hovered;
  pen.strokeStyle = "#111"; pen.lineWidth = 1.6;
  if (hovered.panel.trails) { highlightTrail(pen, f, hovered); return; }
  const outline = area || (mark && hovered.panel.areaOf.get(mark.name));
  if (outline && shown.areas) {
    pen.beginPath(); trace(pen, f, outline.flat, true);
    pen.fillStyle = DATA.colours.label; pen.globalAlpha = .25; pen.fill(); pen.globalAlpha = 1; pen.stroke();
  }
  if (mark) { pen.beginPath(); pen.arc(f.x(mark.x), f.y(mark.y), radius(mark.visits) + 2, 0, 7); pen.stroke(); }
  if (flow) {
    const [ax, ay, cx, cy, bx, by] = bend(f, flow);
    pen.beginPath(); pen.moveTo(ax, ay); pen.quadraticCurveTo(cx, cy, bx, by); pen.stroke();
  }
}
function roundLength(most) {
  const power = 10 ** Math.floor(Math.log10(most));
  return Math.max(...[1, 2, 5].map((n) => n * power).filter((n) => n <= most * 1.000001));
}
function bar(pen, f) {
  let unit = DATA.step / view.scale;  // of one pixel, in the units of the map
  if (DATA.metres) {
    const lat = Math.min(89, Math.max(-89, DATA.south + view.y * DATA.step / 111195.08));
    unit *= Math.cos(lat * Math.PI / 180) / DATA.squeeze;
  }
  const length = roundLength(unit * Math.min(140, f.w / 3));
  const text = !DATA.metres ? String(Number(length.toPrecision(6)))
    : length >= 1000 ? whole(length / 1000) + " km" : Number(length.toPrecision(3)) + " m";
  const y = f.h - 10, wide = length / unit;
  pen.font = "11px system-ui, sans-serif";
  pen.fillStyle = "rgba(255,255,255,.8)";
  pen.fillRect(6, y - 20, Math.max(wide, pen.measureText(text).width) + 12, 25);
  pen.strokeStyle = "#333"; pen.lineWidth = 1.2;
  pen.beginPath();
  pen.moveTo(11, y - 5); pen.lineTo(11, y); pen.lineTo(11 + wide, y); pen.lineTo(11 + wide, y - 5);
  pen.stroke();
  pen.fillStyle = "#333"; pen.fillText(text, 15, y - 5);
}
function drawing(wide, high, work) {
  const canvas = document.createElement("canvas"), ratio = window.devicePixelRatio || 1;
  canvas.width = wide * ratio; canvas.height = high * ratio;
  canvas.style.cssText = `width:${wide}px;height:${high}px;border:0;background:none`;
  canvas.setAttribute("aria-hidden", "true");
  const pen = canvas.getContext("2d"); pen.scale(ratio, ratio); pen.lineCap = "round"; work(pen);
  return canvas;
}
function legend() {
  const box = $("legend");
  box.textContent = "";
  const row = (canvas, text) => {
    const span = document.createElement("span"), words = document.createElement("span");
    words.textContent = text; span.append(canvas, words); box.append(span);
  };
  const few = (n) => {
    const low = roundLength(Math.max(1, n / 20));
    return low < n ? [low, n] : [n];
  };
  if (panels.some((p) => p.roads)) {
    for (const n of few(most.vehicles)) row(drawing(30, 12, (pen) => {
      [pen.strokeStyle, pen.lineWidth] = traffic(n); pen.beginPath(); pen.moveTo(4, 6); pen.lineTo(26, 6); pen.stroke();
    }), many(n, "vehicle"));
    return;
  }
  trailLegend(row);
  const disc = (r, colour) => drawing(2 * r + 2, 2 * r + 2, (pen) => {
    pen.globalAlpha = .62; pen.fillStyle = colour; pen.beginPath(); pen.arc(r + 1, r + 1, r, 0, 7); pen.fill();
  });
  if ("visits" in shown) {
    for (const n of few(most.visits)) row(disc(radius(n), DATA.colours.place), many(n, "visit"));
    if (panels.some((p) => p.drawn.marks.some((m) => m.general)))
      row(disc(8, DATA.colours.label), "visits to labels that stand for several places");
  }
  if ("flows" in shown && panels.some((p) => p.drawn.flows.length)) {
    row(drawing(30, 12, (pen) => {
      pen.strokeStyle = DATA.colours.flow; pen.globalAlpha = .7; pen.lineWidth = width(most.moves);
      pen.beginPath(); pen.moveTo(4, 6); pen.lineTo(26, 6); pen.stroke();
    }), many(most.moves, "move"));
  }
  for (const [colour, text, general] of [["label", "area of a label", true], ["place", "cell of a grid", false]])
    if ("areas" in shown && panels.some((p) => p.areas.some((area) => (area.members > 1) === general)))
      row(drawing(24, 16, (pen) => {
        pen.fillStyle = pen.strokeStyle = DATA.colours[colour]; pen.globalAlpha = .25; pen.fillRect(2, 2, 20, 12);
        pen.globalAlpha = .7; pen.strokeRect(2, 2, 20, 12);
      }), text);
  const note = $("flows-note");
  note.hidden = !("flows" in shown);
  note.textContent = "At this zoom, " + panels.filter((p) => !p.trails).map((p) =>
    `${p.title} has ${many(p.drawn.marks.length, "circle")} and ${many(p.drawn.flows.length, "flow")} between them`
  ).join("; ") + `. Of the flows in view, the ${whole(DATA.topFlows)} strongest are drawn, and none within a circle.`;
}
"""
