"""The reader `ocr`: what it remembers, how it cuts lines, and what it reads on screens of the embedded world."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from omnipilot.envs import Image, MissingExtra
from omnipilot.memory.perception import OcrReader
from omnipilot.memory.perception.ocr import engine as ocr_engine
from omnipilot.memory.perception.ocr.lines import in_order, join_pieces, lines, snap_lines


class FakeEngine:
    """Finds what it was told, and reads how dark it is."""

    name = "fake"

    def __init__(self, areas, sure=1.0):
        self.areas, self.sure = areas, sure
        self.detected = self.recognised = 0

    def detect(self, pixels):
        self.detected += 1
        scale = pixels.shape[1] / 200
        return [tuple(scale * value for value in area) for area in self.areas]

    def recognise(self, pixels):
        self.recognised += 1
        return f"ink {pixels.min()}", self.sure


def page(*marks, ground=255):
    """A white page of 200x100 with striped bars: left, top, right, bottom, shade."""
    pixels = np.full((100, 200, 3), ground, np.uint8)
    for left, top, right, bottom, shade in marks:
        pixels[top:bottom, left:right] = shade
        pixels[top:bottom, left + 1 : right : 2] = ground
        pixels[top:bottom, right - 1] = shade
    return Image.from_array(pixels, "pc", 1.0)


def test_a_line_is_cut_at_its_letters_however_roughly_it_was_found():
    picture = page((20, 30, 60, 42, 0)).array()
    for area in ((18, 28, 62, 44), (22, 32, 70, 45), (15.4, 27.7, 58.2, 41.1)):
        assert snap_lines(picture, area) == [(20, 30, 60, 42)]


def test_two_lines_at_one_place_are_two_and_a_bit_of_a_neighbour_is_none():
    picture = page((20, 30, 60, 42, 0), (20, 46, 60, 58, 0)).array()
    assert snap_lines(picture, (18, 28, 62, 60)) == [(20, 30, 60, 42), (20, 46, 60, 58)]
    assert snap_lines(picture, (18, 28, 62, 48)) == [(20, 30, 60, 42)]


def test_on_a_restless_background_the_place_stays_as_it_was_found():
    noise = np.random.default_rng(1).integers(0, 256, (100, 200, 3), dtype=np.uint8)
    assert snap_lines(noise, (50, 40, 120, 60)) == [(50, 40, 121, 61)]


def test_words_of_a_line_are_joined_and_labels_apart_are_not():
    near, far, tall = (10, 10, 40, 22), (46, 10, 80, 22), (92, 4, 120, 34)
    assert join_pieces([near, far, tall]) == [(10, 10, 80, 22), tall]
    assert in_order([tall, far, (5, 50, 9, 60), near]) == [near, far, tall, (5, 50, 9, 60)]
    assert lines(page((20, 30, 60, 42, 0)).array(), [(18, 28, 62, 44), (17, 27, 63, 45)]) == [(20, 30, 60, 42)]


def test_an_unchanged_line_is_read_once_over_all_screenshots():
    engine = FakeEngine([(18, 28, 62, 44), (18, 58, 62, 74)])
    reader = OcrReader(engine)
    first = reader.read(page((20, 30, 60, 42, 0), (20, 60, 60, 72, 40)))
    assert [e.name for e in first.elements] == ["ink 0", "ink 40"] and (first.found, first.recognised) == (2, 2)
    second = reader.read(page((20, 30, 60, 42, 0), (20, 60, 60, 72, 90)))
    assert [e.name for e in second.elements] == ["ink 0", "ink 90"] and (second.found, second.recognised) == (2, 1)
    third = reader.read(page((20, 30, 60, 42, 0), (20, 60, 60, 72, 90)).at("phone", 9.0))
    assert third.known and third.elements == second.elements and engine.detected == 2


def test_boxes_are_on_the_unit_square_and_elements_say_where_they_are_from():
    (found,) = OcrReader(FakeEngine([(18, 28, 62, 44)])).read(page((20, 30, 60, 42, 0))).elements
    assert (found.role, found.source, found.box.to_pixels(page().size)) == ("text", "ocr", (20.0, 30.0, 60.0, 42.0))


def test_what_the_recogniser_is_not_sure_of_is_left_out():
    assert len(OcrReader(FakeEngine([(18, 28, 62, 44)], 0.3)).read(page((20, 30, 60, 42, 0))).elements) == 0


def test_what_is_remembered_is_bounded():
    reader = OcrReader(FakeEngine([(18, 28, 62, 44)]), keep=2)
    shades = [page((20, 30, 60, 42, shade)) for shade in (0, 40, 80)]
    assert [reader.read(picture).recognised for picture in shades] == [1, 1, 1]
    assert reader.read(shades[2]).known and reader.read(shades[0]).recognised == 1


def test_threads_share_a_reader():
    engine = FakeEngine([(18, 28, 62, 44)])
    reader, read = OcrReader(engine), []
    pictures = [page((20, 30, 60, 42, shade)) for shade in (0, 40)]
    work = [threading.Thread(target=lambda i=i: read.append(reader.read(pictures[i % 2]))) for i in range(8)]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join(10)
    assert len(read) == 8 and engine.recognised == 2


def test_without_rapidocr_the_line_that_installs_it_is_told(monkeypatch):
    def gone(module, extra):
        raise MissingExtra(extra, module)

    monkeypatch.setattr(ocr_engine, "require", gone)
    with pytest.raises(MissingExtra, match=r"omnipilot\[ocr\]"):
        OcrReader()


@pytest.fixture(scope="module")
def reader():
    return OcrReader()


@pytest.mark.needs("omnipilot[ocr]")
def test_an_empty_picture_holds_no_text(reader):
    assert len(reader.read(page()).elements) == 0


@pytest.mark.slow
@pytest.mark.needs("omnipilot[ocr]")
def test_a_text_is_read_the_same_whatever_was_read_before(reader):
    from readers_ocr import screens

    shown = [screen.image for _, screen in zip(range(3), screens([4]), strict=False)]
    forth = [reader.read(image).elements for image in shown]
    again = OcrReader(reader.engine)
    assert [again.read(image).elements for image in reversed(shown)] == forth[::-1]


@pytest.mark.slow
@pytest.mark.needs("omnipilot[ocr]")
def test_screens_are_read_and_their_controls_found(reader):
    from readers_ocr import measure_ocr, screens

    misses: list[str] = []
    found = measure_ocr(screens([5]), reader, misses)
    told = "\n".join(misses)
    assert found.texts > 300 and found.read >= 0.95 * found.texts, told
    assert found.invented <= 0.03 * found.lines, told
    assert found.named > 100 and found.pointed >= 0.93 * found.named and found.misled <= 0.02 * found.named, told
    assert found.icons > 50 and found.icons_left >= 0.95 * found.icons, told
    assert found.fresh < 0.8 * found.lines
