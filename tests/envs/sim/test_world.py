"""The simulated world keeps its contract: exact snapshots, determinism, pure looks, one clock."""

from __future__ import annotations

import random

import pytest
from sim_hands import hands

from omnipilot.envs import (
    Absent,
    Action,
    ActionRejected,
    Capability,
    Click,
    EnvLost,
    Modality,
    Observation,
    OpenApp,
    Point,
    Press,
    Scroll,
    Swipe,
    System,
    Thinking,
    TypeText,
)
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.state.events import MailArrives, MessageArrives
from omnipilot.envs.sim.words.people_and_texts import NEAR_NAMES
from omnipilot.envs.types import ALL_MODALITIES


def walk(world: SimWorld, seed: int, steps: int = 25) -> list[Observation]:
    """A random walk over both devices, looked at after each step."""
    dice = random.Random(seed)
    seen: list[Observation] = []
    for _ in range(steps):
        env = world.envs[dice.choice(("phone", "desktop"))]
        since = world.now
        try:
            env.act(_any_action(env, dice))
        except ActionRejected:
            world.wait(0.1)
        seen.append(env.observe(ALL_MODALITIES, since))
    return seen


def _any_action(env: object, dice: random.Random) -> Action:
    targets = [e for e in env.ui_tree() if e.role in ("button", "listitem", "treeitem", "textbox", "switch")]  # type: ignore[attr-defined]
    kind = dice.randrange(8)
    phone = env.name == "phone"  # type: ignore[attr-defined]
    if kind < 4 and targets:
        return Click(dice.choice(targets).box.center)
    if kind == 4:
        return TypeText(dice.choice(("hello", "a\nb", "Zoë 7")))
    if kind == 5:
        return System("back") if phone else Press(("ctrl", "a"))
    if kind == 6:
        return OpenApp(dice.choice(("messages", "clock", "notes") if phone else ("mail", "editor", "signals")))
    return Swipe("up") if phone else Scroll("down", at=Point(dice.random(), dice.random()))


@pytest.mark.parametrize("seed", range(4))
def test_equal_instances_and_actions_give_equal_pixels_and_samples(seed: int) -> None:
    first, second = SimWorld(), SimWorld()
    first.reset(seed)
    second.reset(seed + 1)
    second.reset(seed)
    assert walk(first, seed) == walk(second, seed)
    assert first.state() == second.state()


def test_another_instance_has_other_content() -> None:
    one, two = (hands(i)[0].state().account for i in (1, 2))
    assert one.contacts != two.contacts
    assert one.mails != two.mails


@pytest.mark.parametrize("seed", range(4))
def test_what_follows_a_restore_is_what_followed_the_snapshot(seed: int) -> None:
    world, *_ = hands(seed)
    walk(world, seed, 12)
    kept, state, since = world.snapshot(), world.state(), max(0.0, world.now - 2)
    looks = {name: env.observe(ALL_MODALITIES, since) for name, env in world.envs.items()}
    after = walk(world, seed + 100, 12)
    assert world.state() != state
    world.restore(kept)
    assert world.state() is state
    assert {name: env.observe(ALL_MODALITIES, since) for name, env in world.envs.items()} == looks
    assert walk(world, seed + 100, 12) == after


def test_looking_twice_gives_the_same_and_changes_nothing() -> None:
    world, phone, desktop = hands()
    phone.open("Messages")
    world.prepare(lambda s: s.later(0.5, MessageArrives(s.account.contacts[0].id, "Hello")))
    world.wait(2)
    before = world.state()
    for device in (phone, desktop):
        for since in (0.0, 1.3, world.now, 99.0):
            assert device.look(since) == device.look(since)
    assert world.state() is before


def test_modalities_not_asked_for_say_so() -> None:
    _, phone, _ = hands()
    seen = phone.env.observe((Modality.ELEMENTS,), 0.0)
    assert seen.has(Modality.ELEMENTS)
    for modality in ALL_MODALITIES - {Modality.ELEMENTS}:
        assert getattr(seen, modality.value) == Absent("unasked")


def test_clips_cover_the_time_since() -> None:
    world, phone, _ = hands()
    world.wait(3)
    seen = phone.look(0.5)
    assert (seen.audio.start, seen.audio.end) == (0.5, 3.0)  # type: ignore[union-attr]
    assert (seen.video.start, seen.video.end) == (0.5, 3.0)  # type: ignore[union-attr]
    assert len(seen.video.frames) == 26  # type: ignore[union-attr]
    world.wait(100)
    assert len(phone.look(0.0).video.frames) == 50  # type: ignore[union-attr]


def test_a_video_shows_what_was_on_the_screen_then() -> None:
    _, phone, _ = hands()
    home = phone.look().screenshot
    phone.open("Notes")
    notes = phone.look().screenshot
    phone.do(System("home"))
    frames = phone.look(0.0).video.frames  # type: ignore[union-attr]
    assert notes in frames
    assert home in frames
    # Opening the app took effect at once, at time 0; going home at 0.8.
    assert [frame == notes for frame in frames] == [frame.start < 0.8 for frame in frames]


def test_a_long_wait_does_not_cut_its_own_video() -> None:
    world, phone, _ = hands()
    contact = world.state().account.contacts[0].id
    phone.open("messages")
    opened = world.now
    world.prepare(lambda s: s.later(100, MessageArrives(contact, "One")).later(450, MessageArrives(contact, "Two")))
    before = phone.look(opened).screenshot
    world.wait(500)
    frames = phone.look(opened).video.frames  # type: ignore[union-attr]
    for frame in frames[:-1]:
        # The clock in the status bar changes the picture each minute, so look below it.
        same = (frame.array()[60:] == before.array()[60:]).all()  # type: ignore[union-attr]
        assert same == (frame.start < opened + 100)


def test_after_a_restore_what_was_undone_is_in_no_video() -> None:
    world, phone, _ = hands()
    phone.open("clock")
    kept = world.snapshot()
    phone.open("messages")
    world.wait(3)
    world.restore(kept)
    world.wait(1)
    phone.open("notes")
    world.wait(4)
    straight, other, _ = hands()
    other.open("clock")
    straight.wait(1)
    other.open("notes")
    straight.wait(4)
    assert phone.look(0.0) == other.look(0.0)


def test_content_that_is_prepared_costs_no_time() -> None:
    world, phone, _ = hands()
    contact = world.state().account.contacts[0].id
    world.prepare(lambda s: s.later(1.0, MessageArrives(contact, "Later")))
    assert world.now == 0
    phone.open("messages")
    world.wait(1)
    assert world.state().account.thread(contact).messages[-1].text == "Later"


def test_thinking_takes_time_where_it_is_fixed() -> None:
    frozen, fixed = SimWorld(), SimWorld(Thinking("fixed", 2.5))
    for world in (frozen, fixed):
        world.reset(0)
        world.think(0.7)
    assert (frozen.now, fixed.now) == (0.0, 2.5)


def test_both_devices_share_one_clock_and_one_account() -> None:
    world, phone, desktop = hands()
    phone.open("notes")
    assert desktop.look().time == phone.look().time == world.now == 0.8
    phone.tap("notes/notes/new")
    phone.type("notes/edit/title", "A word from the phone")
    phone.tap("notes/edit/save")
    desktop.open("Text Editor")
    id = world.state().account.document("Notes/A word from the phone").id  # type: ignore[union-attr]
    assert desktop.find(f"editor/files/{id}").name == "A word from the phone"


def test_a_closed_world_is_lost() -> None:
    world, phone, _ = hands()
    world.close()
    world.close()
    with pytest.raises(EnvLost):
        phone.look()
    with pytest.raises(EnvLost):
        phone.open("notes")
    with pytest.raises(EnvLost):
        world.wait(1)


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf")])
def test_time_passes_by_sound_numbers_only(seconds: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        hands()[0].wait(seconds)


def test_judges_find_what_they_may_ask_for() -> None:
    world, phone, desktop = hands()
    assert Capability.SNAPSHOTS in world.capabilities
    assert Capability.STATE in world.capabilities
    assert Capability.UI_TREE in phone.env.capabilities
    assert Capability.FILES in desktop.env.capabilities
    document = world.state().account.documents[0]
    assert desktop.env.read_file(document.path).decode() == document.text
    with pytest.raises(FileNotFoundError):
        desktop.env.read_file("Notes/None such")


def test_context_names_the_app_and_its_title() -> None:
    world, phone, desktop = hands()
    assert phone.look().context.app == "home"  # type: ignore[union-attr]
    desktop.open("editor")
    document = next(document for document in world.state().account.documents if document.folder == "Documents")
    desktop.tap(f"editor/files/{document.id}")
    context = desktop.look().context
    assert context.app == "Text Editor"  # type: ignore[union-attr]
    assert context.title == f"{document.name} - Text Editor"  # type: ignore[union-attr]


def test_a_mail_chimes_on_the_desktop_only() -> None:
    world, phone, desktop = hands()
    sender = world.state().account.contacts[0].email
    world.prepare(lambda s: s.later(1.0, MailArrives(sender, "Subject", "Body")))
    world.wait(2.5)
    assert desktop.look(1.0).audio.loudness() > 0.01  # type: ignore[union-attr]
    assert desktop.look(0.0).audio.slice(0, 1.0).loudness() == 0  # type: ignore[union-attr]
    assert phone.look(0.0).audio.loudness() == 0  # type: ignore[union-attr]
    banner = desktop.find("banner")
    assert "Subject" in banner.name
    world.wait(3)
    assert "banner" not in desktop.ids()


def test_every_seeded_world_is_rich_and_quiet() -> None:
    for instance in range(30):
        state = hands(instance)[0].state()
        account = state.account
        names = [contact.name for contact in account.contacts]
        assert len(names) == len(set(names)) >= 8
        assert len(account.threads) >= 6
        assert len(account.folder("inbox")) >= 8
        assert len(account.notes) >= 6
        assert len(account.documents) - len(account.notes) >= 5
        assert sum(set(pair) <= set(names) for pair in NEAR_NAMES) >= 3
        everything = [account.documents, account.mails, account.alarms, account.contacts]
        for items in everything:
            assert len({item.id for item in items}) == len(items)  # type: ignore[attr-defined]
        texts = [d.text for d in account.documents] + [m.body + m.subject for m in account.mails]
        assert not any("{" in text or "}" in text for text in texts)


def test_a_video_misses_no_change_that_comes_with_time() -> None:
    """Frames equal a look of its own at each of their times: banners go, minutes turn, lamps blink."""
    world, phone, desktop = hands()
    contact = world.state().account.contacts[0]
    desktop.open("signals")
    desktop.tap("signals/lamp/start", "signals/ball/play")
    phone.open("clock")
    minute = 60 - (world.state().start + world.now) % 60
    world.wait(minute - 2)
    desktop.tap("signals/ball/play", "signals/lamp/start")
    since = world.now
    world.prepare(lambda s: s.later(0.33, MessageArrives(contact.id, "Now")).later(0.3, MailArrives("a@b.c", "S", "B")))
    kept = world.snapshot()
    world.wait(4.9)
    clips = [device.look(since).video for device in (phone, desktop)]
    for device, clip in zip((phone, desktop), clips, strict=True):
        for frame in clip.frames:  # type: ignore[union-attr]
            world.restore(kept)
            world.wait(frame.start - since)
            assert device.look(world.now).screenshot == frame
