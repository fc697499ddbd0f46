"""Observations of an environment: one field per modality, absent ones with a reason."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Literal, TypeAlias

from omnipilot.envs.types.geometry import Box, Size
from omnipilot.envs.types.media import AudioClip, Image, VideoClip
from omnipilot.envs.types.notebook import folded_table, media_tag, paragraph


class Modality(StrEnum):
    """The modalities of an observation; each value is the name of its field."""

    SCREENSHOT = "screenshot"
    ELEMENTS = "elements"
    VIDEO = "video"
    AUDIO = "audio"
    CONTEXT = "context"


ALL_MODALITIES = frozenset(Modality)
_FIELDS = tuple((modality, modality.value) for modality in Modality)

Reason: TypeAlias = Literal["ablated", "unasked", "gated", "unsupported", "failed"]
Source: TypeAlias = Literal["tree", "ocr", "detector"]


@dataclass(frozen=True, slots=True)
class Absent:
    """A missing modality and the reason: withheld from this role (`ablated`), not requested (`unasked`), held back by a
    memory gate (`gated`), not supported by this environment (`unsupported`), or capture failed (`failed`, with a
    detail)."""

    reason: Reason
    detail: str = ""

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Element:
    """One element on the screen.

    Attributes:
        role: the ARIA role, if there is one: button, link, textbox, checkbox, tab, listitem, heading, text, image, …
        name: its accessible name or its text.
        box: its position.
        states: such as focused, disabled, checked, selected, expanded, offscreen, …
        id: stable as long as the element exists; None if the source has no ids.
        source: the accessibility tree, OCR or a detector.
        value: content of a field.
        confidence: how sure the source is of it, in 0..1; None if it does not say.
        origin: where its words come from, if the environment knows that better than its context says:
            `mail:ann@example.org`, `file`, `notification:Messages`; see `omnipilot.envs.types.words_origin`.
    """

    role: str
    name: str
    box: Box
    states: frozenset[str] = frozenset()
    id: str | None = None
    source: Source = "tree"
    value: str = ""
    confidence: float | None = None
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Elements:
    """The elements of one screen in reading order of their source (later ones are drawn on top).

    Attributes:
        truncated: whether a cap or deadline cut the list; `detail` says which.
    """

    items: tuple[Element, ...]
    truncated: bool = False
    detail: str = ""

    def __iter__(self) -> Any:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def parent(self, element: Element) -> Element | None:
        """The smallest other element that has a name and encloses this one; None if there is none.

        Of elements of one box, an earlier one encloses a later one.
        """
        items = self.items
        at = items.index(element) if element in items else len(items)
        around = [
            (one.box.area, -number, one)
            for number, one in enumerate(items)
            if one.name and one != element and _encloses(one.box, element.box)
            if one.box != element.box or number < at
        ]
        return min(around, key=lambda found: found[:2])[2] if around else None

    def by_id(self, id: str) -> Element | None:
        """The element with this id, or None."""
        return next((element for element in self.items if element.id == id), None)


@dataclass(frozen=True, slots=True)
class Context:
    """The environment's description of itself in words.

    Attributes:
        app: the foreground application. title, url: of its window or page.
        tabs: titles of a browser's tabs; `tab` is the index of the current one, from 0.
        clipboard: its text, cut if it is long; None where the environment does not tell.
        origin: where the words on the screen come from, if the environment knows, as of `Element.origin`.
    """

    app: str = ""
    title: str = ""
    url: str = ""
    tabs: tuple[str, ...] = ()
    tab: int | None = None
    clipboard: str | None = None
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Observation:
    """One settled observation of one environment.

    Attributes:
        env: the environment's name.
        time: seconds on the world's clock.
        size: of the screen, in screenshot pixels.
        audio, video: clips since that environment's observation in the previous turn.
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
        """This observation with only the given modalities.

        Args:
            reason: reason for the others, unless they are unavailable anyway: `ablated` if a role is not granted them,
                `unasked` if they were not requested.
        """
        gone = Absent(reason)
        withheld: dict[str, Any] = {
            name: gone
            for modality, name in _FIELDS
            if modality not in modalities and _replaceable(getattr(self, name), reason)
        }
        return replace(self, **withheld) if withheld else self

    def _repr_html_(self) -> str:
        shown = [paragraph(f"{self.env}, {self.time:.1f} s, {self.size}")]
        if isinstance(self.screenshot, Image):
            shown.append(media_tag(self.screenshot.png(), "image/png", f"the screen of {self.env}"))
        if isinstance(self.audio, AudioClip):
            shown.append(self.audio._repr_html_())
        if isinstance(self.context, Context):
            told = (self.context.app, self.context.title, self.context.url)
            shown.append(paragraph(" · ".join(filter(None, told))))
        if isinstance(self.elements, Elements):
            rows = [(one.role, one.name, one.value, " ".join(sorted(one.states))) for one in self.elements]
            shown.append(folded_table(f"{len(rows)} elements", ("role", "name", "value", "states"), rows))
        return "".join(shown)

    def has(self, modality: Modality) -> bool:
        """Whether the modality is present."""
        return not isinstance(getattr(self, modality.value), Absent)


def _encloses(outer: Box, inner: Box) -> bool:
    return (
        outer.left <= inner.left
        and outer.top <= inner.top
        and outer.right >= inner.right
        and outer.bottom >= inner.bottom
    )


def _replaceable(value: Any, reason: Reason) -> bool:
    """Whether `reason` replaces the value: yes if present, or absent by choice; unavailable modalities stay so."""
    return not isinstance(value, Absent) or (value.reason in ("ablated", "unasked") and value.reason != reason)
