"""What a chat model is shown of a request: everything that it may see, in its order, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from scripted import SIZE, element, shade

from omnipilot.envs import Absent, AskUser, AudioClip, Click, Context, Elements, Modality, Observation, VideoClip
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import Move, Outcome, Recalled
from omnipilot.memory.messages import Part
from omnipilot.planners import Brief, Feedback, Left, Request, Verbs
from omnipilot.planners.chat.observation import closing
from omnipilot.planners.chat.render import feedback_words, recalled_parts, seen_parts
from omnipilot.planners.recalled import noted_parts

ENVS = {"phone": Verbs("phone", frozenset({"click"})), "pc": Verbs("desktop", frozenset({"click"}))}


def seen(env: str, start: float = 1.0, **more: Any) -> Observation:
    fields: dict[str, Any] = {
        "screenshot": shade(1, env, 3.0),
        "elements": Elements(
            (element("Save", id="e1"), element("", "textbox", value='a "b"\nc', states=frozenset({"focused"})))
        ),
        "audio": AudioClip(b"\1\0" * 16_000, env, start),
        "video": VideoClip([shade(2, env, start + 0.5)], start + 2, env),
        "context": Context("Mail", "Inbox", "", ("one", "two"), 1),
    }
    return Observation(env, 3.0, SIZE, **{**fields, **more})


def words(parts: tuple[Part, ...]) -> str:
    return "\n".join(part for part in parts if isinstance(part, str))


def test_clips_come_first_in_order_of_time_and_each_has_its_label_before_it() -> None:
    parts = seen_parts({"phone": seen("phone", 2.0), "pc": seen("pc", 1.0)})
    media = [part for part in parts if not isinstance(part, str)]
    assert [(type(part).__name__, part.env, part.start) for part in media] == [
        ("AudioClip", "pc", 1.0),
        ("VideoClip", "pc", 1.5),
        ("AudioClip", "phone", 2.0),
        ("VideoClip", "phone", 2.5),
        ("Image", "phone", 3.0),
        ("Image", "pc", 3.0),
    ]
    for before, part in zip(parts, parts[1:], strict=False):
        if not isinstance(part, str):
            assert isinstance(before, str)
            assert part.env in before.splitlines()[-1]


def test_elements_are_a_line_each_with_their_ids() -> None:
    lines = words(seen_parts({"pc": seen("pc")})).splitlines()
    assert '#e1 button "Save"' in lines
    assert r'- textbox = "a \"b\"\nc" (focused)' in lines
    assert '#e1 button "Save" at 0.500, 0.040' in words(seen_parts({"pc": seen("pc")}, coordinates=True)).splitlines()
    assert '(the list is cut: "2 of 9")' in words(seen_parts({"pc": seen("pc", elements=Elements((), True, "2 of 9"))}))


def test_the_context_is_told() -> None:
    told = words(seen_parts({"pc": seen("pc")}))
    assert 'In front: "Mail", title: "Inbox"' in told
    assert 'Tabs: 0 "one", 1 "two"; the current one is 1' in told
    assert "clipboard" not in told
    copied = words(seen_parts({"pc": seen("pc", context=Context("Mail", clipboard="7394"))}))
    assert 'On the clipboard: "7394"' in copied


KINDS = {Modality.SCREENSHOT: "Image", Modality.AUDIO: "AudioClip", Modality.VIDEO: "VideoClip"}


@pytest.mark.parametrize("withheld", sorted(ALL_MODALITIES))
def test_what_is_withheld_leaves_no_trace(withheld: Modality) -> None:
    whole, less = seen("pc"), seen("pc").only(ALL_MODALITIES - {withheld})
    parts = seen_parts({"pc": less})
    kinds = {type(part).__name__ for part in parts} - {"str"}
    assert kinds == {name for modality, name in KINDS.items() if modality != withheld}
    assert ("Save" in words(parts)) == (withheld != Modality.ELEMENTS)
    assert ("Inbox" in words(parts)) == (withheld != Modality.CONTEXT)
    assert seen_parts({"pc": whole}) != parts


def test_a_blind_planner_is_told_that_it_is() -> None:
    parts = seen_parts({"pc": seen("pc").only([Modality.CONTEXT])})
    assert "You are not shown the screen of pc" in words(parts)
    assert "not shown" not in words(seen_parts({"pc": seen("pc")}))


def test_what_failed_or_was_held_back_is_told_and_what_the_role_may_not_see_is_not() -> None:
    told = words(seen_parts({"pc": seen("pc", screenshot=Absent("failed", "no display"), audio=Absent("gated"))}))
    assert '(screenshot of pc could not be captured: "no display")' in told
    assert "(audio of pc was held back)" in told
    assert "video of pc was" not in words(seen_parts({"pc": seen("pc", video=Absent("ablated"))}))


def test_clips_without_length_are_not_sent() -> None:
    start = seen("pc", audio=AudioClip(b"", "pc", 0.0), video=VideoClip([shade(1, "pc", 0.0)], 0.0, "pc"))
    assert [type(part).__name__ for part in seen_parts({"pc": start})] == ["str", "Image", "str"]


def test_what_readers_tell_stands_with_its_screen_under_a_heading() -> None:
    told = [
        Recalled("Save | Open", "texts", "phone", 3.0, 0),
        Recalled("1.0 s to 2.5 s, speech: 4711", "transcript", "phone", 3.0, 0),
    ]
    (beside,) = (part for part in seen_parts({"phone": seen("phone").only(())}, told) if isinstance(part, str))
    assert beside.splitlines()[1:] == [
        "What was heard on phone since the last turn, in words:",
        '"1.0 s to 2.5 s, speech: 4711"',
        "What is written on the screen of phone:",
        '"Save | Open"',
        "(You are not shown the screen of phone; whoever carries out your actions sees it.)",
    ]
    assert recalled_parts(told, 0) == noted_parts(told, 0) == ()
    assert len(seen_parts({"phone": seen("phone").only(())}, told, now=1)) == 1
    assert "4711" not in words(seen_parts({"phone": seen("phone").only(())}, told, now=1)), "of another turn"
    assert '- turn 1, phone, transcript: "1.0 s to 2.5 s, speech: 4711"' in words(recalled_parts(told, 1))


def test_marks_stand_with_their_screen() -> None:
    marked = shade(9, "phone", 3.0)
    marks = [Recalled(part, "marks", "phone", 3.0, 0) for part in (marked, "[1] button Save")]
    parts = seen_parts({"phone": seen("phone"), "pc": seen("pc")}, marks)
    at = next(i for i, part in enumerate(parts) if part is marked)
    assert str(parts[at - 1]).endswith("What is marked on phone:")
    assert str(parts[at + 1]).startswith("[1] button Save\n## pc")
    assert recalled_parts(marks, 1) == noted_parts(marks, 0) == ()


def test_recalled_parts_keep_their_order_and_provenance() -> None:
    shot = shade(4, "pc", 1.0)
    told = [
        Recalled("a code: 7", "note", "", 1.0, 0),
        Recalled(shot, "screenshot", "pc", 1.0, 0),
        Recalled("mail is left", "sub-goals", "", 3.0, 2),
    ]
    before = recalled_parts(told, 2)
    assert before == ("From your memory, oldest first:\n- turn 1, note: a code: 7\n- turn 1, pc, screenshot:", shot)
    assert noted_parts(told, 2) == ('To be considered now:\n- sub-goals: "mail is left"',)


def test_feedback_is_told_in_words() -> None:
    (text,) = feedback_words(
        [
            Feedback(Move("pc", Click("Save")), Outcome("not_found", "no such thing")),
            Feedback(Move("", AskUser("Which?")), Outcome("control", "the second")),
            Feedback(None, Outcome("malformed", "no JSON")),
        ]
    )
    assert str(text).splitlines()[1:] == [
        '- click at="Save" on pc: not carried out, the place was not found: "no such thing"',
        '- ask_user text="Which?": carried out: the second',
        "- your reply could not be read: no JSON",
    ]
    assert feedback_words(()) == ()


def test_the_closing_has_task_intent_and_limits() -> None:
    brief = Brief("Do it.", ENVS, intent="It is due.")
    told = closing(Request(brief, 0, {}, left=Left(1, 20, None, 200.0)))
    assert told.splitlines() == [
        "The task: Do it.",
        "Why the user wants it: It is due.",
        "You have left: 1 turn, 20 actions, about 3 min.",
        "Decide what to do now.",
    ]
    assert closing(Request(Brief("Do it.", ENVS), 0, {})) == "The task: Do it.\nDecide what to do now."
