from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from omnipilot.bench.judges.state_path import NOTHING, StatePath, compare
from omnipilot.envs import ConfigError


@dataclass(frozen=True)
class Note:
    id: str
    title: str
    text: str = ""
    pinned: bool = False
    stars: int = 0
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Thread:
    contact: str
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class State:
    notes: tuple[Note, ...] = ()
    threads: tuple[Thread, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    front: Note | None = None

    def size(self) -> int:
        return len(self.notes)


FIRST, SECOND = Note("n1", "Plants", "Water", stars=2), Note("n2", 'My "list", 2', "Bread, milk", True, 5)
STATE = State(
    (FIRST, SECOND),
    (Thread("ann", (Note("a", "Hi"),)),),
    {"browser/address": "https://a.example", "x": {"y": 3}},
    FIRST,
)


def values(path: str, state: State = STATE, start: Any = NOTHING) -> list[Any]:
    return [now for now, _ in StatePath.parse(path).places(state, start)]


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("front.title", ["Plants"]),
        ("notes[*].title", ["Plants", 'My "list", 2']),
        ("notes[0].title", ["Plants"]),
        ("notes[-1].id", ["n2"]),
        ("notes[7].id", []),
        ("notes[pinned=true].id", ["n2"]),
        ("notes[pinned=false, stars>1].id", ["n1"]),
        ("notes[stars>=2, stars<5].id", ["n1"]),
        ("notes[stars ≥ 2].id", ["n1", "n2"]),
        ('notes[title="My \\"list\\", 2"].text', ["Bread, milk"]),
        ("notes[text~milk].id", ["n2"]),
        ("notes[text !~ milk].id", ["n1"]),
        ('notes[id in ["n2", "n3"]].id', ["n2"]),
        ('notes[id not in ["n2"]].id', ["n1"]),
        ("notes[title!=Plants].id", ["n2"]),
        ("notes[title=12:30].id", []),
        ("threads[contact=ann].notes[*].title", ["Hi"]),
        ('fields["browser/address"]', ["https://a.example"]),
        ("fields.x.y", [3]),
        ('fields["none"]', []),
    ],
)
def test_a_path_leads_to_values(path: str, found: list[Any]) -> None:
    assert values(path) == found


def test_none_is_no_value() -> None:
    assert values("front.title", replace(STATE, front=None)) == []


def test_items_have_an_age_beside_the_start() -> None:
    later = replace(STATE, notes=(replace(FIRST, stars=9), SECOND, Note("n3", "New")))
    assert values("notes[new].id", later, STATE) == ["n3"]
    assert values("notes[old].id", later, STATE) == ["n1", "n2"]
    assert values("notes[changed].id", later, STATE) == ["n1"]
    assert values("notes[new, title=Plants].id", later, STATE) == []
    assert StatePath.parse("notes[id=n1].stars").places(later, STATE) == [(9, 2)]
    # Equal items without an id are counted, not merged.
    twice = State(front=Note("n", "", lines=("a", "a")))
    assert values("front.lines[new]", twice, State(front=Note("n", "", lines=("a",)))) == ["a"]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("", "needs a name at character 1"),
        ("notes[", "at character 7"),
        ("notes[title", "a comparison"),
        ("notes[title=]", 'an empty text is ""'),
        ('notes[title="a]', "a whole value in JSON"),
        ("notes title", "'.' and a name"),
        ("notes[*", "']'"),
        ("_secret", "a name"),
        ("notes.__class__", "a name"),
    ],
)
def test_what_is_no_path_is_refused_with_the_place(path: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words.replace("[", r"\[")):
        StatePath.parse(path)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("note[*]", "State has no note; did you mean notes"),
        ("notes.title", r"pick items before \.title"),
        ("size", "State has no size"),
        ("front.title[0]", "brackets need a collection"),
        ("front.title.x", "end the path before it"),
        ('notes["n1"]', "needs a table"),
    ],
)
def test_a_path_that_does_not_fit_the_state_says_why(path: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        values(path)


def test_values_are_compared_as_they_are() -> None:
    assert compare("=", (1, "a"), [1, "a"]) and compare("=", 1, 1.0)
    assert not compare("=", True, 1) and not compare("=", "A", "a")
    assert not compare("<", "a", 1) and not compare(">", None, 1) and not compare(">", True, 0)
    assert compare("~", ("a", "b"), "b") and not compare("~", None, "b")
