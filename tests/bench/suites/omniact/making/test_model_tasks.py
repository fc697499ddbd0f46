"""Tasks and wordings that a model writes, behind real HTTP: only what is checked, played and read again counts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chat_server import Answer, Behaviour, ChatServer, Request
from command_line import omnipilot

from omnipilot.bench.suites.omniact.making.records import MakingFolder

GOOD = {
    "wordings": ["Begin a new mail", "I want to write to somebody", "Start a message from scratch"],
    "script": ["pyautogui.click(<compose>)"],
}
DRAFTS = {"wordings": ["Show unfinished mails", "What did I not send yet?", "Go to the drafts"]}


def words_of(request: Request) -> tuple[str, int]:
    """What a request asks in words, and how many pictures it shows."""
    parts = request.json["messages"][1]["content"]
    return "\n".join(one["text"] for one in parts if one["type"] == "text"), sum(
        one["type"] == "image_url" for one in parts
    )


def answers(tasks: list[dict[str, Any]], invalid: dict[int, str] | None = None) -> Callable[[Request], Behaviour]:
    """A model that writes these tasks, and calls those with these numbers not valid."""

    def answer(request: Request) -> Behaviour:
        if "You check tasks" not in str(request.json["messages"][0]["content"]):
            return Answer(json.dumps({"tasks": tasks}))
        numbers = [int(one) for one in re.findall(r"^(\d+)\. Wordings", words_of(request)[0], re.M)]
        said = invalid or {}
        return Answer(
            json.dumps({"tasks": [{"number": n, "valid": n not in said, "why": said.get(n, "")} for n in numbers]})
        )

    return answer


def flags(server: ChatServer, *more: str) -> list[str]:
    return ["--model", "openai-compatible/one", "--url", server.url, "--price-in", "1", "--price-out", "1", *more]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> MakingFolder:
    folder = tmp_path_factory.mktemp("screens")
    assert omnipilot("make", "screens", str(folder)).returncode == 0
    return MakingFolder(folder)


@pytest.fixture
def mail(whole: MakingFolder, tmp_path: Path) -> MakingFolder:
    """One screen, of the mail."""
    folder = MakingFolder(tmp_path / "mail")
    (one,) = [screen for screen in whole.screens().values() if screen.app == "mail"]
    folder.write_picture(f"{one.id}.png", (whole.path / one.picture).read_bytes())
    folder.write_screens([one])
    assert {"compose"} <= set(one.named)
    return folder


def test_what_holds_is_kept_and_every_drop_out_is_told(mail: MakingFolder) -> None:
    proposed = [
        GOOD,
        {**DRAFTS, "script": ["pyautogui.click(<no-such-box>)"]},
        {**DRAFTS, "script": ["pyautogui.screenshot()"]},
        {"wordings": GOOD["wordings"], "script": ['pyautogui.hotkey("ctrl","n")']},
        {**DRAFTS, "script": ["pyautogui.scroll(-10)"]},
    ]
    with ChatServer(answers(proposed, {2: "scrolling shows no drafts"})) as server:
        told = omnipilot("make", "tasks", str(mail.path), *flags(server, "--checker", "openai-compatible/two"))
        assert told.returncode == 0, told.stderr
        assert [request.json["model"] for request in server.requests] == ["one", "two"]
        written, checked = (words_of(request) for request in server.requests)
    assert '- compose, written on it: "Compose"' in written[0] and written[1] == checked[1] == 1
    assert "no-such-box" not in checked[0] and "pyautogui.scroll(-10)" in checked[0]
    assert "1 tasks of openai-compatible/one hold; 4 were dropped" in told.stdout
    whys = {task.id.rpartition(".")[2]: task.why for task in mail.tasks()}
    assert whys["m1"] == "" and "names the box 'no-such-box'" in whys["m2"]
    assert "the function screenshot" in whys["m3"] and "it repeats" in whys["m4"]
    assert whys["m5"] == "checked: scrolling shows no drafts"
    assert all(f"{why}" in told.stdout for why in whys.values())
    assert mail.tasks()[0].by == "openai-compatible/one, checked by openai-compatible/two"


def test_a_task_that_cannot_be_played_reaches_no_checker(mail: MakingFolder) -> None:
    (screen,) = mail.screens().values()
    boxes = [replace(box, corners=(900, 700, 950, 720)) if box.name == "compose" else box for box in screen.boxes]
    mail.write_screens([replace(screen, boxes=tuple(boxes))])
    with ChatServer(answers([GOOD])) as server:
        told = omnipilot("make", "tasks", str(mail.path), *flags(server))
        assert len(server.requests) == 1
    assert "0 tasks" in told.stdout and "the screen has other boxes" in mail.tasks()[0].why


def test_a_checker_that_says_nothing_keeps_nothing(mail: MakingFolder) -> None:
    silent = answers([GOOD])

    def answer(request: Request) -> Behaviour:
        return Answer('{"tasks": []}') if "You check" in str(request.json["messages"][0]) else silent(request)

    with ChatServer(answer) as server:
        omnipilot("make", "tasks", str(mail.path), *flags(server))
    assert mail.tasks()[0].why == "not checked: the answer leaves it out"


def test_rules_keep_their_words_where_a_models_do_not_hold(mail: MakingFolder) -> None:
    assert omnipilot("make", "tasks", str(mail.path), "--most", "2").returncode == 0
    first, second = mail.tasks()
    said = [{"number": 1, "wordings": GOOD["wordings"]}, {"number": 2, "wordings": ["Too", "short", "here"]}]
    with ChatServer(answers(said)) as server:
        told = omnipilot("make", "tasks", str(mail.path), "--reword", *flags(server))
    assert "1 tasks are in words of openai-compatible/one; 1 keep the rule's" in told.stdout
    one, other = mail.tasks()
    assert one.wordings == tuple(GOOD["wordings"]) and one.script == first.script and one.by.startswith("rules, in")
    assert other == second


def test_a_budget_ends_it_and_the_same_command_goes_on(whole: MakingFolder, tmp_path: Path) -> None:
    folder = MakingFolder(tmp_path)
    screens = [screen for screen in whole.screens().values() if "compose" in screen.named or screen.app == "settings"]
    for screen in screens:
        folder.write_picture(f"{screen.id}.png", (whole.path / screen.picture).read_bytes())
    folder.write_screens(screens)
    scroll = {
        "wordings": ["Go down here", "Show what is below", "Scroll down once"],
        "script": ["pyautogui.scroll(-10)"],
    }
    with ChatServer(answers([scroll])) as server:
        # Eleven tokens read and three written: a call costs $0.000014.
        ended = omnipilot("make", "tasks", str(tmp_path), *flags(server, "--budget", "0.00002"))
        assert ended.returncode != 0 and "the budget of $2e-05 is spent" in ended.stderr
        assert len(server.requests) == 2 and len(folder.tasks()) == 1
        assert "2 calls" in ended.stdout
        more = omnipilot("make", "tasks", str(tmp_path), *flags(server, "--budget", "1"))
        assert more.returncode == 0 and len(server.requests) == 4
    assert {task.screen for task in folder.tasks()} == {screen.id for screen in screens}


def test_a_cassette_answers_again_without_a_server(mail: MakingFolder, tmp_path: Path) -> None:
    with ChatServer(answers([GOOD])) as server:
        told = omnipilot("make", "tasks", str(mail.path), *flags(server, "--cassette", str(tmp_path / "tape")))
        assert told.returncode == 0, told.stderr
    made = mail.tasks()
    (mail.path / "tasks.json").unlink()
    again = flags(server, "--cassette", str(tmp_path / "tape"), "--replay")
    assert omnipilot("make", "tasks", str(mail.path), *again).returncode == 0
    assert mail.tasks() == made


def test_flags_of_a_model_need_one(mail: MakingFolder) -> None:
    refused = omnipilot("make", "tasks", str(mail.path), "--reword")
    assert refused.returncode != 0 and "name it with --model" in refused.stderr
