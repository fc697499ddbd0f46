"""Whether a world runs while models think."""

from __future__ import annotations

import pytest

from omnipilot.envs import ConfigError, Thinking


def test_what_passes_while_a_decision_is_made() -> None:
    assert Thinking.parse("frozen").elapsed(3.0) == 0.0
    assert Thinking.parse("fixed:2.5").elapsed(3.0) == 2.5
    assert Thinking.parse("measured").elapsed(3.0) == 3.0


@pytest.mark.parametrize("text", ["frozen", "fixed:2.5", "measured"])
def test_it_is_written_as_it_is_read(text: str) -> None:
    assert str(Thinking.parse(text)) == text


@pytest.mark.parametrize("text", ["", "fast", "fixed", "fixed:0", "fixed:inf", "fixed:nan", "fixed:x", "frozen:2"])
def test_anything_else_is_refused_with_its_cure(text: str) -> None:
    with pytest.raises(ConfigError, match="fixed"):
        Thinking.parse(text)
