"""`--dry-run`: what a run or a pointing run would do, and what is wrong with it, without doing or writing anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from toy_suite import toy_spec
from typer.testing import CliRunner, Result

from omnipilot.bench import RunSpec
from omnipilot.bench.cli.app import app
from omnipilot.bench.journal.events import ModelCalled
from omnipilot.bench.journal.journal import Journal
from omnipilot.bench.run import run
from omnipilot.bench.run.preview import dry_run
from omnipilot.envs import ConfigError

RUN = "run --suite duet --planner oracle --tasks send-message,add-alarm"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def omnipilot(line: str) -> Result:
    return CliRunner().invoke(app, line.split())


@pytest.mark.exhibit("duet", "rules")
def test_a_run_says_what_it_would_be_and_leaves_no_trace(tmp_path: Path) -> None:
    done = omnipilot(f"{RUN} --instances 3 --trials 2 --out runs/x --dry-run")
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "12 episodes: 2 tasks of suite duet, of each 3 instances, of each 2 trials",
        "in runs/x: 0 done, 12 to run",
        "tasks: send-message, add-alarm",
        "agent: single (planner oracle, grounder elements, memory window)",
        "modalities: audio, context, elements, screenshot, video",
        "nothing was run",
    ]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.exhibit("duet", "rules")
def test_a_reader_beside_the_planner_is_named() -> None:
    told = omnipilot(f"{RUN} --readers gold -o readers.what=transcript --dry-run").stdout
    assert "agent: single (planner oracle, grounder elements, memory window, readers gold" in told


@pytest.mark.exhibit("duet", "rules")
def test_a_spoken_instruction_is_named_with_what_speaks_it() -> None:
    told = omnipilot(f"{RUN} --instruction both:10 --dry-run").stdout
    assert "instruction: both:10, spoken by recordings" in told.splitlines()
    told = omnipilot(f"{RUN} --instruction speech --speech recordings:zh-a --dry-run").stdout
    assert "instruction: speech, spoken by recordings:zh-a" in told.splitlines()


@pytest.mark.exhibit("duet", "rules")
def test_the_model_of_a_memory_is_named_also_of_one_among_several() -> None:
    for memory in ("summary:openai/gpt-4o", "episodic+summary:openai/gpt-4o"):
        told = omnipilot(f"{RUN} --memory {memory} --cassette kept --dry-run").stdout
        assert f"memory {memory})" in told and "models: openai/gpt-4o" in told.splitlines()


@pytest.mark.exhibit("duet", "rules")
def test_models_and_the_most_that_they_may_cost_are_named() -> None:
    line = "run --suite duet --planner openai/gpt-4o -o planner.price_in=1 -o planner.price_out=1 --cost 0.5 --dry-run"
    told = omnipilot(line).stdout
    assert "models: openai/gpt-4o\nat most $20.00 by --cost, which caps an episode" in told
    assert "and 28 more" in told


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("--jobs -1", "jobs must be 0 (run in this process) or more"),
        ("-o memory.turn=1", "did you mean turns"),
        ("--memory episodic+keyframes -o memory.tokens=9", "one of its parts; write -o memory.episodic.tokens=…"),
        ("--planner from-memory --memory episodic --stand-in noise", "cannot tell substitutes from them"),
        ("--memory episodic -o memory.seconds=nan", "audio_seconds must be at least 0, not nan"),
        ("--memory composed", "the memories it asks: write composed:window,episodic"),
        ("--instruction speech --speech endpoint:nowhere", "did you mean the URL http://nowhere?"),
        ("--speech recordings", "--speech requires a spoken instruction"),
        ("--instruction speech --speech song", "there is no speech 'song'"),
        ("--modalities none --grounder vllm -o grounder.model=nothing", "no family lists the model"),
        pytest.param("--where level=AV-critical", "there is no level 'AV-critical'", marks=pytest.mark.exhibit("duet")),
    ],
)
def test_what_cannot_be_run_is_refused(more: str, said: str) -> None:
    done = omnipilot(f"{RUN} {more} --dry-run")
    assert isinstance(done.exception, ConfigError) and said in str(done.exception)


@pytest.mark.exhibit("duet", "rules")
def test_a_budget_is_named_with_what_is_spent_of_it(tmp_path: Path) -> None:
    line = "run --suite duet --planner openai/gpt-4o --cassette kept --tasks send-message --out runs/x --dry-run"
    assert "\nat most $5.00 by --budget, for all of it\n" in omnipilot(f"{line} --budget 5").stdout
    out, usage = tmp_path / "x", {"tokens_in": 1, "tokens_out": 1, "cost": 1.25, "seconds": 0.0}
    spec = toy_spec("count")
    run(spec, out)
    with Journal.open(out) as journal:
        journal.append(ModelCalled("a#0.0", 1, 0, 0, 0, "planner", "m", {}, "", {}, "", usage))
    told = dry_run(spec, out, budget=2.0)
    assert "at most $2.00 by --budget, for all of it: $1.2500 are spent, $0.7500 left\n" in told
    assert "$0.0000 left; nothing would be run until it is larger" in dry_run(spec, out, budget=1.0)
    assert "--budget" not in dry_run(spec, out)


def test_what_is_done_is_not_counted_again_and_another_specification_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "x"
    spec: RunSpec = toy_spec("count", instances=2)
    fresh = dry_run(spec, out)
    run(spec, out)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    done = dry_run(spec, out)
    total = fresh.split(" ", 1)[0]
    assert f"0 done, {total} to run" in fresh and f"{total} done, 0 to run" in done
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    with pytest.raises(ConfigError, match="instances 2 .*less is asked for: .*instances 1 "):
        dry_run(toy_spec("count", instances=1), out)
    assert f"{total} done, 1 to run" in dry_run(toy_spec("count", instances=3), out)
    (tmp_path / "stranger").mkdir()
    (tmp_path / "stranger" / "letter").touch()
    with pytest.raises(ConfigError, match="not empty and contains no run"):
        dry_run(spec, tmp_path / "stranger")


@pytest.mark.exhibit("pointing")
def test_a_pointing_run_says_what_it_would_ask(tmp_path: Path) -> None:
    done = omnipilot("ground --limit 5 --styles basic --out runs/p --dry-run")
    assert done.stdout == (
        "at most 5 targets of suite pointing, version 1, with basic instructions, by grounder elements, in runs/p\n"
        "nothing was asked\n"
    )
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "letter").touch()
    refused = omnipilot("ground --limit 5 --out runs --dry-run")
    assert "contains no pointing run (letter)" in str(refused.exception)
