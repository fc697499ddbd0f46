"""Experience from earlier runs: what is taken, what is refused, and that the split cannot be got round."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.journal import experience
from omnipilot.bench.journal.events import RunStarted, TurnTaken
from omnipilot.bench.journal.experience import load_experience
from omnipilot.bench.journal.journal import read
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.report.main_table import main_table
from omnipilot.bench.report.method_notes import experience_notes
from omnipilot.bench.run.preview import dry_run
from omnipilot.bench.run.runner import run
from omnipilot.bench.spec import ExperienceSpec, RunLimits, RunSpec
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.toy import ToySuite
from omnipilot.envs import ConfigError, Modality
from omnipilot.memory import Usage
from omnipilot.memory.models.embeddings import LocalEmbeddings

SEES = frozenset({Modality.ELEMENTS, Modality.CONTEXT})
SUITE = Duet("all")
ALL = PartSpec("duet", {"split": "all"})


def spec(planner: str, *tasks: str, experience: ExperienceSpec | None = None) -> RunSpec:
    agent = AgentSpec(planner=PartSpec(planner), modalities=SEES)
    return RunSpec(agent, ALL, tasks=tasks, limits=RunLimits(turns=3), experience=experience)


def tasks_of(split: str) -> list[str]:
    return [info.id for info in SUITE.tasks() if info.tags["split"] == split]


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of an honest agent on two tasks for development and one of the test."""
    out = tmp_path_factory.mktemp("runs") / "earlier"
    run(spec("rules", "add-alarm", "send-message", tasks_of("test")[0]), out)
    return out


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demonstration of a task for development."""
    out = tmp_path_factory.mktemp("runs") / "shown"
    run(spec("oracle", "add-alarm"), out)
    return out


def given(*runs: Path, demonstrations: bool = False) -> ExperienceSpec:
    return ExperienceSpec(tuple(map(str, runs)), demonstrations=demonstrations)


def test_examples_say_what_was_done_and_what_came_of_it(earlier: Path) -> None:
    found = load_experience(given(earlier), SUITE, "duet")
    one = next(example for example in found.index.examples if example.task == "add-alarm")
    assert one.steps
    assert one.steps[0].startswith("phone: ")
    assert one.run == "earlier"
    assert not one.demonstration


def test_tasks_of_the_test_are_refused_and_counted(earlier: Path) -> None:
    found = load_experience(given(earlier), SUITE, "duet")
    assert {example.task for example in found.index.examples} == {"add-alarm", "send-message"}
    assert found.refused == {"tasks of the test": 1}
    assert found.note() == "experience: 2 episodes of earlier runs; 1 refused: tasks of the test"


def test_a_run_of_test_tasks_alone_is_refused(tmp_path: Path) -> None:
    cheat = tmp_path / "innocent-name"
    run(spec("rules", tasks_of("test")[0]), cheat)
    with pytest.raises(ConfigError, match="1 refused: tasks of the test; nothing can be used"):
        run(spec("rules", tasks_of("test")[0], experience=given(cheat)), tmp_path / "out")


def test_no_task_is_given_an_example_that_shares_a_template(earlier: Path) -> None:
    found = load_experience(replace(given(earlier), count=99), SUITE, "duet")
    by_key = {example.key: example for example in found.index.examples}
    other = 0
    for info in SUITE.tasks():
        for one in found.examples_for(info.id, "add an alarm, send a message"):
            example = next(by_key[key] for key in by_key if f"; {key} of run" in one.why)
            assert not example.templates & SUITE.templates_of(info.id)
            other += 1
    assert other > 0
    assert not any("add-alarm#" in one.why for one in found.examples_for("add-alarm", "add an alarm"))


def test_gold_runs_are_refused_unless_they_are_wanted_as_demonstrations(shown: Path) -> None:
    with pytest.raises(ConfigError, match="planner oracle, which is told the solution; add --demonstrations"):
        load_experience(given(shown), SUITE, "duet")
    found = load_experience(given(shown, demonstrations=True), SUITE, "duet")
    assert "1 of them demonstrations" in found.note()
    assert all(example.demonstration for example in found.index.examples)


def test_a_suite_without_a_split_forbids_experience(earlier: Path) -> None:
    class Fresh(ToySuite):
        """A suite that says nothing of a split."""

    with pytest.raises(ConfigError, match="declares no split"):
        load_experience(given(earlier), Fresh(), "toy")


def test_a_run_of_another_suite_is_refused(earlier: Path) -> None:
    with pytest.raises(ConfigError, match="is a run of suite 'duet', not 'other'"):
        load_experience(given(earlier), SUITE, "other")


def test_identity_hangs_on_what_is_used_and_not_on_where_it_lies(earlier: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved"
    shutil.copytree(earlier, moved)
    with_it = [
        run(spec("noop", "tones-to-message", experience=given(at)), tmp_path / f"with {at.name}")
        for at in (earlier, moved)
    ]
    assert with_it[0].spec.identity == with_it[1].spec.identity
    without = spec("noop", "tones-to-message")
    assert without.to_json()["experience"] is None
    assert RunSpec.from_json(with_it[0].spec.to_json()) == with_it[0].spec
    fewer = replace(with_it[0].spec, experience=replace(given(earlier), digest="0"))
    assert fewer.identity != with_it[0].spec.identity
    with pytest.raises(ConfigError, match="other than when the run began"):
        load_experience(replace(given(earlier), digest="0"), SUITE, "duet")


def test_the_planner_is_given_examples_and_the_journal_says_so(earlier: Path, tmp_path: Path) -> None:
    wanted = spec("rules", "tones-to-message", experience=given(earlier))
    assert "experience: 2 episodes of earlier runs" in dry_run(wanted, tmp_path / "none")
    run(wanted, tmp_path / "out")
    events = list(read(tmp_path / "out"))
    turn = next(event for event in events if isinstance(event, TurnTaken))
    examples = [one for one in turn.recalled if one["source"] == "example"]
    assert examples
    assert all(one["role"] == "planner" and "similar task" in one["why"] for one in examples)
    started = next(event for event in events if isinstance(event, RunStarted))
    assert started.provenance["experience"].startswith("experience: 2 episodes")
    run(spec("rules", "tones-to-message"), tmp_path / "without")
    plain = [event for event in read(tmp_path / "without") if isinstance(event, TurnTaken)]
    same = [event for event in events if isinstance(event, TurnTaken)]
    assert [event.moves for event in plain] == [event.moves for event in same]


def test_tables_mark_runs_that_were_given_examples(shown: Path, earlier: Path, tmp_path: Path) -> None:
    for name, source, demonstrations in (("taught", shown, True), ("seasoned", earlier, False)):
        run(spec("rules", "tones-to-message", experience=given(source, demonstrations=demonstrations)), tmp_path / name)
    runs = [load_run(tmp_path / "taught"), load_run(tmp_path / "seasoned"), load_run(earlier)]
    (note,) = [note for note in main_table(runs).notes if note.startswith("given examples")]
    assert "taught" in note
    assert note.count("(demonstrations)") == 1
    assert experience_notes([("earlier", load_run(earlier))]) == []


class Everything(LocalEmbeddings):
    """A model in this process to which all texts mean the same."""

    def __init__(self, name: str, weights: str = "1") -> None:
        self.name = name
        self.weights = weights

    def embed(self, texts: Sequence[str]) -> tuple[Any, Usage]:
        return np.ones((len(texts), 1), np.float32), Usage()

    def identity(self) -> dict[str, str]:
        return {"weights": self.weights}


def test_similar_tasks_are_found_by_meaning_with_a_model_in_this_process(
    earlier: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(experience, "make_embeddings", lambda text: Everything(text, text[-1]))
    by_words = load_experience(given(earlier), SUITE, "duet")
    by_meaning = load_experience(replace(given(earlier), embeddings="sentence-transformers/a1"), SUITE, "duet")
    assert by_words.examples_for("tones-to-message", "xyzzy") == ()
    (found,) = by_meaning.examples_for("tones-to-message", "xyzzy")
    assert "add-alarm#" in found.why, "send-message shares a sub-task with it"
    assert not any("add-alarm#" in one.why for one in by_meaning.examples_for("add-alarm", "xyzzy"))
    wanted = [replace(given(earlier), embeddings=f"sentence-transformers/{at}") for at in ("a1", "b1", "a2")]
    runs = [
        run(spec("noop", "tones-to-message", experience=one), tmp_path / str(n)).spec for n, one in enumerate(wanted)
    ]
    assert runs[0].identity == runs[1].identity != runs[2].identity, "the weights count, and not where they lie"
    with pytest.raises(ConfigError, match="restore its runs and its embeddings"):
        load_experience(replace(wanted[2], digest=by_meaning.index.digest), SUITE, "duet")


def test_embeddings_of_a_server_find_no_examples(earlier: Path) -> None:
    served = replace(given(earlier), embeddings="openai-compatible/tiny,url=http://127.0.0.1:9/v1")
    with pytest.raises(ConfigError, match="--experience-embeddings openai-compatible.*give a model in this process"):
        load_experience(served, SUITE, "duet")
