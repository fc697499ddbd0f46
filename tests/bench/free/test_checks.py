"""The grammar of checks: what is read, and what is told of a mistake, with its place and the cure."""

from __future__ import annotations

import pytest

from omnipilot.bench.free.checks import EXAMPLES, KINDS, Check, read_check
from omnipilot.envs import ConfigError


def read(written: str) -> tuple[str, str, str, str, bool]:
    one = read_check(written, ["page"])
    return one.kind, one.subject, one.operator, one.value, one.negated


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("url contains /thanks", ("url", "", "contains", "/thanks", False)),
        ("not url is https://a.b/c d", ("url", "", "is", "https://a.b/c d", True)),
        ('text contains "it is done"', ("text", "", "contains", "it is done", False)),
        ("text contains 'say \"yes\"'", ("text", "", "contains", 'say "yes"', False)),
        ('text is ""', ("text", "", "is", "", False)),
        ('element list"It is" > button"Send" exists', ("element", 'list"It is" > button"Send"', "exists", "", False)),
        ('element textbox"Name" is Ann', ("element", 'textbox"Name"', "is", "Ann", False)),
        ("storage local cart matches ^\\d+$", ("storage", "local cart", "matches", "^\\d+$", False)),
        ("storage cookie session exists", ("storage", "cookie session", "exists", "", False)),
        ("js document.title === 'is it'", ("js", "document.title === 'is it'", "holds", "", False)),
        ("file my notes.txt contains x", ("file", "my notes.txt", "contains", "x", False)),
        ('file "what is.txt" exists', ("file", "what is.txt", "exists", "", False)),
        ('shell grep -q "what is" notes', ("shell", 'grep -q "what is" notes', "holds", "", False)),
        ('not shell "cat notes" contains 4', ("shell", "cat notes", "contains", "4", True)),
        ("page: text matches (?i)thanks", ("text", "", "matches", "(?i)thanks", False)),
    ],
)
def test_a_check_is_read(written: str, expected: tuple[str, str, str, str, bool]) -> None:
    assert read(written) == expected


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("", "character 1: a check begins with one of url, text"),
        ("ulr contains x", "character 1: there is no kind of check 'ulr'; did you mean url?"),
        ("url has x", "character 5: 'has' is no operator of 'url': write is, contains or matches, as in 'url contains"),
        ("url exists", "'exists' is no operator of 'url'"),
        ("url contains", "character 5: a text is missing after 'contains'|a text is missing after 'contains'"),
        ("url is not x", "character 8: 'not' stands before the kind, as in 'not url is …'; if it is part of the text"),
        ("url not contains x", "character 5: 'not' stands before the kind: not url …"),
        ('text contains "x', 'character 15: this " is never closed'),
        ('text contains "x" y', "character 19: something follows the text in quotes"),
        ("text matches a(b", "character 15: it is no regular expression: missing"),
        ("element >> exists", "character 9: a path of elements is like list"),
        ("element exists", "character 9: a path of elements is missing"),
        ("storage cart exists", "character 9: 'cart' is no place where pages store; use one of local, session, cookie"),
        ("file notes.txt", "character 15: the operator is missing: write is, contains, matches or exists"),
        ("file notes.txt exists now", "character 23: 'exists' ends a check"),
        ('shell "cat notes" | grep x', "'|' is no operator of 'shell'.*put a command that is followed by one"),
        ("js", "character 3: an expression is missing"),
        ("phone: text is x", "character 1: there is no device 'phone'; use one of page"),
    ],
)
def test_a_mistake_is_told_with_its_place_and_a_cure(written: str, told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(written)
    if "|" in told and "grep" not in written:
        assert any(one in str(caught.value) for one in told.split("|"))
    elif ".*" in told:
        first, rest = told.split(".*")
        assert first in str(caught.value) and rest in str(caught.value)
    else:
        assert told in str(caught.value)


def test_of_several_devices_a_check_says_which() -> None:
    assert read_check("phone: text is x", ["page", "phone"]).device == "phone"
    assert read_check("mine-phone: text is x", ["mine", "page"]).device == "mine-phone"
    assert read_check("text is x", ["page", "phone"], "phone").device == "phone"
    with pytest.raises(ConfigError, match="several devices: begin with the one that it is about, as in page: text"):
        read_check("text is x", ["page", "phone"])


def test_every_kind_has_an_example_that_is_read() -> None:
    assert set(EXAMPLES) == set(KINDS)
    assert [read_check(one, ["page"]).kind for one in EXAMPLES.values()] == list(EXAMPLES)


@pytest.mark.parametrize(
    ("kind", "operator", "value", "found", "holds"),
    [
        ("text", "contains", "thank  YOU", "Thank you, Ann", True),
        ("text", "is", "thanks", "Thanks", True),
        ("url", "contains", "/Thanks", "http://a/thanks", False),
        ("file", "is", "42", "42 ", False),
        ("url", "matches", r"/\d+$", "http://a/17", True),
    ],
)
def test_words_on_screens_are_compared_without_case_and_all_else_exactly(
    kind: str, operator: str, value: str, found: str, holds: bool
) -> None:
    assert Check("", "page", kind, "", operator, value).compare(found) is holds  # type: ignore[arg-type]
