"""Whether an expectation holds on what a role observes next: kept, violated, or not to be told, and why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from omnipilot.agents.wrappers.checks.screens import (
    focused_element,
    has_changed,
    holds,
    is_heard,
    is_masked,
    is_moving,
    nearly,
    new_texts,
    same_element,
    same_name,
    texts,
)
from omnipilot.envs import Action, AudioClip, Context, Element, Elements, Modality, Observation, Select, TypeText
from omnipilot.envs.types import SAMPLE_RATE
from omnipilot.envs.types.element_reading import read_target
from omnipilot.memory import Expectation
from omnipilot.memory.quoting import quote

Status: TypeAlias = Literal["kept", "violated", "untold"]


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """The verdict on an expectation.

    Attributes:
        found: what was found instead, or why it could not be told; "" if it was kept.
        modality: what shows it.
    """

    status: Status
    found: str = ""
    modality: Modality | None = None


@dataclass(frozen=True, slots=True)
class ExpectationCase:
    """An expectation to be checked.

    Attributes:
        before: what the role saw before the move; None if it did not look. element: what was operated.
        action: the move that implies it; None for a stated one. step: its index.
    """

    expectation: Expectation
    step: int
    before: Observation | None = None
    element: Element | None = None
    action: Action | None = None

    @property
    def implied(self) -> bool:
        """Whether a verb implies it, rather than that the planner stated it."""
        return self.action is not None


def verify(case: ExpectationCase, after: Observation) -> CheckFinding:
    """Whether it holds now. Only what `after` shows is looked at, so a role is told no more than it may see."""
    kind = case.expectation.kind
    if kind == "clipboard" and not (isinstance(after.context, Context) and after.context.clipboard is not None):
        return CheckFinding("untold", "no observation shows the clipboard")
    if kind in ("app", "title", "address", "clipboard"):
        return _of_context(case, after)
    if kind == "changed":
        return _of_change(case, after)
    if kind == "sound":
        return _of_sound(case.expectation, after)
    if not isinstance(after.elements, Elements):
        return CheckFinding("untold", f"the elements are {after.elements.reason}")
    found = _of_elements(case, after, after.elements)
    return replace(found, modality=Modality.ELEMENTS)


def _of_context(case: ExpectationCase, after: Observation) -> CheckFinding:
    expected, context = case.expectation, after.context
    if not isinstance(context, Context):
        return CheckFinding("untold", f"the context is {context.reason}")
    if expected.kind == "app":
        shown = context.app or context.title
        kept = same_name(context.app, expected.value) or same_name(context.title, expected.value)
        kept = kept or same_name(expected.value, context.app)
    elif expected.kind == "clipboard":
        # A long text is cut, so that only its beginning can be compared.
        shown = context.clipboard or ""
        kept = shown.strip() == expected.value.strip() or (bool(shown) and expected.value.startswith(shown))
        return CheckFinding(
            "kept" if kept else "violated", "" if kept else f"it holds {quote(shown)}", Modality.CONTEXT
        )
    elif expected.kind == "title":
        shown = context.title
        kept = same_name(shown, expected.value)
    else:
        shown = context.url
        if not shown:
            return CheckFinding("untold", "no address is shown")
        kept = _address(expected.value) in _address(shown)
        if not kept and case.implied and isinstance(case.before and case.before.context, Context):
            # A redirection: the address is another one than before, although not the one that was asked for.
            assert case.before is not None and isinstance(case.before.context, Context)
            kept = case.before.context.url != shown
    if not kept and not shown:
        return CheckFinding("untold", f"the {expected.kind} is not known")
    return CheckFinding("kept" if kept else "violated", "" if kept else f"it is {quote(shown)}", Modality.CONTEXT)


def _address(url: str) -> str:
    return url.casefold().split("://")[-1].removeprefix("www.").rstrip("/")


def _of_change(case: ExpectationCase, after: Observation) -> CheckFinding:
    if case.before is None:
        return CheckFinding("untold", "nothing was observed just before the move")
    different = has_changed(case.before, after)
    if different:
        return CheckFinding("kept", "", _shown_by(after))
    if is_heard(after) and not is_heard(case.before):
        return CheckFinding("kept", "", Modality.AUDIO)
    if starts_media(case):
        if is_moving(after) or (is_heard(case.before) and is_heard(after) is False):
            return CheckFinding("kept", "", Modality.VIDEO if is_moving(after) else Modality.AUDIO)
        if is_heard(after) is None or is_moving(after) is None:
            return CheckFinding("untold", "it may have been heard, or seen in motion, and not all of that is granted")
    if different is None:
        return CheckFinding("untold", "nothing is seen to change but what may change by itself")
    return CheckFinding("violated", "everything is as it was", _shown_by(after))


def starts_media(case: ExpectationCase) -> bool:
    """Whether the move operates a control such as Play, whose effect is heard, or seen in motion, only later."""
    words = case.element.name.casefold().split() if case.element is not None else []
    return bool(words) and words[0] in _MEDIA


_MEDIA = frozenset("play start stop pause resume record replay listen mute unmute".split())


def _shown_by(after: Observation) -> Modality:
    return Modality.ELEMENTS if isinstance(after.elements, Elements) else Modality.SCREENSHOT


def _of_sound(expected: Expectation, after: Observation) -> CheckFinding:
    heard = is_heard(after)
    if heard is None:
        return CheckFinding("untold", "sound is not granted")
    started = expected.value == "started"
    if started or not heard:
        kept = heard == started
        return CheckFinding("kept" if kept else "violated", "" if kept else "nothing is heard", Modality.AUDIO)
    clip = after.audio
    assert isinstance(clip, AudioClip)
    # The clip begins before the move: what counts is how it ends.
    samples = clip.array()
    tail = samples[-round(0.25 * SAMPLE_RATE) :]
    kept = not tail.any()
    return CheckFinding("kept" if kept else "violated", "" if kept else "it is still heard", Modality.AUDIO)


def _of_elements(case: ExpectationCase, after: Observation, elements: Elements) -> CheckFinding:
    expected = case.expectation
    if expected.kind == "field":
        return _of_field(case, after, elements)
    if expected.kind == "file":
        kept = any(same_name(text, expected.what) for text in texts(after))
        return CheckFinding("kept") if kept else CheckFinding("untold", "the screen lists no such file")
    element = same_element(case.element, after) if case.element is not None else None
    if case.element is None:
        meant = read_target(elements, expected.what)
        element = meant if isinstance(meant, Element) else None
        if element is None and expected.kind in ("present", "absent") and "called that" not in str(meant):
            # Several answer to it, or something covers it: it is there.
            return (
                CheckFinding("untold", str(meant)) if "id" in str(meant) else _whether(expected.kind == "present", "")
            )
    if expected.kind in ("present", "absent"):
        there = element is not None
        return _whether(there == (expected.kind == "present"), "it is" if there else "it is not")
    if element is None:
        if case.implied and case.before is not None and has_changed(case.before, after):
            return CheckFinding("untold", f"{expected.what} is not on the screen any more")
        return CheckFinding("untold", f"{expected.what} is not on the screen")
    if expected.kind == "enabled":
        return _whether("disabled" not in element.states, "it is disabled")
    on = bool(element.states & _ON)
    wanted = expected.kind != "unchecked"
    if case.implied and on != wanted and case.before is not None and has_changed(case.before, after):
        # Some controls show their state in other ways, or ask before they change it. Of tabs and cells another one says
        # that it is selected: the wrong one.
        other = any(one.role == element.role and one.states & _ON for one in elements)
        if not (expected.kind == "selected" and other):
            return CheckFinding("untold", "something else changed, and its state is not told")
    if expected.kind == "selected":
        return _whether(on, "it is not")
    return _whether(on == wanted, "it is" if on else "it is not")


_ON = frozenset({"checked", "selected", "pressed", "on"})


def _whether(kept: bool, found: str) -> CheckFinding:
    return CheckFinding("kept") if kept else CheckFinding("violated", " ".join(found.split()))


def _of_field(case: ExpectationCase, after: Observation, elements: Elements) -> CheckFinding:
    expected, action = case.expectation, case.action
    if case.implied and case.element is None:
        return _of_typed_anywhere(case, after)
    if case.element is not None:
        field = same_element(case.element, after)
    else:
        meant = read_target(elements, expected.what)
        field = meant if isinstance(meant, Element) else focused_element(after) if "focus" in expected.what else None
        if field is None:
            return CheckFinding("untold", str(meant))
    submitted = isinstance(action, TypeText) and action.submit
    if field is None:
        return _of_typed_anywhere(case, after)
    if not expected.value:
        return _whether(not field.value, f"it holds {quote(field.value[:200])}")
    # A list of which no value is known may show it as its name.
    value = field.value or (field.name if case.element is not None and field.name != case.element.name else "")
    if is_masked(value):
        return (
            CheckFinding("kept")
            if len(value) >= len(expected.value)
            else CheckFinding("untold", "its content is masked")
        )
    if holds(value, expected.value) or holds(field.name, expected.value):
        clear = isinstance(action, TypeText) and action.clear
        old = case.element.value if case.element is not None else ""
        if clear and old and value == old + expected.value:
            return CheckFinding("violated", f"it holds {quote(value[:200])}: it was not emptied first")
        return CheckFinding("kept")
    if submitted:
        return _of_submitted(case, after, value)
    if isinstance(action, Select) and case.before is not None and has_changed(case.before, after):
        return CheckFinding("untold", "something changed, and its value is not told")
    return CheckFinding("violated", f"it holds {quote(value[:200])}" if value else "it is empty")


def _of_submitted(case: ExpectationCase, after: Observation, value: str) -> CheckFinding:
    """Of a field whose content was sent off: it may be empty again, or show something else."""
    if nearly(value, case.expectation.value):
        return CheckFinding("violated", f"it holds {quote(value[:200])}")
    return _of_typed_anywhere(case, after)


def _of_typed_anywhere(case: ExpectationCase, after: Observation) -> CheckFinding:
    """Of text that was typed where no field is known: in a cell, a terminal, a message that was sent."""
    text = case.expectation.value
    if case.before is None:
        return CheckFinding("untold", "nothing was observed just before the move")
    new = list(new_texts(case.before, after))
    if any(holds(one, text) for one in new):
        return CheckFinding("kept")
    if near := next((one for one in new if nearly(one, text)), None):
        return CheckFinding("violated", f"the screen shows {quote(near[:200])}")
    if has_changed(case.before, after) is False:
        return CheckFinding("violated", "everything is as it was")
    return CheckFinding("untold", "the text is not on the screen")
