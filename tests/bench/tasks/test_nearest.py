"""The nearest examples of a training split: what a task is shown, what it never is, and who refuses."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.experiments.sweep import specs_of, sweep_request
from omnipilot.bench.journal.events import RunStarted, TurnTaken
from omnipilot.bench.journal.journal import read
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.report.main_table import main_table
from omnipilot.bench.run.preview import dry_run
from omnipilot.bench.run.runner import run
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.spec import ExamplesSpec, RunSpec
from omnipilot.bench.suites.omniact import OmniAct
from omnipilot.bench.suites.omniact import sample as mini_omniact
from omnipilot.bench.suites.omniact.data import load
from omnipilot.bench.tasks import nearest
from omnipilot.bench.tasks.nearest import NearestExamples, load_examples
from omnipilot.bench.toy import ToySuite
from omnipilot.envs import ConfigError, Modality
from omnipilot.memory import Usage
from omnipilot.memory.models.embeddings import Embeddings, keep_vectors, name_model
from omnipilot.planners import Brief, Decision, Planner, Request


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The miniature."""
    folder = tmp_path_factory.mktemp("omniact")
    mini_omniact.write(folder)
    return folder


@pytest.fixture
def reworded(data: Path, tmp_path: Path) -> Path:
    """The miniature with the test's first task in the training split, too, in other words."""
    folder = tmp_path / "reworded"
    shutil.copytree(data, folder)
    entry = json.loads((folder / "test.json").read_text())["0"]
    task = (folder / entry["task"]).read_text().split("\n")
    (folder / "again.txt").write_text("\n".join(["Task: the very same", *task[1:]]))
    train = json.loads((folder / "train.json").read_text())
    (folder / "train.json").write_text(json.dumps({**train, "again": {**entry, "task": "again.txt"}}))
    return folder


class Reader(Planner):
    """Reads what it is told, and does nothing."""

    def begin(self, brief: Brief) -> None:
        """Nothing to forget."""

    def plan(self, request: Request) -> Decision:
        """Do nothing."""
        return Decision(())


def spec(data: Path, examples: ExamplesSpec | None, planner: str = f"{__name__}:Reader") -> RunSpec:
    agent = AgentSpec(planner=PartSpec(planner), modalities=frozenset({Modality.ELEMENTS}))
    return RunSpec(agent, PartSpec("omniact", {"data": str(data)}), tasks=("0", "1"), examples=examples)


def barred(found: NearestExamples, task: str) -> set[str]:
    """The keys of the training split that a task is never shown, however many it gets."""
    shown = replace(found, given=replace(found.given, count=99)).examples_for(task, found_words(found))
    told = {one.why.split("; ")[-1].split(" of ")[0] for one in shown}
    return {one.key for one in found.index.examples} - told


def found_words(found: NearestExamples) -> str:
    """An instruction that every example shares letters with."""
    return " ".join(one.instruction for one in found.index.examples)


def test_a_task_is_shown_nothing_of_its_own_screen_unless_that_is_wanted(data: Path) -> None:
    suite = OmniAct(str(data))
    found, open_ = (load_examples(ExamplesSpec(same_screen=same), suite) for same in (False, True))
    for info in suite.tasks():
        own = {one.key for one in found.index.examples if suite.screen_of(info.id) in one.templates}
        assert own and own <= barred(found, info.id)
        assert barred(found, info.id) - barred(open_, info.id) <= own
    assert any(barred(found, info.id) > barred(open_, info.id) for info in suite.tasks())


def test_an_example_has_its_script_and_what_the_script_or_the_task_needs(data: Path) -> None:
    items = {item.id: item for item in load(Source.open(str(data), ""), "train").items}
    pointed = 0
    for one in OmniAct(str(data)).examples():
        assert "\n".join(one.steps) == items[one.key].script
        centres = re.findall(r"\(([\d.]+),([\d.]+)", items[one.key].script)
        boxes = [
            (left, top, right, bottom)
            for left, top, right, bottom in items[one.key].boxes
            if any(left <= float(x) <= right and top <= float(y) <= bottom for x, y in centres)
        ]
        for at in one.elements:
            inside = any(box[0] - 1 <= at.x <= box[2] + 1 and box[1] - 1 <= at.y <= box[3] + 1 for box in boxes)
            assert inside or at.name.casefold() in one.instruction.casefold()
            pointed += inside
    assert pointed


def test_other_words_for_a_task_of_the_test_are_told_and_never_shown(reworded: Path) -> None:
    suite = OmniAct(str(reworded))
    found = load_examples(ExamplesSpec(same_screen=True), suite)
    assert "again" in barred(found, "0")
    others = [info.id for info in suite.tasks() if "again" not in barred(found, info.id)]
    assert others and "0" not in others
    note = found.note([info.id for info in suite.tasks()])
    assert "in the training split in other words, which they are never shown" in note
    assert "in other words" not in found.note(others)


@pytest.mark.slow
def test_the_leak_share_is_told_before_and_in_the_journal(data: Path, tmp_path: Path) -> None:
    wanted = spec(data, ExamplesSpec(3))
    words = "3 nearest of 7 of the training split, by letters; 2 of 2 tasks (100%) have examples of their own screen"
    assert words in dry_run(wanted, tmp_path / "none")
    run(wanted, tmp_path / "out")
    events = list(read(tmp_path / "out"))
    started = next(event for event in events if isinstance(event, RunStarted))
    assert words in started.provenance["examples"]
    turn = next(event for event in events if isinstance(event, TurnTaken))
    shown = [one for one in turn.recalled if one["source"] == "example"]
    assert shown and all("of the split train" in one["why"] for one in shown)
    run(spec(data, None), tmp_path / "without")
    table = main_table([load_run(tmp_path / "out"), load_run(tmp_path / "without")])
    (note,) = [note for note in table.notes if "nearest examples" in note]
    assert note.endswith("(3 by letters)")


@pytest.mark.slow
def test_identity_hangs_on_examples_and_ranking(data: Path, tmp_path: Path) -> None:
    plain, few, served = (spec(data, one) for one in (None, ExamplesSpec(3), ExamplesSpec(3, "openai/tiny")))
    screen = spec(data, ExamplesSpec(3, same_screen=True))
    assert len({one.identity for one in (plain, few, served, screen)}) == 4
    filled = run(few, tmp_path / "out").spec
    assert filled.examples is not None and filled.examples.digest
    assert RunSpec.from_json(filled.to_json()) == filled
    with pytest.raises(ConfigError, match="others than when the run began"):
        load_examples(ExamplesSpec(3, digest="0"), OmniAct(str(data)))


def test_where_a_model_is_does_not_matter_and_which_it_is_does() -> None:
    at = [ExamplesSpec(3, f"sentence-transformers/{folder}/minilm") for folder in ("/here", "/there")]
    one, other = (spec(Path("d"), examples) for examples in at)
    assert one.identity == other.identity
    assert name_model("hosted_vllm/nomic,url=http://127.0.0.1:9/v1") == "hosted_vllm/nomic"


def test_a_sweep_varies_them() -> None:
    flags = RunSettings(suite="toy", planner="noop")
    found = sweep_request({}, {"examples": [0, 2], "examples_ranking": ["letters", "openai/tiny"]}, flags)
    specs = {one.identity: one.examples for one in specs_of(found)}
    assert sorted(("", 0) if one is None else (one.ranking, one.count) for one in specs.values()) == [
        ("", 0),
        ("letters", 2),
        ("openai/tiny", 2),
    ]


def test_who_cannot_use_them_refuses_with_the_reason(data: Path, tmp_path: Path) -> None:
    for planner in ("rules", "noop", "oracle"):
        with pytest.raises(ConfigError, match=f"planner '{planner}' reads no examples"):
            dry_run(spec(data, ExamplesSpec(), planner), tmp_path / "none")
    with pytest.raises(ConfigError, match="has no training split"):
        load_examples(ExamplesSpec(), ToySuite())
    with pytest.raises(ConfigError, match="'train' are the examples themselves"):
        load_examples(ExamplesSpec(), OmniAct(str(data), split="train"))
    with pytest.raises(ConfigError, match="not letters, and embeddings: .* names no model"):
        load_examples(ExamplesSpec(ranking="leters"), OmniAct(str(data)))


class Topics(Embeddings):
    """Vectors by the number of letters."""

    def __init__(self) -> None:
        self.asked: list[Sequence[str]] = []

    def embed(self, texts: Sequence[str]) -> tuple[Any, Usage]:
        self.asked.append(texts)
        angles = np.array([len(text) for text in texts], np.float32) / 100
        return np.stack([np.cos(angles), np.sin(angles)], 1), Usage(1, 10 * len(texts), 0, 0.5)


def test_a_training_split_is_embedded_once_and_its_cost_told(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    topics = Topics()
    monkeypatch.setattr("omnipilot.memory.models.embeddings.make_embeddings", lambda text: topics)
    suite = OmniAct(str(data))
    given = ExamplesSpec(2, "openai/tiny,url=http://here/v1")
    found = load_examples(given, suite)
    assert "by openai/tiny;" in found.note(["0"]) and "took 70 tokens ($0.5000)" in found.note(["0"])
    asked = found.examples_for("0", "x" * 40)
    again = load_examples(given, suite)
    assert again.examples_for("0", "x" * 40) == asked and len(topics.asked) == 2, "a text is embedded once"
    assert again.index.digest == found.index.digest != load_examples(ExamplesSpec(2), suite).index.digest


def test_kept_vectors_name_their_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("omnipilot.memory.models.embeddings.make_embeddings", lambda text: Topics())
    here, there, other = (
        keep_vectors(text, tmp_path).identity() for text in ("openai/a,url=u", "openai/a,url=v", "openai/b")
    )
    assert here == there != other
    assert nearest.CHARACTERS > 0
