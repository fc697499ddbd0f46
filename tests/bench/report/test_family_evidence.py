"""Whose words the models of a run are asked in."""

from __future__ import annotations

from typing import Any

import pytest

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.family_evidence import native_family, prompt_words
from omnipilot.bench.report.main_table import PROMPT, main_table

NATIVE = {"model": "ByteDance-Seed/UI-TARS-1.5-7B"}
COGAGENT = {"model": "zai-org/cogagent-9b-20241220"}
UGROUND = {"model": "osunlp/UGround-V1-7B"}


def run(name: str = "one", **agent: Any) -> Run:
    return Run(name, RunSpec(AgentSpec(**agent), PartSpec("duet"), "1"), (), 1)


@pytest.mark.parametrize(
    ("planner", "grounder", "words"),
    [
        (PartSpec("rules"), PartSpec("elements"), ""),
        (PartSpec("native", NATIVE), PartSpec("elements"), "ours"),
        (PartSpec("native", {**NATIVE, "prompt": "p.md"}), PartSpec("elements"), "a file"),
        (PartSpec("native", COGAGENT), PartSpec("elements"), "its authors'"),
        (PartSpec("native", {"model": "local/x", "family": "glm-v"}), PartSpec("elements"), "ours"),
        (PartSpec("native", {"model": "nobody/knows"}), PartSpec("elements"), ""),
        (PartSpec("rules"), PartSpec("vllm", UGROUND), "its authors'"),
        (PartSpec("rules"), PartSpec("vllm", {"model": "gemini-2.5-flash"}), "ours"),
        (PartSpec("rules"), PartSpec("vllm", {"model": "gemini-2.5-flash", "prompt": "p"}), "a file"),
        (PartSpec("native", NATIVE), PartSpec("vllm", UGROUND), "ours (planner), its authors' (grounder)"),
    ],
)
def test_whose_words(planner: PartSpec, grounder: PartSpec, words: str) -> None:
    assert prompt_words(planner, grounder) == words


def test_the_family_of_a_native_planner_is_found() -> None:
    found = native_family(PartSpec("native", NATIVE))
    assert found is not None and found.name == "ui-tars-1.5"
    assert native_family(PartSpec("rules")) is None


def test_a_prompt_of_ours_is_told_beside_the_number() -> None:
    table = main_table([run(planner=PartSpec("native", NATIVE)), run("two", planner=PartSpec("native", COGAGENT))])
    place = table.columns.index("prompt")
    assert [row[place] for row in table.rows] == ["ours", "its authors'"]
    assert PROMPT in table.notes
    plain = main_table([run()])
    assert "prompt" not in plain.columns and PROMPT not in plain.notes
