"""Pages of the local site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

STYLE = (
    "body{font:16px sans-serif;max-width:44em;margin:2em auto;padding:0 1em}label{display:block;margin:.8em 0}"
    "input,select,textarea{font:inherit;margin-left:.5em}td,th{padding:.3em 1em;text-align:left}"
)


def page(title: str, body: str) -> str:
    """A page with a heading."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style></head><body><h1>{escape(title)}</h1>{body}</body></html>"
    )


def form(path: str, fields: Mapping[str, str], button: str) -> str:
    """A form that is sent to `path`: text fields by name, each with its label."""
    rows = "".join(
        f'<label>{escape(label)}<input name="{escape(name)}" autocomplete="off"></label>'
        for name, label in fields.items()
    )
    return f'<form method="post" action="/{escape(path)}">{rows}<button>{escape(button)}</button></form>'


def table(rows: Sequence[Sequence[str]]) -> str:
    """A table whose first row is its head."""
    head, *body = rows
    lines = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in body)
    return f"<table><tr>{''.join(f'<th>{escape(cell)}</th>' for cell in head)}</tr>{lines}</table>"


def links(targets: Mapping[str, str]) -> str:
    """A list of links: path to words."""
    items = "".join(f'<li><a href="/{escape(path)}">{escape(words)}</a></li>' for path, words in targets.items())
    return f"<ul>{items}</ul>"


def message(path: str) -> str:
    """A voice message with a button that plays it; the page reports when it was played to its end."""
    return (
        f'<audio id="message" src="/{escape(path)}" preload="none" '
        "onended=\"fetch('/listened', {method: 'POST'})\"></audio>"
        "<button onclick=\"document.getElementById('message').play()\">Play the message</button>"
    )
