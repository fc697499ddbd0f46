"""What a screen or a sound tells is proved by exchange, and becomes a subtask that yields it."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from explored_ways import FAVOURITE, TONES, screen_of

from omnipilot.bench.suites.duet.kit.play import demonstration, play
from omnipilot.bench.suites.duet.suite import quiet
from omnipilot.bench.suites.pool.explore.typed_values import WORD
from omnipilot.bench.suites.pool.records import Operation, SubtaskRecord
from omnipilot.bench.suites.pool.subtasks.analysis import content
from omnipilot.bench.suites.pool.subtasks.reading_subtasks import ProvedReading, readings_of
from omnipilot.bench.suites.pool.subtasks.resource_types import predefined_types
from omnipilot.bench.suites.pool.subtasks.telling import of_thing
from omnipilot.bench.suites.pool.templates import template_of
from omnipilot.bench.synthesis.compose import Composition, compose
from omnipilot.bench.synthesis.template import Template
from omnipilot.bench.tasks.graph import GraphEvaluator
from omnipilot.bench.tasks.judges import Case
from omnipilot.envs import OpenApp, Ref, TypeText
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.content.generate import initial_world
from omnipilot.memory import Move

VOICEMAIL = (
    Operation("click", "phone", "phone/tab/voicemail"),
    Operation("click", "phone", "phone/voicemail/voicemail-*"),
    Operation("click", "phone", "phone/message/play"),
)


def found(app: str, way: tuple[Operation, ...]) -> dict[str, ProvedReading]:
    return {
        reading.reveal.source: reading for reading in readings_of(screen_of(app, way), predefined_types(), Counter())
    }


def made(template: Template, instance: int, twin: int = 0) -> tuple[Composition, SimWorld]:
    task = compose([template], quiet(initial_world(instance)), instance, twin=twin)
    world = SimWorld()
    world.prepare(lambda _: task.state)
    return task, world


def test_the_card_of_a_contact_tells_the_number_and_the_name_is_no_reading() -> None:
    readings = found("phone/contacts", FAVOURITE[:1])
    assert {"contacts.phone", "contacts.email"} <= set(readings)
    assert "contacts.name" not in readings
    phone = readings["contacts.phone"]
    assert (phone.reveal.type, phone.reveal.channel, phone.reveal.level) == ("text/phone", "screen", "AV-present")
    subtask, turned = phone.subtasks
    assert subtask.instruction_template == "on the phone, in Contacts, open {contact} and read the phone number"
    assert subtask.effect == ()
    assert dict(subtask.inputs) == {"contact": "contact/existing"}
    assert turned.instruction_template == (
        "on the phone, in Contacts, find the contact whose phone number is {fact} and open it"
    )
    assert dict(turned.inputs) == {"fact": "text/phone"}
    assert turned.output_resources == ("contact/existing",)


def test_the_list_of_contacts_tells_no_number() -> None:
    search = (Operation("click", "phone", "contacts/list/favourites"),)
    assert "contacts.phone" not in found("phone/contacts", search)


def test_a_sound_that_no_screen_tells_is_critical() -> None:
    readings = found("desktop/signals", TONES)
    code = readings["signals.code"]
    assert (code.reveal.channel, code.reveal.level) == ("sound", "AV-critical")
    assert "signals.zone" not in readings


@pytest.mark.slow
def test_a_reading_is_solved_by_being_there_and_its_output_is_what_is_shown() -> None:
    subtask, turned = found("phone/contacts", FAVOURITE[:1])["contacts.email"].subtasks
    for instance in (1, 2, 3):
        task, world = made(template_of(subtask), instance)
        start = world.state()
        graph = GraphEvaluator(task.graph)
        graph.step(Case(world, start))
        assert not graph.success
        for move in demonstration(world, task.solutions()):
            play(world, move)
            graph.step(Case(world, start))
        assert graph.success
        output = task.parts[0].piece.output
        assert output is not None
        assert output.value in {person.email for person in start.account.contacts}
        assert any(output.value in (element.name, element.value) for element in world.envs["phone"].ui_tree())
    both = compose([template_of(subtask), template_of(turned)], quiet(initial_world(4)), 4)
    assert both.parts[1].takes == {"fact": 0}


@pytest.mark.slow
def test_what_is_only_heard_differs_between_twins_and_nothing_else_does() -> None:
    reading = found("phone/phone", VOICEMAIL)["voicemails.sound"]
    assert reading.reveal.level == "AV-critical"
    assert {one.output_resources[0] for one in reading.subtasks} >= {"text/code", "text/time", "tune/ringtone"}
    spoken = next(one for one in reading.subtasks if one.channel == "speech")
    (task, world), (twin, _) = (made(template_of(spoken), 3, twin) for twin in (0, 1))
    assert task.instruction == twin.instruction
    values = [one.parts[0].piece.output.value for one in (task, twin) if one.parts[0].piece.output]
    assert len(set(values)) == 2
    start = world.state()
    graph = GraphEvaluator(task.graph)
    moves = demonstration(world, task.solutions())
    for move in moves[:-1]:
        play(world, move)
        graph.step(Case(world, start))
    assert not graph.success
    play(world, moves[-1])
    graph.step(Case(world, start))
    assert graph.success


def test_a_note_may_name_a_person_who_is_what_the_reading_yields() -> None:
    opened = (Operation("click", "phone", "notes/notes/document-*"),)
    reading = found("phone/notes", opened)["documents.text"]
    named = next(one for one in reading.subtasks if one.plants == "contact")
    assert named.instruction_template == "on the phone, in Notes, open {document} and read who is named in it"
    assert named.output_resources == ("contact/existing",)
    task, _ = made(template_of(named), 2)
    output = task.parts[0].piece.output
    assert output is not None
    person = task.state.account.contact(output.value)
    assert person is not None
    assert any(person.name in one.text for one in task.state.account.documents)


def test_a_number_in_a_note_is_told_without_the_sentence_that_it_stands_in() -> None:
    opened = (Operation("click", "phone", "notes/notes/document-*"),)
    number = next(one for one in found("phone/notes", opened)["documents.text"].subtasks if one.plants == "text/number")
    for instance in range(4):
        output = made(template_of(number), instance)[0].parts[0].piece.output
        assert output is not None and output.value.isdecimal()


@pytest.mark.slow
def test_what_is_found_by_a_message_is_still_there_when_another_fact_is_put_into_it() -> None:
    opened = (Operation("click", "phone", "messages/threads/*"),)
    some = found("phone/messages", opened)["threads.messages"].subtasks
    finds = next(one for one in some if one.is_looked_for)
    code = next(one for one in some if one.plants == "text/code")
    both = compose([template_of(finds), template_of(code)], quiet(initial_world(4)), 4)
    (contact,) = [one.piece.output for one in both.parts[:1]]
    assert contact is not None and both.parts[1].takes
    thread = both.state.account.find("threads", contact.value)
    assert both.parts[0].inputs["fact"].value in thread.messages[-1].text


def test_a_picture_is_found_by_how_many_things_it_alone_shows() -> None:
    opened = (Operation("click", "phone", "gallery/photos/photo-*"),)
    _, turned = found("phone/gallery", opened)["photos.count"].subtasks
    assert turned.instruction_template == (
        "on the phone, in Gallery, find the picture that shows just {fact} things and open it"
    )
    assert turned.inputs == {}
    task, _ = made(template_of(turned), 2)
    output = task.parts[0].piece.output
    assert output is not None
    photos = {one.id: one for one in task.state.account.photos}
    count = photos[output.value].count
    assert f"just {count} things" in task.instruction.replace('"', "")
    assert sum(one.count == count for one in photos.values()) == 1


def test_a_sheet_is_read_in_the_first_cell_with_a_number() -> None:
    opened = (Operation("click", "desktop", "sheets/list/sheet-*"),)
    reading = found("desktop/sheets", opened)["sheets.cells"]
    (subtask,) = reading.subtasks
    assert subtask.instruction_template.endswith("open {sheet} and read the number in the cell {cell}")
    task, _ = made(template_of(subtask), 2)
    output = task.parts[0].piece.output
    assert output is not None
    sheet = next(one for one in task.state.account.sheets if f'"{one.name}"' in task.instruction)
    assert sheet.cells[task.instruction.rstrip(".").rpartition(" ")[2]] == output.value


def test_a_command_tells_a_number_that_it_works_out_from_a_file_with_a_word_of_it() -> None:
    subtask = counted_lines()
    assert subtask.instruction_template == (
        'on the desktop, in Terminal, run "grep -c" with {word} on {document} and read the number that it prints'
    )
    assert dict(subtask.holes) == {"word": "in document.text", "document": "item documents"}
    assert subtask.output_resources == ("text/number",)
    for instance in (1, 2, 3, 4):
        task, world = made(template_of(subtask), instance)
        start = world.state()
        output = task.parts[0].piece.output
        assert output is not None
        word, name, folder = re.findall(r'"([^"]+)"', task.instruction)[1:]
        text = next(one.text for one in start.account.documents if (one.name, one.folder) == (name, folder))
        assert output.value == str(sum(word in line for line in text.split("\n"))) != "0"
        graph = GraphEvaluator(task.graph)
        for move in (Move("desktop", OpenApp("Terminal")), *demonstration(world, task.solutions())):
            graph.step(Case(world, start))
            assert not graph.success
            play(world, move)
        graph.step(Case(world, start))
        assert graph.success


def test_a_number_printed_for_another_file_does_not_count() -> None:
    task, world = made(template_of(counted_lines()), 2)
    start = world.state()
    output = task.parts[0].piece.output
    assert output is not None
    graph = GraphEvaluator(task.graph)
    prompt = Ref("terminal/prompt")
    play(world, Move("desktop", OpenApp("Terminal")))
    for line in (f"echo {output.value}", "wc -l Notes/Nowhere"):
        play(world, Move("desktop", TypeText(line, prompt, clear=True, submit=True)))
        graph.step(Case(world, start))
    assert not graph.success


def counted_lines() -> SubtaskRecord:
    """The reading of how many lines of a file hold a word."""
    account = content(0).account
    file = next(one for one in account.documents if "\n" in one.text and " " not in one.path and WORD.search(one.text))
    held = WORD.findall(file.text)[0]
    typed = Operation("type", "desktop", "terminal/prompt", f"grep -c {held} {file.path}", submit=True)
    (reading,) = readings_of(screen_of("desktop/terminal", (typed,)), predefined_types(), Counter())
    (subtask,) = reading.subtasks
    return subtask


@pytest.mark.slow
def test_a_page_that_loads_is_waited_for_before_it_is_read() -> None:
    opened = (
        Operation("click", "desktop", "browser/start/help"),
        Operation("click", "desktop", "browser/help/item/article-*"),
    )
    reading = found("desktop/browser", opened)["articles.text"]
    assert "text/code" in {one.output_resources[0] for one in reading.subtasks}


def test_a_fact_is_spoken_of_as_somebody_would_say_it() -> None:
    assert of_thing("the place", "the event") == "the place of the event"
    assert of_thing("the code", "the note", "in") == "the code in the note"
    assert of_thing("when it begins", "the event") == "when the event begins"
    assert of_thing("the brightness", "") == "the brightness"
