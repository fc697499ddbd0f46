"""The nearest examples by a real model: in a run, and beside their letters."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from chat_server import Answer, Behaviour, ChatServer, Request
from command_line import omnipilot
from examples_families import kind_of, measure, read_data, say_otherwise

from omnipilot.bench.suites.omniact import sample as mini_omniact
from omnipilot.bench.suites.omniact.examples import examples_of
from omnipilot.envs import Absent
from omnipilot.memory.examples import ExampleIndex
from omnipilot.memory.models.embeddings import make_embeddings

pytestmark = [pytest.mark.slow, pytest.mark.real, pytest.mark.exhibit("sim")]
pytest.importorskip("sentence_transformers", reason="needs sentence-transformers (make real)")


@pytest.fixture(scope="module")
def minilm() -> str:
    """The option that names MiniLM."""
    import real_models

    return f"sentence-transformers/{real_models.folder('minilm')}"


def test_a_run_shows_the_examples_that_the_model_finds(
    minilm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    mini_omniact.write(tmp_path / "data")
    shown: list[str] = []

    def answer(request: Request) -> Behaviour:
        shown.append(str(request.json["messages"]))
        return Answer("```python\npyautogui.click(1,1)\n```")

    with ChatServer(answer) as server:
        parts = ("--preset", "omniact-text", "--data", "data", "--planner", "hosted_vllm/scripted", "--tasks", "0,1")
        where = ("--planner-url", server.url, "-o", "planner.name=pyautogui", "--out", "run")
        done = omnipilot("run", *parts, *where, "--examples", "5", "--examples-ranking", minilm)
    assert done.returncode == 0, done.stderr
    assert len(shown) >= 2 and all(len(re.findall("Example: ", words)) == 5 for words in shown)


def test_a_task_in_other_words_finds_its_kind_by_meaning_and_not_by_letters(minilm: str) -> None:
    tested, training = read_data(2)
    known = {kind_of(one.script.split("\n")) for one in training}
    items = [one for one in tested if kind_of(one.script.split("\n")) in known]
    examples = examples_of(training, lambda item: Absent("unavailable"))
    by_letters, _ = measure(ExampleIndex(examples, ways=("letters",)), items, other=True)
    by_meaning, _ = measure(ExampleIndex(examples, make_embeddings(minilm), ("meaning",)), items, other=True)
    assert len(items) >= 20 and say_otherwise(items[0].instruction) != items[0].instruction
    assert by_meaning.mean() >= by_letters.mean() + 0.2
