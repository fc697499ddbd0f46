"""How what is observed shows itself in a notebook: as HTML in which everything that came from a device is escaped."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Sequence


def media_tag(data: bytes, kind: str, words: str) -> str:
    """A picture or a sound as a tag that holds it: `kind` is such as "image/png", `words` stand for it in text."""
    address = f"data:{kind};base64,{base64.b64encode(data).decode()}"
    if kind.startswith("audio/"):
        return f'<audio controls src="{address}" title="{html.escape(words)}"></audio>'
    return f'<img src="{address}" alt="{html.escape(words)}" style="max-width: 480px">'


def paragraph(text: str) -> str:
    """Words in a paragraph of their own."""
    return f"<p>{html.escape(text)}</p>"


def folded_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table below a title that opens it."""
    head = "".join(f"<th>{html.escape(one)}</th>" for one in columns)
    body = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<details><summary>{html.escape(title)}</summary><table><tr>{head}</tr>{body}</table></details>"
