"""docs/guard.md: its policy is one, its presets are those that ship, and its conditions those that there are."""

from __future__ import annotations

import re
from pathlib import Path

from omnipilot.agents.guard import parse_policy, policy_text
from omnipilot.agents.guard.policy import CONDITIONS
from omnipilot.agents.guard.read_policy import PRESETS

PAGE = (Path(__file__).parents[2] / "docs/guard.md").read_text(encoding="utf-8")


def test_the_policies_of_the_page_can_be_read():
    found = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert found
    for text in found:
        policy = parse_policy(text, "page")
        assert {name for rule in policy.rules for name in rule.conditions} == set(CONDITIONS)


def test_the_page_names_the_presets_that_ship_and_all_conditions():
    table = PAGE.partition("| preset |")[2].partition("\n\n")[0]
    assert tuple(re.findall(r"^\| `([a-z-]+)`", table, re.MULTILINE)) == PRESETS
    conditions = PAGE.partition("| condition |")[2].partition("\n\n")[0]
    assert all(f"`{name}`" in conditions for name in CONDITIONS)


def test_presets_are_policies():
    for name in PRESETS:
        assert parse_policy(policy_text(name), name).rules
