"""The planner `pyautogui`: a model is asked for a script, which becomes moves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from scripted import element
from scripted_model import ScriptedModel, says

from omnipilot.envs import (
    Absent,
    Answer,
    Click,
    ConfigError,
    Done,
    Elements,
    Image,
    Modality,
    Observation,
    Point,
    Press,
    Screenshot,
    Size,
    TypeText,
)
from omnipilot.memory import MalformedReply, Move, Outcome, Recalled, estimate_tokens
from omnipilot.planners import Brief, Feedback, Request, ScriptPlanner, Verbs
from omnipilot.planners.chat.pyautogui import LEAST_TOKENS

SIZE = Size(200, 100)
TASK = Brief("Save it", {"pc": Verbs("desktop", frozenset({"click", "type"}))}, intent="to have it")
UNSEEN = Absent("ablated")
SHOT = Image.raw(SIZE, bytes(SIZE.pixels * 3), "pc")


def request(screen: Any = SHOT, elements: Any = UNSEEN, feedback: tuple[Feedback, ...] = ()) -> Request:
    return Request(
        TASK, 0, {"pc": Observation("pc", 0.0, SIZE, screenshot=screen, elements=elements)}, feedback=feedback
    )


def planner(*said: Any, **options: Any) -> tuple[ScriptPlanner, ScriptedModel]:
    model = ScriptedModel(*said)
    made = ScriptPlanner.over(model, **options)
    made.begin(TASK)
    return made, model


SCRIPT = "I click and type.\n```python\npyautogui.click(100, 25)\npyautogui.write('a\\n')\n```"


def test_a_script_becomes_moves() -> None:
    writer, model = planner(says(SCRIPT))
    decision = writer.plan(request())
    assert decision.moves == (Move("pc", Click(Point(0.5, 0.25))), Move("pc", TypeText("a", submit=True)))
    assert decision.thought == "I click and type." and decision.usage.calls == 1
    (asked,) = model.asked
    assert asked.media == (SHOT,) and "200x100 pixels" in asked.words
    assert "Task: Save it\nPurpose: to have it" in asked.words and "End the last one with done()" in asked.words


def test_a_model_that_takes_words_alone_is_shown_the_elements_and_no_picture() -> None:
    save = Elements((element("Save", "button"),))
    writer, model = planner(says(SCRIPT), screenshot=False)
    assert writer.reads == {Modality.ELEMENTS}
    decision = writer.plan(request(screen=UNSEEN, elements=save))
    assert decision.moves[0] == Move("pc", Click(Point(0.5, 0.25)))
    (asked,) = model.asked
    assert asked.media == () and 'button "Save"' in asked.words
    assert "a list of what is on a screen of 200x100 pixels" in asked.words and "screenshot" not in asked.words
    messages, _ = writer.preview(request(elements=save))
    assert all(isinstance(part, str) for message in messages for part in message.parts)
    with pytest.raises(ConfigError, match="works from the elements only; grant it the modality elements"):
        writer.plan(request(screen=UNSEEN))
    assert writer.plan(request(screen=UNSEEN, elements=Absent("failed"))).moves == (Move("", Screenshot()),)
    with pytest.raises(ConfigError, match="elements must be at least 1"):
        planner(screenshot=False, elements=0)


@pytest.mark.parametrize("said", ["Yes, you have indeed completed it.", "pyautogui.click(200, 50"])
def test_who_answers_in_words_is_told_to_write_a_code_block(said: str) -> None:
    writer, model = planner(says(said), says(SCRIPT))
    assert len(writer.plan(request()).moves) == 2
    assert "line 1: this is no Python" in model.asked[1].words
    assert "write the script in a code block, such as\n```python" in model.asked[1].words
    strict, _ = planner(says("```\nfly(1, 2)\n```"), repairs=0)
    with pytest.raises(MalformedReply) as error:
        strict.plan(request())
    assert "code block" not in str(error.value)


def test_one_script_may_be_the_whole_episode() -> None:
    writer, model = planner(says(SCRIPT), once=True)
    assert writer.plan(request()).moves[-1] == Move("", Done())
    assert "There is one script for the whole task" in model.asked[0].words
    strict, _ = planner(says("```\nclick(1, 1)\ndone()\n```"), once=True, repairs=0)
    with pytest.raises(MalformedReply, match="line 2: there is no action 'done'"):
        strict.plan(request())


def test_the_end_is_called() -> None:
    writer, _ = planner(says("```\nanswer('42')\ndone()\n```"))
    assert writer.plan(request()).moves == (Move("", Answer("42")), Move("", Done()))


def test_what_is_rejected_is_told_with_its_line() -> None:
    writer, model = planner(says("```\nclick(1, 1)\nimport os\n```"), says("```\npress('enter')\n```"))
    assert writer.plan(request()).moves == (Move("pc", Press(("enter",))),)
    assert "line 2: only calls with literal arguments" in str(model.asked[1].messages[-1].parts[0])
    empty, asked = planner(says("I cannot.\n```\n```"))
    with pytest.raises(MalformedReply, match="the script calls nothing"):
        empty.plan(request())
    assert len(asked.asked) == 2


def test_what_was_done_and_what_went_wrong_is_told() -> None:
    writer, model = planner(says(SCRIPT))
    writer.plan(request())
    failed = Feedback(Move("pc", Click(Point(0.5, 0.25))), Outcome("rejected", "it is locked"))
    writer.plan(request(feedback=(failed,)))
    words = model.asked[1].words
    assert "Done before:\npyautogui.click(100, 25)\npyautogui.write('a\\n')" in words
    assert 'The action click was not carried out: "it is locked"' in words
    writer.begin(TASK)
    writer.plan(request())
    assert "Done before" not in model.asked[2].words


def test_elements_are_listed_with_their_pixels_where_they_are_seen() -> None:
    items = Elements((element("Save", row=2), element("Name", "textbox", row=5, value="x")))
    writer, model = planner(says(SCRIPT), elements=1)
    writer.plan(request(elements=items))
    assert 'button "Save" at (100, 24)' in model.asked[0].words and "(and 1 more)" in model.asked[0].words
    blind, other = planner(says(SCRIPT), elements=0)
    blind.plan(request(elements=items))
    assert "Save'" not in other.asked[0].words


def test_it_operates_one_environment_by_its_screenshot() -> None:
    writer, _ = planner(says(SCRIPT))
    assert writer.plan(request(screen=Absent("failed"))).moves == (Move("", Screenshot()),)
    with pytest.raises(ConfigError, match="works from a screenshot or from elements; grant it one"):
        writer.plan(request(screen=Absent("ablated")))
    with pytest.raises(ConfigError, match="the task has several"):
        writer.begin(Brief("", {"a": TASK.envs["pc"], "b": TASK.envs["pc"]}))


def test_it_works_from_elements_where_no_screenshot_is_granted() -> None:
    save = Elements((element("Save", "button"),))
    writer, model = planner(says(SCRIPT))
    assert writer.plan(request(screen=UNSEEN, elements=save)).moves[0] == Move("pc", Click(Point(0.5, 0.25)))
    assert model.asked[0].media == () and "pixels, taken from the list" in model.asked[0].words
    messages, _ = writer.preview(request(screen=UNSEEN, elements=save))
    assert all(isinstance(part, str) for message in messages for part in message.parts)
    assert "200x100" in str(messages[0].parts[0])
    with pytest.raises(ConfigError, match=r"nothing tells any; read them from the screenshot \(--perception detact\)"):
        writer.plan(request(screen=UNSEEN, elements=Absent("unsupported")))


def test_examples_come_before_the_elements_and_a_budget_leaves_out_the_farthest() -> None:
    far = Recalled("Example: far\n" + "x " * 300, "example", "", 0.0, -1, "nearest")
    near = Recalled("Example: near", "example", "", 0.0, -1, "nearest")
    seen = request(screen=UNSEEN, elements=Elements((element("Save", "button"),)))
    for tokens, shown in ((4_000, True), (LEAST_TOKENS, False)):
        writer, model = planner(says(SCRIPT), tokens=tokens)
        writer.plan(replace(seen, recalled=(far, near)))
        told = model.asked[0].words
        assert ("Example: far" in told) is shown and told.index("Example: near") < told.index('button "Save"')
        assert estimate_tokens(told) <= tokens
    with pytest.raises(ConfigError, match="tokens must be at least"):
        planner(tokens=10)


def test_its_prompt_can_be_shown_without_a_device() -> None:
    writer, model = planner(says(SCRIPT))
    messages, asked = writer.preview(Request(TASK, 0, {}))
    assert [message.role for message in messages] == ["system", "user"] and asked == {} and not model.asked
    assert "1920x1080" in str(messages[0].parts[0]) and "{" not in str(messages[0].parts[0])
    assert set(writer.identity()) == {"prompt"}


def test_a_planner_that_lists_no_elements_reads_none() -> None:
    assert Modality.ELEMENTS in planner(says(SCRIPT))[0].reads
    assert planner(says(SCRIPT), elements=0)[0].reads == {Modality.SCREENSHOT}
