"""Macros as verbs: offered, carried out a step at a time, refused on another page, and checked for their effect."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from scripted import ScriptedPlanner, agent, brief, decide, play

from omnipilot.agents import episode
from omnipilot.agents.verbs.macros import MacroVerbs
from omnipilot.bench.episode.introduction import introduce
from omnipilot.bench.journal.recorder import EpisodeRecorder
from omnipilot.envs import Click, Custom, Done, OpenApp, TypeText
from omnipilot.envs.schema import codec
from omnipilot.envs.toy import ToyPhone
from omnipilot.grounders import ElementsGrounder
from omnipilot.memory import MediaStore, Outcome, Step

FILE = """
[[macro]]
name = "write_note"
about = "Write a note and save it."
device = "phone"
page = ["the Note text field"]
parameters = { text = "what to write" }
steps = [
  { kind = "type", text = "{text}", at = "the Note text field" },
  { kind = "click", at = "the Save button" },
]
expect = [{ kind = "present", what = "the text \\"Saved: {text}\\"" }]

[[macro]]
name = "lose_note"
about = "Write a note and go away."
parameters = { text = "what to write" }
steps = [
  { kind = "type", text = "{text}", at = "the Note text field" },
  { kind = "click", at = "the Home button" },
  { kind = "click", at = "the Save button" },
]

[[macro]]
name = "forget_note"
about = "Write a note and do not save it."
parameters = { text = "what to write" }
steps = [{ kind = "type", text = "{text}", at = "the Note text field" }]
expect = [{ kind = "present", what = "the text \\"Saved: {text}\\"" }]

[[macro]]
name = "on_a_desktop"
about = "Needs a key."
steps = [{ kind = "press", keys = ["enter"] }]
"""


@pytest.fixture
def verbs(tmp_path: Path) -> MacroVerbs:
    (tmp_path / "macros.toml").write_text(FILE, encoding="utf-8")
    return MacroVerbs(str(tmp_path / "macros.toml"))


def carry_out(verbs: MacroVerbs, *intents, recorder=None):
    world = ToyPhone()
    world.reset(0)
    planner = ScriptedPlanner(*(decide(one) for one in intents), decide(Done()))
    played = agent(planner, ElementsGrounder())
    played.take_verbs(verbs)
    told = replace(brief(world), envs={name: introduce(env) for name, env in world.envs.items()})
    steps, _ = play(episode(world, played, told, recorder=recorder))
    return world, steps, planner


def test_a_macro_is_offered_where_its_verbs_are(verbs: MacroVerbs) -> None:
    offered = verbs.offer({"phone": introduce(ToyPhone())})["phone"]
    assert set(offered.custom) == {"write_note", "lose_note", "forget_note"} and "custom" in offered.kinds


def test_each_step_is_recorded_and_the_whole_is_one_move_to_the_planner(verbs: MacroVerbs) -> None:
    world, steps, planner = carry_out(verbs, OpenApp("Notes"), Custom("write_note", {"text": "milk"}))
    assert world.state().note == "milk"
    assert [step.executed.kind for step in steps] == ["open_app", "type", "click", "done"]
    assert [step.turn for step in steps] == [0, 1, 1, 2]
    assert [one.move.intent.kind for one in planner.requests[2].feedback] == ["custom"]


def test_the_journal_tells_which_steps_are_parts_of_one_move(verbs: MacroVerbs, tmp_path: Path) -> None:
    written: list[dict] = []

    class Recorder(EpisodeRecorder):
        """Writes each proposal as a step, as the runner does after it was executed."""

        def grounded(self, proposal):
            super().grounded(proposal)
            step = Step(len(written), 0, proposal.move, proposal.action, proposal.problem or Outcome("done"))
            self.step(step, (), 0, {})

    def emit(event) -> None:
        if event.event == "step":
            written.append(event.program)

    milk = Custom("write_note", {"text": "milk"})
    carry_out(verbs, OpenApp("Notes"), milk, milk, recorder=Recorder("k", 0, MediaStore(tmp_path), emit))
    assert [one.get("part") for one in written] == [None, 0, 1, 0, 1, None]
    assert written[1] == {"env": "", "asked": codec.to_json(milk), "part": 0}


def test_it_is_refused_on_another_page(verbs: MacroVerbs) -> None:
    world, steps, _ = carry_out(verbs, Custom("write_note", {"text": "milk"}))
    assert steps[0].outcome.result == "rejected" and "which is not in front" in steps[0].outcome.message
    assert world.state().note == "" and len(steps) == 2


def test_it_ends_at_the_first_step_that_fails(verbs: MacroVerbs) -> None:
    _, steps, planner = carry_out(verbs, OpenApp("Notes"), Custom("lose_note", {"text": "milk"}))
    assert [step.outcome.result for step in steps[1:4]] == ["done", "done", "not_found"]
    assert [one.outcome.result for one in planner.requests[2].feedback] == ["not_found"]


def test_what_did_not_come_about_is_told(verbs: MacroVerbs) -> None:
    _, steps, _ = carry_out(verbs, OpenApp("Notes"), Custom("forget_note", {"text": "milk"}))
    assert [step.outcome.result for step in steps[1:3]] == ["done", "rejected"]
    assert "was carried out, but not" in steps[2].outcome.message


def test_a_macro_with_other_arguments_is_refused_and_other_verbs_pass(verbs: MacroVerbs) -> None:
    world, steps, _ = carry_out(
        verbs,
        OpenApp("Notes"),
        Custom("write_note", {"words": "milk"}),
        TypeText("tea", "the Note text field"),
        Click("the Save button"),
    )
    assert steps[1].outcome.result == "rejected" and "write_note(" in steps[1].outcome.message
    assert world.state().note == "tea"


def test_where_the_file_lies_does_not_matter(verbs: MacroVerbs, tmp_path: Path) -> None:
    (tmp_path / "again.toml").write_text(FILE, encoding="utf-8")
    other = MacroVerbs(str(tmp_path / "again.toml"))
    assert other.identity() == verbs.identity()
    (tmp_path / "again.toml").write_text(FILE.replace("the Save", "the Home"), encoding="utf-8")
    assert MacroVerbs(str(tmp_path / "again.toml")).identity() != verbs.identity()
