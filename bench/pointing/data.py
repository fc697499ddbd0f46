"""Pointing suites built from a benchmark's own files: targets, and screens that are read on first use."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from omnipilot.bench.pointing.evaluation import STYLES, Pointing, PointingAnswer, Shot, Style, Target
from omnipilot.bench.pointing.given_answers import Given, given_by
from omnipilot.bench.scoring.data.pictures import picture_size
from omnipilot.bench.scoring.data.records import Bad, Loaded, Record
from omnipilot.bench.scoring.data.source import Source, media
from omnipilot.envs import Absent, Box, ConfigError, EnvLost, Observation, Platform, Size

if TYPE_CHECKING:
    from omnipilot.bench.scoring.score import Scored

_SCALED = 0.01
"""How far the shape of a picture may differ from the written one: it may have been scaled, not cut."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A screenshot of a data set; `name` is the file name, `size` in its own pixels."""

    name: str
    platform: Platform
    size: Size
    read: Callable[[], bytes] = field(compare=False, repr=False)

    def shot(self, targets: Sequence[Target]) -> Shot:
        """The screen with only its picture, so that nothing reveals the targets."""
        from omnipilot.envs import Image

        try:
            image = Image.encoded(self.read(), self.platform, name=self.name)
            seen = Observation(self.platform, 0.0, image.size, image)
        except (OSError, EnvLost) as error:
            seen = Observation(self.platform, 0.0, self.size, Absent("failed", str(error)))
        return Shot(self.name, self.platform, "", seen, tuple(targets))


class DataTarget(Protocol):
    """One target of a data set; a benchmark's own record adds fields."""

    @property
    def target(self) -> Target: ...

    @property
    def screen(self) -> Screen: ...

    @property
    def written(self) -> tuple[float, ...]:
        """The box as written in the file."""
        ...

    @property
    def marks(self) -> Mapping[str, str]:
        """Other record fields by which a prediction may identify its target."""
        ...


S = TypeVar("S", bound=DataTarget)


class Screens:
    """The screenshots of a source. Each file header is read once."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._sizes: dict[Path, Size] = {}

    def at(self, record: Record, name: str, platform: Platform, *folders: str) -> Screen:
        """The screenshot named by a field, in one of the folders.

        Raises:
            BadRecord: the file is missing or not a picture.
        """
        path = media(self._source, record, name, *folders)
        if path not in self._sizes:
            try:
                self._sizes[path] = picture_size(path)
            except OSError as error:
                raise record.wrong(name, f"{self._source.name(path)} is not a readable picture: {error}") from None
        return Screen(self._source.name(path), platform, self._sizes[path], path.read_bytes)


def written_size(record: Record, name: str, screen: Screen) -> Size:
    """The screenshot size stated in a record, in whose pixels its boxes are; the picture may be scaled.

    Raises:
        BadRecord: the picture has another aspect ratio.
    """
    size = Size(*record.size(name))
    real = screen.size
    if abs(size.width * real.height / (size.height * real.width) - 1) > _SCALED:
        raise record.wrong(name, f"it is {size}, but the picture {screen.name} is {real}")
    return size


def box_on(record: Record, name: str, edges: tuple[float, float, float, float], size: Size) -> Box:
    """A box from pixel edges (left, top, right, bottom), clipped to the screenshot.

    Raises:
        BadRecord: its edges are in the wrong order, or it is entirely outside.
    """
    left, top, right, bottom = edges
    shown = ", ".join(f"{edge:g}" for edge in edges)
    if left > right or top > bottom:
        raise record.wrong(name, f"its edges {shown} (left, top, right, bottom) are in the wrong order")
    if right < 0 or bottom < 0 or left > size.width or top > size.height:
        raise record.wrong(name, f"the box {shown} is outside the picture of {size}")
    across, down = (min(max(edge, 0.0), size.width) for edge in (left, right)), (top, bottom)
    (left, right), (top, bottom) = across, (min(max(edge, 0.0), size.height) for edge in down)
    return Box.from_pixels(left, top, right, bottom, size)


class DataPointing(Pointing, Generic[S]):
    """A pointing suite built from a benchmark's files.

    Attributes:
        spots: the usable targets in query order, grouped by screen.
        bad: the unusable records.
    """

    name: str = ""
    version: str
    adapter = "1"
    """Version of the loader's rules."""

    def __init__(self, source: Source, files: Sequence[Path], loaded: Loaded[S]) -> None:
        if not loaded.items:
            first = f"; the first of {len(loaded.bad)} bad ones: {loaded.bad[0]}" if loaded.bad else ""
            raise ConfigError(f"{self.name}: {source.root} has no usable record{first}. {source.get}")
        self.version = f"{self.adapter}-{source.digest(files)}"
        self.bad: tuple[Bad, ...] = loaded.bad
        by_screen: dict[str, list[S]] = {}
        for spot in loaded.items:
            by_screen.setdefault(spot.screen.name, []).append(spot)
        self._screens = list(by_screen.values())
        self.spots: tuple[S, ...] = tuple(spot for spots in self._screens for spot in spots)

    def shots(self) -> Iterator[Shot]:
        """Every screenshot once, with its targets."""
        for spots in self._screens:
            yield spots[0].screen.shot([spot.target for spot in spots])

    def asked(self, limit: int | None = None, styles: Collection[Style] = STYLES) -> tuple[S, ...]:
        """The targets that a run with these settings covers."""
        chosen = self.spots if limit is None else self.spots[:limit]
        return tuple(spot for spot in chosen if any(spot.target.instruction(style) for style in styles))

    def scored(
        self,
        answers: Sequence[PointingAnswer],
        limit: int | None = None,
        styles: Collection[Style] = STYLES,
        variant: str = "",
    ) -> Scored:
        """The benchmark's own figures for a run's answers; unanswered targets are void."""
        asked = self.asked(limit, styles)
        scored = self.figures(asked, given_by(answers), variant)
        left = len(self.spots) - len(asked)
        notes = (f"{left} of {len(self.spots)} targets were not asked (limit, styles)",) if left else ()
        return replace(scored, notes=(*scored.notes, *notes))

    def figures(self, spots: Sequence[S], given: Mapping[str, Given], variant: str = "") -> Scored:
        """The benchmark's figures for its targets; those without a prediction are void."""
        raise NotImplementedError
