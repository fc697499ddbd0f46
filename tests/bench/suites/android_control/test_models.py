"""Models write in their own words on recorded screens: OS-Atlas on AndroidControl, a writer of scripts on OmniACT."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from chat_server import Answer, ChatServer

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec
from omnipilot.bench.run import run
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.scoring.steps.actions import reply_of
from omnipilot.bench.suites.android_control import sample as mini_android_control
from omnipilot.bench.suites.android_control.data import load
from omnipilot.bench.suites.android_control.score import AndroidControlScore
from omnipilot.bench.suites.android_control.suite import SUITES as ANDROID_CONTROL
from omnipilot.bench.suites.omniact import sample as mini_omniact
from omnipilot.bench.suites.omniact.score import OmniActScore
from omnipilot.bench.suites.omniact.suite import SUITES as OMNIACT


@pytest.mark.slow
def test_os_atlas_replies_score_the_same_from_a_run_and_from_a_file(tmp_path: Path) -> None:
    data = tmp_path / "data"
    mini_android_control.write(data)
    episodes = load(Source.open(str(data / "rows"), ""), "test").loaded.items
    episode = next(episode for episode in episodes if episode.key == "episode_661")
    said = [f"thoughts:\nthe next\n{reply_of([step.action])}<|im_end|>" for step in episode.steps]
    said[1] = "actions:\nCLICK <point>[[10,990]]</point>"
    said[2] = "actions:\nSCROLL [UP]"
    said[6] = "actions:\nCOMPLETE"
    model = PartSpec("native", {"model": "hosted_vllm/OS-Copilot/OS-Atlas-Pro-7B", "family": "os-atlas-pro"})
    with ChatServer([Answer(text) for text in said], models=("OS-Copilot/OS-Atlas-Pro-7B",)) as server:
        planner = PartSpec(model.name, {**model.options, "url": server.url})
        suite = PartSpec(ANDROID_CONTROL[1], {"data": str(data / "rows")})
        found = run(RunSpec(AgentSpec(planner=planner), suite, tasks=("episode_661",)), tmp_path / "run")
        asked = [request.body.decode() for request in server.requests]
    assert [(one.completed, one.total, one.void) for one in found.episodes] == [(4, 7, False)]
    # The recording goes on whatever is replied: one question a step, each with that step's picture.
    assert len(asked) == 7 and len({text.split("base64,")[1][:20_000] for text in asked}) == 7
    rows = [{"id": episode.step_key(n), "pred": text} for n, text in enumerate(said)]
    file = tmp_path / "said.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    (data / "rows" / "ac_idx.txt").write_text("\n".join(row["id"] for row in rows))
    ours, theirs = (AndroidControlScore().score(str(data / "rows"), p, "release") for p in (tmp_path / "run", file))
    assert ours.figures == theirs.figures
    assert [(figure.value, figure.of) for figure in ours.figures] == [(6 / 7, 7), (2 / 3, 3), (4 / 7, 7), (4 / 7, 7)]


@pytest.mark.slow
def test_scripts_score_the_same_from_a_run_and_from_a_file(tmp_path: Path) -> None:
    mini_omniact.write(tmp_path)
    entry = json.loads((tmp_path / "test.json").read_text())["11"]
    gold = "\n".join((tmp_path / entry["task"]).read_text().split("\n")[2:])
    said = f"```python\nimport pyautogui\n{gold.replace('report 2024', 'report')}\n```"
    with ChatServer([Answer(said)]) as server:
        options = {"model": "openai/scripted", "url": server.url, "once": True}
        suite = PartSpec(OMNIACT[1], {"data": str(tmp_path), "elements": "detact"})
        found = run(RunSpec(AgentSpec(planner=PartSpec("pyautogui", options)), suite, tasks=("11",)), tmp_path / "run")
        asked = server.requests[0].body.decode()
    assert [episode.void for episode in found.episodes] == [False] and "On the screen:" in asked
    ours = OmniActScore().score(str(tmp_path), tmp_path / "run", "release")
    (tmp_path / "said.json").write_text(json.dumps({"11": said}))
    lists = {"11": entry}
    (tmp_path / "test.json").write_text(json.dumps(lists))
    theirs = OmniActScore().score(str(tmp_path), tmp_path / "said.json", "release")
    assert ours.figures == theirs.figures
    assert ours.figure("Sequence score").value == 1
    assert 0 < ours.figure("Write penalty").value == pytest.approx(1 - ours.figure("Action score").value)  # type: ignore[operator]
