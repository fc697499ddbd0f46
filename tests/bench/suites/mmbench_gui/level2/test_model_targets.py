"""Pointing targets that a model words, behind real HTTP: a wording counts where it leads back to its element alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from chat_server import Answer, Behaviour, ChatServer, Request
from command_line import omnipilot

from omnipilot.bench.suites.mmbench_gui.level2.suite import MMBenchL2Suite
from omnipilot.bench.suites.pointing.suite import PointingSuite


def flags(server: ChatServer, *more: str) -> list[str]:
    return ["--model", "openai-compatible/one", "--url", server.url, "--price-in", "1", "--price-out", "1", *more]


def texts_of(request: Request) -> str:
    return "\n".join(part["text"] for part in request.json["messages"][1]["content"] if part["type"] == "text")


Fit = Callable[[str, dict[str, int]], list[int]]
ONE = ("questions", "targets", "--screens", "1", "--each", "1", "--out")


def writer(wordings: dict[str, list[str]], fit: Fit) -> Callable[[Request], Behaviour]:
    """A model that words every target so; a function of a wording and the elements' numbers says what it fits."""

    def answer(request: Request) -> Behaviour:
        text = texts_of(request)
        if "Instructions:" not in text:
            return Answer(json.dumps(wordings))
        head, _, told = text.partition("Instructions:")
        numbers = {name: int(number) for number, name in re.findall(r'^(\d+)\. \w+ "(.*)", at', head, re.M)}
        asked = re.findall(r"^([A-Z])\. (.*)$", told, re.M)
        return Answer(json.dumps({"fits": {letter: fit(wording, numbers) for letter, wording in asked}}))

    return answer


NINA = {
    "basic": ['the "Nobody" item', 'the element marked 1 "Nina Rossi"', 'the "Nina Rossi" item at the top'],
    "advanced": ["what shows what Nina and I wrote to each other last", "the red box", "the newest talk of all"],
}


def test_the_first_wordings_that_lead_back_are_written(tmp_path: Path) -> None:
    shot = next(iter(PointingSuite(0, web=False).shots()))
    assert shot.targets[0].name == "Nina Rossi"

    def fit(wording: str, numbers: dict[str, int]) -> list[int]:
        nina = numbers["Nina Rossi"]
        return [nina, nina + 1] if "Nina and I" in wording else [nina]

    with ChatServer(writer(NINA, fit)) as server:
        told = omnipilot(*ONE, str(tmp_path), *flags(server, "--checker", "openai-compatible/two"))
        assert told.returncode == 0, told.stderr
        assert [request.json["model"] for request in server.requests] == ["one", "two"]
        write, check = server.requests
        pictures = [sum(p["type"] == "image_url" for p in one.json["messages"][1]["content"]) for one in (write, check)]
    # The writer sees the marked screen and the element alone; the checker the bare screen.
    assert pictures == [2, 1] and "Nobody" not in texts_of(check) and "red box" not in texts_of(check)
    assert "1 targets" in told.stdout and "0 were dropped" in told.stdout
    records = json.loads((tmp_path / "L2_annotations.json").read_text())
    assert [one["instruction"] for one in records] == ['the "Nina Rossi" item at the top', "the newest talk of all"]
    assert [spot.target.name or spot.mode for spot in MMBenchL2Suite(str(tmp_path)).spots] == ["basic", "advanced"]


def test_a_target_without_both_wordings_is_dropped_with_the_reason(tmp_path: Path) -> None:
    with ChatServer(writer(NINA, lambda _, numbers: [numbers["Nina Rossi"], numbers["Lea Wong"]])) as server:
        told = omnipilot(*ONE, str(tmp_path), *flags(server))
    assert "0 targets" in told.stdout and "no basic wording holds" in told.stdout
    with ChatServer([Answer("I will not")]) as server:
        told = omnipilot(*ONE, str(tmp_path), *flags(server))
        assert len(server.requests) == 2
    assert "1 were dropped" in told.stdout and "there is no JSON object in it" in told.stdout


def test_without_a_model_the_wordings_of_rules_are_written(tmp_path: Path) -> None:
    told = omnipilot("questions", "targets", "--screens", "3", "--out", str(tmp_path))
    assert told.returncode == 0, told.stderr
    spots = MMBenchL2Suite(str(tmp_path)).spots
    assert spots and len(spots) % 2 == 0 and {spot.mode for spot in spots} == {"basic", "advanced"}


def test_a_model_needs_a_folder() -> None:
    with ChatServer() as server:
        refused = omnipilot("questions", "targets", *flags(server))
    assert refused.returncode != 0 and "--out DIR" in refused.stderr
