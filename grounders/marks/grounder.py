"""The grounder `marks`: numbers everything on the screen for the planner, and points at the number it chooses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import cast

from omnipilot.envs import Absent, Box, Element, Modality, Observation
from omnipilot.envs.types import describe, matches
from omnipilot.envs.types.actions import Described, Ref
from omnipilot.grounders.base import Abstention, Grounder, Grounding
from omnipilot.grounders.elements import ElementsGrounder
from omnipilot.grounders.marks.marks import (
    Choice,
    Detector,
    Mark,
    Marks,
    check_choice,
    check_sources,
    detectors_of,
    mark,
    reader_of,
)
from omnipilot.grounders.marks.spoken_numbers import spoken_number
from omnipilot.grounders.marks.tracking import find_again
from omnipilot.memory import Usage
from omnipilot.memory.messages import Part
from omnipilot.memory.perception import OcrReader
from omnipilot.memory.warm_up import warm_up

_LISTED = 6


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the planner was shown of an environment: the marks, and the observation with its modalities only."""

    marks: Marks
    observation: Observation


class MarksGrounder(Grounder):
    """Set-of-Marks: `annotate` draws and lists numbers for the planner, `ground` resolves them.

    A number, as `Ref("7")`, "7" or "mark 7", keeps its meaning from when the planner was last shown this environment.
    If the screen has changed since, the same element is searched for, and if it is gone the grounder abstains: a
    number never refers to something else. Other ids are looked up among the elements, and words among the names of
    the marks.

    Args:
        sources: sources of marks, comma-separated: elements, ocr, easyocr, detector, detact, grounding-dino,
            omniparser.
        choice: which of what they find is marked: `distinct` things, or `crab`: what CRAB's released code marks.
        pack: folder with pictures of icons, named by what they do, for the source detact.
        reader, detectors: replace those that `sources` names.

    Raises:
        ConfigError: a source or a choice is unknown.
        MissingExtra: a source needs a package that is not installed.
    """

    def __init__(
        self,
        sources: str = "elements,ocr,detector",
        choice: str = "distinct",
        reader: OcrReader | None = None,
        detectors: Sequence[Detector] | None = None,
        pack: str = "",
    ) -> None:
        self.sources = tuple(source.strip() for source in sources.split(",") if source.strip())
        check_sources(self.sources)
        check_choice(choice)
        self.choice = cast(Choice, choice)
        self._reader = reader_of(self.sources) if reader is None else reader
        self._detectors = detectors_of(self.sources, pack) if detectors is None else list(detectors)
        self._shown: dict[str, _Shown] = {}
        self._elements = ElementsGrounder()

    def warm_up(self) -> None:
        """Load the models of the sources."""
        warm_up(self._reader, *self._detectors)

    @property
    def needs(self) -> frozenset[Modality]:
        """The modality that every source uses; none if either elements or screenshots suffice."""
        return next(iter(self._looks())) if len(self._looks()) == 1 else frozenset()

    @property
    def reads(self) -> frozenset[Modality]:
        """Modalities of the sources, and the screenshot to draw on."""
        return frozenset({Modality.SCREENSHOT}).union(*self._looks())

    @property
    def annotates(self) -> bool:
        """It numbers what is on the screen."""
        return True

    def annotate(self, observation: Observation) -> tuple[Part, ...]:
        """The marked screenshot and the list of marks; only the list without a screenshot; nothing without marks.

        From now on, `ground` resolves the numbers shown here for this environment.
        """
        marks = self._mark(observation)
        self._shown[observation.env] = _Shown(marks, observation)
        if not marks.items:
            return ()
        return (marks.text(),) if marks.image is None else (marks.image, marks.text())

    def candidates(self, env: str) -> Sequence[Box] | None:
        """The boxes of the marks."""
        shown = self._shown.get(env)
        return None if shown is None else [one.element.box for one in shown.marks.items]

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        """Find a mark by its number, an element by its id, or either by words."""
        if isinstance(observation.screenshot, Absent) and isinstance(observation.elements, Absent):
            return Abstention("no_view", f"there is neither a screenshot nor a list of elements of {observation.env}")
        shown = self._shown.get(observation.env)
        number = spoken_number(target)
        if shown is None:
            marks = self._mark(observation)
            one = None if number is None else marks.by_number(number)
            return _point_at(one.element, marks.usage) if one else self._otherwise(observation, target, marks)
        now = observation.only([modality for modality in Modality if shown.observation.has(modality)])
        same = _same_screen(now, shown.observation)
        if number is not None and (chosen := shown.marks.by_number(number)):
            return _point_at(chosen.element) if same else self._again(shown, now, chosen)
        return self._otherwise(observation, target, shown.marks if same else self._mark(now), same)

    def _again(self, shown: _Shown, now: Observation, one: Mark) -> Grounding | Abstention:
        """Find a mark again on a screen that has changed since it was shown."""
        marks = self._mark(now)
        found = find_again(one.element, shown.observation, now, [other.element for other in marks.items])
        if found is not None:
            return _point_at(found, marks.usage)
        return Abstention("not_found", f"{one} is no longer there; the screen has changed", marks.usage)

    def _otherwise(
        self, observation: Observation, target: Described, marks: Marks, shown: bool = True
    ) -> Grounding | Abstention:
        """Ground anything but a mark's number: an element id or words. `shown`: the planner knows these numbers."""
        granted = not isinstance(observation.elements, Absent)
        last = len(marks.items)
        span = f"the marks of {observation.env} are 1 to {last}" if last else f"nothing on {observation.env} is marked"
        if isinstance(target, Ref):
            found = self._elements.ground(observation, target) if granted else None
            told = f"no mark and no element has the id {target.id!r}; {span}"
            return found if isinstance(found, Grounding) else Abstention("not_found", told, marks.usage)
        if spoken_number(target) is not None and not granted:
            return Abstention("not_found", f"there is no mark {target.strip()!r}; {span}", marks.usage)
        answers = _answers(target, marks.items)
        if len(answers) == 1:
            return _point_at(answers[0].element, marks.usage)
        found = self._elements.ground(observation, target) if granted else None
        if isinstance(found, Grounding):
            return replace(found, usage=found.usage + marks.usage)
        if answers:
            listed = "; ".join(str(one) if shown else str(one).split("] ", 1)[1] for one in answers[:_LISTED])
            advice = "say its number" if shown else "say which (first, second, …)"
            return Abstention("ambiguous", f"{len(answers)} marks answer to it: {listed}; {advice}", marks.usage)
        return Abstention("not_found", f"no mark is called so; {span}", marks.usage)

    def _mark(self, observation: Observation) -> Marks:
        return mark(observation, self.sources, reader=self._reader, detectors=self._detectors, choice=self.choice)

    def _looks(self) -> frozenset[frozenset[Modality]]:
        return frozenset(
            frozenset({Modality.ELEMENTS if source == "elements" else Modality.SCREENSHOT}) for source in self.sources
        )


def _answers(target: str, marks: Iterable[Mark]) -> list[Mark]:
    """The marks that match a description, in order of their numbers."""
    asked = describe(target)
    # Large ones first, as if drawn below: `matches` drops elements that something larger covers.
    numbered = {id(one.element): one for one in marks}
    below = sorted((one.element for one in numbered.values()), key=lambda element: -element.box.area)
    alike = [numbered[id(element)] for element in matches(replace(asked, ordinal=None), below)]
    alike.sort(key=lambda one: one.number)
    if asked.ordinal is None:
        return alike
    place = asked.ordinal - 1 if asked.ordinal > 0 else asked.ordinal
    return [alike[place]] if -len(alike) <= place < len(alike) else []


def _point_at(element: Element, usage: Usage | None = None) -> Grounding:
    return Grounding(element.box.center, element.box, usage=usage or Usage())


def _same_screen(now: Observation, then: Observation) -> bool:
    """Whether two observations with the same modalities show the same screen."""
    return now is then or (now.screenshot, now.elements) == (then.screenshot, then.elements)
