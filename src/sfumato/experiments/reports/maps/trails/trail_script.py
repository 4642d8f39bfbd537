"""The script of a map's page that draws movements: trails, moves, links, places and stops, and their legend.

It goes on where `page_script` ends.  Colours stand for moving objects, beside their numbers; symbols stand for
categories of places.
"""

__all__ = ["TRAIL_SCRIPT"]

TRAIL_SCRIPT = r"""
function preparedTrails(t) {
  for (const line of [...t.trails, ...t.moves]) Object.assign(line, path(line.o));
  const {begin, end, stop} = t.spots, last = (i) => stop[i] ? end[i] - begin[i] : -1;
  t.longest = stop.reduce((most, yes, i) => yes ? Math.max(most, end[i] - begin[i]) : most, 1);
  t.order = stop.map((_, i) => i).sort((a, b) => last(b) - last(a) || a - b);
  t.linksOf = new Map(); t.linksTo = new Map();
  t.links.spot.forEach((spot, i) => {
    for (const [map, key] of [[t.linksOf, spot], [t.linksTo, t.links.place[i]]]) {
      if (!map.has(key)) map.set(key, []);
      map.get(key).push(i);
    }
  });
  const popular = (place) => (t.linksTo.get(place) || []).length;
  t.placeOrder = t.places.located.map((yes, i) => yes && popular(i) ? i : -1).filter((i) => i >= 0)
    .sort((a, b) => popular(b) - popular(a) || a - b);
  t.only = -1;
}
function chooseObjects(select) {
  const names = [...new Set(panels.flatMap((p) => p.trails ? p.trails.objects : []))];
  for (const [value, text] of [["", "all"], ...names.map((name, i) => [String(i), name])]) {
    const option = document.createElement("option");
    option.value = value; option.textContent = text; select.append(option);
  }
  select.addEventListener("change", () => {
    for (const p of panels) if (p.trails)
      p.trails.only = select.value === "" ? -1 : p.trails.objects.indexOf(names[Number(select.value)]);
    hide(); redraw();
  });
}
const colourOf = (t, object) => t.colours[object % t.colours.length];
const isChosen = (t, object) => t.only < 0 || t.only === object;
const longestStop = () => panels.reduce((most, p) => p.trails ? Math.max(most, p.trails.longest) : most, 1);
const stopRadius = (seconds) => Math.max(3, 17 * Math.sqrt(Math.max(0, seconds) / longestStop()));
const spotRadius = (t, i) => t.spots.stop[i] ? stopRadius(t.spots.end[i] - t.spots.begin[i]) : 2.4;
const at = (f, points, i) => [f.x(points[2 * i]), f.y(points[2 * i + 1])];
function linkEnds(f, t, link) {
  return [...at(f, t.spots.points, t.links.spot[link]), ...at(f, t.places.points, t.links.place[link])];
}
function linkIsDrawn(t, link) {
  return t.places.located[t.links.place[link]] && isChosen(t, t.spots.object[t.links.spot[link]]);
}
function placeIsDrawn(t, place) {
  return t.only < 0 || (t.linksTo.get(place) || []).some((link) => isChosen(t, t.spots.object[t.links.spot[link]]));
}
// many lines over each other are fainter, so that stops and places stay readable
const faint = (t, lines) => t.only < 0 ? Math.max(.15, Math.min(1, 150 / Math.max(lines, 1))) : 1;
function drawTrails(panel, pen, f) {
  const t = panel.trails, boxes = [], dense = t.only < 0 && t.trails.length > 100;
  const strokes = (list, wide, alpha, dash) => {
    pen.lineWidth = wide; pen.globalAlpha = alpha; pen.setLineDash(dash);
    for (const line of list) if (isChosen(t, line.object) && inside(f, line)) {
      pen.strokeStyle = colourOf(t, line.object); pen.beginPath(); trace(pen, f, line.flat, false); pen.stroke();
    }
    pen.setLineDash([]); pen.globalAlpha = 1;
  };
  if (shown.trails) strokes(t.trails, dense ? 2 : 5, .4 * faint(t, t.trails.length), []);
  if (shown.moves) strokes(t.moves, 1.6, .95 * faint(t, t.moves.length), [6, 5]);
  if (shown.links) drawLinks(t, pen, f);
  if (shown.stops) drawStops(t, pen, f);
  if (shown.places) drawPlaces(t, pen, f, boxes);
  if (shown.stops) numberStops(t, pen, f, boxes);
  if (shown.trails && !dense) for (const line of t.trails) if (boxes.length < 300 && isChosen(t, line.object))
    tag(pen, f, String(line.object + 1), ...at(f, line.flat, 0), boxes, colourOf(t, line.object), true);
}
// symbols, then the names of those with the most links for which there is room
function drawPlaces(t, pen, f, boxes) {
  const drawn = t.placeOrder.filter((i) => placeIsDrawn(t, i)).map((i) => [i, ...at(f, t.places.points, i)])
    .filter(([, x, y]) => x > -9 && y > -9 && x < f.w + 9 && y < f.h + 9);
  for (const [i, x, y] of drawn) symbol(pen, t, t.places.category[i], x, y);
  for (const [, x, y] of drawn.slice(0, 150)) boxes.push([x - 6, y - 6, x + 6, y + 6]);
  for (const [i, x, y] of drawn.slice(0, 150)) tag(pen, f, t.places.names[i], x, y, boxes, "#222", false);
}
function drawLinks(t, pen, f) {
  pen.strokeStyle = "#333"; pen.lineWidth = .9; pen.globalAlpha = .7 * Math.sqrt(faint(t, t.links.spot.length));
  pen.beginPath();
  for (let i = 0; i < t.links.spot.length; i++) if (linkIsDrawn(t, i)) {
    const [ax, ay, bx, by] = linkEnds(f, t, i);
    if (Math.max(ax, bx) < 0 || Math.min(ax, bx) > f.w || Math.max(ay, by) < 0 || Math.min(ay, by) > f.h) continue;
    pen.moveTo(ax, ay); pen.lineTo(bx, by);
  }
  pen.stroke(); pen.globalAlpha = 1;
  for (let i = 0; i < t.spots.stop.length; i++) if (!t.spots.stop[i] && isChosen(t, t.spots.object[i])) {
    const [x, y] = at(f, t.spots.points, i);
    pen.fillStyle = colourOf(t, t.spots.object[i]);
    pen.beginPath(); pen.arc(x, y, spotRadius(t, i), 0, 7); pen.fill();
  }
}
function stopsInView(t, f) {
  return t.order.filter((i) => t.spots.stop[i] && isChosen(t, t.spots.object[i]))
    .map((i) => [i, ...at(f, t.spots.points, i), spotRadius(t, i)])
    .filter(([, x, y, r]) => x > -r && y > -r && x < f.w + r && y < f.h + r);
}
function drawStops(t, pen, f) {
  pen.strokeStyle = "#222"; pen.lineWidth = .9;
  for (const [i, x, y, r] of stopsInView(t, f)) {
    pen.fillStyle = colourOf(t, t.spots.object[i]);
    pen.beginPath(); pen.arc(x, y, r, 0, 7);
    pen.globalAlpha = .6; pen.fill(); pen.globalAlpha = 1; pen.stroke();
  }
}
function numberStops(t, pen, f, boxes) {
  pen.font = "600 11px system-ui, sans-serif"; pen.textAlign = "center";
  for (const [i, x, y, r] of stopsInView(t, f).reverse()) {
    const box = [x - 7, y - 6, x + 7, y + 6];
    if (r < 8 || boxes.length > 300 || boxes.some((b) => overlap(b, box))) continue;
    const text = String(t.spots.object[i] + 1);
    boxes.push(box);
    pen.lineWidth = 2.5; pen.strokeStyle = "#222"; pen.strokeText(text, x, y + 4);
    pen.fillStyle = "#fff"; pen.fillText(text, x, y + 4);
  }
  pen.textAlign = "start";
}
const overlap = (a, b) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];
// a text beside a point, that lies on no other text and on no number; where there is no room, it is left out
function tag(pen, f, text, x, y, boxes, colour, bold) {
  pen.font = (bold ? "600 " : "") + "11px system-ui, sans-serif";
  const wide = pen.measureText(text).width;
  for (const [left, base] of [[x + 8, y + 4], [x - 8 - wide, y + 4], [x - wide / 2, y - 8], [x - wide / 2, y + 17]]) {
    const box = [left - 1, base - 10, left + wide + 1, base + 3];
    if (box[0] < 0 || box[1] < 0 || box[2] > f.w || box[3] > f.h - 22) continue;
    if (boxes.some((b) => overlap(b, box))) continue;
    boxes.push(box);
    pen.lineWidth = 3; pen.strokeStyle = "rgba(255,255,255,.9)"; pen.strokeText(text, left, base);
    pen.fillStyle = colour; pen.fillText(text, left, base);
    return;
  }
}
const SHAPES = {
  square: [-1, -1, 1, -1, 1, 1, -1, 1], diamond: [0, -1.3, 1.3, 0, 0, 1.3, -1.3, 0],
  up: [0, -1.3, 1.2, .9, -1.2, .9], down: [0, 1.3, 1.2, -.9, -1.2, -.9],
  star: [0, -1.5, .4, -.5, 1.4, -.5, .6, .2, .9, 1.3, 0, .7, -.9, 1.3, -.6, .2, -1.4, -.5, -.4, -.5],
  plus: [-.4, -1.3, .4, -1.3, .4, -.4, 1.3, -.4, 1.3, .4, .4, .4, .4, 1.3, -.4, 1.3, -.4, .4, -1.3, .4, -1.3, -.4,
    -.4, -.4],
  cross: [-1.2, -.7, -.7, -1.2, 0, -.5, .7, -1.2, 1.2, -.7, .5, 0, 1.2, .7, .7, 1.2, 0, .5, -.7, 1.2, -1.2, .7, -.5, 0],
};
function symbol(pen, t, category, x, y) {
  const shape = SHAPES[t.symbols[category] || "cross"], size = 4.6;
  pen.beginPath();
  for (let i = 0; i < shape.length; i += 2) pen[i ? "lineTo" : "moveTo"](x + size * shape[i], y + size * shape[i + 1]);
  pen.closePath();
  pen.fillStyle = "#222"; pen.strokeStyle = "#fff"; pen.lineWidth = 2.2; pen.stroke(); pen.fill();
}
function underTrails(panel, px, py, f) {
  const t = panel.trails, near = (points, i, r) => {
    const [x, y] = at(f, points, i);
    return Math.hypot(x - px, y - py) <= r;
  };
  const isSpot = (i) => isChosen(t, t.spots.object[i]) && (t.spots.stop[i] ? shown.stops : shown.links);
  if (shown.places) for (const i of t.placeOrder)
    if (placeIsDrawn(t, i) && near(t.places.points, i, 6)) return {panel, place: i};
  for (let n = t.order.length - 1; n >= 0; n--) {
    const i = t.order[n];
    if (isSpot(i) && near(t.spots.points, i, spotRadius(t, i) + 2)) return {panel, spot: i};
  }
  for (const [layer, list] of [["moves", t.moves], ["trails", t.trails]]) if (shown[layer]) for (const line of list) {
    if (!isChosen(t, line.object) || !inside(f, line)) continue;
    for (let i = 2, p = line.flat; i < p.length; i += 2)
      if (apart(px, py, f.x(p[i - 2]), f.y(p[i - 1]), f.x(p[i]), f.y(p[i + 1])) < 4) return {panel, line, layer};
  }
  return null;
}
const clock = (seconds) => {
  const date = new Date(seconds * 1000);
  return isNaN(date) ? "?" : date.toISOString().replace("T", " ").slice(0, 16);
};
function span(begin, end) {
  const a = clock(begin), b = clock(end);
  return a + (a === b ? "" : " to " + (a.slice(0, 10) === b.slice(0, 10) ? b.slice(11) : b)) + " UTC";
}
function duration(seconds) {
  const minutes = Math.round(seconds / 60);
  if (minutes < 180) return many(minutes, "minute");
  return minutes < 2880 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : many(Math.round(minutes / 1440), "day");
}
function linkText(t, property, place, metres, similarity) {
  const figures = [t.categories[t.places.category[place]]];
  if (metres !== null) figures.push(whole(Math.round(metres)) + " m");
  if (similarity !== null) figures.push("similarity " + similarity);
  return `${t.properties[property]}: ${t.places.names[place]} (${figures.join(", ")})`;
}
function linkTexts(t, links) {
  const texts = links.slice(0, 6).map((link) => linkText(t, ...link));
  return links.length > 6 ? [...texts, `and ${many(links.length - 6, "more link")}`] : texts;
}
function card({panel, spot, place, line, layer}) {
  const t = panel.trails;
  const whose = (kind, object) => `${kind} of moving object ${object + 1}: ${t.objects[object]}`;
  if (line) return [whose(layer === "moves" ? "Move" : "Trail", line.object),
    `${span(line.begin, line.end)}, ${duration(line.end - line.begin)}` +
    (line.positions ? `, ${many(line.positions, "position")}` : ""), ...linkTexts(t, line.links)].join("\n");
  if (place !== undefined) {
    const links = t.linksTo.get(place) || [], persons = new Set(links.map((i) => t.spots.object[t.links.spot[i]]));
    return `${t.places.names[place]}\n${t.categories[t.places.category[place]]}\n` +
      `${many(links.length, "link")} of ${many(persons.size, "moving object")}`;
  }
  const {begin, end, object, stop} = t.spots, links = t.linksOf.get(spot) || [];
  const {property, place: to, metres, similarity} = t.links;
  const texts = linkTexts(t, links.map((i) => [property[i], to[i], metres[i], similarity[i]]));
  return [whose(stop[spot] ? "Stop" : "Position", object[spot]),
    span(begin[spot], end[spot]) + (stop[spot] ? ", " + duration(end[spot] - begin[spot]) : ""), ...texts].join("\n");
}
function highlightTrail(pen, f, {panel, spot, place, line}) {
  const t = panel.trails;
  if (line) { pen.beginPath(); trace(pen, f, line.flat, false); pen.stroke(); return; }
  const links = (spot === undefined ? t.linksTo.get(place) : t.linksOf.get(spot)) || [];
  for (const link of links) if (linkIsDrawn(t, link)) {
    const [ax, ay, bx, by] = linkEnds(f, t, link);
    pen.beginPath(); pen.moveTo(ax, ay); pen.lineTo(bx, by); pen.stroke();
  }
  const [x, y] = spot === undefined ? at(f, t.places.points, place) : at(f, t.spots.points, spot);
  pen.beginPath(); pen.arc(x, y, spot === undefined ? 9 : spotRadius(t, spot) + 2, 0, 7); pen.stroke();
}
function trailLegend(row) {
  const line = (colour, wide, dash) => drawing(34, 14, (pen) => {
    pen.strokeStyle = colour; pen.lineWidth = wide; pen.setLineDash(dash); pen.globalAlpha = wide > 3 ? .45 : 1;
    pen.beginPath(); pen.moveTo(3, 7); pen.lineTo(31, 7); pen.stroke();
  });
  for (const {trails: t} of panels) {
    if (!t) continue;
    const most = t.colours.length, rest = t.objects.length - most;
    for (let i = 0; i < Math.min(most, t.objects.length); i++)
      row(line(colourOf(t, i), 5, []), `${i + 1}: trail of ${t.objects[i]}`);
    if (rest > 0) row(line("#999", 5, []), `${many(rest, "more moving object")}; colours repeat, numbers do not`);
    if (t.moves.length) row(line("#333", 1.6, [6, 5]), "move");
    if (t.spots.stop.some((yes) => yes)) for (const seconds of [...new Set([1800, longestStop()])]) {
      const r = stopRadius(seconds);
      if (seconds <= longestStop()) row(drawing(2 * r + 4, 2 * r + 4, (pen) => {
        pen.fillStyle = "#999"; pen.strokeStyle = "#222"; pen.globalAlpha = .7;
        pen.beginPath(); pen.arc(r + 2, r + 2, r, 0, 7); pen.fill(); pen.stroke();
      }), `stop of ${duration(seconds)}`);
    }
    if (t.links.spot.some((_, i) => t.places.located[t.links.place[i]])) row(line("#333", .9, []), "link to a place");
    const used = new Set(t.placeOrder.map((i) => t.places.category[i]));
    t.categories.forEach((name, i) => {
      if (used.has(i) && i < t.symbols.length) row(drawing(18, 18, (pen) => symbol(pen, t, i, 9, 9)), name);
    });
    const others = [...used].filter((i) => i >= t.symbols.length).length;
    if (others) row(drawing(18, 18, (pen) => symbol(pen, t, 99, 9, 9)), "other categories");
  }
}
"""
