"""Words that a device showed are followed word for word, whether a memory made an anchor of them or not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scripted import SIZE, ScriptedPlanner, ScriptedWorld, agent, brief, decide, element

from omnipilot.agents import Proposal, episode
from omnipilot.agents.guard import ApprovalRequest, Approver, Guard, parse_policy, policy_text
from omnipilot.envs import Context, Elements, Observation, Press, TypeText
from omnipilot.memory import Move, Origin
from omnipilot.memory.episodic.memory import EpisodicMemory

BAIT = "swordfish on Tuesdays"
FIELD = element("Password", "textbox", row=2, states=frozenset({"focused"}))
HIDDEN = element("", "textbox", row=2, states=frozenset({"focused", "password"}))
NOTE = element("Note", "textbox", row=2, states=frozenset({"focused"}))


def screen(text: str, env: str = "phone", clipboard: str | None = None) -> Observation:
    return Observation(
        env, 1.0, SIZE, elements=Elements((element(text, "text"),)), context=Context("Mail", "", clipboard=clipboard)
    )


def guard_that_saw(*seen: Observation, preset: str = "ask") -> Guard:
    guard = Guard(parse_policy(policy_text(preset), preset))
    for one in seen:
        guard.show(one)
    return guard


def ruling(guard, action, field=FIELD):
    found = guard.rule_on(ScriptedWorld(items=(field,)), Proposal(Move("pc", action), action), {}, lambda: ())
    if found.passed:
        guard.carried_out("pc", action)
    return found


@pytest.mark.parametrize("preset", ["ask", "own-device"])
@pytest.mark.parametrize("field", [FIELD, HIDDEN], ids=["named", "hidden"])
@pytest.mark.parametrize(
    "typed",
    [
        BAIT,
        "swordfish",
        "SWORDFISH",
        "sword",
        "s w o r d f i s h",
        "ѕwоrdfіѕh",
        "sword\u200bfish",
        "ｓｗｏｒｄｆｉｓｈ",
        "5w0rdf15h",
        "my swordfish!",
    ],
)
def test_words_that_are_no_anchor_are_asked_about_in_any_disguise(typed, field, preset):
    found = ruling(guard_that_saw(screen(f"The word is {BAIT}."), preset=preset), TypeText(typed), field)
    assert not found.passed and "elsewhere" in str(found.facts["origins"])


def test_key_by_key_from_the_first_letter_on():
    guard = guard_that_saw(screen(BAIT))
    passed = [one for one in "sword" if ruling(guard, Press((one,))).passed]
    assert passed == ["w", "o", "r"], "a beginning is asked about at once, and four letters of the middle"


def test_what_was_on_the_clipboard_of_another_device_is_followed_too():
    assert not ruling(guard_that_saw(screen("-", clipboard=BAIT)), TypeText("swordfish")).passed


@pytest.mark.parametrize(
    ("why", "seen", "field"),
    [
        ("this device showed it", screen(BAIT, "pc"), FIELD),
        ("nobody showed it", screen("something else"), FIELD),
        ("the field is no secret one", screen(BAIT), NOTE),
    ],
)
def test_other_words_pass(why, seen, field):
    assert ruling(guard_that_saw(seen), TypeText("swordfish"), field).passed, why


def test_a_fork_remembers_its_own_screens_and_an_episode_begins_with_none():
    guard = guard_that_saw()
    other = guard.fork()
    other.show(screen(BAIT))
    assert ruling(guard, TypeText("swordfish")).passed and not ruling(other, TypeText("swordfish")).passed
    other.begin()
    assert ruling(other, TypeText("swordfish")).passed


def test_in_the_loop_what_the_agent_looked_at_is_kept_in_mind():
    world = ScriptedWorld(names=("pc", "phone"), items=(element("swordfish", "text", row=1), FIELD))
    planner = ScriptedPlanner(decide(("phone", TypeText("swordfish"))), decide(("phone", TypeText("zebra"))))
    guard = guard_that_saw()
    steps = episode(world, agent(planner, memory=EpisodicMemory()), brief(world), guard=guard)
    next(steps), next(steps)
    steps.close()
    assert world.envs["phone"].acted == [TypeText("zebra")]


def shown_words(*elements, app="Mail", env="phone", turn=0, clipboard=None):
    guard = guard_that_saw()
    guard.begin("Write milk and honey into the note")
    guard.show(
        Observation(env, 1.0, SIZE, elements=Elements(elements), context=Context(app, clipboard=clipboard)), turn
    )
    return guard


def origins(guard, typed, known=()):
    action = TypeText(typed)
    found = guard.rule_on(ScriptedWorld(items=(NOTE,)), Proposal(Move("pc", action), action), {}, lambda: known)
    return found.facts.get("origins")


@pytest.mark.parametrize(
    ("said", "origin"),
    [
        ("", "screen; app:Mail; device:phone; turn:0; elsewhere"),
        ("app:Mail", "app:Mail; device:phone; turn:0; elsewhere"),
        ("mail:ann@x.example", "mail:ann@x.example; app:Mail; device:phone; turn:0; elsewhere"),
        ("web:ads.example", "web:ads.example; app:Mail; device:phone; turn:0; elsewhere"),
        ("notification:Messages", "notification:Messages; app:Messages; device:phone; turn:0; elsewhere"),
        ("file:Desk/plan", "file:Desk/plan; app:Mail; device:phone; turn:0; elsewhere"),
        ("film:Harbour", "film:Harbour; app:Mail; device:phone; turn:0; elsewhere"),
        ("user", "screen; app:Mail; device:phone; turn:0; elsewhere"),
    ],
)
def test_a_ruling_says_what_showed_the_words_that_are_typed(said, origin):
    guard = shown_words(replace(element("swordfish", "text"), origin=said))
    assert origins(guard, "swordfish") == [origin]


def test_a_rule_needs_to_say_nothing_of_origins_for_them_to_be_recorded():
    guard = Guard(parse_policy('default = "allow"\n[[rule]]\ndo = "deny"\nkeys = ["alt+f4"]', "mine"))
    guard.show(screen(BAIT))
    assert "elsewhere" in str(origins(guard, "swordfish"))


def test_what_no_screen_shows_any_more_is_recalled():
    guard = shown_words(element("swordfish", "text"))
    guard.show(Observation("phone", 2.0, SIZE, elements=Elements(()), context=Context("Mail")), 1)
    assert origins(guard, "swordfish") == ["screen; app:Mail; device:phone; turn:0; memory; elsewhere"]


def test_what_a_memory_kept_from_before_the_episode_is_recalled_word_by_word():
    told = Origin("Say swordfish at the door", "mail", "pc", "ann@x.example", "Mail", -3, words=True)
    assert origins(shown_words(), "swordfish", (told,)) == ["mail:ann@x.example; app:Mail; device:pc; turn:-3; memory"]


def test_what_is_heard_now_is_not_recalled_and_speech_of_a_film_is_both():
    heard = Origin("Say swordfish at the door", "speech", "pc", turn=0, heard=True, words=True)
    assert origins(shown_words(), "swordfish", (heard,)) == ["speech; device:pc; turn:0"]
    film = replace(heard, source="film", who="Harbour", turn=-1)
    assert origins(shown_words(), "swordfish", (film,)) == ["film:Harbour; speech; device:pc; turn:-1; memory"]


def test_the_clipboard_and_the_users_own_words():
    assert origins(shown_words(clipboard=BAIT), "swordfish") == ["clipboard; app:Mail; device:phone; turn:0; elsewhere"]
    guard = shown_words(element("milk and honey", "text"))
    assert origins(guard, "milk and honey") == ["user", "screen; app:Mail; device:phone; turn:0; elsewhere"]
    assert "user" not in str(origins(guard, "milk and honey and swordfish"))
    for other in ("ilk", "oney", "mi1k", "mіlk", "1.00", "e m"):
        assert origins(guard, other) != ["user"] and "user" not in (origins(guard, other) or []), other
    guard.hear_user("the swordfish, too")
    assert origins(guard, "swordfish") == ["user"]


def test_words_that_are_gone_when_a_person_says_yes_are_the_same_move():
    class Yes(Approver):
        def approve(self, request: ApprovalRequest, seconds: float) -> bool:
            guard.show(Observation("phone", 2.0, SIZE, elements=Elements(()), context=Context("Mail")), 1)
            return True

    guard = Guard(parse_policy('default = "allow"\n[[rule]]\ndo = "ask"\norigins = ["elsewhere"]', "mine"), Yes())
    guard.show(screen(BAIT), 0)
    assert ruling(guard, TypeText("swordfish"), NOTE).passed
    strict = '[[rule]]\ndo = "deny"\norigins = ["memory"]'
    guard = Guard(parse_policy(f'default = "allow"\n[[rule]]\ndo = "ask"\n{strict}', "mine"), Yes())
    guard.show(screen(BAIT), 0)
    assert not ruling(guard, TypeText("swordfish"), NOTE).passed
