"""docs/duet.md: its tables are the suite's, its example runs, and the split and the seal are what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from duet_tables import BEGIN, END, tables
from instance_digests import digest

from omnipilot.bench.suites.duet import Duet
from omnipilot.bench.suites.duet.about import About
from omnipilot.bench.suites.duet.prove import flaws
from omnipilot.bench.suites.duet.splits import FIRST, instance_seed, splits
from omnipilot.envs import ConfigError

DOC = Path(__file__).resolve().parents[2] / "docs" / "duet.md"
TEXT = DOC.read_text(encoding="utf-8")
TABLES = TEXT.partition(BEGIN)[2].partition(END)[0].strip()
RUN = "run --suite duet --option suite.add=my_tasks --planner oracle --tasks code-as-title --out"
SEALED = "### Sealed instances"
SUITE = Duet("all")
IDS = [info.id for info in SUITE.tasks()]


def test_the_tables_are_those_of_the_suite() -> None:
    assert TABLES.partition(SEALED)[0].strip() == tables(sealed=False), (
        "the suite changed: python docs/figures/duet_tables.py docs/duet.md"
    )


@pytest.mark.slow
def test_sealed_instances_are_the_published_ones() -> None:
    published = dict(re.findall(r"\| ([a-z0-9-]+) \| ([0-9a-f]{16}) \|", TABLES.partition(SEALED)[2]))
    assert set(published) == {id for id in IDS if SUITE.split_of(id) == "test"}
    for id in sorted(published)[::10]:
        assert digest(SUITE, id) == published[id], f"{id}: its instances changed; raise the suite's version"


def test_the_example_is_short_and_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (source,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert len(source.splitlines()) < 40
    (tmp_path / "my_tasks.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    assert flaws("code-as-title", 2, "my_tasks") == []
    assert Duet(add="my_tasks").split_of("code-as-title") == "dev"


@pytest.mark.slow
def test_a_run_of_the_example(tmp_path: Path) -> None:
    (source,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    (tmp_path / "my_tasks.py").write_text(source)
    code = "from omnipilot.bench.cli.app import main; main()"
    told = subprocess.run(
        [sys.executable, "-c", code, *RUN.split(), str(tmp_path / "run")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "PATH": ""},
    )
    assert told.returncode == 0, told.stderr
    assert "1/1  100.0" in told.stdout


def test_a_development_run_refuses_the_test_and_the_other_way_round() -> None:
    for choice, other in (("dev", "test"), ("test", "dev")):
        suite = Duet(choice)  # type: ignore[arg-type]
        mine = [info.id for info in suite.tasks()]
        assert all(SUITE.split_of(id) == choice for id in mine)
        for id in [id for id in IDS if id not in mine][:2]:
            with pytest.raises(ConfigError, match=f"belongs to the {other} split.*suite.split={other}"):
                suite.instantiate(id, 0)


def test_an_unknown_split_is_refused() -> None:
    with pytest.raises(ConfigError, match="did you mean test"):
        Duet("tets")  # type: ignore[arg-type]


def test_the_split_is_a_third_of_each_group() -> None:
    dev = [id for id in IDS if SUITE.split_of(id) == "dev"]
    assert set(FIRST) <= set(dev)
    groups: dict[tuple[str, str], list[str]] = {}
    for about in map(SUITE.about, IDS):
        groups.setdefault((about.devices, about.level), []).append(about.id)
    for ids in groups.values():
        mine = len(set(ids) & set(dev))
        assert mine >= len(ids) // 3
        assert mine <= max(len(ids) // 3 + 1, len(set(ids) & set(FIRST)))


def test_the_split_hangs_on_ids_and_not_on_their_order() -> None:
    abouts: list[About] = [SUITE.about(id) for id in IDS]
    assert splits(abouts) == splits(abouts[::-1])


def test_seeds_of_the_test_hang_on_the_seal() -> None:
    seeds = {instance_seed("x", "dev", 0), instance_seed("x", "test", 0), instance_seed("x", "test", 0, "mine")}
    assert len(seeds) == 3
    assert instance_seed("x", "dev", 0, "mine") == instance_seed("x", "dev", 0)
