"""Knowing when to stop: what the rules count, when they end an episode, and that it is told apart from other ends."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from chat_server import Answer, ChatServer
from scripted import ScriptedEnv, ScriptedPlanner, ScriptedWorld, agent, brief, decide, play

from omnipilot.agents import Limits, episode
from omnipilot.agents.wrappers.progress.agent import ProgressAgent, SubGoal, Tracker
from omnipilot.agents.wrappers.stopping import FEATURES, FittedRule, StoppingAgent, StopRule, StopVerdict, TurnFacts
from omnipilot.agents.wrappers.stopping.base import WatchRule
from omnipilot.agents.wrappers.stopping.confidence import (
    AskedRule,
    ConfidenceRule,
    judge_confidence,
    stated_confidence,
)
from omnipilot.agents.wrappers.stopping.learned import LearnedRule, fit_logistic
from omnipilot.agents.wrappers.stopping.patience import PatienceRule
from omnipilot.envs import Click, ConfigError, Context, Done, Element, Modality, Noop, Point
from omnipilot.envs.types import Box
from omnipilot.memory import Role, Usage

SEES = Role("stop", frozenset({Modality.ELEMENTS, Modality.CONTEXT}))
CLICK = decide(Click(Point(0.5, 0.5)))
FACTS = TurnFacts(10, 20, 0, 0.0, 0.0, 1.0)


@pytest.fixture(autouse=True)
def _same_title(monkeypatch):
    """Windows whose title does not count the actions."""
    observe = ScriptedEnv.observe

    def untitled(env, modalities, since):
        seen = observe(env, modalities, since)
        return replace(seen, context=Context(app="scripted")) if isinstance(seen.context, Context) else seen

    monkeypatch.setattr(ScriptedEnv, "observe", untitled)


class Recorder:
    """Keeps what the rule found in each turn."""

    modalities: frozenset[Modality] = frozenset()

    def __init__(self):
        self.notes = []

    def looked(self, turn, observation, fresh):
        pass

    def grounded(self, proposal):
        pass

    def decided(self, turn, choice, seconds):
        self.notes.append(choice.stopping)

    def remembered(self, turn, events):
        pass


def stopped(rule, planner, role=SEES, turns=20, on_act=None, **more):
    """An episode under a rule: its steps, its end, and what the rule found in each turn."""
    world = ScriptedWorld(on_act=on_act) if on_act else ScriptedWorld()
    recorder = Recorder()
    inner = more.pop("inner", agent(planner))
    one = StoppingAgent(inner, rule, role, "a rule", **more)
    steps, end = play(episode(world, one, brief(world), Limits(turns), recorder=recorder))
    return steps, end, recorder.notes


def grows(env, action):
    """Each action shows one more element."""
    env.items = (*env.items, Element("text", f"line {len(env.items)}", Box(0.1, 0.2, 0.3, 0.3)))


def test_patience_ends_an_episode_that_brings_nothing_new_and_says_so():
    steps, end, notes = stopped(PatienceRule(3), ScriptedPlanner(decide(Noop())))
    assert (end.reason, end.status, len(steps)) == ("stopped", "failure", 4)
    assert "a rule: nothing new was seen, told or reached in 3 turns" in end.detail
    assert [note.evidence["still"] for note in notes] == [0, 1, 2, 3]
    assert [bool(note.why) for note in notes] == [False, False, False, True]


def test_patience_lasts_while_screens_bring_something_new():
    _, end, notes = stopped(PatienceRule(3), ScriptedPlanner(CLICK), turns=8, on_act=grows)
    assert end.reason == "turns" and {note.evidence["still"] for note in notes} == {0}


def test_going_back_to_a_screen_that_was_seen_is_nothing_new():
    def flips(env, action):
        env.items = () if env.items else (Element("text", "open", Box(0.1, 0.2, 0.3, 0.3)),)

    _, end, notes = stopped(PatienceRule(4), ScriptedPlanner(CLICK), on_act=flips)
    assert end.reason == "stopped" and [note.evidence["effect"] for note in notes] == [1.0] * len(notes)


def test_while_something_sounds_turns_are_not_counted():
    heard = Role("stop", frozenset({Modality.ELEMENTS, Modality.AUDIO}))
    waits = ScriptedPlanner(CLICK)
    world = ScriptedWorld(rings=[(0.0, 6.0)])
    one = StoppingAgent(agent(waits), PatienceRule(3), heard, "patience")
    _, end = play(episode(world, one, brief(world), Limits(20)))
    assert end.reason == "stopped" and 8 <= len(waits.requests) <= 10


def test_notes_are_facts_and_repeats_are_counted():
    notes = iter(f"note {number}" for number in range(99))

    def noting(_):
        return decide(Noop(), notes=(next(notes),))

    _, end, found = stopped(PatienceRule(2), ScriptedPlanner(noting), turns=10)
    assert end.reason == "turns"
    assert [round(note.evidence["repeats"], 2) for note in found][:4] == [0.0, 0.0, 0.5, 0.67]


class Ticks(Tracker):
    """Reaches its sub-goals one by one, in every third turn."""

    turns = 0

    def begin(self, brief):
        self.turns = 0

    def goals(self):
        return tuple(SubGoal(f"goal {number}", certain=False) for number in range(2)), Usage()

    def reached(self, left, seen):
        self.turns += 1
        return frozenset(list(left)[:1] if self.turns % 3 == 0 else ()), Usage()

    def learn(self, turn):
        pass


def test_a_sub_goal_is_something_new_and_all_of_them_are_a_claim():
    planner = ScriptedPlanner(decide(Noop()))
    inner = ProgressAgent(agent(planner), Ticks(), SEES)
    _, end, notes = stopped(PatienceRule(4), planner, inner=inner, progress=inner)
    assert [note.evidence["goals"] for note in notes][:4] == [0, 0, 0, 0.5]
    assert (end.reason, end.status) == ("stopped", "success") and len(notes) == 11


def test_the_agent_may_end_it_itself():
    _, end, _ = stopped(PatienceRule(1), ScriptedPlanner(decide(Done())))
    assert end.reason == "done"
    _, end, _ = stopped(ConfidenceRule(), ScriptedPlanner(decide(Done(), thought="done=1 helps=0")))
    assert end.reason == "done"


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("done=0.9 helps=0.05", (0.9, 0.05)),
        ("I see it. Done: 90%, helps: 5 %", (0.9, 0.05)),
        ("done=0.1 helps=0.2 … done=1 helps=.5", (1.0, 0.5)),
        ("done=0.9", None),
        ("done=1.4 helps=0.1", None),
        ("it is done", None),
    ],
)
def test_what_a_planner_states_is_read(text, stated):
    assert stated_confidence(text) == (None if stated is None else pytest.approx(stated))


def test_the_value_of_a_turn_is_what_it_may_solve_less_its_price():
    # λ c = 1 / 20 = 0.05
    assert judge_confidence(FACTS, 0.5, 0.2, 1.0).evidence["value"] == pytest.approx(0.05)
    assert not judge_confidence(FACTS, 0.5, 0.2, 1.0).stop and judge_confidence(FACTS, 0.5, 0.2, 3.0).stop
    sure = judge_confidence(FACTS, 0.97, 0.9, 1.0)
    assert sure.stop and sure.solved and "another turn is worth -0.023" in sure.why
    hopeless = judge_confidence(FACTS, 0.0, 0.01, 1.0)
    assert hopeless.stop and not hopeless.solved
    assert not judge_confidence(replace(FACTS, limit=0), 1.0, 0.0, 9.0).stop, "without a limit a turn costs nothing"


def test_a_planner_states_its_confidence_and_is_stopped_by_it():
    said = ["done=0 helps=0.9", "I cannot tell.", "done=0.98 helps=0.3"]
    planner = ScriptedPlanner(*(decide(Noop(), thought=text) for text in said))
    steps, end, notes = stopped(ConfidenceRule(), planner)
    assert (end.reason, end.status, len(steps)) == ("stopped", "success", 3)
    assert "two probabilities" in planner.requests[0].recalled[-1].part
    assert notes[0].evidence["value"] == pytest.approx(0.85) and "value" not in notes[1].evidence
    assert notes[2].evidence["done"] == 0.98


def test_a_model_is_asked_after_the_first_turn_and_what_cannot_be_read_stops_nothing():
    answers = ["no idea", "no", "nope", '{"why": "open", "done": 0.1, "helps": 0.9}']
    answers += ['{"why": "saved", "done": 0.99, "helps": 0.5}']
    with ChatServer([Answer(text) for text in answers]) as server:
        rule = AskedRule("hosted_vllm/tiny", url=server.url)
        planner = ScriptedPlanner(decide(Noop()))
        steps, end, notes = stopped(rule, planner)
    assert (end.reason, end.status) == ("stopped", "success")
    assert len(planner.requests) == len(steps) - 1, "the planner is not asked in the turn that ends it"
    assert "value" not in notes[0].evidence and notes[-1].evidence["done"] == 0.99
    assert "The task: do it" in json.dumps(server.requests[0].json)
    assert "AskedRule" in StoppingAgent(agent(planner), rule, SEES).identity()


def test_a_logistic_regression_finds_the_rule_that_made_its_data():
    draw = np.random.default_rng(0)
    rows = draw.random((4000, 2))
    likely = 1 / (1 + np.exp(-(1.0 - 3.0 * rows[:, 0] + 2.0 * rows[:, 1])))
    bias, weights = fit_logistic(rows.tolist(), (draw.random(4000) < likely).tolist(), ridge=1e-6)
    assert [bias, *weights] == pytest.approx([1.0, -3.0, 2.0], abs=0.25)
    apart, _ = fit_logistic([[0.0]] * 9 + [[1.0]] * 9, [False] * 9 + [True] * 9)
    assert abs(apart) < 10, "weights stay finite where a number tells all"
    with pytest.raises(ConfigError, match="same outcome"):
        fit_logistic([[0.0], [1.0]], [True, True])


def fitted(tmp_path: Path, **weights: float) -> str:
    rule = FittedRule(0.0, dict.fromkeys(FEATURES, 0.0) | weights)
    (tmp_path / "rule.json").write_text(rule.to_text())
    return str(tmp_path / "rule.json")


def test_a_learned_rule_stops_when_going_on_is_not_worth_it(tmp_path):
    file = fitted(tmp_path, still=-20.0)
    _, end, notes = stopped(LearnedRule(file), ScriptedPlanner(decide(Noop())))
    # 1 / (1 + exp(2 still)) falls below 1/20 at two still turns.
    assert end.reason == "stopped" and [note.evidence["still"] for note in notes] == [0, 1, 2]
    assert notes[1].evidence["solves"] == pytest.approx(1 / (1 + np.exp(2.0)))
    _, end, _ = stopped(LearnedRule(file, cost=0.0), ScriptedPlanner(decide(Noop())))
    assert end.reason == "turns"


def test_a_rule_is_known_by_what_its_file_holds(tmp_path):
    first = LearnedRule(fitted(tmp_path, still=-1.0)).identity()
    assert first == LearnedRule(fitted(tmp_path, still=-1.0)).identity()
    assert first != LearnedRule(fitted(tmp_path, still=-2.0)).identity()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "no stopping rule"),
        ('{"format": 9}', "format 9"),
        ('{"format": 1, "bias": 0, "weights": {"still": 1}, "fitted": {}}', "a finite weight for each of"),
    ],
)
def test_a_file_that_holds_no_rule_is_refused(tmp_path, text, said):
    (tmp_path / "rule.json").write_text(text)
    with pytest.raises(ConfigError, match=said):
        LearnedRule(str(tmp_path / "rule.json"))
    with pytest.raises(ConfigError, match="omnipilot stops RUN --fit FILE"):
        LearnedRule(str(tmp_path / "none.json"))


@pytest.mark.parametrize(
    "make", [lambda: PatienceRule(0), lambda: ConfidenceRule(-1.0), lambda: ConfidenceRule(np.inf)]
)
def test_impossible_options_are_refused(make):
    with pytest.raises(ConfigError, match="stop: "):
        make()


def test_a_rule_need_not_do_anything_and_watching_stops_nothing():
    assert StopRule.before(WatchRule(), FACTS, None) == StopVerdict()
    _, end, notes = stopped(WatchRule(), ScriptedPlanner(decide(Noop())), turns=5)
    assert end.reason == "turns" and set(notes[0].evidence) == {*FEATURES, "turn", "limit"}
