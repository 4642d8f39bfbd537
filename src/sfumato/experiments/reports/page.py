"""The template of the report: structure, style, and the script that makes the charts interactive."""

__all__ = ["PAGE"]

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>@@TITLE@@</title>
<style>
:root { color-scheme: light; --ink: #222; --soft: #666; --line: #ddd; --wash: #f6f6f4; }
body { margin: 0; color: var(--ink); background: #fff; font: 16px/1.55 system-ui, "Segoe UI", Roboto, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.25rem 5rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .6rem; }
h2 { font-size: 1.25rem; margin: 2.8rem 0 .8rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
a { color: #0b5a8f; }
.about { color: var(--soft); margin: 0 0 1.2rem; }
.private, .note, .alarm { padding: .6rem .9rem; margin: .8rem 0; border-left: 4px solid #c9a227; background: #fdf8e6; }
.alarm { border-color: #b3261e; background: #fdecea; }
.note ul, .alarm ul { margin: .3rem 0 0; padding-left: 1.2rem; font-size: .92rem; }
section { margin: 1.6rem 0 2.6rem; }
.chart { width: fit-content; max-width: 100%; overflow-x: auto; }
.chart img { max-width: 100%; height: auto; }
.claim { margin: .6rem 0 .2rem; color: var(--soft); }
.finding { margin: .2rem 0 .6rem; }
.badge { display: inline-block; padding: 0 .55rem; border-radius: 1rem; font-size: .82rem; font-weight: 600;
  white-space: nowrap; }
.yes { background: #dff3e4; color: #14602b; } .part { background: #fff0cc; color: #7a4b00; }
.no { background: #fbdedb; color: #8c1d18; } .open { background: #e9e9e9; color: #444; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; }
th { text-align: left; font-weight: 600; }
th, td { padding: .28rem 1.1rem .28rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
.claims td:last-child { color: var(--soft); }
p, .private, .note, .alarm { max-width: 46rem; }
small { color: var(--soft); }
.reasons { color: var(--soft); font-size: .88rem; max-width: 46rem; }
td.n { font-variant-numeric: tabular-nums; white-space: nowrap; }
.facts td:first-child { color: var(--soft); }
main > details { margin: .9rem 0; } main > details > summary { cursor: pointer; }
pre { background: var(--wash); padding: .9rem; overflow-x: auto; font-size: .85rem; line-height: 1.45; }
@media print { section { break-inside: avoid; } .private, .note, .alarm, .badge { print-color-adjust: exact; } }
</style>
</head>
<body>
<main>
<h1>@@TITLE@@</h1>
@@ABOUT@@
<div class="private"><b>Private.</b> These figures are computed from the original, and no promise covers them. Keep this
page and its directory where the original is kept.</div>
@@ALARM@@
@@SECTIONS@@
</main>
<script>@@LIBRARY@@</script>
<script>
const charts = @@SPECS@@;
for (const place of document.querySelectorAll("[data-chart]")) {
  const still = place.innerHTML;
  const menu = {export: true, source: false, compiled: false, editor: false};
  vegaEmbed(place, charts[place.dataset.chart], {renderer: "svg", actions: menu})
    .catch(() => { place.innerHTML = still; });
}
</script>
</body>
</html>
"""
