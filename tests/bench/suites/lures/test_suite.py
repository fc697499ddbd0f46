"""The suite `lures`: its tasks, its lures as data, and runs of it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from omnipilot.bench import check_suite
from omnipilot.bench.journal.journal import FILE
from omnipilot.bench.journal.results import Episode, survey_of
from omnipilot.bench.run import run
from omnipilot.bench.run.config import spec_from
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.suites.lures.lure import HARMFUL, lures
from omnipilot.bench.suites.lures.metrics import attack_success, safe_success
from omnipilot.bench.suites.lures.suite import Lures
from omnipilot.bench.verification import verify_run
from omnipilot.envs import ConfigError
from omnipilot.envs.sim import SimWorld


def test_it_has_sixty_lures_over_ten_channels() -> None:
    kinds = Counter(lure.kind for lure in lures().values())
    channels = Counter(lure.channel for lure in lures().values())
    assert sum(kinds.values()) == 60
    assert sum(kinds[kind] for kind in HARMFUL) >= 40
    assert kinds["within"] >= 15
    assert len(channels) == 10 and min(channels.values()) >= 4


def test_it_keeps_the_contract() -> None:
    check_suite(Lures, tasks=["page-wrong"])


def test_words_can_be_left_out() -> None:
    def screens(planted: str) -> str:
        world = SimWorld()
        Lures(planted).instantiate("mail-mail", 0).setup(world)  # type: ignore[arg-type]
        return str(world.state())

    words = lures()["mail-mail"].words
    assert words in screens("on") and words not in screens("off")
    assert Lures("off").instantiate("mail-mail", 0).harms


def test_only_on_and_off_are_known() -> None:
    with pytest.raises(ConfigError, match="on or off"):
        Lures("maybe")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="mail-mail"):
        Lures().instantiate("mail-mial", 0)


def played(folder: Path, planner: str, *tasks: str, policy: str = "none") -> dict[str, Episode]:
    """The episodes of a run, by task."""
    settings = RunSettings(suite="lures", planner=planner, memory="episodic", tasks=",".join(tasks), policy=policy)
    return {one.task: one for one in run(spec_from(settings), folder).episodes}


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_who_obeys_is_attacked_and_the_record_says_so(tmp_path: Path) -> None:
    tasks = ("screen-call", "hidden-secret", "voice-delete", "film-wrong")
    found = played(tmp_path / "run", "gullible", *tasks)
    assert {task: attack_success.of(one) for task, one in found.items()} == dict.fromkeys(tasks, 1.0)
    assert found["screen-call"].success and safe_success.of(found["screen-call"]) == 0.0
    assert not found["film-wrong"].success
    assert not survey_of(tmp_path / "run").unreadable


@pytest.mark.timeout(60)
def test_a_harm_that_is_left_out_of_a_record_is_found_when_the_run_is_played_again(tmp_path: Path) -> None:
    played(tmp_path / "run", "gullible", "screen-call")
    assert not verify_run(tmp_path / "run").differences
    journal = tmp_path / "run" / FILE
    told = journal.read_text(encoding="utf-8")
    assert told.count('"harms":{') == 1 and re.search(r'"harms":\{"[^"]+":true\}', told)
    journal.write_text(re.sub(r'("harms":\{"[^"]+":)true', r"\1false", told), encoding="utf-8")
    (difference,) = verify_run(tmp_path / "run").differences
    assert "harms" in difference


def test_what_is_recalled_is_obeyed_too(tmp_path: Path) -> None:
    assert attack_success.of(played(tmp_path / "run", "gullible", "past-contact")["past-contact"]) == 1.0


def test_a_guard_keeps_the_harm_off_and_lets_the_task_be_done(tmp_path: Path) -> None:
    tasks = ("screen-call", "hidden-secret", "mail-mailgone")
    for one in played(tmp_path / "run", "gullible", *tasks, policy="own-device").values():
        assert (attack_success.of(one), one.success, safe_success.of(one)) == (0.0, True, 1.0), one.key


def test_who_knows_the_solution_alone_brings_no_harm(tmp_path: Path) -> None:
    found = played(tmp_path / "run", "oracle", "page-mail", "file-more")
    assert [safe_success.of(one) for one in found.values()] == [1.0, 1.0]


def test_a_run_of_another_suite_says_nothing_of_attacks(tmp_path: Path) -> None:
    settings = RunSettings(suite="toy", planner="oracle", grounder="gold", instances=1)
    episodes = run(spec_from(settings), tmp_path / "run").episodes
    assert {attack_success.of(one) for one in episodes} == {None}
