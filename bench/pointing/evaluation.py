"""Evaluates pointing: whether a grounder finds what an instruction refers to, on screens with known boxes.

The rule of ScreenSpot and MMBench-GUI L2: a point inside the target's box, edges included, is a hit. An abstention is a
miss, counted separately; it is right only if the target is not on the screen.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from omnipilot.bench.pointing.place import Place, hits
from omnipilot.envs import Absent, EnvLost, Observation, Platform, Point
from omnipilot.grounders import Abstention, Grounder
from omnipilot.memory import Usage
from omnipilot.memory.models.exchange import Listener, in_role, listening, tell_unread

if TYPE_CHECKING:
    from omnipilot.bench.scoring.score import Scored

Kind: TypeAlias = Literal["icon", "text", "control", "unknown"]
"""What of a target can be seen: a picture without words, words, or neither (an empty field, a switch)."""
Style: TypeAlias = Literal["basic", "advanced"]
"""`basic` says name, look and place; `advanced` says what the target is good for."""
STYLES: tuple[Style, ...] = ("basic", "advanced")


@dataclass(frozen=True, slots=True)
class Target:
    """One target to point at.

    Attributes:
        id: unique in its suite.
        box: the area that counts as a hit.
        role, name: from the element tree, "" if there is none.
        basic, advanced: the two instructions; "" if missing.
        distractor: something else on the screen has the same text.
    """

    id: str
    box: Place
    kind: Kind
    role: str
    name: str
    basic: str
    advanced: str = ""
    distractor: bool = False

    def instruction(self, style: Style) -> str:
        """The instruction in a style; "" if there is none."""
        return self.basic if style == "basic" else self.advanced


@dataclass(frozen=True, slots=True)
class Shot:
    """One screen with its targets. `theme` is light or dark, "" if unknown."""

    id: str
    platform: Platform
    theme: str
    observation: Observation
    targets: tuple[Target, ...]


class Pointing(ABC):
    """A suite of screens with targets; equal options produce equal screens and targets.

    A suite has `name`, `version` and `shots`. Everything else is optional.
    """

    if TYPE_CHECKING:
        # Not so when it runs: a suite may compute them, or have them as attributes.
        @property
        @abstractmethod
        def name(self) -> str: ...
        @property
        @abstractmethod
        def version(self) -> str: ...

    @abstractmethod
    def shots(self) -> Iterator[Shot]:
        """The screens in order, each generated on demand."""

    def scored(
        self,
        answers: Sequence[PointingAnswer],  # noqa: ARG002
        limit: int | None = None,  # noqa: ARG002
        styles: Collection[Style] = STYLES,  # noqa: ARG002
        variant: str = "",  # noqa: ARG002
    ) -> Scored | None:
        """The benchmark's own figures for a run's answers; None for a suite that has none of its own.

        Args:
            limit: most targets that the run asked for; None for all. styles: of its instructions. variant: of the
                benchmark's rules; "" for the first.
        """
        return None


class Passed(Pointing):
    """A suite that remembers its screens without their pictures, so that baselines need not generate them again.

    Attributes:
        kept: the screens generated so far.
    """

    name: str
    version: str

    def __init__(self, suite: Pointing) -> None:
        self._suite = suite
        self.name, self.version = suite.name, suite.version
        self.kept: list[Shot] = []

    def shots(self) -> Iterator[Shot]:
        """The screens of the suite."""
        self.kept = []
        for shot in self._suite.shots():
            self.kept.append(replace(shot, observation=replace(shot.observation, screenshot=Absent("unsupported"))))
            yield shot


@dataclass(frozen=True, slots=True)
class PointingAnswer:
    """The answer to one instruction.

    Attributes:
        point: where the grounder pointed; None if it abstained for `reason`.
        seconds: wall time of the call.
        text: the query to the grounder.
    """

    target: str
    style: Style
    platform: Platform
    theme: str
    kind: Kind
    distractor: bool
    width: int
    height: int
    text: str
    box: Place
    point: Point | None
    reason: str
    detail: str
    seconds: float
    usage: Usage

    @property
    def key(self) -> tuple[str, Style]:
        """The key of the instruction it answers."""
        return self.target, self.style

    @property
    def hit(self) -> bool:
        """Whether the point is in the box, edges included; without a target, whether the grounder abstained."""
        return hits(self.box, self.point, self.reason)


@dataclass(frozen=True, slots=True)
class Unasked:
    """An instruction that was skipped because its screen cannot be shown."""

    target: str
    style: Style
    reason: str

    @property
    def key(self) -> tuple[str, Style]:
        """The key of the instruction."""
        return self.target, self.style


def evaluate(
    shots: Iterable[Shot],
    grounder: Grounder,
    done: Collection[tuple[str, Style]] = (),
    styles: Collection[Style] = STYLES,
    limit: int | None = None,
    concurrency: int = 1,
    on_unasked: Callable[[Unasked], None] | None = None,
    asking: Callable[[Shot, Target, Style], None] | None = None,
    listener: Callable[[Target, Style], Listener] | None = None,
) -> Iterator[PointingAnswer]:
    """Query the grounder for every target in every style; answers follow the order of screens and targets.

    The grounder sees only the parts of each screen that it declares (`reads`, else `needs`).

    Args:
        done: instructions already answered; they are skipped.
        limit: maximum number of targets; None for all.
        concurrency: parallel queries about one screen; more than one requires a thread-safe grounder.
        on_unasked: called with each instruction whose screen cannot be shown; it gets no answer, and the others
            continue.
        asking: called before each question, in the thread that asks it.
        listener: gives who is told of the model calls for an instruction.

    Raises:
        ModelUnavailable: the grounder's model did not answer; earlier answers have been yielded.
        EnvLost: a screen cannot be shown, and there is no `on_unasked`.
    """
    sees = grounder.reads or grounder.needs
    asked = 0
    with ThreadPoolExecutor(max(1, concurrency)) as pool:
        for shot in shots:
            targets = shot.targets if limit is None else shot.targets[: max(0, limit - asked)]
            asked += len(targets)
            shown = shot.observation.only(sees)
            questions = [
                (target, style)
                for target in targets
                for style in STYLES
                if style in styles and target.instruction(style) and (target.id, style) not in done
            ]
            if questions and (reason := unreadable(shown)):
                if on_unasked is None:
                    raise EnvLost(reason)
                for target, style in questions:
                    on_unasked(Unasked(target.id, style, reason))
                questions = []
            waiting: list[Future[PointingAnswer]] = [
                pool.submit(_ask, grounder, shot, shown, target, style, asking, listener) for target, style in questions
            ]
            try:
                for future in waiting:
                    yield future.result()
            finally:
                for future in waiting:
                    future.cancel()
            if limit is not None and asked >= limit:
                return


def unreadable(shown: Observation) -> str:
    """Why the screenshot of an observation is unusable; "" if it is usable or absent."""
    image = shown.screenshot
    if isinstance(image, Absent):
        return image.detail or "its capture failed" if image.reason == "failed" else ""
    try:
        image.array()
    except EnvLost as error:
        return str(error)
    return ""


def _ask(
    grounder: Grounder,
    shot: Shot,
    shown: Observation,
    target: Target,
    style: Style,
    asking: Callable[[Shot, Target, Style], None] | None,
    listener: Callable[[Target, Style], Listener] | None,
) -> PointingAnswer:
    text = target.instruction(style)
    if asking is not None:
        asking(shot, target, style)
    with listening(listener(target, style) if listener is not None else None), in_role("grounder"):
        began = time.perf_counter()
        found = grounder.ground(shown, text)
        seconds = time.perf_counter() - began
        if isinstance(found, Abstention) and found.unread:
            tell_unread(found.detail)
    point, reason, detail = (
        (None, found.reason, found.detail) if isinstance(found, Abstention) else (found.point, "", "")
    )
    size = shot.observation.size
    return PointingAnswer(
        target.id,
        style,
        shot.platform,
        shot.theme,
        target.kind,
        target.distractor,
        size.width,
        size.height,
        text,
        target.box,
        point,
        reason,
        detail,
        seconds,
        found.usage,
    )
