"""Replies as Python: what is odd about a model's code is told to the model, not printed as a warning."""

from __future__ import annotations

import warnings

import pytest

from omnipilot.memory.messages import MalformedReply
from omnipilot.memory.models.replies.python_calls import literal, parse_calls


@pytest.mark.parametrize("code", ["1if 2 else 3", "click(1.in x)", "[1jif 2 else 3]", "0x1for x in y", 'click("\\d")'])
def test_odd_python_of_a_model_prints_no_warning(code: str) -> None:
    with warnings.catch_warnings(record=True) as printed:
        warnings.simplefilter("always")
        for read in (parse_calls, literal):
            try:
                read(code)
            except MalformedReply as error:
                assert "Python" in str(error) or "only calls" in str(error)
    assert not printed
