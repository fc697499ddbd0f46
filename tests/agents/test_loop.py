"""The step contract, a test a sentence: turns, steps, fresh looks, control verbs, limits, invalid moves."""

from __future__ import annotations

import pytest
from live_world import LiveWorld
from scripted import (
    ScriptedGrounder,
    ScriptedPlanner,
    ScriptedRecorder,
    ScriptedWorld,
    WatchedMemory,
    agent,
    brief,
    decide,
    play,
    shade,
)

from omnipilot.agents import Limits, episode
from omnipilot.envs import (
    Answer,
    AskUser,
    Click,
    ConfigError,
    Done,
    EnvLost,
    Noop,
    Point,
    Press,
    Screenshot,
    TypeText,
    Wait,
)
from omnipilot.memory import MalformedReply, ModelUnavailable, Step, Usage

A, B = Point(0.2, 0.5), Point(0.8, 0.5)
PLACES = {"left": A, "right": B}


def run(world, planner, **options):
    grounder = options.pop("grounder", None) or ScriptedGrounder(PLACES)
    memory = options.pop("memory", None)
    return play(episode(world, agent(planner, grounder, memory=memory), brief(world), **options))


def test_a_turn_gives_the_planner_one_settled_observation_of_each_environment():
    world = ScriptedWorld(("phone", "pc"))
    planner = ScriptedPlanner(decide(("pc", Click("left"))), decide(Done()))
    run(world, planner)
    assert [list(request.observations) for request in planner.requests] == [["phone", "pc"]] * 2
    assert [len(env.asked) for env in world.envs.values()] == [2, 2]


def test_a_decision_may_hold_several_moves_and_each_is_a_step_of_its_own():
    world = ScriptedWorld(("phone", "pc"))
    planner = ScriptedPlanner(decide(("pc", Click("left")), ("phone", Click("right")), Done()))
    steps, ending = run(world, planner)
    assert [(step.index, step.turn, step.outcome.result) for step in steps] == [
        (0, 0, "done"),
        (1, 0, "done"),
        (2, 0, "control"),
    ]
    assert world.envs["pc"].acted == [Click(A)] and world.envs["phone"].acted == [Click(B)]
    assert (ending.reason, ending.status) == ("done", "success")


def test_the_first_move_is_grounded_on_the_turns_observation():
    world = ScriptedWorld()
    planner, grounder = ScriptedPlanner(decide(Click("left")), decide(Done())), ScriptedGrounder(PLACES)
    steps, _ = run(world, planner, grounder=grounder)
    assert grounder.shown[0].screenshot is planner.requests[0].observations["pc"].screenshot
    assert not steps[0].fresh and steps[0].seen is not None and steps[0].seen.time == 0.0


def test_a_second_move_is_grounded_on_a_fresh_screenshot_taken_just_before_it():
    world = ScriptedWorld()
    planner, grounder = ScriptedPlanner(decide(Click("left"), Click("right")), decide(Done())), ScriptedGrounder(PLACES)
    steps, _ = run(world, planner, grounder=grounder)
    assert [shown.screenshot for shown in grounder.shown] == [shade(0, "pc", 0), shade(1, "pc", 1)]
    assert steps[1].fresh and steps[1].seen is not None and steps[1].seen.screenshot == shade(1, "pc", 1)


def test_a_fresh_screenshot_is_recorded_and_not_shown_to_the_planner_until_the_next_turn():
    world, recorder = ScriptedWorld(), ScriptedRecorder()
    planner = ScriptedPlanner(decide(Click("left"), Click("right")), decide(Done()))
    run(world, planner, recorder=recorder)
    assert [(turn, look.screenshot, fresh) for turn, look, fresh in recorder.looks] == [
        (0, shade(0, "pc", 0), False),
        (0, shade(1, "pc", 1), True),
        (1, shade(2, "pc", 2), False),
    ]
    assert [request.observations["pc"].screenshot for request in planner.requests] == [
        shade(0, "pc", 0),
        shade(2, "pc", 2),
    ]


def test_a_move_that_needs_no_place_is_not_looked_up_and_costs_no_fresh_look():
    world, recorder = ScriptedWorld(), ScriptedRecorder()
    run(world, ScriptedPlanner(decide(Click(A), Press(("enter",)), TypeText("x"), Done())), recorder=recorder)
    assert [fresh for _, _, fresh in recorder.looks] == [False]
    assert [action.kind for action in world.envs["pc"].acted] == ["click", "press", "type"]


def test_judges_can_look_after_every_step_before_the_next_is_executed():
    world = ScriptedWorld()
    planner = ScriptedPlanner(decide(Click(A), Click(B), Done()))
    seen = [len(world.envs["pc"].acted) for _ in episode(world, agent(planner), brief(world))]
    assert seen == [1, 2, 2]


def test_control_verbs_are_carried_out_by_the_loop_and_never_reach_an_environment():
    world = ScriptedWorld()
    moves = (Wait(2.0), Screenshot(), Answer("42"), AskUser("which?"), Noop(), Done())
    steps, _ = run(world, ScriptedPlanner(decide(*(("pc", move) for move in moves))), ask=lambda _: "that one")
    assert [step.outcome.result for step in steps] == ["control"] * 6
    assert world.envs["pc"].acted == []


def test_what_is_said_reaches_a_world_that_hears_before_its_user_answers():
    world, told = LiveWorld(), []
    planner = ScriptedPlanner(decide(AskUser("which?")), decide(Answer("")), decide(Answer("42"), Done("infeasible")))
    steps, _ = run(world, planner, ask=lambda _: told.append(len(world.heard)) or "that one")
    assert told == [1] and world.heard == [AskUser("which?"), Answer("42"), Done("infeasible")]
    assert [step.outcome.result for step in steps] == ["control", "rejected", "control", "control"]
    assert steps[1].outcome.message == "an answer must say something"


def test_a_question_that_no_user_can_be_asked_is_not_heard():
    world = LiveWorld()
    run(world, ScriptedPlanner(decide(AskUser("which?")), decide(Done())))
    assert world.heard == [Done()]


def test_wait_advances_the_clock_of_the_whole_world():
    world = ScriptedWorld(("phone", "pc"))
    planner = ScriptedPlanner(decide(("phone", Wait(7.5))), decide(Done()))
    steps, _ = run(world, planner)
    assert world.waited == [7.5]
    assert [seen.time for seen in planner.requests[1].observations.values()] == [7.5, 7.5]
    assert (steps[0].start, steps[0].end) == (0.0, 7.5)


def test_ask_user_goes_to_the_runs_user_and_the_reply_comes_as_feedback():
    questions = []
    planner = ScriptedPlanner(decide(AskUser("which?")), decide(Done()))
    run(ScriptedWorld(), planner, ask=lambda question: questions.append(question) or "the red one")
    assert questions == ["which?"]
    assert [told.outcome.message for told in planner.requests[1].feedback] == ["the red one"]


def test_ask_user_is_refused_where_there_is_no_user():
    steps, _ = run(ScriptedWorld(), ScriptedPlanner(decide(AskUser("which?")), decide(Done())))
    assert steps[0].outcome.result == "rejected" and "no user" in steps[0].outcome.message


def test_noop_costs_a_turn_and_no_action():
    steps, ending = run(ScriptedWorld(), ScriptedPlanner(decide(Noop())), limits=Limits(turns=3, actions=1))
    assert (ending.reason, len(steps)) == ("turns", 3)
    assert not any(step.counts for step in steps)


def test_done_ends_the_episode_after_its_own_step():
    world = ScriptedWorld()
    steps, ending = run(world, ScriptedPlanner(decide(Done("infeasible", "no idea"), Click(A))))
    assert [step.executed for step in steps] == [Done("infeasible", "no idea")]
    assert (ending.reason, ending.status, ending.detail) == ("done", "infeasible", "no idea")
    assert world.envs["pc"].acted == []


def test_an_answer_is_recorded_for_the_judges_as_a_counted_step():
    steps, _ = run(ScriptedWorld(), ScriptedPlanner(decide(Answer("42"), Done())))
    assert steps[0].executed == Answer("42") and steps[0].counts


@pytest.mark.parametrize(
    ("limits", "reason", "steps"),
    [
        (Limits(turns=2, actions=None), "turns", 4),
        (Limits(turns=None, actions=3), "actions", 3),
        (Limits(turns=None, actions=None, tokens=25), "tokens", 4),
    ],
)
def test_limits_end_the_episode(limits, reason, steps):
    planner = ScriptedPlanner(decide(Click(A), Click(B), usage=Usage(1, 8, 2)))
    taken, ending = run(ScriptedWorld(), planner, limits=limits)
    assert (ending.reason, len(taken)) == (reason, steps)


def test_the_limit_of_seconds_is_on_the_wall_not_on_the_worlds_clock():
    import time

    world = ScriptedWorld()
    _, ending = run(world, ScriptedPlanner(decide(Wait(100.0)), decide(Done())), limits=Limits(seconds=60))
    assert (ending.reason, world.now) == ("done", 100.0)

    def slow(_):
        until = time.perf_counter() + 0.03
        while time.perf_counter() < until:
            pass
        return decide(Click(A))

    steps, ending = run(ScriptedWorld(), ScriptedPlanner(slow), limits=Limits(turns=None, actions=None, seconds=0.05))
    assert ending.reason == "seconds" and len(steps) <= 2


def test_the_planner_is_told_what_is_left():
    planner = ScriptedPlanner(decide(Click(A), usage=Usage(1, 8, 2)), decide(Done()))
    run(ScriptedWorld(), planner, limits=Limits(turns=5, actions=7, tokens=100, seconds=50))
    first, second = (request.left for request in planner.requests)
    assert (first.turns, first.actions, first.tokens) == (5, 7, 100)
    assert (second.turns, second.actions, second.tokens) == (4, 6, 90)
    assert second.seconds is not None and 0 < second.seconds < 50


@pytest.mark.parametrize("name", ["turns", "actions", "tokens", "seconds"])
def test_a_limit_of_nothing_is_refused(name):
    with pytest.raises(ConfigError, match=name):
        Limits(**{name: 0})


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_invalid_moves_in_a_row_are_answered_as_often_as_the_policy_says(retries):
    planner = ScriptedPlanner(decide(Click("nowhere")))
    steps, ending = run(ScriptedWorld(), planner, retries=retries)
    assert (ending.reason, len(steps)) == ("invalid", retries + 1)
    assert "nowhere" in ending.detail
    assert {step.outcome.result for step in steps} == {"not_found"}


def test_a_valid_move_between_invalid_ones_starts_their_count_anew():
    planner = ScriptedPlanner(*[decide(Click("nowhere")), decide(Click(A))] * 3, decide(Done()))
    steps, ending = run(ScriptedWorld(), planner, retries=1)
    assert (ending.reason, len(steps)) == ("done", 7)


def test_an_environment_that_rejects_tells_the_agent_and_nothing_was_executed():
    world = ScriptedWorld(rejects=lambda _: "the screen is locked")
    planner = ScriptedPlanner(decide(Click("left")), decide(Done()))
    steps, _ = run(world, planner)
    assert (steps[0].outcome.result, steps[0].executed, steps[0].counts) == ("rejected", None, False)
    assert [told.outcome.message for told in planner.requests[1].feedback] == ["the screen is locked"]


@pytest.mark.parametrize("intent", [Click("left"), Press(("enter",))])
def test_a_move_for_an_environment_that_is_not_there_is_rejected(intent):
    steps, _ = run(ScriptedWorld(("phone", "pc")), ScriptedPlanner(decide(("tv", intent)), decide(Done())))
    assert steps[0].outcome.result == "rejected" and "phone, pc" in steps[0].outcome.message


def test_moves_after_a_failed_one_are_skipped_and_the_planner_hears_of_it():
    world = ScriptedWorld()
    planner = ScriptedPlanner(decide(Click("left"), Click("nowhere"), Click("right"), Done()), decide(Done()))
    steps, _ = run(world, planner)
    assert [step.outcome.result for step in steps] == ["done", "not_found", "control"]
    told = planner.requests[1].feedback
    assert [feedback.outcome.result for feedback in told] == ["done", "not_found", "skipped", "skipped"]
    assert [feedback.move.intent for feedback in told] == [Click("left"), Click("nowhere"), Click("right"), Done()]
    assert world.envs["pc"].acted == [Click(A)]


def test_a_malformed_reply_is_a_step_whose_message_the_planner_gets():
    planner = ScriptedPlanner(MalformedReply("no JSON in it", Usage(2, 5, 5)), decide(Done()))
    recorder, memory = ScriptedRecorder(), WatchedMemory()
    steps, ending = run(ScriptedWorld(), planner, recorder=recorder, memory=memory)
    assert (steps[0].outcome.result, steps[0].proposed, steps[0].executed) == ("malformed", None, None)
    assert [(told.move, told.outcome.message) for told in planner.requests[1].feedback] == [(None, "no JSON in it")]
    assert [turn.usage.tokens for turn in memory.learnt] == [10, 0]
    assert [turn for turn, _ in recorder.decisions] == [0, 1]
    assert ending.reason == "done"


def test_malformed_replies_end_the_episode_as_invalid_and_their_tokens_count():
    _, ending = run(ScriptedWorld(), ScriptedPlanner(MalformedReply("?")), retries=2)
    assert ending.reason == "invalid"
    planner = ScriptedPlanner(MalformedReply("?", Usage(1, 10, 10)))
    _, ending = run(ScriptedWorld(), planner, retries=9, limits=Limits(tokens=30))
    assert ending.reason == "tokens"


@pytest.mark.parametrize("error", [ModelUnavailable("no answer"), EnvLost("gone")])
def test_a_lost_model_or_device_is_not_an_outcome_but_ends_the_loop(error):
    with pytest.raises(type(error)):
        run(ScriptedWorld(), ScriptedPlanner(error))


def test_a_world_that_is_over_ends_the_episode():
    world = ScriptedWorld(on_act=lambda *_: setattr(world, "over", "the page is done"))
    steps, ending = run(world, ScriptedPlanner(decide(Click(A), Click(B))))
    assert (ending.reason, ending.detail, len(steps)) == ("world", "the page is done", 1)


def test_done_in_the_move_that_ends_the_world_is_still_the_agents_ending():
    world = ScriptedWorld(on_act=lambda *_: setattr(world, "over", "the page is done"))
    _, ending = run(world, ScriptedPlanner(decide(Done())))
    assert ending.reason == "done"


def test_a_planner_that_decides_nothing_uses_up_its_turns():
    steps, ending = run(ScriptedWorld(), ScriptedPlanner(decide()), limits=Limits(turns=4))
    assert (ending.reason, steps) == ("turns", [])


def test_every_turn_is_learnt_with_its_thought_its_steps_and_what_was_seen():
    memory = WatchedMemory()
    planner = ScriptedPlanner(decide(Click("left"), thought="left it is"), decide(Done(), thought="that was it"))
    steps, _ = run(ScriptedWorld(), planner, memory=memory)
    assert [(turn.index, turn.thought) for turn in memory.learnt] == [(0, "left it is"), (1, "that was it")]
    assert [step for turn in memory.learnt for step in turn.steps] == steps
    assert [turn.observations["pc"].time for turn in memory.learnt] == [0.0, 1.0]


def test_a_step_holds_what_was_proposed_what_was_executed_and_where_the_grounder_pointed():
    steps, _ = run(ScriptedWorld(), ScriptedPlanner(decide(Click("right")), decide(Done())))
    step: Step = steps[0]
    assert step.proposed is not None and step.proposed.intent == Click("right")
    assert step.executed == Click(B)
    assert [(found.target, found.point, found.grounder) for found in step.pointed] == [("right", B, "ScriptedGrounder")]


def test_closing_the_generator_ends_the_episode_there():
    world = ScriptedWorld()
    memory = WatchedMemory()
    planner = ScriptedPlanner(decide(Click(A), Click(B), thought="both"))
    steps = episode(world, agent(planner, memory=memory), brief(world))
    step = next(steps)
    steps.close()
    assert len(world.envs["pc"].acted) == 1
    assert [(turn.thought, turn.steps) for turn in memory.learnt] == [("both", (step,))]
    with pytest.raises(StopIteration):
        next(steps)


def test_two_episodes_of_one_agent_share_no_state():
    planner = ScriptedPlanner(decide(Click("left"), thought="secret of the first"), decide(Done()))
    one = agent(planner, ScriptedGrounder(PLACES))
    first = ScriptedWorld()
    play(episode(first, one, brief(first, "first")))
    told = [recalled.part for recalled in planner.requests[1].recalled]
    assert "secret of the first" in told
    second = ScriptedWorld()
    steps, _ = play(episode(second, one, brief(second, "second")))
    assert [given.instruction for given in planner.begun] == ["first", "second"]
    assert planner.requests[0].recalled == () and planner.requests[0].feedback == ()
    assert (steps[0].index, planner.requests[0].turn) == (0, 0)
