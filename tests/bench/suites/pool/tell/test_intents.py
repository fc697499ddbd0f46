"""Intents: frames for groups of subtasks, figures of a pool's intents, and a model that groups."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from chat_server import Answer, ChatServer
from typer.testing import CliRunner

from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.pool.commands.synth import synth
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import GraphRecord, TaskRecord
from omnipilot.bench.suites.pool.tell.acts import ACTS, act_of
from omnipilot.bench.suites.pool.tell.intent_measures import count_different, measure_intents, pair_information
from omnipilot.bench.suites.pool.tell.intents import (
    ERRANDS,
    Part,
    errands_of,
    fitting_frames,
    frames,
    intent_of,
    may_be_errands,
)
from omnipilot.bench.suites.pool.templates import hand_written_subtasks


def part(act: str, output: str = "", app: str = "notes", env: str = "phone", names: str = "") -> Part:
    return Part(act, app, env, output, frozenset(filter(None, [names])))


def names(parts: list[Part], *edges: tuple[int, int]) -> set[str]:
    return {frame.name for frame in fitting_frames(parts, frozenset(edges))}


def test_there_are_frames_enough_and_their_kinds_are_known() -> None:
    assert 20 <= len(frames()) <= 25
    assert len({frame.name for frame in frames()}) == len(frames())
    for frame in frames():
        kinds = set(re.findall(r"[a-z]+", " ".join((*frame.flows, *frame.needs)))) | frame.allows
        assert kinds <= set(ACTS), frame.name
        assert frame.requirements > 0


def test_intents_say_the_purpose_and_no_step_or_value() -> None:
    apps = {template.app for template in book("").templates.values()}
    for frame in frames():
        for sentence in frame.sentences:
            assert not re.search(r"\d|\"", sentence)
            assert not re.search(r"\b(open|press|type|click|then|Mail|Notes|Messages|Contacts)\b", sentence), sentence
            assert set(re.findall(r"\{(\w+)\}", sentence)) <= {"fact", "Fact"}
    assert "mail" in apps


def test_what_is_found_out_and_sent_is_brought_to_somebody() -> None:
    parts = [part("learn", "text/code"), part("tell")]
    assert "bring a fact to somebody" in names(parts, (0, 1))
    intent = intent_of(parts, frozenset({(0, 1)}), seed=1)
    assert intent is not None
    assert "a code" in intent.sentence


def test_parts_that_neither_hang_together_nor_share_a_subject_have_no_intent() -> None:
    assert names([part("learn", "text/code"), part("tell")]) == set()
    assert intent_of([part("learn", "text/code"), part("tell")], frozenset(), seed=1) is None
    delivery = [part("order", "text/code"), part("keep")]
    assert "get something delivered" in names(delivery, (0, 1))
    assert names(delivery) == set()


def test_a_shared_subject_stands_for_being_connected() -> None:
    assert names([part("set"), part("set")]) == {"have peace"}
    assert names([part("set"), part("set", env="desktop")]) == set()
    people = [part("mark", app="contacts", names="Eva"), part("tell", app="mail", names="Eva")]
    assert names(people) == {"keep up with people"}
    assert names([people[0], part("tell", app="mail", names="Ana")]) == set()


def test_a_record_of_pictures_has_pictures() -> None:
    found = [part("learn", "text/place", app="gallery"), part("keep")]
    assert "a record of pictures" in names(found, (0, 1))
    assert "a record of pictures" not in names([part("learn", "text/place", app="mail"), part("keep")], (0, 1))
    assert "a record of pictures" not in names([*found, part("keep", app="music")], (0, 1), (0, 2))


def test_two_facts_need_two_sources() -> None:
    facts = [part("learn", "text/code"), part("keep"), part("learn", "text/address")]
    assert "have things in one place" in names(facts, (0, 1), (2, 1))
    assert "have things in one place" not in names(facts[:2], (0, 1))
    intent = intent_of(facts, frozenset({(0, 1), (2, 1)}), seed=0, used={"one thing leads to many": 9})
    assert intent is not None
    assert "a code and an address" in intent.sentence


def test_frames_take_turns() -> None:
    facts, edges = [part("learn", "text/code"), part("keep"), part("tell")], frozenset({(0, 1), (0, 2)})
    used: dict[str, int] = {}
    for _ in range(12):
        intent = intent_of(facts, edges, 0, used)
        assert intent is not None
        used[intent.frame] = used.get(intent.frame, 0) + 1
    assert set(used) == {"one thing leads to many", "bring a fact to somebody"}


def test_errand_lists_are_one_in_eight_at_most() -> None:
    assert not may_be_errands({"get help": 6})
    assert may_be_errands({"get help": 7})
    assert not may_be_errands({"get help": 7, ERRANDS: 1})
    assert errands_of(3).frame == ERRANDS


def test_kinds_of_hand_written_subtasks() -> None:
    templates = book("").templates

    def act(id: str) -> str:
        template = templates[id]
        return act_of(re.sub(r"^on the \w+, ", "", template.instruction), template.app, (), bool(template.output))

    wanted = {
        "read-code": "learn",
        "spoken-number": "learn",
        "watch-doors": "learn",
        "text-contact": "tell",
        "reply-at-once": "react",
        "delete-note": "remove",
        "write-note": "keep",
        "add-event": "plan",
        "favourite-contact": "mark",
        "rename-file": "file",
        "order-product": "order",
        "set-alarm-sound": "set",
        "call-contact": "call",
    }
    assert {id: act(id) for id in wanted} == wanted
    assert act_of("add {text} somewhere", "phone/notes", ("+notes",)) == "keep"
    assert act_of("take {note} away", "phone/notes", ("-notes",)) == "remove"


@pytest.mark.parametrize(
    ("clause", "app", "effect", "kind"),
    [
        ("in Music, add {song} to {playlist}", "music", "~playlists.songs", "mark"),
        ("in Contacts, unblock {contact}", "contacts", "~contacts.blocked", "mark"),
        ("in Gallery, move {photo} to the bin", "gallery", "~photos.binned", "remove"),
        ("in Phone, keep {voicemail}", "phone", "~voicemails.kept", "keep"),
        ("in Browser, no longer save {place}", "browser", "~places.saved", "keep"),
        ("in Browser, send a question to the help desk with {text} as the text", "browser", "+tickets", "ask"),
        ("in Spreadsheet, sort {sheet} by its first column, Z to A", "sheets", "~sheets.cells", "reckon"),
        ("in Clock, let {alarm} ring every day", "clock", "~alarms.daily", "plan"),
    ],
)
def test_kinds_of_discovered_subtasks(clause: str, app: str, effect: str, kind: str) -> None:
    assert act_of(clause, app, (effect,)) == kind


def test_members_that_come_together_tell_about_each_other() -> None:
    together = [("a", "b"), ("c", "d")] * 10
    anyhow = [("a", "b"), ("c", "d"), ("a", "d"), ("c", "b"), ("a", "c"), ("b", "d")] * 10
    assert pair_information(together) == pytest.approx(2.0)
    assert pair_information(anyhow) < 0.5


def test_measures_of_a_pool() -> None:
    graphs = [
        GraphRecord(f"g{number}", ("a", "b") if number % 2 else ("c", "d"), (), ((0, 1),) if number else ())
        for number in range(20)
    ]
    tasks = [
        TaskRecord(graph.id, graph.id, "x", intent="Somebody waits." if at else "", frame="f" if at else "")
        for at, graph in enumerate(graphs)
    ]
    found = measure_intents(tasks, graphs)
    assert (found.tasks, found.with_intent, found.connected, found.errands) == (20, 0.95, 0.95, 0.0)
    assert found.information > 1.5 > found.by_chance
    assert (found.sentences, found.intents) == (1, 1)
    assert count_different(["A code is wanted", "A code is wanted soon", "Peace and quiet"]) == 2


GOOD = {
    "intent": "Somebody at the gate needs to get in.",
    "subtasks": ["read-gate-code", "text-contact"],
    "joins": [{"from": 1, "to": 2, "input": "text"}],
    "why": "x",
}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"subtasks": ["read-gate-code", "rm -rf /"]}, "there is no subtask rm -rf /"),
        ({"subtasks": ["read-gate-code"]}, "it has 1 subtasks, not 2"),
        ({"joins": []}, "do not hang together"),
        ({"joins": [{"from": 2, "to": 1, "input": "text"}]}, "its start has to stand before its end"),
        ({"joins": [{"from": 1, "to": 2, "input": "nothing"}]}, "has no input nothing"),
        ({"joins": [{"from": 1, "to": 2, "input": "contact"}]}, "yields no contact"),
        ({"joins": GOOD["joins"] * 2}, "joined twice"),  # type: ignore[operator]
        ({"intent": "Send 8925."}, "holds a value"),
        ({"intent": ""}, "its intent is empty"),
        ({"joins": "exec('x')"}, "a list of joins"),
    ],
)
def test_a_model_s_groups_are_checked(tmp_path: Path, change: dict[str, Any], why: str) -> None:
    pool = PoolFolder(tmp_path)
    pool.subtasks.write(hand_written_subtasks(), stage="subtasks", seed=0)
    reply = json.dumps({"groups": [GOOD, {**GOOD, **change}]})
    written = json.dumps({"instruction": "Send the gate code."})
    with ChatServer([Answer(reply), Answer(written)]) as server:
        more = ["--model", "openai-compatible/scripted", "--url", server.url, "--propose", "2", "--size", "2"]
        done = CliRunner().invoke(synth, ["tell", str(tmp_path), *more], catch_exceptions=False)
    assert "1 of 2 groups of the model hold" in done.output
    assert why in done.output
    [graph] = pool.graphs.read()
    assert graph.intent == GOOD["intent"]
    assert graph.figures == {"dependency": 1, "instruction": 2, "hierarchy": 2, "branch": 1, "knowledge": 1}
    [task] = pool.tasks.read()
    assert task.intent == GOOD["intent"]
