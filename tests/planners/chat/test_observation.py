"""What a turn shows: labels, words for what is still, one list, and devices that are introduced."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scripted import SIZE, element, shade

from omnipilot.envs import Absent, AudioClip, Context, Elements, Image, Modality, Observation, Size, VideoClip
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import Recalled
from omnipilot.memory.messages import Part
from omnipilot.planners import Brief, Request, Verbs
from omnipilot.planners.chat.observation import (
    Style,
    closing,
    introduce_devices,
    is_silent,
    merge_lists,
    show_now,
    show_turn,
)

ENVS = {
    "phone": Verbs("phone", frozenset({"click"}), installed=("Mail", "Music"), size=SIZE),
    "pc": Verbs("desktop", frozenset({"click"}), description="a PC with Linux", applications=("Files",)),
}
BRIEF = Brief("Save it.", ENVS)
PLAIN = shade(1, "phone", 3.0)


def seen(env: str = "phone", **more: Any) -> Observation:
    fields: dict[str, Any] = {
        "screenshot": shade(1, env, 3.0),
        "elements": Elements((element("Save", id="e1"), element("Name", "textbox", value="x"))),
        "audio": AudioClip(b"\1\40" * 16_000, env, 1.0),
        "video": VideoClip([shade(2, env, 1.5), shade(3, env, 2.0)], 3.0, env),
        "context": Context("Mail", "Inbox"),
    }
    return Observation(env, 3.0, SIZE, **{**fields, **more})


def shown(one: Observation, marks: tuple[Part, ...] = (), style: Style | None = None) -> tuple[Part, ...]:
    """All that is shown of a turn, without the task and the question at its end."""
    recalled = [Recalled(part, "marks", one.env, 3.0, 0) for part in marks]
    request = Request(BRIEF, 0, {one.env: one}, recalled)
    (now,) = show_now(request, recalled, style or Style())
    assert str(now).endswith(closing(request))
    lists = str(now).removesuffix(closing(request)).strip()
    return (*show_turn(request, style or Style(), {}).parts([one.env]), *([lists] if lists else []))


def words(parts: tuple[Part, ...]) -> str:
    return "\n".join(part for part in parts if isinstance(part, str))


def test_a_turn_begins_with_its_number_and_every_capture_has_its_label() -> None:
    parts = shown(seen())
    assert str(parts[0]).startswith("# Turn 1\nSound of phone, 1.0 s to 2.0 s:")
    assert [type(part).__name__ for part in parts if not isinstance(part, str)] == ["AudioClip", "VideoClip", "Image"]
    assert words(parts).splitlines()[-3:] == ["The elements of phone:", '#e1 button "Save"', '- textbox "Name" = "x"']
    assert 'In front: "Mail", title: "Inbox"' in words(parts)


def test_what_is_silent_or_still_is_a_word() -> None:
    still = VideoClip([shade(2, "phone", 1.5), shade(2, "phone", 2.0)], 3.0, "phone")
    parts = shown(seen(audio=AudioClip(bytes(32_000), "phone", 1.0), video=still))
    assert [type(part).__name__ for part in parts if not isinstance(part, str)] == ["Image"]
    assert "## phone, at 3.0 s; sound: silent; video: unchanged" in words(parts).splitlines()


@pytest.mark.parametrize(("peak", "silent"), [(0, True), (32, True), (-33, False), (33, False), (9_000, False)])
def test_silence_is_60_decibels_below_full_scale(peak: int, silent: bool) -> None:
    samples = np.zeros(16_000, np.int16)
    samples[7_000] = peak
    assert is_silent(AudioClip.from_array(samples)) == silent


def test_a_size_is_told_where_it_is_not_the_one_that_was_introduced() -> None:
    assert "## phone, at" in words(shown(seen()))
    turned = Observation("phone", 3.0, Size(10, 20), shade(1, "phone", 3.0))
    assert "## phone, 10x20, at" in words(shown(turned))


def test_a_marked_screen_is_sent_alone_unless_both_are_wanted() -> None:
    marked = shade(9, "phone", 3.0)
    alone = shown(seen(audio=Absent("unasked"), video=Absent("unasked")), (marked, '[1] button "Save"'))
    assert [part for part in alone if isinstance(part, Image)] == [marked]
    assert "The screen of phone with numbered marks:" in words(alone)
    both = shown(seen(), (marked, '[1] button "Save"'), Style(marks="both"))
    assert [part for part in both if isinstance(part, Image)] == [PLAIN, marked]
    beside = shown(seen(), (marked, '[1] button "Save"'), Style(marks="beside"))
    (picture,) = [part for part in beside if isinstance(part, Image)]
    width = PLAIN.size.width
    assert picture.size.width == width + marked.size.width
    assert (picture.array()[:, :width] == PLAIN.array()).all()
    assert (picture.array()[:, width:] == marked.array()).all()
    assert "plain on the left, and with numbered marks on the right:" in words(beside)


def test_elements_and_marks_are_one_list() -> None:
    told = words(shown(seen(), (shade(9, "phone", 3.0), '[1] textbox "Name"\n[2] text "Hello"')))
    assert told.splitlines()[-4:] == [
        "The elements of phone:",
        '#e1 button "Save"',
        '#1 textbox "Name" = "x"',
        '#2 text "Hello"',
    ]
    bare = words(shown(seen(elements=Absent("ablated")), (shade(9, "phone", 3.0), '[1] button "Save"')))
    assert bare.splitlines()[-2:] == ["What is marked on phone:", '#1 button "Save"']


def test_equal_lines_get_their_marks_in_order() -> None:
    elements = ['#a link "More"', '#b link "More"', '#c link "More" (focused)', "- image"]
    marks = ['[1] link "More"', '[2] link "More"', "[3] image", '[4] text "a \\"b\\" = 1"']
    assert list(merge_lists(elements, marks)) == [
        '#1 link "More"',
        '#2 link "More"',
        '#c link "More" (focused)',
        "#3 image",
        '#4 text "a \\"b\\" = 1"',
    ]


@pytest.mark.parametrize("withheld", sorted(ALL_MODALITIES))
def test_what_is_withheld_leaves_no_trace(withheld: Modality) -> None:
    parts = shown(seen().only(ALL_MODALITIES - {withheld}))
    kinds = {Modality.SCREENSHOT: "Image", Modality.AUDIO: "AudioClip", Modality.VIDEO: "VideoClip"}
    there = {type(part).__name__ for part in parts} - {"str"}
    assert there == {name for modality, name in kinds.items() if modality != withheld}
    assert ("Save" in words(parts)) == (withheld != Modality.ELEMENTS)
    assert ("Inbox" in words(parts)) == (withheld != Modality.CONTEXT)


def test_who_is_shown_nothing_is_told_so() -> None:
    assert "You are not shown the screen of phone" in words(shown(seen().only([Modality.CONTEXT])))
    failed = words(shown(seen(screenshot=Absent("failed", "no display"), audio=Absent("gated"))))
    assert (
        '(screenshot of phone could not be captured: "no display")' in failed and "(audio of phone was held" in failed
    )


def test_devices_are_introduced_with_their_programs_size_and_what_is_heard() -> None:
    told = introduce_devices(BRIEF, {"phone": seen(), "pc": seen("pc").only([Modality.SCREENSHOT])})
    assert told.splitlines()[2:4] == [
        f'- phone: a phone of {SIZE.width}x{SIZE.height} pixels; applications: "Mail, Music"; '
        "you get its screen, sound and video",
        f'- pc: a desktop of {SIZE.width}x{SIZE.height} pixels, "a PC with Linux"; applications: "Files"; '
        "you get its screen",
    ]
    assert "To hear something, start it and `wait`" in told and "Video shows what moved" in told
    blind = introduce_devices(BRIEF, {})
    assert "you get" not in blind and "To hear" not in blind
    assert introduce_devices(Brief("", {}), {}) == ""
