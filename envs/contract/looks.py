"""Comparing observations, and states of a world, in a conformance check."""

from __future__ import annotations

from omnipilot.envs.types.media import AudioClip, Image, VideoClip
from omnipilot.envs.types.observation import Context, Elements, Modality, Observation

STILL = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS, Modality.CONTEXT})
"""Modalities that show a moment; the others cover a span of time."""
KINDS: dict[Modality, type] = {
    Modality.SCREENSHOT: Image,
    Modality.ELEMENTS: Elements,
    Modality.VIDEO: VideoClip,
    Modality.AUDIO: AudioClip,
    Modality.CONTEXT: Context,
}
"""The type of each modality, if present."""


def by_value(state: object) -> bool:
    """Whether two states of a world can be compared by value."""
    return state is not None and type(state).__eq__ is not object.__eq__


def differing(first: Observation, second: Observation, live: bool) -> list[str]:
    """The fields in which two observations differ; for a live world, times and clips are ignored."""
    names = ["env", "size", *sorted(STILL)] if live else [*Observation.__dataclass_fields__]
    return [name for name in names if getattr(first, name) != getattr(second, name)]
