"""The measure of exploration's recall: what counts as found, and that the applications are divided for good."""

from __future__ import annotations

from explore_recall import TemplateEffect, effects_of, is_held_out, new_effects, recall

from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.pool.records import Edge

TEMPLATES = list(book("").templates.values())


def edge(*effect: str, total: tuple[str, ...] = ()) -> Edge:
    return Edge("e", "a", "b", (), effect=effect, total=total)


def wants(*effect: str) -> TemplateEffect:
    return TemplateEffect(TEMPLATES[0], (frozenset(effect),))


def test_a_third_of_the_applications_is_held_out() -> None:
    apps = {template.app for template in TEMPLATES}
    assert {app for app in apps if is_held_out(app)} == {"signals", "clock", "phone", "player", "settings"}


def test_effects_are_found_whole_as_two_in_part_or_not() -> None:
    edges = [edge("+todos", "~mails.read"), edge("-alarms", total=("-alarms", "~todos.done"))]
    wanted = [wants("+todos"), wants("-alarms", "~todos.done"), wants("+todos", "-alarms"), wants("+todos", "+x")]
    found = recall([*wanted, wants("+y"), wants("~phone.clipboard")], edges, {"~mails.read": "mark"})
    counts = [len(group) for group in (found.exact, found.composed, found.partly, found.missed)]
    assert counts == [2, 1, 1, 1]
    assert found.count == 5


def test_what_no_template_has_is_listed_once() -> None:
    new = new_effects([wants("+todos")], [edge("+todos"), edge("-alarms"), edge("-alarms")], {})
    assert list(new) == [frozenset({"-alarms"})]


def test_a_template_is_played_for_its_effect() -> None:
    (template,) = [one for one in TEMPLATES if one.id == "tick-task"]
    assert {frozenset({"~todos.done"})} == set(effects_of(template).effects)
