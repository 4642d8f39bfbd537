"""The Typst program that sets a document, which it reads as data."""

from __future__ import annotations

__all__ = ["TEMPLATE"]

TEMPLATE = r"""
#let doc = json(bytes(sys.inputs.document))
#let red = rgb("#8c1d18")
#let soft = rgb("#555555")
#let tones = (
  note: (rgb("#fdf1d3"), rgb("#6b4700")),
  alarm: (rgb("#fbe2df"), red),
  good: (rgb("#e0f3e5"), rgb("#14602b")),
)
#let states = (
  yes: (rgb("#e0f3e5"), rgb("#14602b")),
  no: (rgb("#fbe2df"), red),
  open: (rgb("#fdf1d3"), rgb("#6b4700")),
)
#set document(title: doc.title, date: none)
#set text(lang: "en", size: 10.5pt, font: "Libertinus Serif")
#set par(leading: 0.62em, spacing: 0.95em)
#set list(spacing: 0.75em, indent: 4pt)
#set page(
  paper: "a4",
  margin: (x: 20mm, top: 24mm, bottom: 20mm),
  header: if doc.private {
    block(width: 100%, inset: (bottom: 3pt), stroke: (bottom: 0.6pt + red), align(center, text(
      fill: red, weight: "bold", size: 9pt, doc.mark,
    )))
  } else {
    align(right, text(fill: soft, size: 9pt, doc.mark))
  },
  footer: context align(center, text(fill: soft, size: 9pt, counter(page).display("1 / 1", both: true))),
)
#show heading.where(level: 1): set text(size: 15pt)
#show heading.where(level: 1): set block(above: 1.9em, below: 0.9em)
#show heading.where(level: 2): set text(size: 11.5pt)
#show heading.where(level: 2): set block(above: 1.5em, below: 0.8em)
#show raw: set text(font: "DejaVu Sans Mono", size: 8pt)
#show figure.caption: it => it.body
#set figure(numbering: none, supplement: none)
#set figure.caption(position: top)
#show figure: set align(left)
#show figure.where(kind: table): set block(breakable: true)

#let cell(block, column, value) = if column in block.code { raw(value) } else { value }
#let picture(one) = figure(
  image(bytes(one.svg), format: "svg", alt: one.alt, width: 100%),
  kind: image, caption: text(weight: "bold", one.title),
)
#let parts = (
  paragraph: b => {
    if b.tone == "lead" {
      block(inset: (left: 10pt, y: 3pt), stroke: (left: 2.5pt + rgb("#0072b2")), text(size: 12.5pt, b.text))
    } else if b.tone == "plain" {
      par(b.text)
    } else {
      let (wash, ink) = tones.at(b.tone)
      block(fill: wash, inset: 8pt, width: 100%, breakable: false, text(fill: ink, b.text))
    }
  },
  subheading: b => heading(level: 2, b.text),
  bullets: b => list(..b.items),
  code: b => block(fill: rgb("#f3f4f5"), inset: 8pt, width: 100%, raw(b.text, block: true)),
  checks: b => for row in b.rows {
    let (wash, ink) = states.at(row.state)
    block(breakable: false, below: 0.9em, {
      let word = text(fill: ink, size: 9pt, weight: "bold", row.mark + " " + row.word)
      box(fill: wash, inset: (x: 5pt), outset: (y: 3pt), radius: 6pt, word)
      h(5pt)
      strong(row.what)
      if row.about != "" { linebreak(); text(fill: soft, row.about) }
    })
  },
  grid: b => figure(kind: table, caption: text(fill: soft, size: 9.5pt, b.caption), {
    set text(size: 9.5pt)
    set par(leading: 0.5em)
    table(
      columns: b.widths.map(width => if width == 0 { auto } else { width * 1fr }),
      align: (column, _) => if column in b.numbers { right } else { left },
      stroke: (_, y) => (bottom: 0.5pt + rgb("#cccccc")),
      inset: (x: 4pt, y: 4pt),
      table.header(..b.head.map(one => text(fill: soft, weight: "bold", one))),
      ..b.rows.map(row => row.enumerate().map(((i, value)) => {
        if i == 0 { strong(cell(b, i, value)) } else { cell(b, i, value) }
      })).flatten(),
    )
  }),
  figure: b => if b.wide { picture(b) } else { block(width: 62%, picture(b)) },
  figures: b => grid(columns: (1fr, 1fr), column-gutter: 18pt, row-gutter: 14pt, ..b.figures.map(picture)),
)

#show title: set text(size: 21pt)
#title(doc.title)
#text(fill: soft, size: 12pt, doc.subtitle)
#for section in doc.sections {
  heading(level: 1, section.title)
  for b in section.blocks { parts.at(b.kind)(b) }
}
"""
