"""A kind of judge of a package's own: evaluators may name it beside omnipilot's."""

from __future__ import annotations

from omnipilot.bench.judges import DeviceEvidence, judge


@judge(name="example-longer-than")
def longer_than(evidence: DeviceEvidence, path: str, letters: int) -> tuple[float, str]:
    """A file of the device is longer than so many letters."""
    text = (evidence.read_file(path) or b"").decode("utf-8", "replace")
    return min(1.0, len(text) / (letters + 1)), f"{path} has {len(text)} letters"
