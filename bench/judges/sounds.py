"""Judges of what a device sounded."""

from __future__ import annotations

from omnipilot.bench.judges.evidence import DeviceEvidence
from omnipilot.bench.judges.kinds import judge
from omnipilot.bench.judges.matching import matches
from omnipilot.envs import Capability, ConfigError, SoundKind


@judge()
def check_sound(
    evidence: DeviceEvidence, name: str = "", kind: SoundKind | None = None, exact: bool = False
) -> tuple[bool, str]:
    """The device sounded this since the subtask became active: by words, notes or name, by kind, or both."""
    if not name and kind is None:
        raise ConfigError("check_sound needs a name, such as the words that are spoken, or a kind, such as alarm")
    device, world = evidence.device, evidence.case.world
    if Capability.TRANSCRIPT not in device.capabilities:
        raise ConfigError(f"nobody can say what the device {device.name!r} sounds: it has no transcript")
    heard = device.transcript(evidence.case.since_time, world.now) if world.now > evidence.case.since_time else ()
    hits = [one for one in heard if kind in (None, one.kind)]
    # Each spoken word is a sound of its own.
    words = " ".join(one.words for one in hits)
    holds = any(matches(name, one.words, exact) for one in hits) or (not exact and matches(name, words))
    return (holds if name else bool(hits)), f"heard: {[f'{one.kind}: {one.words}' for one in heard]}"
