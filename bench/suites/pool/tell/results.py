"""What a clause finds out, as a noun, so that others can speak of it where they need it and it need not be said.

'open the mail "Door code" and read the code in it' finds out 'the code in the mail "Door code"'; 'find the note that
says [code] and open it' finds 'the note that says [code]'.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources

from omnipilot.bench.suites.pool.tell.clauses import APP

_QUOTED = re.compile(r'"[^"]*"')
_OPENED = re.compile(
    r"(?:open|play|look at) (?P<thing>(?:the |[\[{\"]).+) and (?P<sense>read|listen for|watch for) (?P<fact>.+)"
)
_RUN = re.compile(r"run (?P<line>\"[^\"]*\"(?: with .+)?) on (?P<thing>.+) and read (?P<fact>.+)")
_READ = re.compile(r"read (?P<fact>.+)")
_FOUND = re.compile(r"find (?P<thing>the .+) and open it")
LOOK_UP = "look up "
"""How a clause begins that asks for nothing but to find something out."""


@lru_cache(maxsize=1 << 13)
def result_of(clause: str) -> str:
    """What a clause, without its device, finds out or finds, as a noun; "" where it does something else."""
    said = APP.sub("", clause)
    masked = _QUOTED.sub(lambda match: f'"{"x" * (len(match[0]) - 2)}"', said)

    def part(match: re.Match[str], name: str) -> str:
        return said[match.start(name) : match.end(name)]

    if found := _FOUND.fullmatch(masked):
        return part(found, "thing")
    if found := _RUN.fullmatch(masked):
        fact, thing = part(found, "fact"), part(found, "thing")
        if fact.endswith(" that it prints"):
            return f"{fact.removesuffix(' that it prints')} that {part(found, 'line')} prints for {thing}"
        return _fact_of(fact, thing)
    if found := _OPENED.fullmatch(masked):
        fact, thing = part(found, "fact"), part(found, "thing")
        if _QUOTED.fullmatch(thing):
            return fact  # A page of the application.
        plain = found["sense"] == "read" or re.search(r"\bit\b", fact)
        return _fact_of(fact, thing) if plain else f"{fact} in {thing}"
    found = _READ.fullmatch(masked)
    return part(found, "fact") if found else ""


@lru_cache(maxsize=1 << 13)
def looked_up(clause: str) -> str:
    """A clause that only finds something out, as 'look up the code in the mail "Door code"', or "open the note that …";
    "" for any other."""
    app = APP.match(clause)
    said = clause[app.end() :] if app else clause
    verb = "open " if said.startswith("find ") else LOOK_UP
    what = result_of(clause)
    return f"{app[0] if app else ''}{verb}{what}" if what else ""


def names_its_app(app: str, said: str) -> bool:
    """Whether the first thing that a clause speaks of is of one application alone, which need not be named."""
    nouns = _own_nouns().get(app)
    if not nouns:
        return False
    first = _every_noun().search(_QUOTED.sub('""', said))
    return first is not None and first[1] in nouns


def _fact_of(fact: str, thing: str) -> str:
    if fact == "who is named in it":
        return f"the person named in {thing}"
    if fact.endswith(" in it"):
        return f"{fact.removesuffix(' in it')} in {thing}"
    said, found = re.subn(r"\bit\b|(?<=\b)its\b", lambda match: thing if match[0] == "it" else "the", fact, count=1)
    if found and thing in said:
        return said
    return f"{said} of {thing}"


@cache
def _own_nouns() -> Mapping[str, frozenset[str]]:
    text = resources.files(__package__).joinpath("presets/condensed.toml").read_text(encoding="utf-8")
    return {app: frozenset(nouns) for app, nouns in tomllib.loads(text)["own"].items()}


@cache
def _every_noun() -> re.Pattern[str]:
    nouns = {noun for nouns in _own_nouns().values() for noun in nouns} | {"document", "folder", "file", "page"}
    return re.compile(rf"\b({'|'.join(sorted(nouns, key=len, reverse=True))})\b(?! of the )")
