"""A native GUI model and a writer of scripts solve tasks of `duet` through a real server."""

from __future__ import annotations

from pathlib import Path

import pytest
from chat_server import Answer, ChatServer
from served_duet import parts, words
from served_roles import omnipilot

from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import Click, OpenApp, Point, Press, TypeText
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.types.actions import Ref
from omnipilot.memory import Move

UI_TARS = "hosted_vllm/ByteDance-Seed/UI-TARS-7B-DPO"


def solution(task_id: str) -> tuple[list[Move], SimWorld]:
    """The moves of a demonstration, and a world in which the task has been set up."""
    task, world = Duet().instantiate(task_id, 0), SimWorld()
    task.setup(world)
    assert task.solution is not None
    return list(task.solution(world)), world


def place(world: SimWorld, env: str, at: object) -> Point:
    """The middle of the element that is meant."""
    assert isinstance(at, Ref)
    return next(element for element in world.envs[env].ui_tree() if element.id == at.id).box.center


@pytest.mark.slow
def test_a_native_model_solves_a_task_in_its_own_syntax(tmp_path: Path) -> None:
    moves, world = solution("add-alarm")
    replies = []
    for move in moves:
        intent = move.intent
        if isinstance(intent, OpenApp):
            said = f"open_app(app_name='{intent.app}')"
            world.envs["phone"].act(intent)
        else:
            assert isinstance(intent, Click)
            at = place(world, "phone", intent.at)
            said = f"click(start_box='({1000 * at.x:.0f},{1000 * at.y:.0f})')"
            world.envs["phone"].act(Click(at))
        replies.append(Answer(f"Thought: The next step.\nAction: {said}"))
    with ChatServer(replies) as server:
        asked = ("--suite", "duet", "--tasks", "add-alarm", "--planner", "native", "-o", f"planner.model={UI_TARS}")
        given = ("-o", "planner.env=phone", "--planner-url", server.url, "--out", str(tmp_path / "run"))
        done = omnipilot("run", *asked, *given)
    assert done.returncode == 0, done.stderr
    assert "1/1  100.0" in done.stdout
    assert len(server.requests) == len(replies) and all(parts(request, "image_url") for request in server.requests)


TEXT_ONLY = ("--modalities", "screenshot,elements", "--planner-modalities", "elements", "--perception", "detact")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("granted", "pictures"), [((), True), (("--modalities", "elements"), False), (TEXT_ONLY, False)]
)
def test_a_script_solves_a_task(granted: tuple[str, ...], pictures: bool, tmp_path: Path) -> None:
    moves, world = solution("write-document")
    desktop = world.envs["desktop"]
    size, lines = desktop.size, []
    for move in moves:
        intent = move.intent
        match intent:
            case OpenApp() | Click():
                at = place(world, "desktop", intent.at if isinstance(intent, Click) else Ref("taskbar/editor"))
                desktop.act(Click(at))
                lines.append(f"pyautogui.click({at.x * size.width:.0f}, {at.y * size.height:.0f})")
            case TypeText():
                lines.append(f"pyautogui.write({intent.text!r})")
            case Press():
                lines.append(f"pyautogui.hotkey({', '.join(map(repr, intent.keys))})")
    replies = [Answer(f"```python\nimport pyautogui\n{line}\n```") for line in lines]
    with ChatServer(replies) as server:
        asked = ("--suite", "duet", "--tasks", "write-document", "--planner", "pyautogui")
        given = ("-o", "planner.model=openai/scripted", "-o", "planner.env=desktop", "--planner-url", server.url)
        done = omnipilot("run", *asked, *given, *granted, "--out", str(tmp_path / "run"))
    assert done.returncode == 0, done.stderr
    assert "1/1  100.0" in done.stdout and len(server.requests) == len(replies)
    assert [bool(parts(request, "image_url")) for request in server.requests] == [pictures] * len(replies)
    assert pictures or all("On the screen:" in words(request) for request in server.requests)
