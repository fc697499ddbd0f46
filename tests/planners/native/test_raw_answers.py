"""Answers in every family's style mean what their authors mean by them."""

from __future__ import annotations

import pytest
from raw_answers import ACTING

from omnipilot.envs import Intent, Point, Size
from omnipilot.memory import MalformedReply
from omnipilot.planners.native.families.table import families, get

SCREEN = Size(1000, 1000)


def place(at: object) -> str:
    return f"{at.x * 1000:.4g} {at.y * 1000:.4g}" if isinstance(at, Point) else ""


def told(intent: Intent) -> str:
    """An action in few words, with places in thousandths."""
    given = {name: getattr(intent, name) for name in intent.__dataclass_fields__}
    words = {
        name: place(getattr(intent, name, None))
        for name in ("at", "start", "end")
        if getattr(intent, name, None) is not None
    }
    match intent.kind:
        case "click":
            count = f"x{given['count']}" if given.get("count", 1) > 1 else ""
            button = "" if given.get("button", "left") == "left" else given["button"]
            parts = ["click", words.get("at", ""), button, count, "+".join(given.get("modifiers", ()))]
        case "drag":
            parts = ["drag", words.get("start", ""), ">", words["end"]]
        case "swipe":
            path = f"{words['start']} > {words['end']}" if "end" in words else words.get("start", words.get("at", ""))
            parts = ["swipe", given.get("direction") or "", path]
        case "scroll":
            parts = [
                "scroll",
                given["direction"],
                words.get("at", ""),
                f"{given.get('amount', 5):g}",
                given.get("unit", "notch"),
            ]
        case "type":
            at = f"at {words['at']}" if "at" in words else ""
            parts = [
                "type",
                repr(given["text"]),
                at,
                "clear" * given.get("clear", False),
                "enter" * given.get("submit", False),
            ]
        case "press":
            held = f"for {given['seconds']:g}" if given.get("seconds") else ""
            parts = ["press", "+".join(given["keys"]), held]
        case "key_down" | "key_up":
            parts = [intent.kind.removeprefix("key_"), "+".join(given["keys"])]
        case "long_press":
            parts = ["hold", words["at"], f"{given.get('seconds', 1):g}"]
        case "move":
            parts = ["move", words["at"]]
        case "wait":
            parts = ["wait", f"{given.get('seconds', 1):g}"]
        case "done":
            parts = ["done", given.get("status", "success"), repr(given["text"]) if given.get("text") else ""]
        case "answer":
            parts = ["answer", repr(given["text"])]
        case "ask_user":
            parts = ["ask", "" if given["text"].startswith("I need your help") else repr(given["text"])]
        case "open_app":
            parts = ["open", repr(given["app"])]
        case "open_url":
            parts = ["url", repr(given["url"])]
        case "system":
            parts = ["system", given["name"]]
        case "browser":
            parts = ["browser", given["op"]]
        case _:
            parts = [intent.kind]
    return " ".join(part for part in parts if part)


def meaning(family: str, said: str) -> str:
    name, _, arguments = said[1:].partition(" ")
    reply = ((name, arguments),) if said.startswith("@") else said
    try:
        return "; ".join(map(told, get(family).parse(reply, SCREEN, SCREEN, None)[0]))
    except MalformedReply:
        return "?"


@pytest.mark.parametrize(("family", "source", "said", "means"), ACTING)
def test_an_answer_means_what_its_authors_mean(family: str, source: str, said: str, means: str) -> None:
    assert meaning(family, said) == means, source


def test_every_family_is_here() -> None:
    known = {family.name for family in families()}
    assert known - {"opencua-norm1"} == {family for family, *_ in ACTING}
