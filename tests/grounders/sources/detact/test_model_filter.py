"""The filter by a model: what it is told, and what becomes of its answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from omnipilot.envs import Box, ConfigError, Element, Image, Observation, Size
from omnipilot.grounders.sources.detact import DetAct
from omnipilot.memory import Message, Reply, Usage

SIZE = Size(200, 100)
FOUND = tuple(
    Element(role, name, Box.from_pixels(10 * at, 10, 10 * at + 10, 20, SIZE))
    for at, (role, name) in enumerate([("text", "Save"), ("image", "trash"), ("color", "blue"), ("text", "Help")])
)


class Model:
    """Answers with what it is given, and keeps what it was asked."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.asked: list[Sequence[Message]] = []

    def complete(self, messages: Sequence[Message], **how: Any) -> Reply:
        """The answer."""
        assert how["schema"]["required"] == ["elements"]
        self.asked.append(messages)
        return Reply(self.text, usage=Usage(calls=1))


def filtered(monkeypatch: pytest.MonkeyPatch, text: str, keep: int = 20) -> tuple[list[str], Model]:
    """The names that are left of `FOUND`."""
    source = DetAct("openai/some", key_env="SOME_KEY", filter="model", keep=keep)
    model = Model(text)
    monkeypatch.setattr(source, "_client", model)
    monkeypatch.setattr(source, "read", lambda picture, seconds: FOUND)
    seen = Observation("screen", 0.0, SIZE, screenshot=Image.raw(SIZE, bytes(60_000)))
    found = source.find(seen, "Press Help")
    assert found.usage.calls == 1 and set(found.seconds) == {"filter"}
    return [one.name for one in found.elements], model


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key, without which no model is made."""
    monkeypatch.setenv("SOME_KEY", "no-key-at-all")


def test_it_keeps_the_numbers_of_the_reply_and_ignores_unknown_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    names, model = filtered(monkeypatch, 'They are {"elements": [3, 99, 0, 2, true, "4"]}')
    assert names == ["trash", "blue"]
    ((system, user),) = model.asked
    assert "at most 20" in str(system.parts[0])
    assert '2. icon "trash" at (15, 15)' in str(user.parts[0]) and "Press Help" in str(user.parts[0])


def test_of_too_many_it_keeps_those_named_first(monkeypatch: pytest.MonkeyPatch) -> None:
    assert filtered(monkeypatch, json.dumps({"elements": [4, 1, 2, 3]}), keep=2)[0] == ["Save", "Help"]


@pytest.mark.parametrize("text", ["none of them", '{"elements": []}', '{"elements": [77]}', '{"elements": 4}', "{}"])
def test_without_a_usable_answer_the_words_decide(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    assert filtered(monkeypatch, text, keep=1)[0] == ["Help"]


def test_a_filter_by_a_model_names_one() -> None:
    with pytest.raises(ConfigError, match="needs the option model"):
        DetAct(filter="model")
    assert set(DetAct("openai/some", key_env="SOME_KEY", filter="model").identity()) == {"prompt"}
