"""Questions that a model writes and others check, behind real HTTP."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from chat_server import Answer, Behaviour, ChatServer, Request
from command_line import omnipilot

from omnipilot.bench.suites.mmbench_gui.level1.data import load

LEVELS = ("easy", "medium", "hard")


def question(level: str, **more: Any) -> dict[str, Any]:
    options = [f"{word} for {level}" for word in ("Red", "Green", "Blue", "Grey")]
    made = {"difficulty": level, "question": f"Which colour is {level}?", "options": options, "answer": options[2]}
    return {**made, "explanation": "It is blue.", **more}


def listed(*ones: dict[str, Any]) -> Answer:
    return Answer(json.dumps({"questions": list(ones)}))


def judged(level: str, valid: bool = True, why: str = "", replacement: Any = None) -> dict[str, Any]:
    return {"difficulty": level, "valid": valid, "why": why, "replacement": replacement}


def wrote(**easy: Any) -> Answer:
    """Questions of a model, of which the easy one is changed."""
    return listed(question("easy", **easy), *map(question, LEVELS[1:]))


def said(why: str, replacement: Any = None) -> Answer:
    """What a checker says that finds the easy one not valid."""
    return listed(judged("easy", False, why, replacement), *map(judged, LEVELS[1:]))


SOUND = listed(*(judged(level) for level in LEVELS))


def by_stage(write: Answer, *checks: Answer) -> Callable[[Request], Behaviour]:
    """A server that writes always the same, and checks in turn."""
    left = list(checks)

    def answer(request: Request) -> Behaviour:
        if "You check questions" not in str(request.json["messages"][0]["content"]):
            return write
        return left.pop(0) if len(left) > 1 else left[0]

    return answer


def flags(server: ChatServer, *more: str) -> list[str]:
    return ["--model", "openai-compatible/one", "--url", server.url, "--price-in", "1", "--price-out", "1", *more]


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    from PIL import Image

    path = tmp_path / "screen.png"
    Image.frombytes("RGB", (320, 200), random.Random(1).randbytes(320 * 200 * 3)).save(path)
    return path


def make(tmp_path: Path, picture: Path, *words: str) -> Any:
    return omnipilot("questions", "make", str(tmp_path / "out"), "--picture", str(picture), *words)


def test_what_the_checkers_find_valid_is_data_that_the_suite_reads(tmp_path: Path, picture: Path) -> None:
    checkers = ("--checker", "openai-compatible/two", "--checker", "openai-compatible/three")
    with ChatServer(by_stage(listed(*map(question, LEVELS)), SOUND)) as server:
        told = make(tmp_path, picture, *flags(server, *checkers, "--app", "Paint"))
        assert told.returncode == 0, told.stderr
        assert [request.json["model"] for request in server.requests] == ["one", "two", "three"]
        assert all(
            sum(part["type"] == "image_url" for part in request.json["messages"][1]["content"]) == 1
            for request in server.requests
        )
    assert "1 screens have questions now, 0 of 3 by a checker; 0 screens have none" in told.stdout
    items = load(str(tmp_path / "out")).loaded.items
    assert [one.id for one in items] == ["0-easy", "0-medium", "0-hard"]
    assert {dict(one.options)[one.answer] for one in items} == {f"Blue for {level}" for level in LEVELS}
    (made,) = json.loads((tmp_path / "out" / "L1_annotations.json").read_text())
    assert made["made_by"] == ["openai-compatible/one", "openai-compatible/two", "openai-compatible/three"]


def test_a_replacement_stands_where_its_writer_finds_it_valid_when_asked_again(tmp_path: Path, picture: Path) -> None:
    better = question("hard", question="Which of these comes last?")
    first = listed(judged("easy"), judged("medium"), judged("hard", False, "two are right", better))
    with ChatServer(by_stage(listed(*map(question, LEVELS)), first, SOUND)) as server:
        told = make(tmp_path, picture, *flags(server))
        assert len(server.requests) == 3
    assert "1 of 3 by a checker" in told.stdout
    assert load(str(tmp_path / "out")).loaded.items[2].question == "Which of these comes last?"


@pytest.mark.parametrize(
    ("write", "check", "why"),
    [
        (listed(*map(question, LEVELS[:2])), SOUND, "there is one for each of easy, medium, hard"),
        (wrote(answer="Violet"), SOUND, "the answer is one of the options"),
        (wrote(options=["a", "a", "b", "c"]), SOUND, "options of a question differ"),
        (wrote(question="What does Paint show?"), SOUND, "names the application"),
        (Answer("import os"), SOUND, "there is no JSON object"),
        (wrote(), said("not on it"), "not on it"),
        (wrote(), said("bad", question("easy", options=["x"])), "the replacement cannot be used"),
        (wrote(), said("bad", question("easy")), "finds its own replacement not valid"),
        (wrote(), listed(judged("easy")), "there is one for each"),
    ],
)
def test_what_does_not_hold_is_dropped_with_its_reason(
    tmp_path: Path, picture: Path, write: Answer, check: Answer, why: str
) -> None:
    with ChatServer(by_stage(write, check)) as server:
        told = make(tmp_path, picture, *flags(server, "--app", "Paint"))
    assert "0 screens have questions now" in told.stdout and why in told.stdout
    assert told.returncode != 0 and "no screen has questions" in told.stderr


def test_screens_that_have_questions_are_not_asked_for_again(tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    with ChatServer(by_stage(listed(*map(question, LEVELS)), SOUND)) as server:
        # A call costs $0.000014: the money ends after the first of the 14 screens.
        ended = omnipilot("questions", "make", out, *flags(server, "--budget", "0.00002"))
        assert ended.returncode != 0 and "is spent" in ended.stderr and "2 calls" in ended.stdout
        assert len(server.requests) == 2
        told = omnipilot("questions", "make", out, *flags(server))
        assert told.returncode == 0 and len(server.requests) == 28
    assert "13 screens have questions now" in told.stdout
    assert len(load(out).loaded.items) == 42


def test_a_model_without_the_picture_is_one_of_the_guessers(tmp_path: Path) -> None:
    assert omnipilot("questions", "make", str(tmp_path)).returncode == 0
    rights = {
        "\n".join([one.question, *(f"{letter}. {text}" for letter, text in one.options)]): one.answer
        for one in load(str(tmp_path)).loaded.items
    }

    def knows(request: Request) -> Behaviour:
        asked = request.json["messages"][1]["content"]
        text = asked if isinstance(asked, str) else asked[0]["text"]
        assert "image_url" not in str(asked)
        return Answer(json.dumps({"answer": rights[text]}))

    with ChatServer(knows) as server:
        told = omnipilot("questions", "check", str(tmp_path), *flags(server))
        assert len(server.requests) == 42
    assert "without the picture, openai-compatible/one:" in told.stdout
    assert "fault: who takes openai-compatible/one gets" in told.stdout and "42 calls" in told.stdout


def test_pictures_and_checkers_need_a_model(tmp_path: Path, picture: Path) -> None:
    refused = make(tmp_path, picture)
    assert refused.returncode != 0 and "name it with --model" in refused.stderr
