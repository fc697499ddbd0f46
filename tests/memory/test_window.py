"""The window memory: what of the last turns is recalled, and by whom."""

from __future__ import annotations

import pytest
from scripted import SIZE, shade

from omnipilot.envs import AudioClip, Click, ConfigError, Context, Done, Modality, Observation, Point, Press, TypeText
from omnipilot.envs.types.actions import Ref
from omnipilot.memory import Budget, Move, Outcome, Role, Step, Turn, Usage, WindowMemory
from omnipilot.memory.window import verb_text

EYES = Role("planner")
BLIND = Role("planner", frozenset({Modality.CONTEXT}))


def turn(index, *steps, thought="", notes=(), envs=("pc",)):
    seen = {env: Observation(env, float(index), SIZE, screenshot=shade(index, env, float(index))) for env in envs}
    taken = tuple(
        Step(10 * index + n, index, move, None, outcome, start=index + 0.5) for n, (move, outcome) in enumerate(steps)
    )
    return Turn(index, seen, thought, notes, taken, Usage())


def did(intent, env="pc", result="done", message=""):
    return Move(env, intent), Outcome(result, message)


def filled(*turns, **options):
    memory = WindowMemory(**options)
    for one in turns:
        memory.record(one)
    return memory


def parts(recalled):
    return [one.part for one in recalled]


def test_it_recalls_a_turn_in_the_order_in_which_it_happened():
    one = turn(3, did(Click("Save")), did(Press(("enter",))), thought="save it", notes=("the code is 12",))
    recalled = filled(one).recall("", Budget(), EYES, ("pc",))
    assert [(part.source, part.env, part.time, part.turn) for part in recalled] == [
        ("screenshot", "pc", 3.0, 3),
        ("thought", "", 3.0, 3),
        ("note", "", 3.0, 3),
        ("action", "pc", 3.5, 3),
        ("action", "pc", 3.5, 3),
    ]
    assert parts(recalled)[1:] == [
        "save it",
        "the code is 12",
        'click at="Save" on pc: done',
        'press keys=["enter"] on pc: done',
    ]


def test_outcomes_are_told_with_their_messages():
    one = turn(0, did(Click("Save"), result="not_found", message="nothing is called so"))
    assert parts(filled(one, images=0).recall("", Budget(), EYES, ("pc",))) == [
        'click at="Save" on pc: not_found ("nothing is called so")'
    ]


def test_an_unreadable_reply_is_recalled_as_such():
    step = Step(0, 0, None, None, Outcome("malformed", "no JSON"))
    memory = filled(Turn(0, {}, "", (), (step,), Usage()))
    assert parts(memory.recall("", Budget(), BLIND, ())) == ["unreadable reply: no JSON"]


def test_only_the_last_turns_are_kept():
    memory = filled(*(turn(n, thought=f"t{n}") for n in range(5)), turns=2, images=0)
    assert parts(memory.recall("", Budget(), EYES, ("pc",))) == ["t3", "t4"]


def test_screenshots_come_with_the_newest_turns_only():
    memory = filled(*(turn(n) for n in range(4)), turns=4, images=2)
    assert parts(memory.recall("", Budget(), EYES, ("pc",))) == [shade(2, "pc", 2), shade(3, "pc", 3)]


def test_a_role_without_screenshots_never_recalls_one():
    memory = filled(turn(0, did(Click("Save")), thought="t"))
    recalled = memory.recall("", Budget(), BLIND, ("pc",))
    assert [part.source for part in recalled] == ["thought", "action"]


def test_what_was_shown_and_heard_says_where_its_words_come_from_to_who_is_told_the_context():
    clip = AudioClip.silence(1600, "pc")
    context = Context(app="Mail", title="Mail", origin="mail:ann@example.org")
    seen = Observation("pc", 1.0, SIZE, screenshot=shade(1, "pc", 1.0), audio=clip, context=context)
    memory = filled(Turn(0, {"pc": seen}, "read it", ("7",), (), Usage()), clips=1)
    told = {one.source: one.origin for one in memory.recall("", Budget(), EYES, ("pc",))}
    assert told == {"screenshot": "mail:ann@example.org", "audio": "speech", "thought": "", "note": ""}
    unaware = Role("planner", frozenset({Modality.SCREENSHOT, Modality.AUDIO}))
    assert {one.origin for one in memory.recall("", Budget(), unaware, ("pc",))} == {""}


def test_an_environment_that_is_not_asked_for_is_not_recalled():
    memory = filled(turn(0, did(Click("a"), "pc"), did(Click("b"), "phone"), envs=("pc", "phone")))
    recalled = memory.recall("", Budget(), EYES, ("phone",))
    assert {part.env for part in recalled} == {"phone"} and len(recalled) == 2


def test_an_environment_that_the_role_is_not_granted_is_not_recalled_though_asked_for():
    memory = filled(turn(0, did(Click("a"), "pc"), did(Click("b"), "phone"), envs=("pc", "phone")))
    recalled = memory.recall("", Budget(), Role("planner", envs=frozenset({"phone"})), ("pc", "phone"))
    assert {part.env for part in recalled} == {"phone"}


def test_a_short_budget_keeps_the_newest_and_returns_it_oldest_first():
    memory = filled(*(turn(n, thought=f"t{n}") for n in range(4)), turns=4, images=4)
    recalled = memory.recall("", Budget(texts=2, images=1), EYES, ("pc",))
    assert parts(recalled) == ["t2", shade(3, "pc", 3), "t3"]


def test_characters_are_a_budget_too():
    memory = filled(turn(0, thought="a" * 10), turn(1, thought="b" * 10), turn(2, thought="c" * 10), turns=3, images=0)
    assert parts(memory.recall("", Budget(characters=25), EYES, ("pc",))) == ["b" * 10, "c" * 10]
    assert memory.recall("", Budget(characters=5), EYES, ("pc",)) == ()


def test_words_older_than_ones_that_did_not_fit_are_left_out():
    memory = filled(turn(0, thought="old"), turn(1, thought="long" * 10), turn(2, thought="new"), turns=3, images=0)
    assert parts(memory.recall("", Budget(characters=20), EYES, ("pc",))) == ["new"]


def test_clear_forgets_everything():
    memory = filled(turn(0, thought="t"))
    memory.clear()
    assert memory.recall("", Budget(), EYES, ("pc",)) == ()


@pytest.mark.parametrize("options", [{"turns": 0}, {"images": -1}])
def test_a_window_of_nothing_is_refused(options):
    with pytest.raises(ConfigError, match="at least"):
        WindowMemory(**options)


@pytest.mark.parametrize(
    ("verb", "words"),
    [
        (Click(Point(0.25, 0.5)), "click at=(0.250, 0.500)"),
        (Click(Ref("e7"), count=2), "click at=#e7 count=2"),
        (TypeText("hello", submit=True), 'type text="hello" submit=True'),
        (Done(), "done"),
        (Done("failure"), 'done status="failure"'),
    ],
)
def test_verbs_in_words(verb, words):
    assert verb_text(verb) == words
