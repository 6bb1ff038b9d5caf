"""What the library's pages have in common: one file each, that needs no other."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from html import escape
from io import BytesIO
from pathlib import Path

from PIL import Image

_WIDTH = 900  # pixels of a picture
_STYLE = """
:root { color-scheme: light dark; --ink: #23272f; --paper: #faf9f6; --line: #d9d6cd; --soft: #6b7280;
  --good: #cfe8cf; --bad: #f3c4bd; --unable: #f2e3b3; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7e5df; --paper: #1b1d21; --line: #3a3d44; --soft: #9aa1ac;
  --good: #2d4a33; --bad: #5c2f2a; --unable: #54481f; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 72rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; } h3 { font-size: 1rem; margin: 1.6rem 0 0.3rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: 0.25rem 0.7rem; text-align: left; }
td a { color: inherit; text-decoration: none; } td.good { background: var(--good); } td.bad { background: var(--bad); }
td.unable { background: var(--unable); } .soft { color: var(--soft); } img { max-width: 100%; border-radius: 6px; }
code { font-size: 0.85em; overflow-wrap: anywhere; } li { margin: 0.2rem 0; }
"""


def document(title: str, parts: Iterable[str]) -> str:
    """A whole page, of parts that are HTML."""
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return (
        f'<!doctype html><html lang="en"><head>{head}<style>{_STYLE}</style></head><body>{"".join(parts)}</body></html>'
    )


def embedded(path: Path) -> str:
    """A picture as the page's own data."""
    with Image.open(path) as picture:
        small = picture.convert("RGB")
    small.thumbnail((_WIDTH, 4 * _WIDTH))
    data = BytesIO()
    small.save(data, "JPEG", quality=75, optimize=True)
    return f"data:image/jpeg;base64,{base64.b64encode(data.getvalue()).decode()}"


def listed(items: Iterable[str]) -> str:
    """A list of items that are HTML; nothing if there are none."""
    found = "".join(f"<li>{item}</li>" for item in items)
    return f"<ul>{found}</ul>" if found else ""
