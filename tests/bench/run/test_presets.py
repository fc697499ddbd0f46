"""Presets are runs that can be: every field cites its paper, what departs and waits is said, and flags override."""

from __future__ import annotations

import re
from typing import Any

import pytest

from omnipilot.agents import PartSpec, build
from omnipilot.bench import RunSpec
from omnipilot.bench.run import preset as presets
from omnipilot.bench.run.config import layer_settings, set_options, spec_from
from omnipilot.bench.run.read_settings import parse_settings
from omnipilot.envs import ConfigError, MissingExtra, Modality

CITED = re.compile(r"#.*(§|Table \d|\b[A-E]\.\d|ours)")
"""A section, a table, a section of an appendix; or the admission that the paper says nothing."""
OWN = "mini-pixels"
"""Our own preset, of no paper."""
PAPERS = ("CRAB", "MMBench-GUI", "OmniBench", "OmniGUI", "OmniACT")


def fields(name: str) -> list[str]:
    """The lines of a preset that set something."""
    body = presets.text(name).split("\nsuite = ", 1)[1]
    return [line for line in f"suite = {body}".splitlines() if "=" in line]


@pytest.mark.parametrize("name", presets.names())
def test_every_preset_is_a_run_that_survives_json(name: str) -> None:
    preset = presets.load(name)
    spec = spec_from(preset.settings)
    assert RunSpec.from_json(spec.to_json()) == spec
    assert preset.about and preset.own
    assert not preset.paper or (preset.departures and any(paper in preset.paper for paper in PAPERS))
    try:
        build(spec.agent)
    except MissingExtra as missing:
        assert "pip install" in str(missing)
    except ConfigError as missing:
        # Weights that are not shipped yet.
        assert name == OWN and re.search(r"'mini-(eyes|ears)'|no (eyes|ears) can be read here", str(missing))


@pytest.mark.parametrize("name", [name for name in presets.names() if name != OWN])
def test_every_field_cites_its_paper(name: str) -> None:
    lines = fields(name)
    assert len(lines) >= 6
    assert [line for line in lines if not CITED.search(line)] == []


@pytest.mark.exhibit("crab", "omnibench", "omniact", "omnigui")
def test_the_papers_baselines_are_there_with_their_numbers() -> None:
    specs = {name: spec_from(presets.load(name).settings) for name in presets.names()}
    crab = [specs[f"crab-{system}"] for system in ("single", "by-function", "by-environment")]
    assert [spec.agent.system for spec in crab] == ["single", "by-function", "by-environment"]
    for spec in (*crab, specs["crab-single-json"]):
        assert (spec.limits.turns, spec.limits.actions, spec.retries) == (15, 0, 0)
        assert spec.agent.planner.options["history"] == 2 and spec.agent.planner.options["unchanged"] is False
        options = spec.agent.planner.options
        assert (spec.agent.planner.name, options["tools"], options["thought"]) == (
            "function-calling",
            "per-device",
            "text",
        )
        assert spec.agent.grounder == PartSpec("marks", {"sources": "easyocr,grounding-dino", "choice": "crab"})
        assert spec.agent.modalities == {Modality.SCREENSHOT}
    for grounder in ("uground", "ui-tars"):
        for steps in (15, 50):
            limits = specs[f"mmbench-gui-{grounder}-{steps}"].limits
            assert (limits.turns, limits.actions) == (steps, steps)
    without, told = specs["omnibench"], specs["omnibench-intent"]
    assert (without.intent, told.intent) == (False, True)
    assert without.agent == told.agent and without.limits == told.limits
    assert specs["omnigui"].agent.planner.options["parameters"]["temperature"] == 0.0
    assert specs["omnigui"].agent.modalities == {Modality.SCREENSHOT, Modality.VIDEO, Modality.AUDIO}
    assert (specs["omniact"].agent.planner.name, specs["omniact"].limits.turns) == ("pyautogui", 1)


@pytest.mark.exhibit("miniwob", "rules")
def test_another_model_is_one_flag_and_leaves_the_rest() -> None:
    base = presets.load("crab-single-json").settings

    def over(values: dict[str, Any], *options: str) -> RunSpec:
        return spec_from(set_options(layer_settings(base, parse_settings(values)), options))

    spec = over({"planner": "anthropic/claude-x", "suite": "miniwob", "limits": {"turns": 3}})
    own = {name: value for name, value in base.planner.items() if name != "name"}
    assert own["written"] is True and (own.pop("model"), own.pop("history")) == ("openai/gpt-4o-2024-05-13", 2)
    assert spec.agent.planner == PartSpec("function-calling", {"model": "anthropic/claude-x", "history": 2, **own})
    assert (spec.suite.name, spec.limits.turns, spec.limits.actions) == ("miniwob", 3, 0)
    served = over({"planner": "hosted_vllm/x", "planner_url": "http://127.0.0.1:1/v1"}, "planner.history=4")
    assert served.agent.planner.options["history"] == 4
    other = over({"planner": "rules", "grounder": "elements"})
    assert (other.agent.planner, other.agent.grounder) == (PartSpec("rules"), PartSpec("elements"))
    file = {"planner": {"history": 5}, "grounder": {"name": "marks", "sources": "ocr"}, "trials": 2}
    changed = over(file)
    assert changed.agent.planner.options == {"model": "openai/gpt-4o-2024-05-13", "history": 5, **own}
    assert (changed.agent.grounder.options, changed.trials) == ({"sources": "ocr", "choice": "crab"}, 2)


@pytest.mark.exhibit("duet", "rules")
def test_what_there_is_is_listed_and_what_there_is_not_is_told_with_the_nearest() -> None:
    listed = presets.listing()
    for name in presets.names():
        assert name in listed
    assert "departs: " in listed
    with pytest.raises(ConfigError, match="did you mean crab-single"):
        presets.load("crab-singel")
