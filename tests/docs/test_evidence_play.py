"""What docs/evidence.md says of playing: the thresholds of gestures, and the shortcuts."""

from __future__ import annotations

from shared_folders import ROOT

from omnipilot.bench.play import Thresholds

PAGE = (ROOT / "docs/evidence.md").read_text(encoding="utf-8")


def test_the_thresholds_are_those_of_the_code() -> None:
    how = Thresholds()
    for words in (
        f"down and up within {how.tap:g} s, less than {100 * how.slop:g} % of the screen's shorter side",
        f"(a mouse: {100 * how.mouse_slop:g} %)",
        f"at most {how.double:g} s between; three with a mouse",
        f"held for {how.tap:g} s or longer",
        f"keys with less than {how.typing:g} s between them",
        f"a wheel with at most {how.wheel:g} s between",
    ):
        assert words in PAGE, words
