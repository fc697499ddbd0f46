"""The timeline: what is appended is found, by one process or after any end of it."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.envs import Modality
from omnipilot.memory.episodic import Scope, Timeline, TimelineEvent
from omnipilot.memory.episodic.event_index import BATCH
from omnipilot.memory.episodic.events import EVENT_KINDS, TimelineError
from omnipilot.memory.episodic.timeline import INDEX, LINES
from omnipilot.memory.store import MediaStore

ALL = Scope(frozenset({"phone", "desktop"}), frozenset(Modality))
WORDS = ("code", "anna", "spoke", "über", "7394", "$514", "電話", "b'4")


def said(text: str, at: float = 0.0, **more: object) -> TimelineEvent:
    """An event of the phone that says something."""
    values: dict[str, object] = {"kind": "note", "env": "phone", "start": at, "end": at, "turn": 0, "text": text}
    return TimelineEvent(**(values | more))  # type: ignore[arg-type]


def test_an_event_is_found_by_its_words_its_time_and_its_place() -> None:
    timeline = Timeline()
    timeline.extend([said("hello"), said("the code is 7394", 2.0), said("bye", 4.0)])
    assert [event.text for event, _ in timeline.search("which code?", ALL, 9)] == ["the code is 7394"]
    assert [event.text for event in timeline.between(ALL, 1.0, 3.0)] == ["the code is 7394"]
    assert [event.text for event in timeline.latest(ALL, 2)] == ["bye", "the code is 7394"]
    assert timeline.get(2).text == "the code is 7394" and len(timeline) == 3
    assert [event.text for event in timeline.events([3, 1, 3])] == ["bye", "hello", "bye"]
    with pytest.raises(KeyError):
        timeline.get(4)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("two codes", "code"),
        ("Über allem", "uber"),
        ("three batteries", "battery"),
        ("ａｂｃ", "ABC"),
        ("打電話給我", "電話"),
        ("the glass", "glass"),
        ("ask '\"*) OR (", "or"),
    ],
)
def test_words_are_found_in_other_forms(text: str, query: str) -> None:
    timeline = Timeline()
    timeline.extend([said("something else"), said(text)])
    assert [event.text for event, _ in timeline.search(query, ALL, 9)] == [text]


def test_a_rare_word_counts_more_than_common_ones_and_a_short_text_more_than_a_long_one() -> None:
    timeline = Timeline()
    for i in range(200):
        timeline.append(said(f"open the app number{i}", float(i)))
    timeline.append(said("the zebra " + " ".join(f"stripe{i}" for i in range(20))))
    timeline.append(said("a zebra"))
    timeline.extend([said("open the app again") for _ in range(300)])
    found = [event.text[:9] for event, _ in timeline.search("open the app of the zebra", ALL, 2)]
    assert found == ["a zebra", "the zebra"]


def test_a_common_word_decides_between_events_with_the_same_rare_one_however_old() -> None:
    timeline = Timeline()
    timeline.extend([said("needle left"), said("needle right")])
    timeline.extend([said(f"go left {i}") for i in range(3_000)])
    (best, score), (other, less) = timeline.search("left needle", ALL, 2)
    assert (best.text, other.text) == ("needle left", "needle right") and score > less


def test_what_is_not_admitted_cannot_hide_what_is() -> None:
    timeline = Timeline()
    timeline.append(said("the word", modality=Modality.AUDIO))
    timeline.extend([said("the word", env="desktop") for _ in range(5_000)])
    scope = Scope(frozenset({"phone"}), frozenset({Modality.AUDIO}))
    assert [event.id for event, _ in timeline.search("the word", scope, 9)] == [1]
    assert timeline.search("the word", Scope(frozenset({"phone"}), frozenset()), 9) == []


@given(
    events=st.lists(
        st.builds(
            lambda kind, env, modality, start, length, words: TimelineEvent(
                kind, env, start, start + length, 0, " ".join(words), modality
            ),
            st.sampled_from(EVENT_KINDS),
            st.sampled_from(("", "phone", "desktop")),
            st.sampled_from((None, *Modality)),
            st.floats(-50, 50).map(lambda x: round(x, 2)),
            st.sampled_from((0.0, 0.5, 1.0, 3.0, 4.0, 16.0, 70.0)),
            st.lists(st.sampled_from(WORDS), max_size=4),
        ),
        max_size=40,
    ),
    envs=st.frozensets(st.sampled_from(("phone", "desktop"))),
    modalities=st.frozensets(st.sampled_from(tuple(Modality))),
    kinds=st.lists(st.sampled_from(EVENT_KINDS), max_size=5),
    span=st.tuples(st.floats(-60, 60), st.floats(0, 40)),
    query=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3),
)
def test_queries_answer_as_a_plain_scan_does(
    events: list[TimelineEvent],
    envs: frozenset[str],
    modalities: frozenset[Modality],
    kinds: list[str],
    span: tuple[float, float],
    query: list[str],
) -> None:
    timeline = Timeline()
    kept = timeline.extend(events)
    scope = Scope(envs, modalities)
    wanted = [one for one in kept if scope.admits(one) and (not kinds or one.kind in kinds)]
    start, end = span[0], span[0] + span[1]
    overlapping = [one for one in wanted if one.start < end and (one.end > start or one.start >= start)]
    assert timeline.between(scope, start, end, kinds) == sorted(overlapping, key=lambda one: (one.start, one.id))  # type: ignore[arg-type]
    assert timeline.latest(scope, 7, kinds) == wanted[::-1][:7]  # type: ignore[arg-type]
    assert list(timeline) == kept
    held = {one.id for one in wanted if set(query) & set(one.text.split())}
    assert {one.id for one, _ in timeline.search(" ".join(query), scope, 99, kinds)} == held  # type: ignore[arg-type]


def test_a_timeline_is_read_back(tmp_path: Path) -> None:
    kept = fill(tmp_path, 3 * BATCH + 5)
    timeline = Timeline(tmp_path)
    assert list(timeline) == kept and timeline.repaired == "" and timeline.index.rebuilt == ""
    assert timeline.append(said("more")).id == len(kept) + 1
    timeline.close()
    timeline.close()
    with pytest.raises(TimelineError, match="closed"):
        timeline.latest(ALL, 1)


def fill(folder: Path, number: int) -> list[TimelineEvent]:
    """Append so many events, and close."""
    timeline = Timeline(folder)
    kept = timeline.extend(
        [said(f"event number{i} of many", float(i), env=("phone", "")[i % 2]) for i in range(number)]
    )
    timeline.close()
    return kept


def _overwrite(path: Path, at: float, with_: bytes = b"\x00\xff" * 2048) -> None:
    with path.open("r+b") as file:
        file.seek(int(path.stat().st_size * at) // 4096 * 4096)
        file.write(with_)


def _older_version(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 1")
    db.close()


def _without(table: str) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        with sqlite3.connect(path) as db:
            db.execute(f"DROP TABLE {table}")
        db.close()

    return spoil


@pytest.mark.parametrize(
    "spoil",
    [
        Path.unlink,
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"no database " * 900),
        lambda path: os.truncate(path, path.stat().st_size // 2),
        lambda path: _overwrite(path, 0.0),
        *(lambda path, at=at: _overwrite(path, at / 20) for at in range(1, 20)),
        _older_version,
        _without("texts"),
        _without("events"),
        _without("state"),
    ],
)
def test_a_damaged_index_is_made_again(tmp_path: Path, spoil: Callable[[Path], object]) -> None:
    kept = fill(tmp_path, 2_000)
    spoil(tmp_path / INDEX)
    timeline = Timeline(tmp_path)
    assert list(timeline) == kept
    assert timeline.latest(ALL, 3) == kept[:-4:-1]
    assert timeline.between(ALL, 500.0, 503.0) == kept[500:503]
    for i in range(0, 2_000, 97):
        assert timeline.search(f"number{i}", ALL, 2)[0][0] == kept[i]
    assert timeline.append(said("after")).id == 2_001 and timeline.get(2_001).text == "after"
    timeline.close()


def test_an_index_that_is_damaged_while_it_is_in_use_is_made_again(tmp_path: Path) -> None:
    timeline = Timeline(tmp_path)
    kept = timeline.extend([said(f"number{i}", float(i)) for i in range(500)])
    assert timeline.index._db is not None
    timeline.latest(ALL, 1)
    timeline.index._db.execute("DROP TABLE texts")
    kept += timeline.extend([said("last")])
    assert [event for event, _ in timeline.search("number77 last", ALL, 2)] == [kept[500], kept[77]]
    assert timeline.index.rebuilt and list(timeline) == kept
    timeline.close()


def test_a_batch_that_could_not_be_written_is_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    timeline = Timeline(tmp_path)
    kept = timeline.extend([said("first")])
    with monkeypatch.context() as broken:

        def interrupted() -> None:
            raise KeyboardInterrupt

        broken.setattr(timeline.index, "_write_mark", interrupted)
        kept += timeline.extend([said("a new place", env="desktop", modality=Modality.AUDIO)])
        with pytest.raises(KeyboardInterrupt):
            timeline.search("place", ALL, 1)
    kept += timeline.extend([said("third", env="desktop")])
    timeline.close()
    timeline = Timeline(tmp_path)
    assert list(timeline) == kept and timeline.latest(ALL, 9) == kept[::-1] and not timeline.index.rebuilt
    assert [event for event, _ in timeline.search("place", ALL, 9)] == [kept[1]]
    timeline.close()


def test_an_index_behind_or_ahead_or_about_other_lines_comes_to_hold_the_lines(tmp_path: Path) -> None:
    kept = fill(tmp_path, 100)
    lines = (tmp_path / LINES).read_bytes().splitlines(keepends=True)
    (tmp_path / LINES).write_bytes(b"".join(lines[:60]))
    timeline = Timeline(tmp_path)
    assert list(timeline) == kept[:60] and "ahead" in timeline.index.rebuilt
    timeline.close()
    (tmp_path / LINES).write_bytes(b"".join(lines))
    timeline = Timeline(tmp_path)
    assert list(timeline) == kept and timeline.index.rebuilt == "", "it was behind: only what is new is read"
    assert timeline.search("number99", ALL, 1)[0][0] == kept[99]
    timeline.close()
    (tmp_path / LINES).write_bytes(b"".join(lines).replace(b"number99", b"letter99"))
    timeline = Timeline(tmp_path)
    assert "another" in timeline.index.rebuilt and timeline.search("letter99", ALL, 1)
    timeline.close()


def test_a_torn_last_line_is_cut_off_and_told(tmp_path: Path) -> None:
    kept = fill(tmp_path, 10)
    with (tmp_path / LINES).open("ab") as file:
        file.write(b'{"kind":"note","env":"ph')
    timeline = Timeline(tmp_path)
    assert timeline.repaired == '{"kind":"note","env":"ph' and list(timeline) == kept
    timeline.append(said("next"))
    timeline.close()
    assert [json.loads(line)["id"] for line in (tmp_path / LINES).read_text().splitlines()] == [*range(1, 12)]


@pytest.mark.parametrize("line", [b"{}\n", b"[1]\n", b"no JSON\n", b"\n"])
def test_a_line_that_cannot_be_read_is_named(tmp_path: Path, line: bytes) -> None:
    fill(tmp_path, 10)
    with (tmp_path / LINES).open("ab") as file:
        file.write(line)
    with pytest.raises(TimelineError, match=r"timeline\.jsonl:11: "):
        Timeline(tmp_path)
    os.truncate(tmp_path / LINES, (tmp_path / LINES).stat().st_size - len(line))
    timeline = Timeline(tmp_path)
    assert len(timeline) == 10
    timeline.close()


def test_a_timeline_has_one_writer(tmp_path: Path) -> None:
    timeline = Timeline(tmp_path)
    with pytest.raises(TimelineError, match="another process"):
        Timeline(tmp_path)
    timeline.close()
    Timeline(tmp_path).close()


def test_a_file_system_without_locks_is_no_other_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(TimelineError, match=r"cannot be locked \(No locks available\).*local disk"):
        Timeline(tmp_path)


@pytest.mark.parametrize("span", [(1.0, 0.5), (float("nan"), 1.0), (0.0, float("inf"))])
def test_an_event_without_a_span_is_refused(span: tuple[float, float]) -> None:
    timeline = Timeline()
    with pytest.raises(TimelineError, match="a start and an end"):
        timeline.append(said("x", end=span[1], start=span[0]))
    assert len(timeline) == 0


def test_a_timeline_in_memory_is_emptied(tmp_path: Path) -> None:
    timeline = Timeline()
    timeline.append(said("code"))
    timeline.clear()
    assert len(timeline) == 0 and timeline.search("code", ALL, 1) == [] and timeline.append(said("code")).id == 1
    kept = Timeline(tmp_path)
    with pytest.raises(TimelineError, match="is kept"):
        kept.clear()
    kept.close()


# -- killed at any moment ---------------------------------------------------------------------------------------------

WRITER = """
import sys
from pathlib import Path
from random import Random
from omnipilot.envs import AudioClip
from omnipilot.memory.episodic import Timeline, TimelineEvent
from omnipilot.memory.store import MediaStore

folder, draw = Path(sys.argv[1]), Random(int(sys.argv[2]))
store, timeline = MediaStore(folder / "media"), Timeline(folder)
print(timeline.repaired.count("x") > 0, flush=True)
while True:
    at, media = float(len(timeline)), None
    if draw.random() < 0.3:
        media = store.put(AudioClip(draw.randbytes(2000), "phone", at))
    text = f"number{len(timeline) + 1} " + "x" * draw.choice((5, 500, 200_000))
    event = timeline.append(TimelineEvent("audio", "phone", at, at + 0.0625, 0, text, media=media))
    print(event.id, flush=True)
"""


def _killed(folder: Path, seed: int, seconds: float) -> int:
    """Let a process write for so long, kill it, and return the last id that it had told."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), str(seed)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    until = time.monotonic() + seconds
    told = 0
    while time.monotonic() < until:
        told = int(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read().split("\n")
    process.stdout.close()
    process.wait(30)
    # The last word may be torn as well.
    return max([told, *map(int, filter(None, rest[:-1]))])


@pytest.mark.parametrize("rounds", [4, pytest.param(30, marks=pytest.mark.slow)])
@pytest.mark.timeout(1_200)
def test_a_killed_writer_loses_at_most_the_event_it_was_writing(tmp_path: Path, rounds: int) -> None:
    draw = Random(rounds)
    for round in range(rounds):
        told = _killed(tmp_path, round, draw.uniform(0.0, 0.3))
        timeline = Timeline(tmp_path)
        events = list(timeline)
        assert [event.id for event in events] == [*range(1, len(events) + 1)]
        assert told <= len(events) <= told + 1
        store = MediaStore(tmp_path / "media")
        for event in events:
            if event.media is not None:
                store.get(event.media)
        for event in draw.sample(events, min(20, len(events))):
            assert timeline.search(f"number{event.id}", ALL, 1)[0][0] == event
        timeline.close()


# -- what is kept in mind --------------------------------------------------------------------------------------------


def test_what_is_kept_in_mind_of_words_changes_no_answer() -> None:
    draw = Random(0)
    words = [f"w{n}" for n in range(60)]
    narrow = Scope(frozenset({"phone"}), frozenset({Modality.AUDIO}))
    asking = [" ".join(draw.choices(words[:20], k=6)) for _ in range(4)]

    def answers(timeline: Timeline) -> list[object]:
        found = [
            [(event.id, score) for event, score in timeline.search(query, scope, 10, of)]
            for query in asking
            for scope in (ALL, narrow)
            for of in ((), ("text", "transcript"))
        ]
        latest = [
            [event.id for event in timeline.latest(scope, 20, of)]
            for scope in (ALL, narrow)
            for of in ((), ("text", "transcript"), ("context",))
        ]
        return [*found, *latest]

    timeline = Timeline()
    told = []
    for turn in range(60):
        for _ in range(50):
            text = " ".join(draw.choices(words, weights=[1 / (n + 1) for n in range(60)], k=8))
            env, modality = draw.choice(["phone", "desktop"]), draw.choice([Modality.AUDIO, Modality.ELEMENTS])
            kind = draw.choice(["text", "transcript", "sound"])
            told.append(said(text, float(turn), env=env, modality=modality, kind=kind))
        timeline.extend(told[-50:])
        found = answers(timeline)
        if turn % 20 == 19:
            fresh = Timeline()
            fresh.extend(told)
            assert found == answers(fresh)
            fresh.close()
    timeline.close()
