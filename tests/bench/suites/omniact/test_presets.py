"""The presets `omniact` and `omniact-text` on the miniature: what their model is sent, and what comes of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from chat_server import Answer, Behaviour, ChatServer, Request
from command_line import omnipilot

from omnipilot.bench.run import preset as presets
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.omniact import sample as mini_omniact
from omnipilot.bench.suites.omniact.data import load
from omnipilot.memory import estimate_tokens

FILTER = "The task: "
"""In what the filter of DetACT asks its model, and nobody else does."""
TASKS = ("0", "1", "2", "3", "20", "30")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("omniact")
    mini_omniact.write(folder)
    return folder


def told(request: Request) -> tuple[str, int]:
    """The words of a request, and how many pictures it has."""
    contents = [message["content"] for message in request.json["messages"]]
    parts = [part for content in contents for part in (content if isinstance(content, list) else [{"text": content}])]
    return "\n".join(part.get("text", "") for part in parts), sum("image_url" in part for part in parts)


@pytest.mark.parametrize(("name", "pictures"), [("omniact", 1), ("omniact-text", 0)])
def test_a_preset_plays_its_data_to_the_paper_s_table(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, pictures: int
) -> None:
    monkeypatch.chdir(tmp_path)
    items = load(Source.open(str(data), ""), "test").items
    scripts = {item.instruction: item.script for item in items if item.id in TASKS}

    def answer(request: Request) -> Behaviour:
        words, _ = told(request)
        if FILTER in words:
            return Answer(json.dumps({"elements": list(range(1, 101))}))
        return Answer(f"```python\n{scripts[re.findall('^Task: (.*)$', words, re.MULTILINE)[-1]]}\n```")

    with ChatServer(answer) as server:
        one = ("--preset", name, "--data", str(data), "--planner", "hosted_vllm/scripted", "--planner-url", server.url)
        chooser = ("-o", "perception.model=hosted_vllm/scripted", "-o", f"perception.url={server.url}")
        played = omnipilot(
            "run", *one, *chooser, "-o", "planner.name=pyautogui", "--out", "run", "--tasks", ",".join(TASKS)
        )
    assert played.returncode == 0, played.stderr
    every = [told(request) for request in server.requests if request.method == "POST"]
    filtered = [one for one in every if FILTER in one[0]]
    assert len(filtered) == 6 and {seen for _, seen in filtered} == {0}
    requests = [one for one in every if one not in filtered]
    assert len(requests) == 6 and {seen for _, seen in requests} == {pictures}
    for words, _ in requests:
        order = ["pyautogui.click(x, y):", "On the screen:", "Rules:", "Task:"]
        assert [words.index(part) for part in order] == sorted(words.index(part) for part in order)
        assert words.index("Examples, the one most like") < words.index("On the screen:")
        assert re.search(r"^text .* at \(", words, re.MULTILINE) and re.search(r"^color ", words, re.MULTILINE)
        assert estimate_tokens(words) <= 4_000
    scored = omnipilot("score", "omniact", "run", "--variant", "fixed", "--out", "score")
    assert scored.returncode == 0, scored.stderr
    figures = {one["name"]: one["value"] for one in json.loads(Path("score/score.json").read_text())["figures"]}
    assert figures["Sequence score"] == 1.0 and figures["Action score"] == 1.0


@pytest.mark.parametrize("name", ["omniact", "omniact-text"])
def test_the_commands_of_a_preset_are_what_runs_it(
    name: str, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    monkeypatch.chdir(tmp_path)
    run, score = presets.load(name).commands
    dry = omnipilot(*run.replace("DIR", str(data)).split()[1:], "--dry-run")
    assert dry.returncode == 0 and "nothing was run" in dry.stdout, dry.stderr
    assert score == "omnipilot score omniact RUN"
