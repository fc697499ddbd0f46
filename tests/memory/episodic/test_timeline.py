"""The timeline: what is appended is found, by time, by order and by words."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.envs import Modality
from omnipilot.memory.episodic import Scope, Timeline, TimelineEvent, event_index
from omnipilot.memory.episodic.event_index import terms_of
from omnipilot.memory.episodic.events import EVENT_KINDS, TimelineError
from omnipilot.memory.episodic.timeline import READY

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


@pytest.mark.parametrize("span", [(1.0, 0.5), (float("nan"), 1.0), (0.0, float("inf"))])
def test_an_event_without_a_span_is_refused(span: tuple[float, float]) -> None:
    timeline = Timeline()
    with pytest.raises(TimelineError, match="a start and an end"):
        timeline.append(said("x", end=span[1], start=span[0]))
    assert len(timeline) == 0


def test_a_timeline_is_emptied() -> None:
    timeline = Timeline()
    timeline.append(said("code"))
    timeline.clear()
    assert len(timeline) == 0 and timeline.search("code", ALL, 1) == [] and timeline.append(said("code")).id == 1


def test_a_closed_timeline_says_so() -> None:
    timeline = Timeline()
    timeline.append(said("code"))
    timeline.close()
    timeline.close()
    with pytest.raises(TimelineError, match="closed"):
        timeline.latest(ALL, 1)
    with pytest.raises(TimelineError, match="closed"):
        timeline.append(said("more"))


def test_a_timeline_that_outgrows_memory_lies_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("omnipilot.memory.episodic.timeline.IN_MEMORY", 10_000)
    timeline = Timeline()
    kept = timeline.extend([said(f"number{i} of many", float(i)) for i in range(2 * READY)])
    assert timeline._lines._rolled  # type: ignore[attr-defined]
    assert list(timeline) == kept and timeline.get(7) == kept[6]
    kept.append(timeline.append(said("after it was read")))
    assert timeline.search("after", ALL, 1)[0][0] == kept[-1] and list(timeline) == kept
    timeline.close()


@pytest.mark.parametrize("block", [event_index.BLOCK, 2])
def test_scores_are_those_of_bm25_over_what_is_admitted(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_index, "BLOCK", block)
    draw = Random(3)
    timeline = Timeline()
    for i in range(300):
        words = " ".join(draw.choices(WORDS[:5], k=draw.randint(1, 9)))
        timeline.append(
            said(words, float(i), env=draw.choice(["phone", "desktop"]), kind=draw.choice(["text", "note"]))
        )
    scope = Scope(frozenset({"phone"}), frozenset(Modality))
    texts = {event.id: set(terms_of(event.text)) for event in timeline if event.env == "phone"}
    usual = sum(map(len, texts.values())) / len(texts)
    query = terms_of("code anna spoke")
    holding = {word: sum(word in text for text in texts.values()) for word in query}
    scores = {
        id: sum(math.log(1 + (len(texts) - holding[w] + 0.5) / (holding[w] + 0.5)) for w in query if w in text)
        * 2.2
        / (1 + 1.2 * (0.25 + 0.75 * len(text) / usual))
        for id, text in texts.items()
    }
    chosen = (id for id in scores if scores[id] and timeline.get(id).kind == "text")
    wanted = sorted(chosen, key=lambda id: (-round(scores[id], 5), -id))
    for limit in (7, 300):
        found = timeline.search("code anna spoke", scope, limit, ("text",))
        assert [event.id for event, _ in found] == wanted[:limit]
        assert [score for _, score in found] == pytest.approx([scores[id] for id in wanted[:limit]], rel=1e-5)


@pytest.mark.parametrize("block", [event_index.BLOCK, 2])
def test_of_many_events_that_say_the_same_the_newest_come_first(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_index, "BLOCK", block)
    timeline = Timeline()
    timeline.extend([said("click"), *(said(text) for text in ["click again", "click"] * 50)])
    found = [event.id for event, _ in timeline.search("click", ALL, 5)]
    assert found == [101, 99, 97, 95, 93]
    assert timeline.search("click", ALL, 0) == []


def test_asking_in_between_changes_no_answer() -> None:
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
