"""What `open` can name where a device is missing that the weights were taught with; elsewhere nothing is ruled out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from omnipilot.envs import Box, Context, Element, Elements, Observation, OpenApp, Size
from omnipilot.memory import Move
from omnipilot.planners import Brief, Request, Verbs
from omnipilot.planners.mini import MiniPlanner
from omnipilot.planners.mini.network import MiniNetwork
from omnipilot.planners.mini.openings import Openings

STEPS = [json.loads(line) for line in (Path(__file__).parent / "steps.jsonl").read_text().splitlines()]
OPENING = frozenset({"open_app", "click"})
DESKTOP = Verbs("desktop", OPENING, installed=("Mail", "Text Editor", "Video Player"))
SILENT = Verbs("desktop", OPENING)
PHONE = Verbs("phone", OPENING, installed=("Messages", "Phone"))
HOME = {"phone": "home"}
TASK = "On the phone, open the voicemail in Phone, play the latest message and listen to the code."


@pytest.fixture(scope="module")
def network() -> MiniNetwork:
    return MiniNetwork()


@pytest.mark.parametrize(
    "envs",
    [
        {"phone": PHONE, "desktop": DESKTOP},
        {"phone": PHONE, "desktop": DESKTOP, "browser": Verbs("browser", OPENING)},
        {"browser": Verbs("browser", OPENING)},
        {"desktop": Verbs("desktop", frozenset({"click"}))},
    ],
)
def test_with_all_taught_devices_or_none_nothing_is_ruled_out(envs: dict[str, Verbs]) -> None:
    assert Openings.of(envs) is None


@pytest.mark.parametrize(
    ("reply", "known", "silent"),
    [
        ("click <r3>", True, True),
        ("", True, True),
        ("open desktop mail", True, True),
        ("open desktop text editor", True, True),
        ("open desktop text", False, True),
        ("open desktop calendar", False, True),
        ("open phone mail", False, False),
        ("open", False, False),
    ],
)
def test_what_is_there_can_be_opened(reply: str, known: bool, silent: bool) -> None:
    for verbs, allowed in ((DESKTOP, known), (SILENT, silent)):
        openings = Openings.of({"desktop": verbs, "browser": Verbs("browser", OPENING)})
        assert openings is not None and openings.allow(reply) is allowed


def test_a_reply_is_one_of_those_that_are_possible(network: MiniNetwork) -> None:
    prompt, wanted = next(step for step in STEPS if step[1].startswith("open phone "))
    assert network.reply(prompt)[0] == wanted
    among = ("open desktop video player", "open desktop video", "open desktop mail")
    assert network.reply(prompt, among=among)[0] in among
    assert network.reply(prompt, among=["open desktop video player"])[0] == "open desktop video player"
    assert network.reply(prompt, among=[wanted, *among])[0] == wanted
    begun = network.reply(prompt, among=["open desktop"], whole=False)[0]
    assert begun.startswith("open desktop ") and len(begun.split()) > 2


def test_a_name_that_the_vocabulary_cannot_say_is_never_said(network: MiniNetwork) -> None:
    prompt, wanted = STEPS[0]
    assert network.reply(prompt, among=["open desktop 天気"])[0] == wanted
    assert network.reply(prompt, among=["open desktop 天気", "open desktop mail"])[0] == "open desktop mail"


def decide(envs: dict[str, Verbs], instruction: str) -> tuple[list[str], Move]:
    """The first move of the shipped weights on empty screens, and what the network was asked for besides."""
    planner = MiniPlanner()
    bounds: list[str] = []
    network = planner._network()

    class Watched:
        def reply(self, prompt: str, among: tuple[str, ...] = (), whole: bool = True) -> tuple[str, int, int]:
            bounds.extend(among)
            return network.reply(prompt, among=among, whole=whole)

    planner._network = lambda: Watched()  # type: ignore[method-assign, assignment, return-value]
    brief = Brief(instruction, envs)
    planner.begin(brief)
    button = Element("button", "Close", Box(0.1, 0.1, 0.2, 0.2), id="close")
    seen = {
        env: Observation(env, 1.0, Size(1280, 800), elements=Elements((button,)), context=Context(HOME.get(env, env)))
        for env in envs
    }
    (move,) = planner.plan(Request(brief, 0, seen)).moves
    return bounds, move


@pytest.mark.parametrize("verbs", [DESKTOP, SILENT])
def test_on_a_desktop_alone_no_phone_is_opened(verbs: Verbs) -> None:
    """The instruction is one of those that say "on the phone", so that a phone is what it would open."""
    bounds, move = decide({"desktop": verbs}, TASK)
    assert bounds and move.env == "desktop" and isinstance(move.intent, OpenApp)
    assert not verbs.installed or move.intent.app in verbs.installed


def test_a_world_as_it_was_taught_is_asked_as_it_was() -> None:
    bounds, move = decide({"phone": PHONE, "desktop": DESKTOP}, TASK)
    assert bounds == [] and move == Move("phone", OpenApp("Phone"))


@pytest.mark.slow
def test_without_bounds_the_network_says_what_it_said(network: MiniNetwork) -> None:
    """No bounds, and bounds that hold the reply, change no word of 200 stored steps."""
    for prompt, _ in STEPS:
        said = network.reply(prompt)
        assert network.reply(prompt, among=[said[0], "open phone clock"]) == said


def test_an_application_is_opened_by_the_name_that_the_device_has_for_it() -> None:
    openings = Openings("desktop", ("PCManFM-Qt", "Mail"))
    assert openings.name_of("pcmanfm - qt") == "PCManFM-Qt" and openings.name_of("clock") == ""
    assert openings.replies == ("open desktop pcmanfm - qt", "open desktop mail")
