"""Themes and densities: other pixels, the same screen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sim_hands import hands
from sim_screens import screens

from omnipilot.envs import Modality, Point, Size
from omnipilot.envs.sim.capture import Capture
from omnipilot.envs.sim.render import dark_theme as shade
from omnipilot.envs.sim.render import text, theme
from omnipilot.envs.sim.render.display_list import Op
from omnipilot.envs.sim.render.rasterizer import IncrementalRenderer, bounds
from omnipilot.envs.sim.render.theme import Color
from omnipilot.envs.sim.render.zoom import zoom_ops, zoomed_op
from omnipilot.envs.sim.shell.screen import make_scene
from omnipilot.envs.sim.state.display import SCREENS, Look
from omnipilot.envs.sim.state.world_state import PHONE, Window, WorldState
from omnipilot.envs.sim.ui.display_widgets import Surface
from omnipilot.envs.sim.ui.layout_pass import Painter

LARGE, DARK = Look(density="large"), Look("dark")
SEEN = {Modality.SCREENSHOT, Modality.ELEMENTS}


def luminance(color: Color) -> float:
    parts = [c / 3294.6 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in color]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: Color, other: Color) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_a_world_begins_light_and_normal_and_sizes_follow_the_look() -> None:
    world, phone, desktop = hands()
    assert world.state().phone.look == world.state().desktop.look == Look("light", "normal")
    assert (phone.env.size, desktop.env.size) == (Size(412, 916), Size(1280, 800))
    world.prepare(lambda s: s.looking(Look("dark", "large"), "phone"))
    assert (phone.env.size, desktop.env.size) == (Size(1080, 2400), Size(1280, 800))
    world.prepare(lambda s: s.looking(LARGE))
    assert (phone.env.size, desktop.env.size) == (Size(1080, 2400), Size(2560, 1440))
    seen = desktop.look()
    assert seen.size == seen.screenshot.size == seen.video.size == Size(2560, 1440)  # type: ignore[union-attr]


def test_on_the_phone_a_density_moves_nothing() -> None:
    for name, hand in screens():
        if hand.env.name != "phone":
            continue
        state = hand.world.state()
        normal, large = make_scene(state, "phone"), make_scene(state.looking(Look("dark", "large")), "phone")
        assert normal.elements == large.elements, name
        assert [c.rect for c in normal.controls] == [c.rect for c in large.controls], name


def test_on_the_desktop_everything_listed_stays_listed() -> None:
    for name, hand in screens():
        if hand.env.name != "desktop":
            continue
        state = hand.world.state()
        normal, large = (make_scene(s, "desktop") for s in (state, state.looking(LARGE)))
        assert {e.id for e in normal.elements} <= {e.id for e in large.elements}, name


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_at_a_large_density_the_pixel_in_the_middle_of_each_element_hits_it(device: str) -> None:
    for name, hand in screens():
        if hand.env.name != device:
            continue
        scene = make_scene(hand.world.state().looking(LARGE), hand.env.name)
        for element in scene.elements:
            if element.id and scene.control(element.id):
                pixel = element.box.center.to_pixel(scene.screen.pixels)
                place = Point.from_pixels(pixel[0] + 0.5, pixel[1] + 0.5, scene.screen.pixels)
                hit = scene.hit(*place.to_pixel(scene.size))
                assert hit is not None, name
                assert hit.id == element.id, name


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_a_large_picture_shrunk_is_the_normal_one(device: str) -> None:
    """Edges and inks fall on the same places: block means of both pictures agree."""
    _, phone, desktop = hands(4)
    hand = phone if device == "phone" else desktop
    hand.open("clock" if device == "phone" else "mail")
    state = hand.world.state()
    pictures = []
    for s in (state, state.looking(LARGE)):
        image = hand_picture(s, device)
        width = SCREENS[device, s.device(hand.env.name).look.density].layout.width
        used = image[:, : image.shape[1] * min(width, 1180) // width]
        rows, columns = np.linspace(0, used.shape[0], 41).astype(int), np.linspace(0, used.shape[1], 31).astype(int)
        sums = np.add.reduceat(np.add.reduceat(used.astype(np.int64), rows[:-1], 0), columns[:-1], 1)
        pictures.append(sums / (np.diff(rows)[:, None, None] * np.diff(columns)[None, :, None]))
    assert np.abs(pictures[0] - pictures[1])[:-3].mean() < 3.0


def hand_picture(state: WorldState, device: str) -> np.ndarray:
    capture = Capture(device)  # type: ignore[arg-type]
    seen = capture.observe(state, lambda _: (state,), SEEN, state.time)
    return seen.screenshot.array()  # type: ignore[union-attr]


def test_a_video_has_one_size_when_the_density_changes_on_the_way() -> None:
    world, phone, _ = hands()
    world.wait(2)
    world.change(lambda s: s.looking(LARGE), 0)
    world.wait(1)
    video = phone.look(0.5).video
    assert video.size == Size(1080, 2400)  # type: ignore[union-attr]
    assert video.frames[0].start >= 2  # type: ignore[union-attr]


@pytest.mark.parametrize("screen", [s for s in SCREENS.values() if s.zoom != (1, 1)])
def test_large_operations_stay_in_their_bounds(screen) -> None:
    ops: list[Op] = [
        *(("text", 20, 40, "Wjgy Åbf", (0, 0, 0), s, w, None) for s in text.SIZES for w in ("regular", "bold")),
        ("text", 20, 40, "A text that is cut", (0, 0, 0), 14, "regular", 60),
        ("circle", 60, 60, 30, (0, 0, 0)),
        ("line", 30, 30, 90, 70, (0, 0, 0), 5),
        ("line", 30, 90, 90, 90, (0, 0, 0), 4),
        ("icon", "bell", 40, 40, 22, (0, 0, 0)),
        ("shadow", 50, 40, 80, 40, 8),
        ("rect", 20, 20, 60, 40, (0, 0, 0), 12, (9, 9, 9)),
        ("rect", 20, 20, 200, 1, (0, 0, 0), 0, None),
        ("veil", 20, 20, 60, 40, 100),
    ]
    size = Size(760, 400)
    blank = IncrementalRenderer(size, "").paint((), 0.0).array()
    for op in [zoomed_op(op, screen) for op in ops]:
        picture = IncrementalRenderer(size, "").paint((op,), 0.0).array()
        box = bounds(op)
        assert box is not None
        changed = (picture != blank).any(axis=2)
        assert changed.any(), op
        changed[max(box[1], 0) : box[3], max(box[0], 0) : box[2]] = False
        assert not changed.any(), op


@pytest.mark.parametrize("screen", [s for s in SCREENS.values() if s.zoom != (1, 1)])
def test_large_text_is_as_wide_as_the_layout_says(screen) -> None:
    words = "Quick wafting zephyrs vex bold Jim"
    for size in text.SIZES:
        wide = text.render(words, size, "regular", screen.zoom).mask.shape[1]
        expected = text.measure(words, size) * screen.zoom[0] / screen.zoom[1]
        assert abs(wide - expected) < 0.02 * expected + 3


def test_hairlines_keep_their_thickness_and_unknown_operations_are_refused() -> None:
    screen = SCREENS["desktop", "large"]
    heights = {zoomed_op(("rect", 0, y, 50, 1, (0, 0, 0), 0, None), screen)[4] for y in range(40)}
    assert heights == {2}
    assert zoom_ops((("unclip",),), SCREENS["phone", "normal"]) == (("unclip",),)
    with pytest.raises(ValueError, match="sparkle"):
        zoomed_op(("sparkle", 1), screen)


def test_painting_only_the_difference_is_right_at_a_large_density() -> None:
    screen = SCREENS["phone", "large"]
    renderer = IncrementalRenderer(screen.pixels, "phone")
    for _, hand in list(screens())[:6]:
        ops = zoom_ops(make_scene(hand.world.state(), "phone").ops, screen)
        assert renderer.paint(ops, 0.0) == IncrementalRenderer(screen.pixels, "phone").paint(ops, 0.0)


def test_the_dark_theme_can_be_read() -> None:
    for ink in ("INK", "MUTED", "ACCENT", "DANGER"):
        for ground in ("PAGE", "CARD", "BAR", "SELECTED", "TINT"):
            ratio = contrast(shade.dark_ink(getattr(theme, ink)), shade.dark_fill(getattr(theme, ground)))
            assert ratio >= 3.9, f"{ink} on {ground}: {ratio:.1f}"
    for ground in ("ACCENT", "DANGER", "DARK"):
        assert contrast(theme.ON_ACCENT, shade.dark_fill(getattr(theme, ground))) >= 3.9, ground


def test_each_colour_of_the_theme_has_a_dark_one() -> None:
    named = {value for name, value in vars(theme).items() if name.isupper() and isinstance(value, tuple)}
    named = {color for color in named if isinstance(color[0], int)}
    assert named - shade.FILLS.keys() == set()
    assert luminance(shade.dark_fill((255, 248, 214))) < 0.06
    assert luminance(shade.dark_ink((70, 30, 20))) > 0.25
    assert shade.dark_fill((196, 70, 70)) == (196, 70, 70)


def test_dark_screens_are_dark_and_say_the_same() -> None:
    for name, hand in screens():
        state = hand.world.state()
        light, dark = (make_scene(s, hand.env.name) for s in (state, state.looking(DARK)))
        assert light.elements == dark.elements, name
        assert [op[0] for op in light.ops] == [op[0] for op in dark.ops], name
        assert light.ops != dark.ops, name
        assert hand_picture(state.looking(DARK), hand.env.name).mean() < 70, name


def test_moving_pictures_keep_their_colours() -> None:
    state = hands()[0].state().looking(DARK)
    painter = Painter(state, state.phone)
    Surface("s", "S", 40, lambda p, x, y, w, h: p.rect(x, y, w, h, theme.CARD)).place(painter, 0, 0, 100, 40)
    painter.rect(0, 50, 10, 10, theme.CARD)
    assert [op[5] for op in painter.ops if op[0] == "rect"] == [theme.CARD, shade.FILLS[theme.CARD]]


def test_windows_stay_on_a_screen_that_shrinks() -> None:
    world, _, desktop = hands()
    world.prepare(lambda s: s.looking(LARGE))
    desktop.open("signals")
    world.change(lambda s: s.on("desktop", windows=tuple(_moved(w) for w in s.desktop.windows)), 0)
    world.change(lambda s: s.looking(Look()), 0)
    assert desktop.find("window/signals/title").box.right > 0.9
    assert world.state().phone.size == PHONE


def _moved(window: Window) -> Window:
    return replace(window, x=1400)
