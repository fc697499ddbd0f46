"""Every cell of the table verb by platform is carried out on worlds that need no programs, or refused with its reason.

The embedded phone and desktop, and the toy phone, play each example as a planner would ask for it; what they were told
to do is compared with the program, and which examples show nothing is listed. `test_every_cell_live.py` has the real
devices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from played_cells import at_place, carry_out, with_waits
from scripted import ScriptedPlanner, ScriptedWorld, agent, brief, decide, play

from omnipilot.agents import episode
from omnipilot.agents.verbs import translate, verb_matrix
from omnipilot.agents.verbs.composed import ComposedVerbs
from omnipilot.agents.verbs.matrix import PLATFORMS, examples, intent_words, typical_devices
from omnipilot.agents.verbs.sets import TAKEN, TranslatedVerbs, WithoutVerbs
from omnipilot.bench.episode.introduction import introduce
from omnipilot.envs import (
    Browser,
    Click,
    ConfigError,
    Custom,
    Done,
    Env,
    LongPress,
    Modality,
    MouseDown,
    MouseUp,
    Observation,
    OpenApp,
    OpenUrl,
    Point,
    Press,
    Scroll,
    Swipe,
    TypeText,
    Wait,
    World,
)
from omnipilot.envs.toy import ToyPhone
from omnipilot.envs.types.actions import CONTROL_VERBS, VERBS
from omnipilot.planners import Verbs

DESKTOP = Verbs("desktop", frozenset({"click", "type", "press", "scroll", "drag"}))
PHONE = Verbs("phone", frozenset({"click", "long_press", "swipe", "type", "system", "open_app"}))


def test_the_table_has_every_verb_and_says_something_in_every_cell():
    rows = list(verb_matrix())
    assert {example.kind for example in examples()} == set(VERBS) - CONTROL_VERBS
    assert len({row[0] for row in rows}) == len(examples()) == 35
    assert {"click A forward", "swipe up A", "swipe A B", "browser focus_tab 1"} <= {row[0] for row in rows}
    for name, *cells in rows:
        assert len(cells) == len(PLATFORMS) and all(cells), name
        assert any(not cell.startswith("no: ") for cell in cells), f"{name} is possible nowhere"


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_program_has_only_verbs_of_its_device(platform):
    device = typical_devices()[platform]
    for example in examples():
        program = translate(example, device)
        if not isinstance(program, str):
            assert {one.kind for one in program} - CONTROL_VERBS <= device.kinds, intent_words(example)


def test_what_a_device_has_is_left_alone():
    assert translate(Click("A"), DESKTOP) == (Click("A"),)
    assert translate(Custom("paste"), replace(DESKTOP, custom={"paste": None})) == (Custom("paste"),)
    assert translate(Custom("ring"), DESKTOP) == (Custom("ring"),)


def test_a_program_is_translated_in_turn_and_what_it_cannot_do_is_said():
    bare = Verbs("desktop", frozenset({"click", "type", "press", "mouse_down", "mouse_up"}))
    assert translate(LongPress("A", 2.0), bare) == (MouseDown("A"), Wait(2.0), MouseUp("A"))
    assert translate(Swipe("up"), bare) == (Press(("pagedown",)),)
    assert "no pointer" in translate(MouseDown("A"), PHONE)
    assert "sideways" in translate(Swipe("left"), bare) or "up and down only" in translate(Swipe("left"), bare)
    assert "first 8 tabs" in translate(Browser("focus_tab", 12), DESKTOP)
    assert "no app Browser" in translate(OpenUrl("https://example.org"), replace(PHONE, installed=("Notes",)))


def test_each_step_of_a_program_is_recorded_and_the_planner_gets_one_answer():
    world = ScriptedWorld()
    planner = ScriptedPlanner(decide(Browser("close_tab", 1), Press(("esc",))), decide(Done()))
    played = agent(planner)
    played.take_verbs(TranslatedVerbs())
    steps, _ = play(episode(world, played, brief(world)))
    assert world.envs["pc"].acted == [Press(("ctrl", "2")), Press(("ctrl", "w")), Press(("esc",))]
    assert [step.proposed.intent.kind for step in steps] == ["press", "press", "press", "done"]
    assert [told.move.intent for told in planner.requests[1].feedback] == [Browser("close_tab", 1), Press(("esc",))]
    assert [told.outcome.result for told in planner.requests[1].feedback] == ["done", "done"]


def test_a_program_ends_at_the_step_that_fails_and_later_moves_are_skipped():
    world = ScriptedWorld(rejects=lambda action: "stuck" if action == Press(("ctrl", "2")) else "")
    planner = ScriptedPlanner(decide(Browser("close_tab", 1), Press(("esc",))), decide(Done()))
    played = agent(planner)
    played.take_verbs(TranslatedVerbs())
    play(episode(world, played, brief(world)))
    assert world.envs["pc"].acted == []
    told = planner.requests[1].feedback
    assert [(one.outcome.result, one.outcome.message) for one in told] == [
        ("rejected", "stuck"),
        ("skipped", "an earlier move of the turn failed"),
    ]


def test_without_a_verb_set_the_device_rejects_what_it_has_not_got():
    world = ScriptedWorld()
    steps, _ = play(episode(world, agent(ScriptedPlanner(decide(Browser("back")), decide(Done()))), brief(world)))
    assert steps[0].outcome.result == "rejected" and world.envs["pc"].acted == []


def test_the_planner_is_offered_what_there_is_a_program_for():
    offered = TranslatedVerbs().offer({"pc": DESKTOP, "phone": PHONE})
    assert {"browser", "swipe", "open_app", "custom"} <= offered["pc"].kinds
    assert "move" not in offered["pc"].kinds and "key_down" not in offered["phone"].kinds
    assert set(offered["phone"].custom) == {"copy", "paste"}
    assert set(TranslatedVerbs(buttons=True).offer({"pc": DESKTOP})["pc"].custom) == {"copy", "paste", "side_button"}


def on_toy() -> World:
    world = ToyPhone()
    world.reset(0)
    world.act(OpenApp("Notes"))
    return world


def on_sim() -> World:
    sim = pytest.importorskip("omnipilot.envs.sim", reason="the embedded world is an exhibit")
    world = sim.SimWorld()
    world.reset(0)
    world.envs["phone"].act(OpenApp("Tasks"))
    world.envs["desktop"].act(OpenApp("Mail"))
    return world


WORLDS: dict[str, tuple[Callable[[], World], str, str, str, str, str, str]] = {
    # Its world, device, a place to click, a field, a list of options, one of its options, and an app.
    "toy": (on_toy, "phone", "Save", "the Note text field", "Save", "x", "Voicemail"),
    "embedded phone": (on_sim, "phone", "Search tasks", "Search tasks", "List", "Work", "Notes"),
    "embedded desktop": (on_sim, "desktop", "Order", "Address", "Order", "Oldest first", "Files"),
}
REJECTED = {
    # What a device itself refuses, in its own words, although its platform has it.
    ("toy", "select A x"): 'option "x"',
    ("toy", "system recents"): "press the system keys home and back",
    ("toy", "system menu"): "press the system keys home and back",
    ("toy", "system power"): "press the system keys home and back",
    ("toy", "system volume_up"): "press the system keys home and back",
    ("toy", "system volume_down"): "press the system keys home and back",
    ("embedded phone", "system recents"): "has the system keys back and home",
    ("embedded phone", "system menu"): "has the system keys back and home",
    ("embedded phone", "system power"): "has the system keys back and home",
    ("embedded phone", "system volume_up"): "has the system keys back and home",
    ("embedded phone", "system volume_down"): "has the system keys back and home",
    ("embedded desktop", "open_url https://example.org"): "no text field has the focus",
    ("embedded desktop", "click A middle"): "a click is left or right",
    ("embedded desktop", "click A back"): "a click is left or right",
    ("embedded desktop", "click A forward"): "a click is left or right",
}
NO_EFFECT = {
    "toy": {"click A"},
    "embedded phone": {"press enter", "scroll up A", "drag B A", "swipe A B"},
    "embedded desktop": {
        # Its keyboard does not know these combinations, as many programs do not; keys that mean nothing are no error.
        *(f"browser {op}" for op in ("back", "forward", "reload", "new_tab", "close_tab", "focus_tab 1")),
        *(f"system {name}" for name in ("back", "home", "menu")),
        # Nothing is held that a move, a release or a key could act on, and nothing there scrolls or has a menu.
        *("click A right", "move A", "mouse_down A", "mouse_up A", "key_down shift", "key_up shift"),
        *("press enter", "scroll up A", "swipe up A"),
    },
}
"""What is carried out, and shows nothing."""


@pytest.mark.exhibit("sim")
@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("example", examples(), ids=intent_words)
def test_every_cell_on_every_world_that_needs_no_programs(name, example):
    start, device, place, field, options, option, app = WORLDS[name]
    world = start()
    env = world.envs[device]
    if name == "embedded desktop" and example.kind in ("type", "custom"):
        env.act(OpenApp("Browser"))
    for taken, put in {
        "type": field,
        "custom": field,
        "select": options,
    }.items():
        if example.kind == taken:
            place = put
    intent = OpenApp(app) if isinstance(example, OpenApp) else at_place(example, place, option)
    if isinstance(intent, Swipe) and intent.end is None:
        intent = replace(intent, start=None)  # in the middle of the screen, where the lists are
    told = introduce(env)
    program = translate(intent, told)
    before = _shown(env)
    steps, planner = carry_out(world, (device, intent))
    parts = steps[:-1]
    if isinstance(program, str):
        assert [step.outcome.result for step in parts] == ["rejected"]
        assert parts[0].outcome.message == program and program.partition(": ")[2]
        return
    if (why := REJECTED.get((name, intent_words(example)))) is not None:
        assert parts[-1].outcome.refused and why in parts[-1].outcome.message
        return
    assert [step.outcome.result for step in parts] in (["done"] * len(program), with_waits(program)), parts
    assert [step.executed.kind for step in parts] == [one.kind for one in program]
    assert [one.move.intent for one in planner.requests[1].feedback] == [intent]
    assert (before == _shown(env)) == (intent_words(example) in NO_EFFECT[name])


def _shown(env: Env) -> Observation:
    """All that a device shows, but for when."""
    return replace(env.observe({Modality.SCREENSHOT, Modality.ELEMENTS, Modality.CONTEXT}, 0.0), time=0.0)


@pytest.mark.exhibit("sim")
def test_text_copied_on_one_device_is_pasted_on_another_if_the_run_says_so():
    world = on_sim()
    world.envs["desktop"].act(OpenApp("Browser"))
    moves = (
        ("phone", TypeText("7394", "Search tasks")),
        ("phone", Custom("copy", {"at": "Search tasks"})),
        ("desktop", Custom("paste", {"at": "Address", "device": "phone"})),
    )
    steps, _ = carry_out(world, *moves, clipboard=True)
    assert all(not step.outcome.refused for step in steps), [step.outcome for step in steps]
    assert world.envs["phone"].scene() and world.state().phone.clipboard == "7394"
    (field,) = [one for one in world.envs["desktop"].ui_tree() if one.name == "Address"]
    assert "7394" in field.value

    steps, _ = carry_out(world, moves[-1])
    assert steps[0].outcome.result == "rejected" and "do not share a clipboard" in steps[0].outcome.message


@pytest.mark.exhibit("sim")
def test_copy_and_paste_on_one_device_do_what_they_say():
    world = on_sim()
    world.envs["desktop"].act(OpenApp("Browser"))
    carry_out(
        world,
        ("desktop", TypeText("otter", "Address", clear=True)),
        ("desktop", Custom("copy", {"at": "Address"})),
        ("desktop", OpenApp("Terminal")),
        ("desktop", Custom("paste", {"at": "Command"})),
    )
    (field,) = [one for one in world.envs["desktop"].ui_tree() if one.name == "Command"]
    assert field.value == "otter"


def test_primitives_can_be_taken_away_and_a_translation_does_not_bring_them_back():
    verbs = ComposedVerbs(of=(WithoutVerbs("tabs,scroll"), TranslatedVerbs()))
    world = ScriptedWorld()
    offered = verbs.offer(brief(world).envs)["pc"].kinds
    steps, _ = carry_out(
        world,
        ("pc", Browser("new_tab")),
        ("pc", Press(("ctrl", "t"))),
        ("pc", Scroll("down")),
        ("pc", Browser("back")),
        verbs=verbs,
    )
    assert "click" in offered
    assert [step.outcome.result for step in steps] == ["rejected"] * 3 + ["done", "control"]
    assert all(TAKEN in step.outcome.message for step in steps[:3])
    assert world.envs["pc"].acted == [Press(("alt", "left"))]


def test_what_cannot_be_taken_away_is_said():
    with pytest.raises(ConfigError, match="no device has hop; choose from"):
        WithoutVerbs("hop")
    with pytest.raises(ConfigError, match="takes nothing away"):
        WithoutVerbs(" ")
    with pytest.raises(ConfigError, match="done"):
        WithoutVerbs("done")


@pytest.mark.slow
@pytest.mark.web
def test_the_buttons_at_a_mouses_side_go_back_and_forward_in_a_browser(chromium):
    from omnipilot.envs.web import BrowserEnv

    env = BrowserEnv(chromium, "browser")
    try:
        for name in ("one", "two"):
            env.act(OpenUrl(f"data:text/html,<title>{name}</title><h1>{name}</h1>"))
        env.act(Click(Point(0.5, 0.5), "back"))
        assert env.tab.page.title() == "one"
        env.act(Click(Point(0.5, 0.5), "forward"))
        assert env.tab.page.title() == "two"
    finally:
        env.close()


def test_the_prompt_that_is_shown_has_the_verbs_that_are_offered():
    from omnipilot.agents import AgentSpec, PartSpec
    from omnipilot.bench.cli.commands.show_prompt import first_brief, roles_of

    def kinds(verbs: PartSpec | None) -> frozenset[str]:
        spec = AgentSpec(planner=PartSpec("function-calling", {"model": ""}), verbs=verbs)
        (role,) = roles_of(spec, first_brief("toy"))
        return role.brief.envs["phone"].kinds

    assert kinds(None) == ToyPhone.verbs
    assert "select" in kinds(PartSpec("translate")) and "click" not in kinds(PartSpec("without", {"what": "click"}))
