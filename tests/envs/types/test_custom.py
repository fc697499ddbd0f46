"""Verbs that a user adds, and errors that carry their cure."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from omnipilot.envs import ActionRejected, ConfigError, MissingExtra, custom_verb
from omnipilot.envs.types import errors, require


def unlock(code: str, tries: int = 3) -> None:
    """Unlock the door."""


def test_a_function_becomes_a_verb() -> None:
    verb = custom_verb(unlock)
    assert (verb.name, verb.description, verb.call) == ("unlock", "Unlock the door.", unlock)
    assert verb.bind({"code": "1"}).arguments == {"code": "1"}


@pytest.mark.parametrize("arguments", [{}, {"code": "1", "door": 2}, {"tries": 1}])
def test_a_call_that_does_not_fit_is_told_the_signature(arguments: dict[str, Any]) -> None:
    with pytest.raises(ActionRejected, match=r"unlock\(code: .*tries: "):
        custom_verb(unlock).bind(arguments)


def _bare(code: str) -> None: ...


def _untyped(code) -> None:  # type: ignore[no-untyped-def]
    """Unlock."""


def _many(*codes: str) -> None:
    """Unlock."""


def _positional(code: str, /) -> None:
    """Unlock."""


def click(at: str) -> None:
    """Click in my own way."""


@pytest.mark.parametrize("function", [_bare, _untyped, _many, _positional, click])
def test_a_function_that_no_model_could_use_is_no_verb(function: Any) -> None:
    with pytest.raises(ConfigError, match="custom verb"):
        custom_verb(function)


def test_a_missing_extra_carries_the_line_that_installs_it() -> None:
    with pytest.raises(MissingExtra, match=r"pip install 'omnipilot\[video\]'") as caught:
        require("omnipilot_has_no_such_module", "video")
    assert (caught.value.extra, caught.value.module) == ("video", "omnipilot_has_no_such_module")
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - errors cross processes
    assert type(again) is MissingExtra and str(again) == str(caught.value)


def test_what_is_installed_is_imported() -> None:
    assert require("json", "video").loads("1") == 1


def test_errors_are_sorted_by_who_reacts() -> None:
    to_the_agent = {errors.ActionRejected, errors.NotFound}
    to_the_user = {errors.ConfigError, errors.MissingExtra}
    assert all(issubclass(error, errors.ActionRejected) for error in to_the_agent)
    assert all(issubclass(error, errors.ConfigError) for error in to_the_user)
    assert not issubclass(errors.EnvLost, (errors.ActionRejected, errors.ConfigError))
