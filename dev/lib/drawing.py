#!/usr/bin/env python3
"""Turns the texts of drawings into SVGs with the same names, which follow the reader's light or dark theme.

usage: drawing.py [--check] FILE.txt...   with --check, writes nothing, and ends with 1 if an image is not that of its text

A line is one of these. The first ones place boxes, in columns and rows. Texts are separated by "|", and may be empty.

  size COLUMN ROW [TOP]                  width and height of a cell, and room above, before all other lines; 240 92 10 without it
  box NAME COLUMN ROW COLUMNS | title | small text
  note COLUMN ROW COLUMNS | text | more text ...     text without a box
  group COLUMN ROW COLUMNS ROWS | title              a frame behind boxes
  arrow FROM TO | label                  from one edge to the facing one; "both" has two heads, "dashed" is a dashed line
  turn FROM TO | label                   first along the row, then along the column

And these are for sequences, where time goes down. Do not mix them with boxes:

  actor NAME | title | small text        a column
  say FROM TO | label                    an arrow; from and to the same actor, a loop
  answer FROM TO | label                 a dashed arrow
  at NAME | text                         what happens at an actor
  gap | text                             time passes
"""
import html
import sys
from pathlib import Path

COLUMN, ROW, WIDTH, HEIGHT, MARGIN = 240, 92, 170, 50, 10

STYLES = {"arrow": "arrow", "both": "arrow both", "dashed": "arrow dashed"}

STYLE = """
    .box { fill: #f6f8fa; stroke: #59636e; }
    .title { font: 600 14px system-ui, sans-serif; fill: #1f2328; }
    .packages, .label { font: 11px system-ui, sans-serif; fill: #59636e; }
    .arrow { stroke: #0969da; stroke-width: 1.5; fill: none; marker-end: url(#head); }
    .both { marker-start: url(#head); }
    .head { fill: #0969da; }
    @media (prefers-color-scheme: dark) {
      .box { fill: #151b23; stroke: #9198a1; }
      .title { fill: #f0f6fc; }
      .packages, .label { fill: #9198a1; }
      .arrow { stroke: #4493f8; }
      .head { fill: #4493f8; }
    }
"""

MORE_STYLE = """
    .dashed { stroke-dasharray: 5 4; }
    .group, .life { fill: none; stroke: #818b98; stroke-dasharray: 2 4; }
    .page { fill: #ffffff; }
    @media (prefers-color-scheme: dark) { .page { fill: #0d1117; } }
"""


class Grid:
    """The width and height of a cell, and of a box in it."""

    def __init__(self, column=COLUMN, row=ROW, above=MARGIN):
        self.column, self.row, self.above = column, row, above
        self.width, self.height = column - (COLUMN - WIDTH), HEIGHT

    def box(self, column, row, columns, rows=1):
        left, top = MARGIN + column * self.column, self.above + row * self.row
        return left, top, left + (columns - 1) * self.column + self.width, top + (rows - 1) * self.row + self.height


class Box:
    def __init__(self, grid, column, row, columns, title, packages):
        self.left, self.top, self.right, self.bottom = grid.box(column, row, columns)
        self.title, self.packages = title, packages
        fits(title, 8.1, self.right - self.left)
        fits(packages, 5.8, self.right - self.left)

    def svg(self):
        middle = (self.left + self.right) / 2
        lines = [
            f'<rect class="box" x="{self.left}" y="{self.top}" width="{self.right - self.left}" height="{HEIGHT}" rx="6"/>',
            text("title", middle, self.top + (21 if self.packages else 30), self.title, "middle"),
        ]
        if self.packages:
            lines.append(text("packages", middle, self.top + 38, self.packages, "middle"))
        return lines


def fits(words, letter, width):
    """Ends the program if a text is longer than its box, with the usual width of a letter."""
    if len(words) * letter > width:
        sys.exit(f"'{words}' is too long for its box, which has room for {int(width / letter)} letters")


def text(style, x, y, content, anchor):
    return f'<text class="{style}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{html.escape(content)}</text>'


def arrow(style, start, end, label):
    """A straight line between the facing edges of two boxes, in the middle of the narrower one."""
    if start.bottom < end.top or end.bottom < start.top:
        narrow = min(start, end, key=lambda box: box.right - box.left)
        x = (narrow.left + narrow.right) / 2
        down = start.bottom < end.top
        y1, y2 = (start.bottom + 2, end.top - 2) if down else (start.top - 2, end.bottom + 2)
        lines = [f'<path class="{style}" d="M{x:g} {y1:g}V{y2:g}"/>']
        return lines + ([text("label", x + 8, (y1 + y2) / 2 + 4, label, "start")] if label else [])
    y = start.top + HEIGHT / 2
    x1, x2 = (start.right + 2, end.left - 2) if start.right < end.left else (start.left - 2, end.right + 2)
    lines = [f'<path class="{style}" d="M{x1:g} {y:g}H{x2:g}"/>']
    return lines + ([text("label", (x1 + x2) / 2, y - 6, label, "middle")] if label else [])


def turn(start, end, label):
    """From the side of a box along its row, then along the column to the facing edge of the other box."""
    y, x = start.top + HEIGHT / 2, (end.left + end.right) / 2
    x1 = start.right + 2 if x > start.right else start.left - 2
    y2 = end.top - 2 if end.top > start.bottom else end.bottom + 2
    lines = [f'<path class="arrow" d="M{x1:g} {y:g}H{x:g}V{y2:g}"/>']
    return lines + ([text("label", (x1 + x) / 2, y - 6, label, "middle")] if label else [])


def note(grid, column, row, columns, texts):
    left, top, _, _ = grid.box(column, row, columns)
    return [text("label", left, top + 16 + 15 * n, line, "start") for n, line in enumerate(texts)]


def group(grid, column, row, columns, rows, title):
    left, top, right, bottom = grid.box(column, row, columns, rows)
    left, top, right, bottom = left - 8, top - 24, right + 8, bottom + 8
    return [f'<rect class="group" x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" rx="8"/>',
            text("label", left + 8, top + 15, title, "start")], (right, bottom)


def draw(source):
    grid, boxes, groups, rest, arrows, edges = Grid(), {}, [], [], [], []
    for number, line in lines_of(source):
        word, values, texts = line
        if word == "size" and len(values) in (2, 3):
            grid = Grid(*map(int, values))
        elif word == "box" and len(values) == 4 and len(texts) == 2:
            boxes[values[0]] = Box(grid, *map(int, values[1:]), *texts)
        elif word == "note" and len(values) == 3 and texts:
            numbers = list(map(int, values))
            rest += note(grid, *numbers, texts)
            _, top, right, _ = grid.box(*numbers)
            edges.append((right, top + 15 * len(texts) + 6))
        elif word == "group" and len(values) == 4 and len(texts) == 1:
            drawn, edge = group(grid, *map(int, values), texts[0])
            groups += drawn
            edges.append(edge)
        elif word in STYLES and len(values) == 2 and len(texts) == 1 and set(values) <= boxes.keys():
            arrows += arrow(STYLES[word], boxes[values[0]], boxes[values[1]], texts[0])
        elif word == "turn" and len(values) == 2 and len(texts) == 1 and set(values) <= boxes.keys():
            arrows += turn(boxes[values[0]], boxes[values[1]], texts[0])
        else:
            sys.exit(f"line {number} is neither a box nor an arrow between boxes: {' '.join([word, *values])}")
    edges += [(box.right, box.bottom) for box in boxes.values()]
    body = groups + [line for box in boxes.values() for line in box.svg()] + arrows + rest
    return image(max(x for x, _ in edges) + MARGIN, max(y for _, y in edges) + MARGIN, body)


STEP, LANE = 34, 182


def sequence(source):
    actors, body, y, bottoms = {}, [], MARGIN + HEIGHT + 28, []
    for number, (word, values, texts) in lines_of(source):
        if word == "size" and len(values) == 2:
            continue
        if word == "actor" and len(values) == 1 and len(texts) == 2:
            fits(texts[0], 8.1, LANE - 12)
            actors[values[0]] = (len(actors), *texts)
        elif word in ("say", "answer") and len(values) == 2 and len(texts) == 1 and set(values) <= actors.keys():
            body += message("arrow" if word == "say" else "arrow dashed", *(actors[name][0] for name in values), y, texts[0])
            y += STEP + (10 if values[0] == values[1] else 0)
        elif word == "at" and len(values) == 1 and texts and set(values) <= actors.keys():
            body += remark(actors[values[0]][0], y - 14, texts)
            y += 14 + 15 * len(texts)
        elif word == "gap" and not values and len(texts) == 1:
            body += [text("label", MARGIN, y + 2, texts[0], "start"),
                     f'<path class="life" d="M{MARGIN} {y + 10}H{MARGIN + len(actors) * LANE - 10}"/>']
            y += STEP + 8
        else:
            sys.exit(f"line {number} is no part of a sequence: {' '.join([word, *values])}")
    heads = []
    for place, title, small in actors.values():
        left = MARGIN + place * LANE
        heads += [f'<path class="life" d="M{center(place):g} {MARGIN + HEIGHT}V{y}"/>',
                  f'<rect class="box" x="{left}" y="{MARGIN}" width="{LANE - 12}" height="{HEIGHT}" rx="6"/>',
                  text("title", center(place), MARGIN + (21 if small else 30), title, "middle")]
        heads += [text("packages", center(place), MARGIN + 38, small, "middle")] if small else []
    return image(MARGIN * 2 + len(actors) * LANE - 12, y + MARGIN, heads + body)


def center(place):
    return MARGIN + place * LANE + (LANE - 12) / 2


def message(style, start, end, y, label):
    x1, x2 = center(start), center(end)
    if start == end:
        path = f'M{x1:g} {y:g}h24v14H{x1 + 3:g}'
        return [f'<path class="{style}" d="{path}"/>', *plate(x1 + 30, y + 10, label, "start")]
    x1, x2 = (x1 + 2, x2 - 3) if start < end else (x1 - 2, x2 + 3)
    return [f'<path class="{style}" d="M{x1:g} {y:g}H{x2:g}"/>', *plate((x1 + x2) / 2, y - 6, label, "middle")]


def plate(x, y, label, anchor):
    """A label on a background, so that the line of an actor behind it does not disturb."""
    if not label:
        return []
    width = 5.9 * len(label) + 6
    left = x - (width / 2 if anchor == "middle" else 3)
    return [f'<rect class="page" x="{left:g}" y="{y - 11:g}" width="{width:g}" height="14"/>', text("label", x, y, label, anchor)]


def remark(place, y, texts):
    left, height = MARGIN + place * LANE + 4, 8 + 15 * len(texts)
    return [f'<rect class="box" x="{left:g}" y="{y:g}" width="{LANE - 20}" height="{height}" rx="3"/>',
            *(text("label", center(place), y + 15 + 15 * n, line, "middle") for n, line in enumerate(texts))]


def lines_of(source):
    for number, line in enumerate(source.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            head, *texts = (part.strip() for part in line.split("|"))
            word, *values = head.split()
            yield number, (word, values, texts)


def image(width, height, body):
    more = MORE_STYLE if any(name in line for line in body for name in ("dashed", "group", "life", 'class="page"')) else ""
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f"  <style>{STYLE}{more.lstrip(chr(10))}  </style>",
        '  <defs><marker id="head" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">'
        '<path class="head" d="M0 0L8 4L0 8z"/></marker></defs>',
        *("  " + line for line in body),
        "</svg>", ""])


def picture(source):
    return sequence(source) if any(word == "actor" for _, (word, _, _) in lines_of(source)) else draw(source)


def main(arguments):
    check, paths = "--check" in arguments, [Path(name) for name in arguments if name != "--check"]
    if not paths:
        sys.exit(__doc__.strip())
    stale = []
    for path in paths:
        drawn, target = picture(path.read_text(encoding="utf-8")), path.with_suffix(".svg")
        if not check:
            target.write_text(drawn, encoding="utf-8")
        elif not target.exists() or target.read_text(encoding="utf-8") != drawn:
            stale.append(f"{target} is not the image of {path}: run dev/lib/drawing.py {path}")
    print("\n".join(stale) or f"{len(paths)} drawings are those of their texts")
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
