"""Questions: the words that models were trained on, byte for byte, and the order of words and picture."""

from __future__ import annotations

import hashlib
import json

import pytest

from omnipilot.envs import Image, Size
from omnipilot.grounders import Family
from omnipilot.grounders.families import families, get

SIZE = Size(56, 28)
PICTURE = Image.raw(SIZE, bytes(SIZE.pixels * 3))
LOCATOR = (
    "You are an expert UI element locator. Given a GUI image and a user's element description, provide the "
    "coordinates of the specified element as a single (x,y) point."
)
FORMAT = "For elements with area, return the center point.\n\nOutput the coordinate pair exactly:\n(x,y)"
AGENT = (
    "You are a GUI agent. You are given a task and a screenshot of the screen. You need to perform a series of "
    "pyautogui actions to complete the task."
)
COMMAND = 'In this UI screenshot, what is the position of the element corresponding to the command "the bin" '
# A digest that differs means another question than the one a model was trained on, and other numbers in every table:
# change it only with the authors' text at hand.
DIGESTS = {
    "uground-v1": "fe6a1e58a14a",
    "ui-tars": "3e950f622032",
    "ui-tars-action": "f1228c56e496",
    "os-atlas-base-7b": "168eb250992b",
    "os-atlas-pro-7b": "b71339d1680d",
    "showui": "03ced02030fc",
    "aguvis": "780b81dce76b",
    "qwen2-vl": "696e4cafb9ee",
    "ui-tars-1.5": "3e950f622032",
    "ui-tars-1.5-action": "c86355811300",
    "qwen2.5-vl": "bd6e647f4fe6",
    "qwen2.5-vl-tools": "ffdedb9e745e",
    "gui-owl": "b9ac70eb6c48",
    "gta1": "ad709cd04fb7",
    "ui-ins": "b9ac70eb6c48",
    "jedi": "98066da710a1",
    "fara": "b9ac70eb6c48",
    "opencua": "ec3a013242ab",
    "opencua-norm1": "ec3a013242ab",
    "scalecua": "b9ac70eb6c48",
    "holo1": "0a3b96a2fef0",
    "holo1.5": "57c3bf94fdba",
    "ui-venus-ground": "531c0fba7780",
    "qwen3-vl": "bfc3320ec694",
    "qwen3-vl-thinking": "bfc3320ec694",
    "qwen3-vl-tools": "b9ac70eb6c48",
    "gui-owl-1.5": "b9ac70eb6c48",
    "gui-owl-1.5-thinking": "b9ac70eb6c48",
    "evocua": "b9ac70eb6c48",
    "qwen3.5": "bfc3320ec694",
    "qwen3.5-tools": "b9ac70eb6c48",
    "fara-1.5": "b9ac70eb6c48",
    "gelato": "b9f791482ab2",
    "gelato-ui-tars-1.5": "b9f791482ab2",
    "gelato-refusal": "91734ce200a3",
    "mini-grounder": "4c7fab383378",
    "ui-venus-1.5": "3f5f84a27cc3",
    "ui-venus-2": "3f5f84a27cc3",
    "holo2": "f3de09e71d7b",
    "mai-ui": "41fd30524ff5",
    "internvl": "a72016966b19",
    "os-atlas-base-4b": "c22d412fb518",
    "os-atlas-pro-4b": "b71339d1680d",
    "agentcpm-gui": "6e7aa7293935",
    "seeclick": "6bc0c96f0adc",
    "cogagent": "25cf9a98e2f2",
    "cogagent-chat": "0a273cea1293",
    "aria-ui": "32a7d308238c",
    "kimi-vl": "b9ac70eb6c48",
    "glm-v": "c86355811300",
    "moondream": "4c7fab383378",
    "groundnext": "b9ac70eb6c48",
    "se-gui": "3174cf229e1e",
    "infigui-g1": "4f008200188f",
    "infigui-r1": "409d24652e65",
    "gui-g2": "531c0fba7780",
    "ui-r1": "8e1cbcff9871",
    "gui-r1": "b56035c832b0",
    "ui-agile": "332d49220a97",
    "zonui": "5d1cb330fd11",
    "holo3": "ced9ed4fbc53",
}


@pytest.mark.parametrize(
    ("family", "asked"),
    [
        (
            "gta1",
            [f"system: {LOCATOR} The image resolution is height 28 and width 56. {FORMAT}", "user: ", "<>", "the bin"],
        ),
        ("gelato", ["user: ", f"{LOCATOR} {FORMAT}\n\n", "<>", "\nthe bin"]),
        (
            "showui",
            [
                "user: ",
                "Based on the screenshot of the page, I give a text description and you give its corresponding "
                "location. The coordinate represents a clickable location [x, y] for an element, which is a relative "
                "coordinate on the screenshot, scaled from 0 to 1.",
                "<>",
                "the bin",
            ],
        ),
        ("os-atlas-base-7b", ["user: ", "<>", f"{COMMAND}(with bbox)?"]),
        ("seeclick", ["user: ", "<>", f"{COMMAND}(with point)?"]),
        ("opencua", [f"system: {AGENT}", "user: ", "<>", "the bin"]),
        (
            "aguvis",
            [
                f"system: {AGENT}",
                "user: ",
                "<>",
                "Please generate the next move according to the ui screenshot, instruction and previous actions.\n\n"
                "Instruction: the bin\n\nPrevious actions:\nNone\n",
                "assistant: <|recipient|>os\n",
            ],
        ),
        (
            "ui-venus-1.5",
            [
                "user: ",
                "<>",
                "Output the center point of the position corresponding to the following instruction: \nthe bin. \n\n"
                "The output should just be the coordinates of a point, in the format [x,y]. Additionally, if the task "
                "is infeasible (e.g., the task is not related to the image), the output should be [-1,-1].",
            ],
        ),
    ],
)
def test_a_question_word_for_word(family: str, asked: list[str]) -> None:
    said: list[str] = []
    for message in get(family).messages(PICTURE, "the bin"):
        parts = [part if isinstance(part, str) else "<>" for part in message.parts]
        said += ["user: ", *parts] if message.role == "user" else [f"{message.role}: {parts[0]}"]
    assert said == asked


def test_one_full_stop_is_dropped_where_the_authors_drop_it() -> None:
    text = get("ui-venus-2").messages(PICTURE, "the bin..")[0].parts[1]
    assert isinstance(text, str) and "\nthe bin.. \n" in text
    kept = get("uground-v1").messages(PICTURE, "the bin.")[0].parts[1]
    assert isinstance(kept, str) and "Description: the bin.\n" in kept


@pytest.mark.parametrize("family", families(), ids=lambda family: family.name)
def test_no_question_changes_by_accident(family: Family) -> None:
    if family.layout.ours:
        assert family.name not in DIGESTS
        return
    words = json.dumps([family.layout.system, *family.layout.user, family.layout.prefill])
    assert hashlib.sha256(words.encode()).hexdigest()[:12] == DIGESTS[family.name]


def test_a_reply_is_completed_with_the_opening_once() -> None:
    tools, plain = get("qwen2.5-vl-tools"), get("uground-v1")
    whole = tools.completed("935, 406]}}")
    assert whole == tools.layout.prefill + "935, 406]}}"
    assert tools.completed(whole) == whole
    assert plain.completed("(1, 2)") == "(1, 2)"
