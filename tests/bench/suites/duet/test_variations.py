"""Varied tasks of the embedded world: solved by their demonstrations, on screens that hold everything."""

from __future__ import annotations

from typing import Any

import pytest

from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.suites.duet.variations import ADB, LOOKS, WorldVariation
from omnipilot.bench.suites.duet_memory.suite import DuetMemory
from omnipilot.envs import ActionRejected, ConfigError, Modality, OpenApp, Thinking
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.apps.registry import APPS
from omnipilot.envs.sim.audio.sound import Sound

VALUES = [("dark",), ("dense",), ("zoom",), ("names",), ("reworded",), ("dark", "names", "reworded", "zoom")]
FEW = ("send-message", "network-by-voicemail", "mail-code-to-message")
EMBEDDED = set(Duet.variations) - {ADB}


def rehearsal(suite: Duet, task: str) -> tuple[Any, Rehearsal]:
    one = suite.instantiate(task, 0)
    return one, Rehearsal(one, suite.world(Thinking()))  # type: ignore[arg-type]


@pytest.mark.parametrize("names", VALUES, ids="+".join)
def test_the_demonstration_solves_a_varied_task_and_nothing_done_does_not(names: tuple[str, ...]) -> None:
    suite = Duet().vary(names)
    for task in FEW:
        one, trial = rehearsal(suite, task)
        assert not trial.evaluator.success
        trial.play(one.solution(trial.world))
        assert (trial.missing, trial.failed) == ([], []), task


@pytest.mark.slow
@pytest.mark.parametrize("names", VALUES, ids="+".join)
def test_every_development_task_is_solved_varied(names: tuple[str, ...]) -> None:
    suite = Duet().vary(names)
    for info in suite.tasks():
        one, trial = rehearsal(suite, info.id)
        trial.play(one.solution(trial.world))
        assert (trial.missing, trial.failed) == ([], []), info.id


def test_every_value_is_tried_here() -> None:
    assert {name for names in VALUES for name in names} == EMBEDDED


def test_the_suite_itself_stays_as_it_was() -> None:
    suite = Duet()
    before = suite.composed("send-message", 0)
    varied = suite.vary(("names", "reworded"))
    assert suite.composed("send-message", 0).instruction == before.instruction
    assert varied.composed("send-message", 0).instruction != before.instruction
    assert [info.id for info in varied.tasks()] == [info.id for info in suite.tasks()]


def test_a_past_is_told_in_the_varied_world_too() -> None:
    plain, other = DuetMemory("all"), DuetMemory("all").vary(("dark", "names", "reworded"))
    task = plain.every()[0].id
    one, two = plain.composed(task, 0), other.composed(task, 0)
    assert two.instruction != one.instruction
    assert two.state.phone.look.theme == "dark"
    assert two.state.account.owner.name != one.state.account.owner.name


def test_two_sizes_at_once_are_refused() -> None:
    with pytest.raises(ConfigError, match="dense and zoom"):
        Duet().vary(("dense", "zoom"))


@pytest.mark.parametrize("look", sorted(LOOKS))
def test_windows_and_their_buttons_are_on_the_screen(look: str) -> None:
    seen = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS})
    for app in {one.title: one for one in APPS.values() if one.device == "desktop"}.values():
        world = SimWorld()
        world.prepare(WorldVariation(frozenset({look})).show)
        try:
            world.envs["desktop"].act(OpenApp(app.title))
        except ActionRejected:
            continue
        found = world.envs["desktop"].observe(seen, 0.0)
        close = next(one for one in found.elements.items if one.id == f"window/{app.name}/close")  # type: ignore[union-attr]
        assert (close.box.right - close.box.left) * world.state().desktop.size.width >= 30, app.title


def test_over_adb_there_are_the_tasks_of_the_phone_alone() -> None:
    suite = Duet().vary((ADB,))
    assert {info.envs for info in suite.tasks()} == {("phone",)}
    with pytest.raises(ConfigError, match="leave out --vary adb"):
        suite.instantiate("mail-code-to-message", 0)
    assert suite.instantiate("send-message", 0).solution is None


@pytest.mark.desktop("adb")
@pytest.mark.slow
def test_the_phone_over_adb_says_what_it_sounds() -> None:
    world = Duet().vary((ADB,)).world(Thinking())
    try:
        world.reset(0)
        world.prepare(lambda state: state.on("phone", sounds=(Sound("alarm", state.time + 0.5, 60.0),)))  # type: ignore[attr-defined]
        assert world.envs["phone"].transcript(0.0, 0.1) == ()
        world.wait(1.5)
        (heard,) = world.envs["phone"].transcript(0.0, world.now)
        assert heard.kind == "alarm" and 0 <= heard.start < heard.end <= world.now
    finally:
        world.close()
