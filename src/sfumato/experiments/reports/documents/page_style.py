"""The style of the page: colours for light and dark, narrow screens, and paper."""

from __future__ import annotations

__all__ = ["PAGE_STYLE"]

PAGE_STYLE = """<style>
:root { color-scheme: light dark; --ink: #1f2328; --soft: #5b636b; --line: #d7dbdf; --wash: #f5f6f7; --page: #fff;
  --link: #0b5a8f; --yes: #14602b; --yes-wash: #e0f3e5; --no: #8c1d18; --no-wash: #fbe2df; --open: #6b4700;
  --open-wash: #fdf1d3; --before: #a8a8a0; --after: #0072b2; --s4: #7a2d00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ea; --soft: #a3abb3; --line: #3a4148; --wash: #1f2429;
  --page: #14181c; --link: #7cc4f5; --yes: #8fdda6; --yes-wash: #15351f; --no: #ffb3ab; --no-wash: #4a1d19;
  --open: #f3d08a; --open-wash: #3f2f0c; --before: #7f8790; --after: #4aa8e0; --s4: #c98a6a; } }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--page); font: 16px/1.55 system-ui, "Segoe UI", Roboto, sans-serif;
  overflow-wrap: anywhere; }
main { max-width: 56rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.35rem; margin: 2.8rem 0 .8rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.8rem 0 .5rem; }
a { color: var(--link); }
p, ul, ol { max-width: 44rem; margin: .6rem 0; }
li { margin: .25rem 0; }
.subtitle { color: var(--soft); margin: 0 0 1.2rem; font-size: 1.05rem; }
nav { background: var(--wash); border-radius: .5rem; padding: .6rem 1rem; margin: 1.2rem 0; }
nav ol { columns: 2 14rem; margin: 0; padding-left: 1.4rem; }
.lead { font-size: 1.2rem; line-height: 1.45; border-left: 4px solid var(--after); padding-left: .9rem; }
.note, .alarm, .good { padding: .6rem .9rem; border-left: 4px solid var(--open); background: var(--open-wash);
  color: var(--open); }
.alarm { border-color: var(--no); background: var(--no-wash); color: var(--no); font-weight: 600; }
.good { border-color: var(--yes); background: var(--yes-wash); color: var(--yes); }
.mark { text-align: center; font-size: .85rem; letter-spacing: .04em; padding: .35rem 1rem; color: var(--soft);
  background: var(--wash); }
.private .mark { color: #fff; background: #8c1d18; font-weight: 700; }
.private header.mark { position: sticky; top: 0; z-index: 1; }
.running { display: none; }
.checks { list-style: none; padding: 0; }
.checks li { margin: .7rem 0; } .checks li > span:last-child { color: var(--soft); }
.badge { display: inline-block; padding: 0 .55rem; border-radius: 1rem; font-size: .84rem; font-weight: 600;
  white-space: nowrap; }
.badge.yes { background: var(--yes-wash); color: var(--yes); }
.badge.no { background: var(--no-wash); color: var(--no); }
.badge.open { background: var(--open-wash); color: var(--open); }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .92rem; width: 100%; overflow-wrap: normal; }
caption { text-align: left; color: var(--soft); font-size: .9rem; padding-bottom: .3rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; } tbody th { font-weight: 600; min-width: 7rem; }
.n { text-align: right; font-variant-numeric: tabular-nums; } td.n { white-space: nowrap; }
tbody .code, pre { font-family: ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; }
tbody .code { font-size: .8rem; font-weight: 400; overflow-wrap: anywhere; }
tbody th.code { white-space: nowrap; }
pre { background: var(--wash); border-radius: .4rem; padding: .8rem .9rem; font-size: .9rem;
  white-space: pre-wrap; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 1rem 2rem;
  margin: 1rem 0; }
figure { margin: 0; min-width: 0; } figcaption { font-weight: 600; margin-bottom: .35rem; }
figure svg, figure img { max-width: 100%; height: auto; display: block; }
figure img { background: #fff; border-radius: .4rem; } .wide-picture svg, .wide-picture img { width: 100%; }
.picture text { font-size: 12px; fill: var(--ink); } .picture .small { font-size: 11px; fill: var(--soft); }
.picture .before { fill: var(--before); } .picture .after { fill: var(--after); }
.picture .axis { stroke: var(--line); stroke-width: 1; } .picture .edge { stroke: var(--page); stroke-width: .7; }
.picture .s0 { fill: var(--after); } .picture .s1 { fill: #56b4e9; } .picture .s2 { fill: #e69f00; }
.picture .s3 { fill: #d55e00; } .picture .s4 { fill: var(--s4); }
@media (max-width: 34rem) { h1 { font-size: 1.55rem; } h2 { font-size: 1.2rem; } .lead { font-size: 1.08rem; }
  main { padding: 1.2rem 1rem 2rem; } }
@page { size: A4; margin: 18mm 16mm 16mm; @bottom-right { content: counter(page) " / " counter(pages);
  font: 9pt system-ui, sans-serif; color: #555; } }
@media print {
  :root { color-scheme: light; --ink: #000; --soft: #444; --line: #bbb; --wash: #f2f2f2; --page: #fff; --yes: #14602b;
    --yes-wash: #e0f3e5; --no: #8c1d18; --no-wash: #fbe2df; --open: #6b4700; --open-wash: #fdf1d3; --before: #a8a8a0;
    --after: #0072b2; --s4: #7a2d00; }
  body { font-size: 10.5pt; } main { max-width: none; padding: 0; -webkit-box-decoration-break: clone;
    box-decoration-break: clone; }
  nav { display: none; } h2, h3, caption, figcaption { break-after: avoid; } .mark { display: none; }
  figure, tr, .checks li, pre, .note, .alarm, .good, .lead { break-inside: avoid; }
  .wide { overflow: visible; }
  .private main { padding-top: 9mm; }
  .private .running { display: block; position: fixed; top: 0; left: 0; right: 0; text-align: center; font-size: 9pt;
    font-weight: 700; color: #8c1d18; border-bottom: .6pt solid #8c1d18; padding-bottom: 1mm; background: #fff; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
</style>"""
