"""The style of a map's page."""

__all__ = ["STYLE"]

STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; color: #222; background: #fff; font: 16px/1.5 system-ui, "Segoe UI", Roboto, sans-serif; }
main { max-width: 100rem; margin: 0 auto; padding: 1.2rem 1.2rem 3rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; overflow-wrap: anywhere; }
.private { padding: .5rem .9rem; margin: .5rem 0 .8rem; border-left: 4px solid #c9a227; background: #fdf8e6; }
.about, #notes { color: #555; font-size: .9rem; max-width: 60rem; }
#notes { padding-left: 1.2rem; margin: .6rem 0; }
#tools { display: flex; flex-wrap: wrap; gap: .5rem 1.1rem; align-items: center; margin: .6rem 0; }
[hidden] { display: none !important; }
button { font: inherit; min-width: 2.5rem; min-height: 2.25rem; padding: 0 .7rem; border: 1px solid #bbb;
  border-radius: .4rem; background: #f6f6f4; cursor: pointer; }
button:hover { background: #ececea; }
label { display: inline-flex; align-items: center; gap: .35rem; min-height: 2.25rem; cursor: pointer; }
input { width: 1.1rem; height: 1.1rem; }
#panels { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
figure { margin: 0; min-width: 0; }
figcaption { margin-bottom: .35rem; overflow-wrap: anywhere; line-height: 1.35; }
figcaption span { color: #555; font-size: .88rem; }
canvas { display: block; width: 100%; height: min(62vh, 40rem); border: 1px solid #ccc; border-radius: .3rem;
  background: #fafaf8; touch-action: none; cursor: grab; }
canvas:active { cursor: grabbing; }
canvas:focus-visible, button:focus-visible, input:focus-visible { outline: 3px solid #5aa0e0; outline-offset: 1px; }
#legend { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; align-items: center; margin: .6rem 0; font-size: .88rem; }
#legend span { display: inline-flex; align-items: center; gap: .4rem; }
#tip { position: fixed; z-index: 9; pointer-events: none; max-width: min(22rem, 90vw); padding: .35rem .6rem;
  border-radius: .3rem; background: #222; color: #fff; font-size: .85rem;
  overflow-wrap: anywhere; white-space: pre-line; }
select { font: inherit; min-height: 2.25rem; max-width: 16rem; }
.still { overflow-x: auto; }
kbd { padding: 0 .3rem; border: 1px solid #bbb; border-radius: .25rem; font-size: .85em; }
@media (max-width: 40rem) { main { padding: .8rem .7rem 2rem; } h1 { font-size: 1.2rem; } canvas { height: 44vh; } }
"""
