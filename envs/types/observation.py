"""What an environment shows at one moment: one field a modality, an absent one with its reason."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Literal, TypeAlias

from omnipilot.envs.types.geometry import Box, Size
from omnipilot.envs.types.media import AudioClip, Image, VideoClip


class Modality(StrEnum):
    """The channels of an observation; each names its field."""

    SCREENSHOT = "screenshot"
    ELEMENTS = "elements"
    VIDEO = "video"
    AUDIO = "audio"
    CONTEXT = "context"


ALL_MODALITIES = frozenset(Modality)

Reason: TypeAlias = Literal["ablated", "unasked", "gated", "unsupported", "failed"]
Source: TypeAlias = Literal["tree", "ocr", "detector"]


@dataclass(frozen=True, slots=True)
class Absent:
    """Why a modality is not there: withheld from this role (`ablated`), not among what this look was to capture
    (`unasked`), held back by a memory gate (`gated`), not known to this environment (`unsupported`), or its capture
    went wrong (`failed`, with the detail)."""

    reason: Reason
    detail: str = ""

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Element:
    """One thing on the screen.

    Attributes:
        role: the ARIA role where there is one: button, link, textbox, checkbox, tab, listitem, heading, text, image, …
        name: its accessible name or its text.
        box: where it is.
        states: among focused, disabled, checked, selected, expanded, offscreen, …
        id: stable as long as the element lives; None where the source has none.
        source: the accessibility tree, OCR or a detector.
        value: what a field holds.
    """

    role: str
    name: str
    box: Box
    states: frozenset[str] = frozenset()
    id: str | None = None
    source: Source = "tree"
    value: str = ""


@dataclass(frozen=True, slots=True)
class Elements:
    """The elements of one screen in reading order of their source (later ones are drawn on top).

    Attributes:
        truncated: a cap or a deadline cut the list; `detail` says which.
    """

    items: tuple[Element, ...]
    truncated: bool = False
    detail: str = ""

    def __iter__(self) -> Any:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def by_id(self, id: str) -> Element | None:
        """The element with this id, or None."""
        return next((element for element in self.items if element.id == id), None)


@dataclass(frozen=True, slots=True)
class Context:
    """What the environment says about itself in words.

    Attributes:
        app: the application in front. title, url: of its window or page.
        tabs: titles of a browser's tabs; `tab` is the current one, from 0.
    """

    app: str = ""
    title: str = ""
    url: str = ""
    tabs: tuple[str, ...] = ()
    tab: int | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """One settled look at one environment.

    Attributes:
        env: the environment's name.
        time: seconds on the world's clock.
        size: of the screen, in screenshot pixels.
        audio, video: clips that cover the time since that environment's observation of the turn before.
    """

    env: str
    time: float
    size: Size
    screenshot: Image | Absent = Absent("unsupported")
    elements: Elements | Absent = Absent("unsupported")
    audio: AudioClip | Absent = Absent("unsupported")
    video: VideoClip | Absent = Absent("unsupported")
    context: Context | Absent = Absent("unsupported")

    def only(self, modalities: Collection[Modality], reason: Literal["ablated", "unasked"] = "ablated") -> Observation:
        """This observation with nothing but `modalities`.

        Args:
            reason: of the rest, unless it could not be there anyway: `ablated` where a role is not granted it,
                `unasked` where an environment was not asked for it.
        """
        gone = Absent(reason)
        withheld: dict[str, Any] = {
            modality.value: gone
            for modality in Modality
            if modality not in modalities and _replaceable(getattr(self, modality.value), reason)
        }
        return replace(self, **withheld) if withheld else self

    def has(self, modality: Modality) -> bool:
        """Whether the modality is present."""
        return not isinstance(getattr(self, modality.value), Absent)


def _replaceable(value: Any, reason: Reason) -> bool:
    """Whether `reason` is news: what is there, or was left out for the other reason; what cannot be had stays so."""
    return not isinstance(value, Absent) or (value.reason in ("ablated", "unasked") and value.reason != reason)
