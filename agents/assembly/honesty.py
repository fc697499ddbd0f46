"""Agents that say of themselves that no part of them knows the truth, and are held to it before anything is built."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from omnipilot.agents.assembly.spec import AgentSpec
from omnipilot.envs import ConfigError, Modality

PARTS, PIXELS = "parts", "pixels"
HONEST = (PARTS, PIXELS)
"""That no part is given the truth; and that, besides, nothing but pixels and samples of sound is read."""
SENSES = frozenset({Modality.SCREENSHOT, Modality.VIDEO, Modality.AUDIO})
SAID = {
    PARTS: "nothing gold is in it: no part knows the solution or the true screen",
    PIXELS: "nothing gold is in it: no part knows the solution or the true screen, and only pixels and sound are read",
}
"""What a table says of a run whose agent is held to it."""


def check_honest(spec: AgentSpec, gold: Iterable[str]) -> None:
    """Refuse an agent that is not what it says; everything that stands against it is told at once.

    What a source of elements reads shows only once it is made, see `check_perceived`; before a run it is made to be
    asked, see `omnipilot.agents.assembly.examine`.

    Args:
        gold: its parts that are given the truth, inner ones included: "readers gold".

    Raises:
        ConfigError: its `honest` is none of `HONEST`; a part knows the truth; or, for pixels alone, more is granted.
    """
    if not spec.honest:
        return
    if spec.honest not in HONEST:
        raise ConfigError(f"honest must be {' or '.join(HONEST)}, not {spec.honest!r}")
    wrong = [f"{part} knows the solution or the true screen" for part in gold]
    if spec.honest == PIXELS:
        wrong += _beyond_pixels(spec)
    _refuse(spec, wrong, "change them")


def check_perceived(spec: AgentSpec, needs: frozenset[Modality]) -> None:
    """Refuse a source of elements that reads more than pixels, in an agent that says that none of it does.

    Args:
        needs: what the source reads.

    Raises:
        ConfigError: it does.
    """
    if spec.honest == PIXELS and spec.perception is not None and (more := needs - SENSES):
        wrong = f"perception {spec.perception.name!r} reads the {', '.join(sorted(more))} of the device"
        _refuse(spec, [wrong], "choose one that reads the screenshot, such as detact")


def refuse_told(spec: AgentSpec, what: Iterable[str]) -> None:
    """Refuse that an agent which says that nothing of it knows the truth is told of it.

    Args:
        what: it would be told, and how: "--demonstrations shows it solutions".

    Raises:
        ConfigError: it would be told something.
    """
    if spec.honest:
        _refuse(spec, list(what), "leave it out")


def _refuse(spec: AgentSpec, wrong: list[str], cure: str) -> None:
    if wrong:
        raise ConfigError(
            f"this run is to be honest ({spec.honest}: a preset or --honest says so), but {'; '.join(wrong)}; {cure}"
        )


def _beyond_pixels(spec: AgentSpec) -> Iterator[str]:
    """What an agent is granted beyond pixels and samples."""
    if more := spec.modalities - SENSES - {Modality.ELEMENTS}:
        yield f"--modalities grants {', '.join(sorted(more))}, which no pixel and no sample tells"
    if Modality.ELEMENTS in spec.modalities and spec.perception is None:
        yield (
            "--modalities grants the tree of elements; take elements away there, or have them read from the screenshot "
            "by --perception, such as detact"
        )
