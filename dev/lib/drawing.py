#!/usr/bin/env python3
"""Turns the text of a drawing into an SVG with the same name, which follows the reader's light or dark theme.

usage: drawing.py FILE.txt
"""
import html
import sys
from pathlib import Path

COLUMN, ROW, WIDTH, HEIGHT, MARGIN = 240, 92, 170, 50, 10

STYLES = {"arrow": "arrow", "both": "arrow both"}

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


class Box:
    def __init__(self, column, row, columns, title, packages):
        self.left = MARGIN + column * COLUMN
        self.top = MARGIN + row * ROW
        self.right = self.left + (columns - 1) * COLUMN + WIDTH
        self.bottom = self.top + HEIGHT
        self.title, self.packages = title, packages

    def svg(self):
        middle = (self.left + self.right) / 2
        lines = [
            f'<rect class="box" x="{self.left}" y="{self.top}" width="{self.right - self.left}" height="{HEIGHT}" rx="6"/>',
            text("title", middle, self.top + (21 if self.packages else 30), self.title, "middle"),
        ]
        if self.packages:
            lines.append(text("packages", middle, self.top + 38, self.packages, "middle"))
        return lines


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


def draw(source):
    boxes, arrows = {}, []
    for number, line in enumerate(source.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        head, *texts = (part.strip() for part in line.split("|"))
        word, *values = head.split()
        if word == "box" and len(values) == 4 and len(texts) == 2:
            boxes[values[0]] = Box(*map(int, values[1:]), *texts)
        elif word in STYLES and len(values) == 2 and len(texts) == 1 and set(values) <= boxes.keys():
            arrows += arrow(STYLES[word], boxes[values[0]], boxes[values[1]], texts[0])
        else:
            sys.exit(f"line {number} is neither a box nor an arrow between boxes: {line}")
    width = max(box.right for box in boxes.values()) + MARGIN
    height = max(box.bottom for box in boxes.values()) + MARGIN
    body = [line for box in boxes.values() for line in box.svg()] + arrows
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f"  <style>{STYLE}  </style>",
        '  <defs><marker id="head" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">'
        '<path class="head" d="M0 0L8 4L0 8z"/></marker></defs>',
        *("  " + line for line in body),
        "</svg>", ""])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip().splitlines()[-1])
    path = Path(sys.argv[1])
    path.with_suffix(".svg").write_text(draw(path.read_text()))
