"""The detectors of widgets: what OpenCV finds on drawn and on real screens, and the adapters of models."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from omnipilot.envs import Box, Image, Modality, OpenApp, Size
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.state.display import Look
from omnipilot.envs.types.element_query import is_covered
from omnipilot.envs.types.roles import INTERACTIVE
from omnipilot.grounders.marks.detectors.edges import WidgetDetector, scale_of
from omnipilot.grounders.marks.detectors.models import GroundingDino, OmniParser
from omnipilot.grounders.marks.filter import likeness
from omnipilot.grounders.marks.marks import mark


def drawing(light=True, times=1):
    """A phone's screen with a painted button, a framed field, a star-like icon and a line of letters."""
    from PIL import Image as pil
    from PIL import ImageDraw

    paper, ink, paint = (
        ((250, 250, 250), (30, 30, 30), (30, 90, 210)) if light else ((25, 28, 32), (230, 230, 230), (60, 120, 240))
    )
    canvas = pil.new("RGB", (400 * times, 700 * times), paper)
    draw = ImageDraw.Draw(canvas)

    def box(*edges):
        return tuple(edge * times for edge in edges)

    draw.rounded_rectangle(box(40, 40, 140, 76), 6 * times, fill=paint)
    draw.line(box(85, 58, 95, 58), (255, 255, 255), 2 * times)
    draw.line(box(90, 53, 90, 63), (255, 255, 255), 2 * times)
    draw.rectangle(box(40, 120, 300, 156), outline=ink, width=times)
    draw.line(box(340, 40, 360, 60), ink, 3 * times)
    draw.line(box(340, 60, 360, 40), ink, 3 * times)
    for left in range(200, 290, 9):
        draw.rectangle(box(left, 50, left + 6, 60), outline=ink, width=times)
    return Image.raw(Size(*canvas.size), canvas.tobytes())


BUTTON, FIELD, CROSS, LETTERS = (40, 40, 140, 76), (40, 120, 300, 156), (339, 39, 361, 61), (199, 49, 290, 62)


def at(edges):
    return Box.from_pixels(*edges, Size(400, 700))


@pytest.mark.parametrize("light", [True, False], ids=["light", "dark"])
@pytest.mark.parametrize("times", [1, 6])
@pytest.mark.needs("omnipilot[marks]")
def test_buttons_fields_and_icons_are_found_on_light_and_dark_screens_of_any_size(light, times):
    found = WidgetDetector().find(drawing(light, times), [at(LETTERS)])
    for role, edges in (("button", BUTTON), ("textbox", FIELD), ("icon", CROSS)):
        assert [one.role for one in found if likeness(one.box, at(edges)) > 0.7] == [role], role
    assert all(one.source == "detector" and not one.name for one in found)
    assert found == WidgetDetector().find(drawing(light, times), [at(LETTERS)])


@pytest.mark.needs("omnipilot[marks]")
def test_known_text_is_not_taken_for_icons():
    def among_letters(found):
        return [one for one in found if at(LETTERS).contains(one.box.center)]

    assert not among_letters(WidgetDetector().find(drawing(), [at(LETTERS)]))


@pytest.mark.parametrize("size", [Size(1, 1), Size(3, 900), Size(900, 3), Size(160, 210)], ids=str)
@pytest.mark.needs("omnipilot[marks]")
def test_an_empty_screen_of_any_size_has_no_widgets(size):
    assert WidgetDetector().find(Image.raw(size, bytes([90]) * (size.pixels * 3))) == []


def test_widgets_are_looked_for_at_one_scale():
    assert scale_of(Size(412, 916)) == scale_of(Size(1280, 800)) == scale_of(Size(1920, 1080)) == 1
    assert scale_of(Size(3840, 2160)) == 2 and scale_of(Size(1080, 2400)) == pytest.approx(2.62, abs=0.01)
    assert scale_of(Size(160, 210)) == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("density", ["normal", "large"])
@pytest.mark.needs("omnipilot[marks]")
def test_most_of_what_can_be_clicked_in_the_embedded_world_is_found_without_elements(theme, density):
    """By the detector alone; what it misses are mostly words that only a reader finds."""
    world = SimWorld()
    world.reset(0)
    world.prepare(lambda state: state.looking(Look(theme, density)))
    hit = total = 0
    for env, apps in (("phone", ("Contacts", "Phone", "Messages")), ("desktop", ("Mail", "Files"))):
        for app in apps:
            world.envs[env].act(OpenApp(app))
            seen = world.envs[env].observe({Modality.SCREENSHOT, Modality.ELEMENTS}, world.now)
            items = seen.elements.items
            wanted = [one for one in items if one.role in INTERACTIVE and "offscreen" not in one.states]
            wanted = [one for one in wanted if not is_covered(one, items)]
            marks = mark(seen.only({Modality.SCREENSHOT}), ["detector"]).items
            boxes = [one.element.box for one in marks]
            hits = [any(w.box.contains(b.center) and b.area <= 1.5 * w.box.area for b in boxes) for w in wanted]
            hit, total = hit + sum(hits), total + len(hits)
    assert total > 60 and hit / total >= 0.85, (hit, total)


class Array(list):
    """A list that is asked for itself, as a tensor is."""

    def tolist(self):
        return list(self)


class Inputs(dict):
    """What a processor makes; on the device it is sent to."""

    def to(self, device):
        assert device == "cpu"
        return self


class FakeDino:
    """Processor and model of GroundingDINO, as transformers has them."""

    device = "cpu"

    def __init__(self, boxes):
        self.boxes = boxes
        self.asked = []

    def processor(self):
        return self

    def __call__(self, **inputs):
        self.asked.append(inputs)
        return Inputs(input_ids="ids", **{}) if "images" in inputs else "outputs"

    def post_process_grounded_object_detection(self, outputs, input_ids, **options):
        self.asked.append((outputs, input_ids, options))
        return [{"boxes": Array(self.boxes), "scores": Array([0.5] * len(self.boxes))}]


BOXES = [
    [40.0, 40.0, 140.0, 76.0],
    [-0.4, 0.0, 20.0, 20.0],
    [-5.0, 0.0, 20.0, 20.0],
    [390, 690, 409, 700],
    [9, 9, 9, 20],
]


def test_grounding_dino_is_asked_as_by_crab_and_boxes_outside_are_dropped(monkeypatch):
    monkeypatch.setattr("omnipilot.grounders.marks.detectors.models._without_gradients", nullcontext)
    fake = FakeDino(BOXES)
    found = GroundingDino(loaded=(fake, fake)).find(drawing())
    assert [one.box for one in found] == [at(BOXES[0]), at((0, 0, 20, 20))]
    assert {(one.role, one.name, one.source) for one in found} == {("icon", "", "detector")}
    assert fake.asked[0]["text"] == "icon . logo ." and fake.asked[0]["images"].size == (400, 700)
    options = {"threshold": 0.02, "text_threshold": 0.5, "target_sizes": [(700, 400)]}
    assert fake.asked[-1] == ("outputs", "ids", options)


def test_omniparser_is_asked_with_its_own_thresholds():
    asked = []

    class Yolo:
        def predict(self, **options):
            asked.append(options)
            return [SimpleNamespace(boxes=SimpleNamespace(xyxy=Array(BOXES)))]

    found = OmniParser(loaded=Yolo()).find(drawing())
    assert [one.box for one in found] == [at(BOXES[0]), at((0, 0, 20, 20))]
    assert (asked[0]["conf"], asked[0]["iou"], asked[0]["source"].size) == (0.05, 0.1, (400, 700))
