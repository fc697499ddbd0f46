"""The planner `native`: what the model is shown, what is kept of the conversation, and what becomes of its replies."""

from __future__ import annotations

from typing import Any

import pytest
from native_screens import KINDS, SIZE, TASK, shot
from scripted_model import ScriptedModel, calls, says

from omnipilot.envs import (
    Absent,
    Answer,
    AskUser,
    Click,
    ConfigError,
    Done,
    Image,
    Noop,
    Observation,
    Point,
    Screenshot,
    Scroll,
    Size,
    System,
    Wait,
)
from omnipilot.memory import MalformedReply, Move, Outcome
from omnipilot.planners import Brief, Feedback, NativePlanner, Request, Verbs
from omnipilot.planners.native.families.table import families, get


def request(turn: int = 0, task: Brief = TASK, feedback: tuple[Feedback, ...] = (), screen: Any = None) -> Request:
    seen = {
        name: Observation(name, 0.0, SIZE, screenshot=shot(turn) if screen is None else screen) for name in task.envs
    }
    return Request(task, turn, seen, feedback=feedback)


def planner(model: ScriptedModel, family: str = "ui-tars", **options: Any) -> NativePlanner:
    made = NativePlanner.over(model, family=family, **options)
    made.begin(TASK)
    return made


CLICK = "Thought: There.\nAction: click(start_box='(500,250)')"


def test_a_reply_becomes_moves_a_thought_and_what_it_cost() -> None:
    model = ScriptedModel(says(CLICK + "\n\nfinished(content='')"))
    decision = planner(model).plan(request())
    assert decision.moves == (Move("pc", Click(Point(0.5, 0.25))), Move("", Done()))
    assert (decision.thought, decision.usage.calls, decision.usage.tokens_in) == ("There.", 1, 100)
    (asked,) = model.asked
    assert [message.role for message in asked.messages] == ["system", "user"]
    assert asked.words.startswith("You are a helpful assistant.") and "Turn {width} on" in asked.words
    assert asked.salt == 7 and not asked.tools


def test_a_conversation_keeps_its_replies_and_only_the_last_images() -> None:
    model = ScriptedModel(says(CLICK))
    native = planner(model)
    for turn in range(7):
        native.plan(request(turn))
    last = model.asked[-1]
    assert len(last.media) == get("ui-tars").layout.images == 5
    assert last.words.count("Turn {width} on") == 1
    assert [message.role for message in last.messages if message.role == "assistant"] == ["assistant"] * 6
    assert "click(start_box='<|box_start|>(500,250)<|box_end|>')" in last.words
    assert all(isinstance(part, Image) and part.size == get("ui-tars").resize.size(SIZE) for part in last.media)
    native.begin(TASK)
    native.plan(request(0))
    assert len(model.asked[-1].messages) == 2


def test_the_image_is_sent_at_the_size_that_the_family_wants_and_read_back() -> None:
    model = ScriptedModel(says("Action: click(start_box='(98,49)')"))
    native = planner(model, "ui-tars-1.5")
    (move,) = native.plan(request(screen=Image.raw(Size(1000, 500), bytes(1_500_000)))).moves
    (sent,) = model.asked[0].media
    assert isinstance(sent, Image) and (sent.size.width % 28, sent.size.height % 28) == (0, 0)
    assert isinstance(move.intent, Click)
    assert move.intent.at == Point(98 / sent.size.width, 49 / sent.size.height)


def test_a_listed_history_is_told_in_words_with_one_image() -> None:
    reply = "Action: Click it.\nGrounded Operation: CLICK(box=[[100,100,200,200]])"
    model = ScriptedModel(says(reply))
    native = planner(model, "cogagent")
    for turn in range(3):
        native.plan(request(turn))
    first, _, third = (asked.words for asked in model.asked)
    assert first == "Task: Turn {width} on\nHistory steps: \n(Platform: WIN)\n(Answer in Action-Operation format.)\n"
    assert third == (
        "Task: Turn {width} on\nHistory steps: \n0. CLICK(box=[[100,100,200,200]])\tClick it."
        "\n1. CLICK(box=[[100,100,200,200]])\tClick it.\n(Platform: WIN)\n(Answer in Action-Operation format.)\n"
    )
    assert [len(asked.media) for asked in model.asked] == [1, 1, 1]


def test_aguvis_is_asked_in_its_authors_words() -> None:
    model = ScriptedModel(says("Action: Click it.\npyautogui.click(x=0.5, y=0.5)"))
    native = planner(model, "aguvis")
    native.plan(request(0))
    native.plan(request(1))
    system, user = model.asked[1].messages
    assert system.parts[0] == (
        "You are a GUI agent. You are given a task and a screenshot of the screen. You need to perform a series of "
        "pyautogui actions to complete the task."
    )
    assert isinstance(user.parts[0], Image)
    assert user.parts[1] == (
        "Please generate the next move according to the ui screenshot, instruction and previous actions.\n\n"
        "Instruction: Turn {width} on\n\nPrevious actions:\nStep 1: Click it.\n"
    )


def test_an_unreadable_reply_is_answered_with_what_was_wrong() -> None:
    model = ScriptedModel(says("Action: click(start_box='')"), says(CLICK))
    decision = planner(model).plan(request())
    assert decision.moves == (Move("pc", Click(Point(0.5, 0.25))),) and decision.usage.calls == 2
    assert model.asked[1].messages[-2].parts == ("Action: click(start_box='')",)
    assert "start_box is no place" in str(model.asked[1].messages[-1].parts[0])


def test_what_stays_unreadable_is_malformed_with_its_cost_and_is_not_kept() -> None:
    model = ScriptedModel(says("no"), says("no", finish="length"), says(CLICK))
    native = planner(model)
    with pytest.raises(MalformedReply, match=r"there is no action.*cut off") as caught:
        native.plan(request())
    assert caught.value.usage.calls == 2 and len(model.asked) == 2
    native.plan(request(1, feedback=(Feedback(None, Outcome("malformed", "unreadable")),)))
    assert "The last reply was not carried out: unreadable" in model.asked[2].words
    assert [message.role for message in model.asked[2].messages] == ["system", "user"]
    none = ScriptedModel(says("no"))
    with pytest.raises(MalformedReply):
        planner(none, repairs=0).plan(request())
    assert len(none.asked) == 1


def test_what_went_wrong_and_what_the_user_said_is_told() -> None:
    model = ScriptedModel(says(CLICK))
    native = planner(model)
    native.plan(request())
    told = (
        Feedback(Move("pc", Click(Point(0.5, 0.25))), Outcome("rejected", "it is locked")),
        Feedback(Move("", AskUser("Which?")), Outcome("control", "The blue one.")),
        Feedback(Move("pc", Noop()), Outcome("done")),
    )
    native.plan(request(1, feedback=told))
    words = model.asked[1].words
    assert (
        'The action click was not carried out: "it is locked"' in words and "The user answers: The blue one." in words
    )
    assert "noop" not in words


def test_the_pointer_is_where_the_last_action_left_it() -> None:
    model = ScriptedModel(says("Action: scroll(direction='down')"))
    native = planner(model)
    moved = Move("pc", Click(Point(0.5, 0.25)))
    assert native.plan(request()).moves[0].intent == Scroll("down", None, 5)
    native.plan(request(1, feedback=(Feedback(moved, Outcome("rejected", "no")),)))
    assert native.plan(request(2)).moves[0].intent == Scroll("down", None, 5)
    scrolled = native.plan(request(3, feedback=(Feedback(moved, Outcome("done")),)))
    assert scrolled.moves[0].intent == Scroll("down", Point(0.5, 0.25), 5)
    native.begin(TASK)
    assert native.plan(request()).moves[0].intent == Scroll("down", None, 5)


def test_a_hosted_model_is_given_functions_and_its_calls_are_answered() -> None:
    click = calls(("computer", {"action": "left_click", "coordinate": [100, 25]}), text="I click.")
    model = ScriptedModel(click, says("It is on."))
    native = planner(model, "claude")
    decision = native.plan(request())
    assert decision.moves == (Move("pc", Click(Point(0.5, 0.25))),) and decision.thought == "I click."
    assert native.plan(request(1)).moves[-1] == Move("", Done())
    assert [tool.name for tool in model.asked[0].tools] == ["computer"] and model.asked[0].tool_choice == "auto"
    assert "200x100 pixels" in model.asked[0].words
    roles = [message.role for message in model.asked[1].messages]
    assert roles == ["system", "user", "assistant", "tool", "user"]
    assert model.asked[1].messages[2].calls == click.calls


def test_calls_that_are_no_json_are_kept_in_words() -> None:
    mended = calls(("computer", '{"action": "wait"'), text="")
    model = ScriptedModel(mended)
    native = planner(model, "claude")
    assert native.plan(request()).moves == (Move("", Wait(1)),)
    native.plan(request(1))
    kept = model.asked[1].messages[2]
    assert kept.calls == () and kept.parts == ('computer({"action": "wait")',)


def test_a_phone_has_its_own_actions() -> None:
    phone = Brief("Go home", {"phone": Verbs("phone", KINDS)})
    model = ScriptedModel(says("Action: press_home()"))
    native = planner(model)
    native.begin(phone)
    assert native.plan(request(task=phone)).moves == (Move("phone", System("home")),)
    assert "press_home()" in model.asked[0].words and "right_single" not in model.asked[0].words


BOTH = Brief("Send the code", {"pc": Verbs("desktop", KINDS), "phone": Verbs("phone", KINDS)})


def test_one_environment_is_operated_where_it_is_named() -> None:
    named = planner(ScriptedModel(says(CLICK)), env="pc")
    named.begin(BOTH)
    assert named.plan(request(task=BOTH)).moves[0].env == "pc"
    named.env = "tablet"
    with pytest.raises(ConfigError, match="no environment 'tablet'"):
        named.begin(BOTH)


FINISHED = "Action: finished(content='the code is 42')"


def test_several_devices_have_a_dialogue_each_and_end_together() -> None:
    model = ScriptedModel(says(CLICK), says(FINISHED), says(CLICK), says("Action: finished()"), says(FINISHED))
    native = planner(model)
    native.begin(BOTH)
    assert native.plan(request(0, BOTH)).moves == (Move("pc", Click(Point(0.5, 0.25))),)
    # The first says that it has finished: the second is asked in the same turn, and told what the first said.
    handed = native.plan(request(1, BOTH))
    assert handed.moves == (Move("phone", Click(Point(0.5, 0.25))),) and handed.usage.calls == 2
    assert "the pc alone" in model.asked[0].words and "the phone alone" in model.asked[2].words
    assert "The work on the pc is done and says: the code is 42" in model.asked[2].words
    assert [message.role for message in model.asked[2].messages if message.role == "assistant"] == []
    # The second acted, so the first is asked once more before the task is done.
    over = native.plan(request(2, BOTH))
    assert over.moves == (Move("", Answer("the code is 42")), Move("", Done())) and over.usage.calls == 2
    assert "the code is 42" in model.asked[4].words and "The work on the phone is done" in model.asked[4].words


def test_a_device_on_which_it_cannot_be_done_ends_the_task_so() -> None:
    model = ScriptedModel(says("Memory:\nFAIL()"), says("DONE()"))
    native = planner(model, "glm-v")
    native.begin(BOTH)
    assert native.plan(request(0, BOTH)).moves == (Move("", Done("infeasible")),)


def test_an_unreadable_reply_of_the_second_device_counts_what_the_first_cost() -> None:
    native = planner(ScriptedModel(says(FINISHED), says("what?"), says("what?")))
    native.begin(BOTH)
    with pytest.raises(MalformedReply) as caught:
        native.plan(request(0, BOTH))
    assert caught.value.usage.calls == 3


def test_without_a_screenshot_it_looks_again_or_says_what_it_needs() -> None:
    native = planner(ScriptedModel(says(CLICK)))
    looked = native.plan(request(screen=Absent("failed", "the camera is off")))
    assert looked.moves == (Move("", Screenshot()),) and "the camera is off" in looked.thought
    with pytest.raises(ConfigError, match="grant it the modality screenshot"):
        native.plan(request(screen=Absent("ablated")))


@pytest.mark.parametrize("family", [family for family in families() if family.example], ids=lambda one: one.name)
def test_an_answer_that_the_server_took_for_reasoning_is_read(family: Any) -> None:
    """Its parser of reasoning waits for a tag that a model which does not think never writes."""
    swallowed = ScriptedModel(says("", reasoning=family.example, finish="stop"))
    whole = ScriptedModel(says(family.example, finish="stop"))
    asked = request(screen=Image.raw(Size(1000, 1000), bytes(3_000_000)))
    decision = planner(swallowed, family.name, repairs=0).plan(asked)
    assert decision.moves == planner(whole, family.name, repairs=0).plan(asked).moves
    assert decision.moves and isinstance(decision.moves[0].intent, Click)


def test_a_swallowed_answer_is_its_own_past_and_its_thought_is_told_once() -> None:
    model = ScriptedModel(says("", reasoning=CLICK))
    native = planner(model)
    assert native.plan(request()).thought == "Thought: There."
    native.plan(request(1))
    said = [message.parts for message in model.asked[-1].messages if message.role == "assistant"]
    assert len(said) == 1 and "click(start_box=" in str(said[0])


@pytest.mark.parametrize(
    ("family", "reasoning", "finish", "told"),
    [
        ("ui-tars", "I could click(start_box='(1,2)') or not.", "stop", "came as reasoning"),
        ("claude", "The screen shows a button.", "stop", "came as reasoning"),
        ("qwen3.5", "Let me look at it first.", "stop", "without --reasoning-parser"),
        ("qwen3.5", "Let me look at it fir", "length", "cut off while it reasoned"),
        ("qwen3.5", "", "stop", "in nothing"),
    ],
)
def test_a_reply_of_nothing_but_reasoning_says_what_helps(family: str, reasoning: str, finish: str, told: str) -> None:
    model = ScriptedModel(says("", reasoning=reasoning, finish=finish))
    with pytest.raises(MalformedReply, match=told) as refused:
        planner(model, family, repairs=0).plan(request())
    assert bool(reasoning and finish == "stop") is ("came as reasoning" in str(refused.value))


def test_a_thought_that_is_the_answer_holds_no_lone_surrogates() -> None:
    end = (
        '<tool_call>\n{"name": "computer_use", "arguments": {"action": "terminate", "status": "success"}}\n</tool_call>'
    )
    decision = planner(ScriptedModel(says(f"Done \udc80.\n{end}")), "fara").plan(request())
    assert decision.moves[0] == Move("", Answer("Done \ufffd."))


def test_single_clicks_become_double_clicks_where_that_is_asked_for() -> None:
    said = says("actions:\nCLICK <point>[[500,250]]</point>\nRIGHTCLICK <point>[[500,250]]</point>\nTYPE [hi]")
    plain = planner(ScriptedModel(said), "os-atlas-pro").plan(request())
    doubled = planner(ScriptedModel(said), "os-atlas-pro", doubled=True).plan(request())
    assert [move.intent for move in doubled.moves] == [
        Click(Point(0.5, 0.25), count=2),
        Click(Point(0.5, 0.25), button="right"),
        *(move.intent for move in plain.moves[2:]),
    ]
    assert plain.moves[0].intent == Click(Point(0.5, 0.25)) and plain.moves[1:] == doubled.moves[1:]


def test_a_screen_is_fitted_into_a_square_and_places_are_mapped_back() -> None:
    model = ScriptedModel(
        says("actions:\nCLICK <point>[[500,400]]</point>"),
        says("actions:\nCLICK <point>[[500,900]]</point>"),
        says("actions:\nCLICK <point>[[500,250]]</point>"),
    )
    native = planner(model, "os-atlas-pro", square=112)
    # The screen is twice as wide as high: it fills the upper half of the square.
    assert native.plan(request(1)).moves == (Move("pc", Click(Point(0.5, 0.8))),)
    (sent,) = model.asked[0].media
    assert isinstance(sent, Image) and sent.size == Size(112, 112)
    assert (sent.array()[:56] == 1).all() and not sent.array()[56:].any()
    assert native.plan(request(2)).moves == (Move("pc", Click(Point(0.5, 0.5))),)
    assert "padding beside the screen" in model.asked[2].words
