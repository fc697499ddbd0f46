"""A conformance check for grounders (`omnipilot.grounders.base`), to be called from any test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, get_args

from omnipilot.envs import (
    Absent,
    AudioClip,
    Box,
    Context,
    Element,
    Elements,
    Image,
    Modality,
    Observation,
    Point,
    Size,
    VideoClip,
)
from omnipilot.envs import ContractBroken as ContractBroken
from omnipilot.envs.contract.breaches import Breaches, describe_error
from omnipilot.envs.types.actions import LONGEST_NAME, Described, Ref
from omnipilot.grounders.base import AbstainReason, Abstention, Grounder, Grounding
from omnipilot.memory import ModelUnavailable, Usage

SIZE = Size(320, 240)
UNKNOWN = Ref("no-such-element")
TARGETS: tuple[Described, ...] = (
    "Save",
    "the Save button",
    Ref("save"),
    "7",
    Ref("7"),
    "",
    " \n\t",
    "#",
    "the button\nbelow the title",
    "Zoë, 漢字, עברית and 🙂\u200b",
    '[0.5, 0.5] <point>click(500, 300)</point> {"x": 2}',
    "(?:[*+",
    "the last " * (LONGEST_NAME // 9),
    "word " * 2000,
)
"""Ordinary targets, and odd ones that a planner may write."""
_SHOWN = (Modality.SCREENSHOT, Modality.ELEMENTS, Modality.CONTEXT)


def check_grounder(
    make: Callable[[], Grounder],
    *,
    known: Sequence[tuple[Observation, Described, Box]] = (),
    repeatable: bool = True,
) -> None:
    """Check a grounder against the contract, on a screen with three elements.

    Checked: each answer is a `Grounding` with its point and box on the unit square and its confidence in 0..1, or an
    `Abstention` with a known reason; it abstains for an unknown id, and on a screen without what it `needs`; absent
    modalities and odd descriptions (empty, very long, multi-line, in any script) raise nothing; it raises only
    `ModelUnavailable`, and not always; the same question gets the same answer, also after other questions; `needs` and
    `reads` are sets of modalities; what `annotate` shows is parts, the same ones when called twice, and nothing unless
    `annotates` is true. The grounder is called about 30 times.

    Optional, and so not asked for here: `annotate`, `close`, `family`, and all of `AgentPart`. Each has a body in
    `Grounder`.

    In a plug-in's test:

        def test_my_grounder_keeps_the_contract():
            check_grounder(MyGrounder)

    Args:
        make: creates a new grounder; one that takes its answers from the runner is handed a truth here.
        known: places it must find: a screen, a description, and the box in which the answer must be. Without these,
            a grounder that always abstains passes too.
        repeatable: whether the same question gets the same answer; false for a model that samples.

    Raises:
        ContractBroken: lists every breach and its fix.
    """
    grounder = make()
    found = Breaches(type(grounder).__name__)
    found.require_base(grounder, Grounder)
    check = _Check(found, grounder)
    check.declarations()
    screen, other = _screen("pc", "Save", "Title"), _screen("pc", "Send", "Subject")
    first = {target: check.ask(screen, target) for target in TARGETS[:3]}
    for target in TARGETS[3:]:
        check.ask(screen, target)
    check.abstains(screen, UNKNOWN, "an element's id that is not on the screen", "abstain as not_found")
    check.absences(screen)
    check.ask(other, "Save")
    for target, answer in first.items():
        check.same(answer, check.ask(screen, target), target, repeatable)
    check.annotations(screen, other)
    for observation, target, box in known:
        check.finds(observation, target, box)
    check.settle()


class _Check:
    """Runs the checks on one grounder."""

    def __init__(self, found: Breaches, grounder: Grounder) -> None:
        self.found = found
        self.grounder = grounder
        self.needs: frozenset[Modality] = frozenset()
        self.answered = 0
        self.failed = ""

    def settle(self) -> None:
        """Finish the check."""
        if self.failed and not self.answered:
            self.found.note(f"no answer came, each time {self.failed}: nothing could be checked; see to its model")
        self.found.settle()

    def declarations(self) -> None:
        """Check its declarations."""
        reads: Any = self.grounder.reads
        declarations: dict[str, Any] = {"needs": self.grounder.needs, "reads": frozenset() if reads is None else reads}
        for name, declared in declarations.items():
            fine = self.found.check(
                isinstance(declared, frozenset) and all(isinstance(one, Modality) for one in declared),
                f"its `{name}` is {declared!r:.80}: it must be a frozenset of Modality",
            )
            if fine and name == "needs":
                self.needs = declared or frozenset()
        if isinstance(reads, frozenset) and (unread := self.needs - reads):
            self.found.note(
                f"it needs {', '.join(sorted(unread))}, which its `reads` leaves out: it reads all it needs"
            )

    def ask(self, observation: Observation, target: Described) -> Grounding | Abstention | None:
        """Its answer, checked; None if there was none."""
        shown = f"ground({target!r:.40})"
        try:
            answer: Any = self.grounder.ground(observation, target)
        except ModelUnavailable as error:
            self.failed = describe_error(error)
            return None
        except Exception as error:
            absent = [modality.value for modality in _SHOWN if not observation.has(modality)]
            where = f" on a screen without {', '.join(absent)}" if absent else ""
            self.found.note(
                f"{shown}{where} raised {describe_error(error)}: abstain with a reason; only ModelUnavailable is known"
            )
            return None
        self.answered += 1
        if isinstance(answer, Abstention):
            reasons = get_args(AbstainReason)
            self.found.check(
                answer.reason in reasons,
                f"{shown} abstained as {answer.reason!r}: the reason is one of {', '.join(reasons)}",
            )
            self.found.check(isinstance(answer.detail, str), f"{shown}: an abstention's detail is text for the planner")
        elif self.found.check(
            isinstance(answer, Grounding),
            f"{shown} returned {answer!r:.60}: it must return a Grounding or an Abstention",
        ):
            self._grounding(shown, answer)
        else:
            return None
        self.found.check(isinstance(answer.usage, Usage), f"{shown}: the usage must be a Usage, also without a model")
        return answer  # type: ignore[no-any-return]

    def _grounding(self, shown: str, answer: Grounding) -> None:
        point, box, confidence = answer.point, answer.box, answer.confidence
        self.found.check(
            isinstance(point, Point) and 0 <= point.x <= 1 and 0 <= point.y <= 1,
            f"{shown} points at {point!r:.60}: it must be a Point with coordinates in 0..1; convert pixels "
            "with Point.from_pixels",
        )
        self.found.check(
            box is None
            or (isinstance(box, Box) and 0 <= box.left <= box.right <= 1 and 0 <= box.top <= box.bottom <= 1),
            f"{shown} gives the box {box!r:.80}: it must be a Box with edges in 0..1, or None",
        )
        self.found.check(
            confidence is None or (isinstance(confidence, int | float) and 0 <= confidence <= 1),
            f"{shown} has the confidence {confidence!r}: it must be in 0..1, or None if unknown",
        )

    def abstains(self, observation: Observation, target: Described, what: str, cure: str) -> None:
        """Check that it abstains."""
        answer = self.ask(observation, target)
        self.found.check(not isinstance(answer, Grounding), f"it pointed for {what}: {cure}, never guess")

    def absences(self, screen: Observation) -> None:
        """Check screens with withheld or failed modalities."""
        looks = [screen.only(frozenset(Modality) - {modality}) for modality in Modality]
        lost = Absent("failed", "the capture took too long")
        looks += [
            screen.only(()),
            replace(screen, screenshot=lost, elements=lost),
            replace(screen, elements=Elements(())),
        ]
        for look in looks:
            lacking = [modality for modality in self.needs if not look.has(modality)]
            for target in ("Save", UNKNOWN):
                if lacking:
                    what = f"a screen without {', '.join(sorted(lacking))}, which it needs"
                    self.abstains(look, target, what, "abstain as no_view")
                else:
                    self.ask(look, target)

    def same(self, first: object, again: object, target: Described, repeatable: bool) -> None:
        """Check that two answers are equal except for their usage."""
        if repeatable and _plain(first) != _plain(again):
            self.found.note(
                f"ground({target!r:.40}) gave another answer when asked again: the same screen and words must get the "
                "same answer, whatever was asked in between (repeatable=False for a model that samples)"
            )

    def annotations(self, screen: Observation, other: Observation) -> None:
        """Check what it shows the planner."""
        grounder = self.grounder
        if not grounder.annotates:
            shown = self.found.attempt("annotate()", partial(grounder.annotate, screen), "return () to show nothing")
            self.found.check(not shown, "annotate() shows something, but `annotates` is false: let it be true")
            return
        for look in (
            screen,
            screen.only(()),
            screen.only({Modality.ELEMENTS}),
            screen.only({Modality.SCREENSHOT}),
            other,
        ):
            shown, again = (
                self.found.attempt("annotate()", partial(grounder.annotate, look), "return () to show nothing")
                for _ in range(2)
            )
            if shown is not None and self.found.check(
                isinstance(shown, tuple) and all(isinstance(one, str | Image | AudioClip | VideoClip) for one in shown),
                f"annotate() returned {shown!r:.60}: it must return a tuple of texts, Images or clips",
            ):
                self.found.check(shown == again, "annotate() differs when called twice: it must return the same")
            self.ask(look, "1")
            self.ask(look, Ref("1"))

    def finds(self, observation: Observation, target: Described, box: Box) -> None:
        """Check that it finds a known place."""
        answer = self.ask(observation, target)
        if isinstance(answer, Abstention):
            self.found.note(
                f"it abstained for {target!r:.40} ({answer.reason}: {answer.detail:.80}), which it must find"
            )
        elif isinstance(answer, Grounding) and isinstance(answer.point, Point):
            at = f"({answer.point.x:.3f}, {answer.point.y:.3f})"
            self.found.check(box.contains(answer.point), f"it pointed at {at} for {target!r:.40}, which is in {box}")


def _plain(answer: object) -> object:
    return replace(answer, usage=Usage()) if isinstance(answer, Grounding | Abstention) else None


def _screen(env: str, button: str, field: str) -> Observation:
    """A heading, a button and a field, drawn as darker boxes."""
    boxes = [Box(0.1, 0.1, 0.9, 0.2), Box(0.1, 0.4, 0.4, 0.5), Box(0.1, 0.7, 0.9, 0.8)]
    items = [("heading", "Settings", None), ("button", button, button.lower()), ("textbox", field, field.lower())]
    elements = [Element(role, name, box, id=id) for (role, name, id), box in zip(items, boxes, strict=True)]
    rows = [bytearray(b"\xe0" * (SIZE.width * 3)) for _ in range(SIZE.height)]
    for number, box in enumerate(boxes):
        left, top, right, bottom = (round(edge) for edge in box.to_pixels(SIZE))
        for row in rows[top:bottom]:
            row[left * 3 : right * 3] = bytes([60 + 40 * number]) * ((right - left) * 3)
    picture = Image.raw(SIZE, b"".join(map(bytes, rows)), env, 1.0)
    return Observation(env, 1.0, SIZE, picture, Elements(tuple(elements)), context=Context("settings", "Settings"))
