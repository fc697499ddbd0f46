"""What an encyclopedia's page says of a country."""

from __future__ import annotations

import re
from html.parser import HTMLParser


class _InfoBox(HTMLParser):
    """Collects the rows of the first table of class `infobox`: texts of its headings and cells."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[tuple[str, str]] = []
        self._depth = 0
        self._over = False
        self._into = ""
        self._row = {"th": "", "td": ""}
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table" and (self._depth or "infobox" in (dict(attrs).get("class") or "").split()):
            self._depth += not self._over
        if not self._depth:
            return
        if tag in ("style", "script"):
            self._hidden += 1
        elif tag == "tr" and self._depth == 1:
            self._row = {"th": "", "td": ""}
        elif tag in ("th", "td") and self._depth == 1:
            self._into = tag

    def handle_endtag(self, tag: str) -> None:
        if not self._depth:
            return
        if tag == "table":
            self._depth -= 1
            self._over = not self._depth
        elif tag in ("style", "script"):
            self._hidden = max(0, self._hidden - 1)
        elif tag == "tr" and self._depth == 1:
            self.rows.append((" ".join(self._row["th"].split()), " ".join(self._row["td"].split())))
            self._into = ""
        elif tag == self._into and self._depth == 1:
            self._into = ""

    def handle_data(self, data: str) -> None:
        if self._depth == 1 and self._into and not self._hidden:
            self._row[self._into] += data


def country_facts(page: str) -> tuple[str, str]:
    """Capital and population from an encyclopedia's page of a country: the words of its box's cell "Capital", and the
    digits of the first number beside, or below, "Population". "" for what it does not tell."""
    box = _InfoBox()
    box.feed(page)
    capital = population = ""
    for at, (heading, cell) in enumerate(box.rows):
        if "Capital" in heading and not capital:
            capital = cell
        if "Population" in heading and not population:
            below = box.rows[at + 1][1] if at + 1 < len(box.rows) else ""
            number = re.search(r"\d{1,3}(?:,\d{3})+|\d{4,}", cell or below)
            population = number[0].replace(",", "") if number else ""
    return capital, population
