"""Mechanisms that papers use and we leave off: each is off by default, part of an identity, and compared by a sweep."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from omnipilot.bench.experiments.sweep import specs_of, sweep_of, sweep_request
from omnipilot.bench.run.config import spec_from
from omnipilot.bench.run.read_settings import parse_settings
from omnipilot.bench.settings import RunSettings

CHAT = {"name": "function-calling", "model": "openai/gpt-4o"}
NATIVE = {"name": "native", "model": "hosted_vllm/OS-Copilot/OS-Atlas-Pro-7B", "url": "http://127.0.0.1:9/v1"}
POINTING = {"name": "vllm", "model": "uground-v1-7b", "url": "http://127.0.0.1:9/v1"}
MACRO = """[[macro]]
name = "save_it"
about = "Save."
steps = [{ kind = "click", at = "the Save button" }]
"""
MECHANISMS: dict[str, tuple[str, Any, Any]] = {
    # The setting, what it is where nothing is said of the mechanism, and with it.
    "pictures in squares, for a planner": ("planner", CHAT, {**CHAT, "square": 1024}),
    "pictures in squares, for a grounder": ("grounder", POINTING, {**POINTING, "square": 1024}),
    "the turn before and now in one picture": ("planner", CHAT, {**CHAT, "stitched": True}),
    "every click doubled": ("planner", NATIVE, {**NATIVE, "doubled": True}),
    "prompts of a paper": ("planner", CHAT, {**CHAT, "prompts": "omnipilot.bench.suites.crab"}),
    "names of actions of a paper": ("planner", CHAT, {**CHAT, "names": {"done": "complete"}}),
    "turns in the words of a paper": ("planner", CHAT, {**CHAT, "wording": {"end": "Your target: {task_description}"}}),
    "calls written in a text": ("planner", CHAT, {**CHAT, "written": True}),
    "plain and marked screens": ("planner", CHAT, {**CHAT, "marks": "both"}),
    "verbs that are translated": ("verbs", "none", "translate"),
    "text copied on one device and pasted on another": (
        "verbs",
        "translate",
        {"name": "translate", "clipboard": True},
    ),
    "the buttons at a mouse's side": ("verbs", "translate", {"name": "translate", "buttons": True}),
    "primitives taken away": ("verbs", "none", "without:tabs"),
    "macros": ("verbs", "none", "macros:FILE"),
    "OmniBench's functions": ("verbs", "none", "omnibench"),
    "CRAB's actions": ("verbs", "none", "crab"),
    "CRAB's search by keys": ("verbs", "crab", {"name": "crab", "keys": True}),
    "skills": ("skills", "none", "routing"),
    "skills that are always asked": ("skills", "routing", {"name": "routing", "when": "always"}),
    "texts by EasyOCR": ("grounder", {"name": "marks"}, {"name": "marks", "sources": "elements,easyocr"}),
    "icons by Grounding DINO": ("grounder", {"name": "marks"}, {"name": "marks", "sources": "elements,grounding-dino"}),
    "CRAB's choice of boxes": ("grounder", {"name": "marks"}, {"name": "marks", "choice": "crab"}),
    "two grounders that have to agree": ("grounder", "elements", {"name": "agree", "of": "elements,ocr"}),
    "a grounder that is asked again": ("grounder", "elements", {"name": "vote", "of": "elements"}),
    "elements read from the picture": ("perception", "none", "detact"),
    "examples": ("examples", 0, 5),
    "examples of the task's own screen": ("same_screen", False, True),
    "a critic": ("critic", "none", "rules"),
    "checks": ("checks", "none", "notice"),
    "a gate of media": ("gate", "none", "events"),
    "why the user wants it": ("intent", False, True),
}


@pytest.fixture
def macro_file(tmp_path: Path) -> str:
    (tmp_path / "macros.toml").write_text(MACRO, encoding="utf-8")
    return str(tmp_path / "macros.toml")


@pytest.mark.exhibit("crab", "omnibench")
@pytest.mark.parametrize("name", MECHANISMS)
def test_it_is_off_where_nothing_is_said_and_a_sweep_compares_it(name: str, macro_file: str) -> None:
    setting, off, on = MECHANISMS[name]
    on = on.replace("FILE", macro_file) if isinstance(on, str) else on
    base = {"suite": "toy", "planner": CHAT, **({"examples": 5} if setting == "same_screen" else {})}
    request = sweep_request({**base, "sweep": {setting: [off, on]}}, {}, RunSettings())
    without, with_ = sweep_of(specs_of(request), Path("x"), request.against).cells
    assert without.folder != with_.folder and without.spec.identity != with_.spec.identity
    # The part that the mechanism is an option of, alone; or nothing, where it is a part of its own.
    named = off if isinstance(off, dict) or off in ("translate", "crab", "routing") else None
    plain = spec_from(parse_settings({**base, **({setting: named} if named else {})}))
    assert plain.identity == without.spec.identity
