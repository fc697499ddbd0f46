"""The planner's session: clauses, prompts, and what replies do."""

from __future__ import annotations

import pytest

from omnipilot.envs import Box, Click, Context, Done, Element, Elements, Observation, OpenApp, Ref, Size, TypeText, Wait
from omnipilot.memory import Move, Recalled
from omnipilot.planners.mini.session import MiniSession, UnreadableMove, split_clauses

BOX = Box(0.1, 0.1, 0.2, 0.2)
TASK = 'On the phone, open the note "Then. Now" in Notes, then type "Plans" as its title and press "Save".'


def screen(*elements: Element, app: str = "Notes", env: str = "phone") -> dict[str, Observation]:
    seen = Observation(env, 1.0, Size(400, 900), elements=Elements(elements), context=Context(app))
    return {env: seen}


NOTE = Element("listitem", "Then. Now", BOX, id="notes/1")
TITLE = Element("textbox", "Title", BOX, id="notes/title")
SAVE = Element("button", "Save", BOX, id="notes/save")


def test_quotations_are_not_split() -> None:
    assert split_clauses(TASK) == [
        'On the phone, open the note "Then. Now" in Notes',
        'type "Plans" as its title and press "Save".',
    ]


def test_a_prompt_shows_one_clause_and_marks_what_it_names() -> None:
    session = MiniSession.begin(TASK)
    session.look(screen(NOTE, SAVE))
    words = session.prompt().text
    assert "<r0> then . now" in words and "plans" not in words
    assert "* then . now <r1> b save <r2>" in words


def test_going_on_shows_the_next_clause_and_forgets_its_moves() -> None:
    session = MiniSession.begin(TASK)
    session.look(screen(NOTE, TITLE, SAVE))
    first = session.prompt()
    assert session.apply("click <r1>", first) == Move("phone", Click(Ref("notes/1")))
    assert "did click then ." in session.prompt().text
    assert session.apply("next", session.prompt()) is None
    later = session.prompt()
    assert "plans" in later.text and "click" not in later.text
    typed = session.apply(f"type clear {later.references.of_element('notes/title')} : <r0>", later)
    assert typed == Move("phone", TypeText("Plans", Ref("notes/title"), clear=True))


def test_what_is_kept_is_shown_and_can_be_typed() -> None:
    session = MiniSession.begin("Read the code, then write it down.")
    session.look(screen(Element("text", "The code is 4711.", BOX), TITLE))
    prompt = session.prompt()
    number = next(prompt.references.word(at) for at, one in enumerate(prompt.references.all) if one.text == "4711")
    assert session.apply(f"keep {number}", prompt) is None
    later = session.prompt()
    assert "kept 4 7 1 1 (" in later.text and session.at == 1
    move = session.apply(f"type {later.references.of_element('notes/title')} : <r0>", later)
    assert move is not None and isinstance(move.intent, TypeText) and move.intent.text == "4711"


def test_moves_without_a_place() -> None:
    session = MiniSession.begin(TASK)
    session.look(screen(NOTE))
    prompt = session.prompt()
    assert session.apply("open phone text editor", prompt) == Move("phone", OpenApp("Text Editor"))
    assert session.apply("wait 5", prompt) == Move("", Wait(5.0))
    assert session.apply("infeasible", prompt) == Move("", Done("infeasible"))


def test_a_failed_move_is_shown_as_failed() -> None:
    session = MiniSession.begin(TASK)
    session.look(screen(NOTE))
    session.apply("click <r1>", session.prompt())
    session.look(screen(NOTE), failed="nothing there")
    assert "click then . failed ;" in session.prompt().text


@pytest.mark.parametrize(
    "reply", ["", "click <r99>", "click <r0>", "dance", "type <r1> plans", "open tablet notes", "press <r0>"]
)
def test_a_reply_that_means_nothing_is_refused(reply: str) -> None:
    session = MiniSession.begin(TASK)
    session.look(screen(NOTE))
    with pytest.raises(UnreadableMove):
        session.apply(reply, session.prompt())


def test_another_device_is_shown_once_something_comes_to_its_front() -> None:
    session = MiniSession.begin("Wait until Ana calls the phone and press Answer.")
    desk = screen(Element("button", "Play", BOX, id="play"), app="Signals", env="desktop")
    quiet = screen(NOTE, app="home")
    session.look({**quiet, **desk})
    session.apply(f"click {session.prompt().references.of_element('play')}", session.prompt())
    assert "screen phone" not in session.prompt().text
    session.look({**screen(Element("button", "Answer", BOX, id="answer"), app="home"), **desk})
    assert "b + answer" in session.prompt().text


def test_a_place_is_said_in_words_if_asked_for() -> None:
    session = MiniSession.begin("Press what is there.", described=True)
    twin = Element("button", "Save", Box(0.5, 0.5, 0.6, 0.6))
    session.look(screen(TITLE, SAVE, twin, Element("canvas", "", BOX, value="x", id="notes/drawing")))
    prompt = session.prompt()
    numbers = [prompt.references.word(at) for at, one in enumerate(prompt.references.all) if one.element]
    said = [session.apply(f"click {number}", prompt) for number in numbers]
    places = ('the "Title" text field', 'the first "Save" button', 'the second "Save" button', Ref("notes/drawing"))
    assert said == [Move("phone", Click(place)) for place in places]
    assert session.apply(f"type {numbers[0]} : a", prompt) == Move("phone", TypeText("a", places[0]))


def test_what_memory_recalls_is_shown_to_models_that_know_it() -> None:
    heard = Recalled("1.4 s to 4.7 s, speech (voice en-a): red the code is 8109", "transcript", "desktop", 1.4, -15)
    prompts = []
    for most in (0, 6):
        session = MiniSession.begin("Type the code of the red door as the title.", most_recalled=most)
        session.look(screen(TITLE), recalled=[heard])
        prompts.append(session.prompt())
    without, told = prompts
    assert "recalled" not in without.text
    assert "recalled speech : red the code is 8 1 0 9 <r0> ; did" in told.text
    assert session.apply("type <r1> : <r0>", told) == Move("phone", TypeText("8109", Ref("notes/title")))


@pytest.mark.parametrize("app", ["Launcher", "Pixel Launcher", "Launcher3", "home"])
def test_the_home_screen_of_any_phone_is_home_with_nothing_on_it(app: str) -> None:
    from omnipilot.envs import Box, Context, Element, Elements, Observation, Size
    from omnipilot.planners.mini.references import References
    from omnipilot.planners.mini.screens import screen_words
    from omnipilot.planners.mini.session import _app

    box = Box(0.1, 0.1, 0.2, 0.2)
    icons = [
        Element("button", "Messages", box, id="com.google.android.apps.nexuslauncher:id/icon"),
        Element("button", "Back", box, id="com.android.systemui:id/back"),
        Element("button", "Messages", box, id="home/messages"),
    ]
    assert list(screen_words("phone", icons, "open Messages", References())) == []
    seen = Observation("phone", 0.0, Size(412, 916), elements=Elements(tuple(icons)), context=Context(app, ""))
    assert _app(seen) == "home"


def test_double_clicks_and_menus_have_replies() -> None:
    session = MiniSession.begin(TASK)
    session.look(screen(NOTE))
    prompt = session.prompt()
    assert session.apply("double <r1>", prompt) == Move("phone", Click(Ref("notes/1"), count=2))
    assert session.apply("menu <r1>", prompt) == Move("phone", Click(Ref("notes/1"), button="right"))
    assert "did double then . ; menu then . ;" in session.prompt().text
    with pytest.raises(UnreadableMove):
        session.read("menu <r1> <r2>", prompt)


def test_the_purpose_stands_behind_the_clause_where_there_is_one() -> None:
    session = MiniSession.begin(TASK)
    assert "(" not in session.prompt().words
    session.intent = "Nothing of the day should be forgotten. " + 30 * "really "
    words = session.prompt().words
    start, end = words.index("("), words.index(")")
    assert words[start + 1 : start + 4] == ["for", "nothing", "of"] and end - start == 26 and words[end + 1] == "did"


def test_what_moved_is_shown_to_weights_that_were_taught_it_and_forgotten_with_the_clause() -> None:
    lines = ['stopped: "B" for 2 s, 3 s in', "blinked: 5 times"]
    session, untaught = MiniSession.begin(TASK, most_saw=6), MiniSession.begin(TASK)
    for one in (session, untaught):
        one.look(screen(NOTE), ["melody: c"], saw=lines)
    prompt = session.prompt()
    assert "heard melody : c saw stopped : b for <r1> 2 s , <r2> 3 s in <r3> saw blinked : 5 times <r4>" in prompt.text
    assert prompt.references.read(["<r1>"]) == "B" and session.read("keep <r4>", prompt).value == "5"
    assert "saw" not in untaught.prompt().text
    session.advance()
    assert " saw " not in session.prompt().text


def test_the_word_saw_on_a_screen_changes_nothing_for_weights_that_were_not_taught_it() -> None:
    sign = Element("text", "we saw room 7 there", BOX, id="notes/sign")
    session = MiniSession.begin(TASK)
    session.look(screen(sign))
    assert "we saw room 7 there" in session.prompt().text.replace("<r1> ", "").replace(" <r1>", "")


def test_only_the_last_lines_of_what_moved_are_shown() -> None:
    session = MiniSession.begin(TASK, most_saw=2)
    session.look(screen(NOTE), saw=[f"blinked: {times} times" for times in (2, 3, 4)])
    assert session.prompt().text.count("saw blinked") == 2 and "2 times" not in session.prompt().text


def test_a_fork_sees_what_its_own_world_shows() -> None:
    session = MiniSession.begin(TASK, most_saw=6)
    session.look(screen(NOTE), ["melody: c"], saw=["blinked: 2 times"])
    fork = session.fork()
    fork.look(screen(NOTE), ["alarm"], saw=["blinked: 3 times"])
    assert (session.saw, session.heard) == (["blinked: 2 times"], ["melody: c"])
    assert fork.saw == ["blinked: 2 times", "blinked: 3 times"]


def test_where_there_is_one_device_it_is_meant_whatever_is_named() -> None:
    session = MiniSession.begin("Open Text Editor.")
    session.look(screen(SAVE, env="desktop"))
    prompt = session.prompt()
    assert session.apply("open phone text editor", prompt) == Move("desktop", OpenApp("Text Editor"))
    session.look({**screen(SAVE, env="desktop"), **screen(SAVE, env="tablet")})
    with pytest.raises(UnreadableMove):
        session.apply("open phone text editor", session.prompt())
