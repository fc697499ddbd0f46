"""The script writer's prompt: its order, and that it never has more tokens than it may."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omnipilot.envs import Box, ConfigError, Element, Image, Size
from omnipilot.memory import estimate_tokens
from omnipilot.planners.chat.script_prompt import DONE, EXAMPLES, KEPT, LISTED, NOTHING, ScriptPrompt, element_lines

SIZE = Size(1280, 800)
ROLES = {"text": "ocr", "image": "detector", "color": "detector", "button": "tree"}


def found(number: int, role: str = "text", confidence: float | None = None, name: str = "") -> Element:
    at = number % 100 / 100
    box = Box(at, at, at, at)
    return Element(role, name or f"n{number}", box, source=ROLES[role], confidence=confidence)  # type: ignore[arg-type]


def words(prompt: ScriptPrompt, tokens: int = 4_000) -> str:
    return "\n".join(part for part in prompt.user_parts(tokens) if isinstance(part, str))


def test_it_has_the_paper_s_order() -> None:
    elements = [found(1, "color"), found(2), found(3, "image"), found(4)]
    prompt = ScriptPrompt(
        "role", "rules", "job", SIZE, ["far", "near"], elements, 2, ["memory"], ["click(1, 1)"], "it failed"
    )
    told = words(prompt)
    order = [EXAMPLES, "far", "near", "memory", LISTED, '"n2"', '"n4"', '"n3"', '"n1"', "(and 2 more)", "rules", "job"]
    places = [told.index(part) for part in [*order, DONE, "click(1, 1)", "it failed"]]
    assert places == sorted(places), "texts, then icons, then colours"
    assert "(25, 16)" in told, "with the pixel of the middle"


def test_elements_of_a_tree_stay_in_its_order_and_an_empty_list_is_said_to_be_empty() -> None:
    tree = [Element("button", "a", Box(0, 0, 1, 1)), Element("text", "b", Box(0, 0, 1, 1))]
    assert words(ScriptPrompt("s", "r", "t", SIZE, elements=tree)).index('"a"') < words(
        ScriptPrompt("s", "r", "t", SIZE, elements=tree)
    ).index('"b"')
    assert NOTHING in words(ScriptPrompt("s", "r", "t", SIZE, elements=[]))
    assert NOTHING not in words(ScriptPrompt("s", "r", "t", SIZE))


def test_a_task_that_does_not_fit_is_refused_with_the_cure() -> None:
    with pytest.raises(ConfigError, match=r"tokens allows \(50\); set -o planner.tokens=\d+"):
        words(ScriptPrompt("s", "r", "word " * 60, SIZE), 50)


def test_a_picture_that_memory_gave_costs_no_words() -> None:
    picture = Image.raw(Size(2, 2), bytes(12))
    assert picture in ScriptPrompt("s", "r", "t", SIZE, past=["then:", picture]).user_parts(10)


a_word = st.text("abcdefgh é1", min_size=1, max_size=30)
elements_found = st.lists(
    st.builds(found, st.integers(0, 99), st.sampled_from(list(ROLES)), st.none() | st.floats(0, 1), a_word), max_size=60
)
texts = st.lists(st.text("abc 12(),.", max_size=300), max_size=7)


@settings(max_examples=300, deadline=None)
@given(elements_found, texts, texts, texts, st.text("ab ", max_size=200), st.integers(10, 1_500), a_word)
def test_the_tokens_are_never_more_and_what_is_left_out_is_the_least(
    elements: list[Element], examples: list[str], past: list[str], done: list[str], told: str, tokens: int, task: str
) -> None:
    examples = [f"E{at}e {text}" for at, text in enumerate(examples)]
    prompt = ScriptPrompt("the role", "the rules", task, SIZE, examples, elements, 3, past, done, told)
    try:
        user = words(prompt, tokens)
    except ConfigError:
        assert sum(map(estimate_tokens, ("the role", "the rules", task))) > tokens
        return
    assert estimate_tokens(f"the role\n{user}") <= tokens
    kept = [int(number) for number in re.findall(r"^E(\d)e ", user, re.MULTILINE)]
    assert kept == list(range(len(examples)))[len(examples) - len(kept) :], "the farthest go first"
    shown = user.split("\n")
    lines = element_lines(elements, SIZE)
    listed = [line for line in shown if re.search(r" at \(\d+, \d+\)$", line)]
    if len(kept) < len(examples):
        assert len(listed) <= KEPT, "elements beyond these went before any example"
    sure = [1.0 if one.confidence is None else one.confidence for one in elements]
    ranked = sorted(range(len(lines)), key=lambda at: (-sure[at], at))
    assert sorted(listed) == sorted(lines[at] for at in ranked[: len(listed)]), "the least sure go first"
