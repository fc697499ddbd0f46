"""What the journal keeps of looks, decisions and steps."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from omnipilot.agents import Choice, Proposal
from omnipilot.bench import Verdict
from omnipilot.bench.journal import EpisodeRecorder, Event
from omnipilot.bench.journal.events import StepTaken, TurnTaken, event_from_json
from omnipilot.bench.journal.journal import encode
from omnipilot.bench.journal.recorder import (
    elements_from_text,
    elements_to_text,
    observation_to_json,
    usage_from_json,
    usage_to_json,
)
from omnipilot.bench.tasks.graph import Change
from omnipilot.envs import (
    Absent,
    AudioClip,
    Box,
    Click,
    Context,
    Done,
    Element,
    Elements,
    Image,
    Modality,
    Observation,
    Point,
    Size,
    VideoClip,
)
from omnipilot.memory import MediaRef, MediaStore, Move, Outcome, Pointed, Recalled, Step, Usage
from omnipilot.planners import Decision

SIZE = Size(6, 4)
SAVE = Element("button", "Save", Box(0.1, 0.2, 0.3, 0.4), frozenset({"focused", "checked"}), "e1", "ocr", "x")


def still(shade: int, time: float) -> Image:
    return Image.raw(SIZE, bytes([shade]) * SIZE.pixels * 3, "phone", time)


def look(time: float, shade: int = 1, env: str = "phone") -> Observation:
    return Observation(
        env,
        time,
        SIZE,
        still(shade, time),
        Elements((SAVE,), True, "cap of 1"),
        AudioClip(bytes(3200), env, time - 0.1),
        VideoClip([still(0, time - 0.1), still(shade, time)], time, env),
        Absent("failed", "no window"),
    )


def test_an_observation_by_digests() -> None:
    store = MediaStore()
    seen = look(2.5)
    data = json.loads(json.dumps(observation_to_json(seen, store)))
    assert (data["time"], data["size"]) == (2.5, [6, 4])
    assert store.get(MediaRef(data["screenshot"], "image")) == seen.screenshot
    assert data["audio"] == {"digest": data["audio"]["digest"], "start": 2.4, "end": pytest.approx(2.5)}
    assert store.get(MediaRef(data["audio"]["digest"], "audio")) == seen.audio
    assert store.get(MediaRef(data["video"]["digest"], "video", "phone", data["video"]["start"])) == seen.video
    assert (data["elements"]["count"], data["elements"]["truncated"]) == (1, True)
    assert elements_from_text(store.get_json(data["elements"]["digest"])) == seen.elements
    assert data["absent"] == {"context": "failed: no window"}


def test_what_is_absent_says_why() -> None:
    nothing = Observation("phone", 0.0, SIZE, Absent("ablated"), context=Context(title="Home", tabs=("a", "b"), tab=1))
    data = observation_to_json(nothing, MediaStore())
    assert data["context"] == {"title": "Home", "tabs": ["a", "b"], "tab": 1}
    assert data["absent"] == dict.fromkeys(("elements", "video", "audio"), "unsupported") | {"screenshot": "ablated"}


def test_only_what_the_run_withholds_is_ablated() -> None:
    granted = {Modality.SCREENSHOT, Modality.VIDEO}
    seen = Observation("phone", 0.0, SIZE, *[Absent("unasked")] * 3, Absent("ablated"), Absent("failed", "gone"))
    assert observation_to_json(seen, MediaStore(), granted)["absent"] == {
        "screenshot": "unasked",
        "elements": "ablated",
        "audio": "ablated",
        "video": "unasked",
        "context": "failed: gone",
    }
    assert observation_to_json(seen, MediaStore())["absent"]["elements"] == "unasked", "of no run: as it was said"


def test_elements_come_back() -> None:
    for elements in (Elements(()), Elements((SAVE, Element("link", "ü", Box(0, 0, 1, 1)))), Elements((), True, "late")):
        assert elements_from_text(elements_to_text(elements)) == elements


def test_turns_steps_and_fresh_looks() -> None:
    events: list[Event] = []
    store = MediaStore()
    recorder = EpisodeRecorder("t#0.0", 2, store, events.append)
    save = Move("phone", Click("Save"))
    usage = Usage(1, 10, 2, None, 0.5)
    told = (Recalled("4711", "transcript", "phone", 1.0, 0), Recalled(still(9, 0), "read", "desktop", 1.0, 0))
    recorder.looked(0, look(1.0), False)
    recorder.looked(0, look(1.0, env="desktop"), False)
    decision = Decision((save, save), "a thought", ("a note",), usage=usage)
    recorder.decided(0, Choice(decision, iter(()), told), 0.25)
    pointed = (Pointed("Save", Point(0.2, 0.3), SAVE.box, "ElementsGrounder"),)
    done = Outcome("done")
    first = Step(0, 0, save, Click(Point(0.2, 0.3)), done, look(1.0), False, pointed, 1.0, 1.5, usage)
    recorder.step(first, [Change("saved", Verdict(1.0, "it is there"), True)], 1, {"env": 0.1, "judge": 0.2})
    recorder.looked(0, look(1.5, 9), True)
    recorder.step(Step(1, 0, save, None, Outcome("not_found", "gone"), look(1.5, 9), True), [], 1, {})
    recorder.step(Step(2, 1, None, None, Outcome("malformed", "what?")), [], 1, {})
    recorder.step(Step(3, 1, Move("", Done()), Done(), Outcome("control")), [], 1, {})
    turn, one, two, three, four = (event_from_json(json.loads(encode(event))) for event in events)
    assert [turn, one, two, three, four] == events
    assert isinstance(turn, TurnTaken) and isinstance(one, StepTaken) and isinstance(two, StepTaken)
    assert isinstance(three, StepTaken) and isinstance(four, StepTaken)
    assert set(turn.observations) == {"phone", "desktop"} and (turn.attempt, turn.seconds) == (2, 0.25)
    assert turn.moves == [{"env": "phone", "intent": {"kind": "click", "at": "Save"}}] * 2
    assert turn.usage == usage_to_json(usage) and (turn.thought, turn.notes) == ("a thought", ["a note"])
    assert turn.told == [
        {"env": "phone", "source": "transcript", "text": "4711"},
        {"env": "desktop", "source": "read", "text": "(Image)"},
    ]
    assert one.executed == {"kind": "click", "at": {"x": 0.2, "y": 0.3}} and one.look is None and one.counts
    assert one.pointed[0]["box"] == {"left": 0.1, "top": 0.2, "right": 0.3, "bottom": 0.4}
    assert one.changes == [{"node": "saved", "progress": 1.0, "reason": "it is there", "completed": True}]
    assert two.look is not None and two.look["screenshot"] == still(9, 0).digest
    assert (two.executed, two.result, two.message, two.counts) == (None, "not_found", "gone", False)
    assert (three.env, three.proposed, three.look) == ("", None, None)
    assert four.executed == {"kind": "done"} and not four.counts
    assert recorder.latest == {"phone": 1.0, "desktop": 1.0} and recorder.deciding == 0.25


def test_usage_says_which_models_answered_and_comes_back_from_json() -> None:
    both = Usage(1, 10, 2, 0.5, 1.0, ("a-2026",)) + Usage(models=("b",)) + Usage(1, models=("a-2026",))
    assert both.models == ("a-2026", "b")
    assert usage_from_json(json.loads(json.dumps(usage_to_json(both)))) == both
    assert "models" not in usage_to_json(Usage(1, 10, 2))


class Judging:
    """Numbers the proposals it is asked about."""

    def __init__(self) -> None:
        self.seen: list[float] = []
        self.asked = 0

    def looked(self, observation: Observation) -> None:
        self.seen.append(observation.time)

    def judge(self, proposal: Proposal) -> list[dict[str, object]]:
        self.asked += 1
        return [{"target": f"{proposal.move.intent.at} {self.asked}", "right": None}]


def test_verdicts_go_to_the_step_of_their_move_and_those_of_dropped_moves_to_none() -> None:
    events: list[Event] = []
    judging = Judging()
    recorder = EpisodeRecorder("t#0.0", 1, MediaStore(), events.append, judge=judging)
    recorder.looked(0, look(1.0), False)
    # Equal moves are different ones.
    dropped, done, own = (Move("phone", Click(name)) for name in ("Save", "Save", "Open"))
    pointing_itself = Move("phone", Click(Point(0.5, 0.5)))
    for move in (dropped, done, own):
        recorder.grounded(Proposal(move, None, seen=look(1.0)))
    recorder.grounded(Proposal(pointing_itself, None))
    for index, move in enumerate((done, pointing_itself, own, None)):
        recorder.step(Step(index, 0, move, None, Outcome("done"), start=1.0, end=2.0), (), 0, {})
    steps = [event for event in events if isinstance(event, StepTaken)]
    assert [[one["target"] for one in step.pointing] for step in steps] == [["Save 2"], [], ["Open 3"], []]
    assert judging.seen == [1.0]
    assert event_from_json(json.loads(encode(steps[0]))) == steps[0]


def test_a_step_whose_places_nobody_judges_has_no_verdicts() -> None:
    events: list[Event] = []
    recorder = EpisodeRecorder("t#0.0", 1, MediaStore(), events.append)
    recorder.grounded(Proposal(Move("phone", Click("Save")), None, seen=look(1.0)))
    recorder.step(Step(0, 0, None, None, Outcome("malformed"), start=1.0, end=2.0), (), 0, {})
    assert json.loads(encode(events[0]))["pointing"] == []


def test_elements_that_stay_are_written_as_text_once(monkeypatch: pytest.MonkeyPatch) -> None:
    store, lists, written = MediaStore(), dict[str, Any](), list[str]()
    put = MediaStore.put_json
    monkeypatch.setattr(MediaStore, "put_json", lambda self, text, *at: written.append(text) or put(self, text, *at))
    seen = look(1.0)
    later = replace(look(2.0), elements=seen.elements)
    first, second = (observation_to_json(one, store, None, lists)["elements"] for one in (seen, later))
    assert first == second and len(written) == 1
    assert observation_to_json(replace(seen, env="desktop"), store, None, lists)["elements"] == first
    other = observation_to_json(replace(seen, elements=Elements(())), store, None, lists)["elements"]
    assert other["count"] == 0 and len(written) == 3
