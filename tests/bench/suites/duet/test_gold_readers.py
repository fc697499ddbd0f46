"""Gold transcripts on `duet`: complete where a task hangs on what is heard, and of use to a planner that cannot hear.

What a screen shows, it shows to twins alike: a fact that is only heard or seen in motion is in no gold text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

import pytest
from chat_server import Answer, ChatServer, Request
from made_settings import spec_of
from scripted_model import as_call
from served_duet import words

from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import EpisodeEnded, TurnTaken
from omnipilot.bench.run.runner import run
from omnipilot.bench.suites.duet import Duet
from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.envs import Heard, Modality, Thinking, TypeText, Wait
from omnipilot.memory import Move
from omnipilot.memory.quoting import quote, unquote

CRITICAL = {
    split: [info.id for info in Duet(split).tasks() if info.tags["level"] == "AV-critical"]  # type: ignore[arg-type]
    for split in ("dev", "test")
}
CODE = re.compile(r"\d{3,}|[A-Z]\d+")
SEEN = "screenshot,elements,context"


def until_decision(suite: Duet, name: str) -> tuple[bool, list[list[tuple[str, Heard]]], bool]:
    """Of a task and its twin, up to where their right moves differ.

    Returns:
        Whether what sounded differed, what each of their transcripts held, and whether their texts ever differed.
    """
    trials = [Rehearsal(suite.instantiate(name, 0, twin)) for twin in (0, 1)]
    ways = [moves_of(suite, name, twin) for twin in (0, 1)]
    decision = next(at for at, pair in enumerate(zip_longest(*ways)) if pair[0] != pair[1])
    sounded = written = False
    heard: list[list[tuple[str, Heard]]] = [[], []]
    since = 0.0
    for at in range(decision + 1):
        if at:
            for trial in trials:
                trial.play([ways[0][at - 1]], ended=False)
        now = trials[0].world.now
        for env in trials[0].world.envs:
            devices = [trial.world.envs[env] for trial in trials]
            clips = [device.observe({Modality.AUDIO}, since).audio for device in devices]
            sounded = sounded or clips[0] != clips[1]
            written = written or devices[0].written_texts() != devices[1].written_texts()
            for told, device in zip(heard, devices, strict=True):
                told += [(env, one) for one in device.transcript(since, now)]
        since = now
    return sounded, heard, written


def moves_of(suite: Duet, name: str, twin: int = 0) -> list[Move]:
    task = suite.instantiate(name, 0, twin)
    world = suite.world(Thinking())
    task.setup(world)
    assert task.solution is not None
    return list(task.solution(world))


@pytest.mark.parametrize("split", ["dev", pytest.param("test", marks=pytest.mark.slow)])
def test_transcripts_tell_twins_apart_where_sound_does_and_texts_never_do(split: str) -> None:
    suite = Duet(split)  # type: ignore[arg-type]
    by_ear = 0
    for name in CRITICAL[split]:
        sounded, heard, written = until_decision(suite, name)
        assert (heard[0] != heard[1]) == sounded, name
        assert not written, f"{name}: a text on the screen gives away what can only be heard or seen in motion"
        by_ear += sounded
    assert by_ear >= 12


BY_EAR = ("spoken-code-to-log", "tones-to-message", "number-by-voicemail")
SEEN_IN_FILMS = {"five-films-one-note": {"B2"}}


@pytest.mark.parametrize("names", [BY_EAR, pytest.param(CRITICAL["dev"], marks=pytest.mark.slow)], ids=["some", "all"])
def test_in_a_run_of_oracle_the_transcript_holds_every_code_that_is_typed_from_hearing(
    names: Sequence[str], tmp_path: Path
) -> None:
    """A code is from hearing if a twin has another one, unless it is read in a film."""
    suite = Duet()
    spec = spec_of({"suite": "duet", "planner": "oracle", "readers": "gold", "tasks": list(names)})
    run(spec, tmp_path / "run")
    told = dict.fromkeys(names, "")
    for event in read(tmp_path / "run"):
        if isinstance(event, TurnTaken):
            heard = [note["text"] for note in event.told if note["source"] == "transcript"]
            said = [line.partition(": ")[2] for text in heard for line in text.splitlines()]
            told[event.key.partition("#")[0]] += "".join(said).replace(" …", "")
        elif isinstance(event, EpisodeEnded):
            assert event.reason == "success"
    checked = 0
    for name in names:
        own, other = (codes(moves_of(suite, name, twin)) for twin in (0, 1))
        for code in own - other - SEEN_IN_FILMS.get(name, set()):
            assert code in told[name], (name, code)
            checked += 1
    assert checked >= min(len(names), 9)


def codes(moves: list[Move]) -> set[str]:
    return {code for move in moves if isinstance(move.intent, TypeText) for code in CODE.findall(move.intent.text)}


class TypesWhatItWasTold:
    """A scripted model that knows each move of a task, except the digits to type: these it takes from the prompt."""

    def __init__(self, moves: list[Move]) -> None:
        self.moves = list(moves)
        self.heard = ""
        self.prompts: list[str] = []

    def __call__(self, request: Request) -> Answer:
        self.prompts.append(words(request))
        content = request.json["messages"][-1]["content"]
        latest = content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)
        told = "\n".join(unquote(line) for line in latest.splitlines() if line.startswith('"'))
        for line in re.findall(r"^[\d.]+ s to [\d.]+ s, .*?: (.*)$", told, re.MULTILINE):
            self.heard += "".join(re.findall(r"\d", line))
        if not self.moves:
            return Answer("It is sent.", (("done", '{"status": "success"}'),))
        move = self.moves.pop(0)
        if isinstance(move.intent, TypeText):
            digits = self.heard or "0000"
            move = Move(move.env, TypeText(re.sub(r"\d{3,}", digits, move.intent.text), move.intent.at, submit=False))
        if isinstance(move.intent, Wait):
            move = Move("", move.intent)
        return Answer("I go on.", (as_call(move, True),))


@pytest.mark.parametrize("readers", ["none", "gold"])
def test_a_model_that_cannot_hear_solves_the_task_when_it_is_told_what_was_said(readers: str, tmp_path: Path) -> None:
    name = "tones-to-message"
    model = TypesWhatItWasTold(moves_of(Duet(), name))
    with ChatServer(model) as server:
        options = [f"planner.url={server.url}"]
        settings = {"suite": "duet", "planner": "hosted_vllm/tiny", "modalities": SEEN, "tasks": [name]}
        spec = spec_of({**settings, "readers": readers}, options=options)
        run(spec, tmp_path / "run")
    events = list(read(tmp_path / "run"))
    (ended,) = [event for event in events if isinstance(event, EpisodeEnded)]
    told = [note for event in events if isinstance(event, TurnTaken) for note in event.told]
    if readers == "none":
        assert ended.reason != "success" and told == [] and not any("What was heard" in one for one in model.prompts)
        return
    assert ended.reason == "success"
    assert "What was heard on desktop since the last turn, in words:" in "\n".join(model.prompts)
    heard = [note for note in told if note["source"] == "transcript"]
    for note in heard:
        shown = [quote(note["text"]) in prompt for prompt in model.prompts]
        assert all(shown[shown.index(True) :]), "it remains in the conversation"
    assert heard and {note["env"] for note in heard} == {"desktop"}
    digits = "".join(re.findall(r"digits: (\d+)", "\n".join(note["text"] for note in heard)))
    assert digits == model.heard and len(digits) == 4
