"""OmniGUI in miniature: ten episodes on the embedded world's phone, in the official layout and fields.

Screens, sounds and films are real: tasks of `duet` and a few small errands are played with the primitives of OmniGUI,
and what was seen and heard at each step is written down. In the episodes of the level AV-Critical a spoken number
decides what is right. The names of the labels (`level`, `dimension`) are ours, see `omnigui_data`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.omnigui.data import load
from omnipilot.bench.suites.omnigui.metrics.actions import SWIPES, Primitive
from omnipilot.bench.suites.omnigui.metrics.targets import target
from omnipilot.bench.suites.omnigui.moves import primitive, step_action
from omnipilot.bench.suites.omnigui.sample.play import EpisodePlayer, PlayedStep
from omnipilot.bench.suites.omnigui.sample.tasks import EPISODES, SampleEpisode
from omnipilot.envs import MissingExtra, VideoClip

STEPS = "merged_sorted.json"
PREDICTIONS = "predictions.jsonl"


def write(folder: Path, seed: int = 0) -> None:
    """Write the data, within seconds. Without PyAV there are no videos: `video_path` is empty, as for absent media.

    Args:
        seed: of the contents: names, numbers, times.
    """
    rows = [row for episode in EPISODES for row in _rows(folder, episode, seed)]
    (folder / STEPS).write_text(json.dumps(rows, ensure_ascii=False, indent=1), encoding="utf-8")


def sample_predictions(folder: Path) -> Path:
    """Replies to the steps of written data as the release's sample log; each depends on its row number modulo 7.

    0 and 1: right, in plain JSON. 2: right, as a tool call of Qwen. 3: right, in a fence after some words. 4: of the
    right kind, but at the other end of the screen or with another text. 5: no action at all. 6: no reply.
    """
    episodes = load(Source.open(str(folder), ""), files=False).items
    path = folder / PREDICTIONS
    with path.open("w", encoding="utf-8") as file:
        for episode in episodes:
            for step in episode.steps:
                rule = int(step.row) % 7
                if rule == 6:
                    continue
                right = primitive(step_action(step))
                assert right is not None
                which = {"subset": episode.subset, "episode_id": episode.episode, "step_id": step.number}
                line = {"doc_id": int(step.row), "filtered_resps": [_reply(rule, right)], "exact_match": which}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return path


def _reply(rule: int, right: dict[str, Any]) -> str:
    told = json.dumps(right, ensure_ascii=False)
    if rule in (0, 1):
        return told
    if rule == 2:
        return _tool_call(right)
    if rule == 3:
        return f"The next action is:\n```json\n{told}\n```"
    if rule == 4:
        return json.dumps({**right, **{key: _other(value) for key, value in right.items() if key != "action_type"}})
    return "I am not sure what to do."


def _tool_call(right: dict[str, Any]) -> str:
    action = Primitive(right["action_type"])
    arguments: dict[str, Any]
    if action in SWIPES:
        arguments = {
            "action": "swipe",
            "coordinate": right["start_coordinate"],
            "coordinate2": right["end_coordinate"],
        }
    elif action == Primitive.INPUT:
        arguments = {"action": "type", "text": right["text"]}
    elif action in (Primitive.BACK, Primitive.HOME):
        arguments = {"action": "system_button", "button": action.name.title()}
    elif action in (Primitive.TASK_COMPLETE, Primitive.TASK_IMPOSSIBLE):
        arguments = {"action": "terminate", "status": "success" if action == Primitive.TASK_COMPLETE else "failure"}
    elif action == Primitive.NONE:
        arguments = {"action": "wait", "time": 2}
    else:
        verb = {Primitive.TAP: "click", Primitive.DOUBLE_TAP: "double_click"}.get(action, "long_press")
        arguments = {"action": verb, "coordinate": right["coordinate"]}
    return (
        f"<tool_call>\n{json.dumps({'name': 'mobile_use', 'arguments': arguments}, ensure_ascii=False)}\n</tool_call>"
    )


def _other(value: Any) -> Any:
    return "something else" if isinstance(value, str) else [(number + 500) % 1000 for number in value]


def _rows(folder: Path, episode: SampleEpisode, seed: int) -> Iterator[dict[str, Any]]:
    player = EpisodePlayer(episode.task, seed)
    steps = list(player.play(episode))
    return episode_rows(folder, episode, steps, *episode.told(player.instruction))


def episode_rows(
    folder: Path, episode: SampleEpisode, steps: Sequence[PlayedStep], english: str, chinese: str
) -> Iterator[dict[str, Any]]:
    """The rows of an episode, one a step; its pictures, sounds and films are written beside them.

    Args:
        folder: of the data. steps: in order; the last one ends the task.
        english, chinese: the instruction.
    """
    history: list[dict[str, Any]] = []
    images = [f"{episode.subset}/{episode.app}/{episode.id}/{at}.png" for at in range(1, len(steps) + 1)]
    for at, step in enumerate(steps):
        paths = _files(folder, images[at].removesuffix(".png"), step)
        yield {
            "episode_id": episode.id,
            "episode_length": len(steps),
            "step_id": at,
            "subset": episode.subset,
            "app": episode.app,
            "level": episode.level,
            "dimension": episode.dimension,
            "instruction": chinese,
            "instruction_en": english,
            **paths,
            "image_width": step.image.size.width,
            "image_height": step.image.size.height,
            "result_action_type": step.action.value,
            "result_action_text": step.text,
            **_places(step, episode.places.get(at, "")),
            "result_action_json": json.dumps(_target_json(step), ensure_ascii=False),
            "action_history": list(history),
            "history_screenshot_path": images[at - 2] if at >= 2 else "",
        }
        history.append({"step_index": at, "action_text": step.words})


def _files(folder: Path, name: str, step: PlayedStep) -> dict[str, str]:
    paths = {"image_path": f"{name}.png", "video_path": "", "audio_path": ""}
    base = folder / "benchmark"
    (base / name).parent.mkdir(parents=True, exist_ok=True)
    (base / f"{name}.png").write_bytes(step.image.png())
    if step.audio is not None:
        (base / f"{name}.wav").write_bytes(step.audio.wav())
        paths["audio_path"] = f"{name}.wav"
    film = None if step.video is None else _mp4(step.video)
    if film is not None:
        (base / f"{name}.mp4").write_bytes(film)
        paths["video_path"] = f"{name}.mp4"
    return paths


def _mp4(clip: VideoClip) -> bytes | None:
    try:
        return clip.mp4()
    except MissingExtra:
        return None


def _places(step: PlayedStep, form: str) -> dict[str, Any]:
    """The places of a step: a rectangle, or another `form` found in some data: a point, a list, y before x."""
    touch, lift = step.touch, step.lift
    if touch is None:
        return {"result_touch_xy": "", "result_lift_xy": ""}
    (x1, y1), (x2, y2) = touch
    if form == "yx":
        return {"result_touch_yx": json.dumps([[y1, x1], [y2, x2]])}
    told: Any = [list(corner) for corner in touch]
    if form == "point":
        told = [(x1 + x2) // 2, (y1 + y2) // 2]
    elif form == "list":
        told = [told, [[0, 0], [4, 4]]]
    end = "" if lift is None else json.dumps([list(corner) for corner in lift])
    return {"result_touch_xy": json.dumps(told), "result_lift_xy": end}


def _target_json(step: PlayedStep) -> dict[str, Any]:
    """`result_action_json`: unused by every rule, but called the target by the release."""
    told: dict[str, Any] = {"action_type": step.action.value}
    if step.text:
        told["text"] = step.text
    if step.touch is not None:
        found = target([list(corner) for corner in step.touch])
        assert found is not None
        x1, y1, x2, y2 = found.rectangles[0]
        told["coordinate"] = [int((x1 + x2) / 2), int((y1 + y2) / 2)]
    return told
