"""Plug-ins are read once, ours first; a broken one hides no other, and whoever takes our name gains nothing by it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from omnipilot.agents import Registry
from omnipilot.envs import BenchmarkInfo, Command, ConfigError, Plugin
from omnipilot.envs.installed_plugins import GROUP, installed_plugins

RECORDS = """
from omnipilot.envs import Command, Plugin

GOOD = Plugin(name="good", planners={"acme": "acme_plugins:Planner", "noop": "acme_plugins:Planner"}, place=-999)
OTHER = Plugin(name="other", planners={"acme": "acme_plugins:OTHER"})
WRONG = {"name": "wrong"}
Planner = object
def ends(): raise SystemExit(0)
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Installs a distribution that declares plug-ins: its name, and its entry points."""
    (tmp_path / "acme_plugins.py").write_text(RECORDS)
    (tmp_path / "acme_ends.py").write_text("raise SystemExit(0)")
    (tmp_path / "acme_typo.py").write_text("from omnipilot.envs import Plugin\nPLUGIN = Plugin(name='x', planers={})")
    (tmp_path / "acme_form.py").write_text(
        "from omnipilot.envs import Plugin\nPLUGIN = Plugin(name='x', planners={'a': 'no colon'}, suites=['b'])"
    )

    def put(name: str, points: str) -> None:
        info = tmp_path / f"{name.replace('-', '_')}-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        (info / "entry_points.txt").write_text(f"[{GROUP}]\n{points}\n")
        installed_plugins.cache_clear()

    monkeypatch.syspath_prepend(str(tmp_path))
    yield put
    monkeypatch.undo()
    installed_plugins.cache_clear()
    for module in [name for name in sys.modules if name.startswith("acme_")]:
        sys.modules.pop(module)


def test_those_of_others_stand_last_whatever_place_they_want(install: Callable[..., None]) -> None:
    before = [one.plugin.name for one in installed_plugins().working]
    install("acme", "good = acme_plugins:GOOD")
    plugins = installed_plugins()
    assert [one.plugin.name for one in plugins.working] == [*before, "good"]
    assert not plugins.working[-1].ours and plugins.working[-1].package == "acme"
    assert installed_plugins() is plugins, "it is read once"


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("acme_nowhere:PLUGIN", "ModuleNotFoundError"),
        ("acme_plugins:GONE", "AttributeError"),
        ("acme_plugins:WRONG", "is a dict, not a Plugin; write PLUGIN = Plugin"),
        ("acme_ends:PLUGIN", "SystemExit(0), which would end the program"),
        ("acme_typo:PLUGIN", "unexpected keyword argument 'planers'"),
        (
            "acme_form:PLUGIN",
            "planners['a'] must be a text \"module:attribute\", not 'no colon'; suites must be a table",
        ),
    ],
)
def test_a_broken_one_is_told_with_its_package_and_hides_no_other(
    install: Callable[..., None], value: str, told: str
) -> None:
    before = installed_plugins().working
    install("acme-broken", f"bad = {value}")
    assert [one.plugin.name for one in installed_plugins().working] == [one.plugin.name for one in before]
    (broken,) = installed_plugins().broken
    assert told in broken.why and "package acme-broken" in broken.message and "uninstall" in broken.message
    with pytest.raises(ConfigError, match="there is no planner 'acme'.*acme-broken cannot be loaded"):
        Registry("planner", {}, "planners").load("acme")


def test_one_name_in_two_packages_is_told(install: Callable[..., None]) -> None:
    install("acme", "good = acme_plugins:GOOD")
    install("acme-other", "other = acme_plugins:OTHER")
    assert list(installed_plugins().clashes()) == [
        "planners: 'acme' is declared by acme and acme-other twice; uninstall one"
    ]
    with pytest.raises(ConfigError, match=r"declared by more than one package \(acme, acme-other\); uninstall one"):
        Registry("planner", {}, "planners").load("acme")
    known = Registry("planner", {"noop": "omnipilot.planners.baselines.noop:NoopPlanner"}, "planners")
    assert known.hidden() == (("noop", "acme"),) and known.is_ours("noop") and not known.is_ours("acme")


def test_a_distribution_that_bears_our_name_does_not_make_its_parts_ours(install: Callable[..., None]) -> None:
    install("omnipilot", "good = acme_plugins:GOOD")
    (found,) = [one for one in installed_plugins().working if one.plugin.name == "good"]
    assert found.package == "omnipilot" and not found.ours
    assert not Registry("planner", {}, "planners").is_ours("acme")


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"name": ""}, "name must be a text"),
        ({"devices": {"": "a:b"}}, "devices: a name must be a text"),
        ({"suites": {"a": 5}}, "suites['a'] must be a text"),
        ({"commands": {"a": "b:c"}}, "commands['a'] must be a Command"),
        ({"commands": {"a": Command("b:c", "")}}, "commands['a'] must be a Command"),
        ({"benchmarks": {"a": "about it"}}, "benchmarks['a'] must be a BenchmarkInfo"),
        ({"presets": "folder"}, 'presets must be a text "package:folder"'),
        ({"doctor": "module"}, 'doctor must be a text "module:attribute"'),
        ({"defaults": {"suite": None}}, "defaults['suite'] must be a name"),
        ({"place": "first"}, "place must be a whole number"),
        ({"about": None}, "about must be a text"),
    ],
)
def test_a_record_of_the_wrong_form_says_which_and_what_it_should_be(fields: dict[str, object], told: str) -> None:
    with pytest.raises(ConfigError) as error:
        Plugin(**{"name": "x", **fields})  # type: ignore[arg-type]
    assert told in str(error.value)


def test_a_record_of_the_right_form_is_taken() -> None:
    one = Plugin(
        name="x", benchmarks={"a": BenchmarkInfo("taps")}, commands={"c": Command("m:c", "Count.")}, presets="m:presets"
    )
    assert one.benchmarks["a"].needs == "" and one.commands["c"].help == "Count."


def test_of_many_broken_ones_two_are_told_in_full(install: Callable[..., None]) -> None:
    install("acme-broken", "\n".join(f"bad-{number} = acme_nowhere:PLUGIN" for number in range(5)))
    with pytest.raises(ConfigError) as error:
        Registry("planner", {}, "planners").load("acme")
    assert str(error.value).count("acme-broken cannot be loaded") == 2
    assert "(3 more plug-ins cannot be loaded: see `omnipilot doctor`)" in str(error.value)


def test_where_none_of_ours_is_declared_an_unknown_name_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("omnipilot.envs.installed_plugins.entry_points", lambda group: ())
    installed_plugins.cache_clear()
    try:
        with pytest.raises(ConfigError, match=r"no suite 'duet'.*omnipilot declares no benchmark of its own; .* anew"):
            Registry("suite", {"free": "a:b"}, "suites").load("duet")
    finally:
        monkeypatch.undo()
        installed_plugins.cache_clear()
