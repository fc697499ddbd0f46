"""Names by rule say each change in words of its own."""

from __future__ import annotations

import pytest

from omnipilot.bench.suites.pool.records import Operation, SubtaskRecord
from omnipilot.bench.suites.pool.subtasks.naming import instruction_for, why_not_asked
from omnipilot.bench.suites.pool.subtasks.resource_types import predefined_types

TYPED = Operation("type", "phone", "tasks/edit/title", "{title_text}")


def record(app: str, env: str, effect: tuple[str, ...], holes: dict[str, str], *path: Operation) -> SubtaskRecord:
    return SubtaskRecord("one", "", app, env, effect=effect, holes=holes, path=path)


@pytest.mark.parametrize(
    ("subtask", "clause"),
    [
        (
            record(
                "Tasks",
                "phone",
                ("~todos.starred", "~todos.title"),
                {"todo": "item todos", "title_text": "text text/word"},
                Operation("click", "phone", "tasks/list/{todo}"),
                TYPED,
            ),
            "star {todo} and change the title to {title_text}",
        ),
        (
            record(
                "Tasks",
                "phone",
                ("~todos.due", "~todos.title"),
                {"todo": "item todos", "title_text": "text text/word"},
                Operation("click", "phone", "tasks/list/{todo}"),
                TYPED,
            ),
            "change the due date of {todo} to {after} and the title to {title_text}",
        ),
        (
            record(
                "Files",
                "desktop",
                ("~documents.folder",),
                {"dir": "item dirs", "document": "item documents", "dir_2": "item dirs"},
                Operation("click", "desktop", "files/tree/{dir}"),
                Operation("drag", "desktop", "files/list/{document}", to="files/tree/{dir_2}"),
            ),
            "move {document} to {dir_2}",
        ),
        (
            record(
                "Mail",
                "desktop",
                ("+mails",),
                {"mail": "item mails", "body_text": "text text"},
                Operation("click", "desktop", "mail/list/{mail}"),
                Operation("type", "desktop", "mail/compose/body", "{body_text}"),
            ),
            "answer {mail} with {body_text} as the text",
        ),
        (
            record(
                "Music",
                "phone",
                ("~playlists.songs",),
                {"playlist": "item playlists", "song": "item songs"},
                Operation("click", "phone", "music/lists/{playlist}"),
                Operation("menu", "phone", "music/playlist/{song}", "Remove"),
            ),
            "take {song} out of {playlist}",
        ),
        (
            record(
                "Clock",
                "phone",
                ("~alarms.enabled", "~alarms.hour", "~alarms.label"),
                {"alarm": "item alarms", "label_text": "text text/word"},
                Operation("click", "phone", "clock/alarms/{alarm}"),
                Operation("type", "phone", "clock/edit/label", "{label_text}"),
                Operation("click", "phone", "clock/edit/save"),
            ),
            "switch on {alarm} and change the hour to {after_hour} and the label to {label_text}",
        ),
        (
            record(
                "Music",
                "phone",
                ("~player.song", "~songs.favourite"),
                {"song": "item songs"},
                Operation("click", "phone", "music/songs/{song}"),
                Operation("click", "phone", "music/songs/{song}/favourite"),
            ),
            "play {song} and add it to the favourites",
        ),
        (
            record(
                "Terminal",
                "desktop",
                ("+documents",),
                {"document": "item documents", "dir": "item dirs"},
                Operation("type", "desktop", "terminal/prompt", "cp -r {document} {dir}", submit=True),
            ),
            "copy {document} into {dir}",
        ),
        (
            record(
                "Terminal",
                "desktop",
                ("~documents.folder", "~documents.name"),
                {"document": "item documents"},
                Operation("type", "desktop", "terminal/prompt", "mv {document} Documents/lantern", submit=True),
            ),
            'move {document} to "Documents/lantern"',
        ),
        (
            record(
                "Browser",
                "desktop",
                ("+routes",),
                {},
                Operation("type", "desktop", "browser/maps/from", "Mill"),
                Operation("type", "desktop", "browser/maps/to", "Park"),
                Operation("click", "desktop", "browser/maps/keep"),
            ),
            'save the route with "Mill" as the start and "Park" as the destination',
        ),
        (
            record(
                "Spreadsheet",
                "desktop",
                ("~sheets.cells",),
                {"sheet": "item sheets", "cell": "place cells"},
                Operation("click", "desktop", "sheets/list/{sheet}"),
                Operation("click", "desktop", "sheets/sheet/grid/{cell}"),
                Operation("click", "desktop", "sheets/sheet/sort-up"),
            ),
            "sort {sheet} by the column of the cell {cell}, A to Z",
        ),
    ],
)
def test_a_clause_tells_what_is_set_to_what_and_where(subtask: SubtaskRecord, clause: str) -> None:
    assert instruction_for(subtask, predefined_types()).split(", ", 2)[2] == clause


def command(line: str, effect: str, **holes: str) -> SubtaskRecord:
    return record(
        "Terminal", "desktop", (effect,), holes, Operation("type", "desktop", "terminal/prompt", line, submit=True)
    )


@pytest.mark.parametrize(
    ("subtask", "why"),
    [
        (
            record(
                "Music",
                "phone",
                ("~player.song",),
                {"song": "item songs", "song_2": "item songs"},
                Operation("click", "phone", "music/songs/{song}"),
                Operation("click", "phone", "music/songs/{song_2}"),
            ),
            "passes another item",
        ),
        (
            record(
                "Browser",
                "desktop",
                ("-visits",),
                {"product": "item products"},
                Operation("click", "desktop", "browser/shop/item/{product}"),
                Operation("click", "desktop", "browser/history/clear"),
            ),
            "passes another item",
        ),
        (
            record(
                "Text Editor",
                "desktop",
                ("+documents", "-documents"),
                {"document": "item documents"},
                Operation("menu", "desktop", "editor/files/{document}", "Delete"),
                Operation("click", "desktop", "editor/new"),
            ),
            "passes another item",
        ),
        (
            record(
                "Mail",
                "desktop",
                ("~mails.folder",),
                {"option": "option", "mail": "item mails"},
                Operation("option", "desktop", "mail/order", "{option}"),
                Operation("menu", "desktop", "mail/list/{mail}", "Archive"),
            ),
            "searches or sorts",
        ),
        (
            record(
                "Phone",
                "phone",
                ("+calls",),
                {"number": "place numbers", "call": "item calls"},
                Operation("menu", "phone", "phone/keypad/{number}", "+"),
                Operation("click", "phone", "phone/recents/{call}/call"),
            ),
            "not asked for",
        ),
        (
            command("mkdir {word} >> {document}", "~documents.text", word="text text", document="item documents"),
            "no words",
        ),
        (command("echo {word} >> {document}", "~documents.text", word="text text", document="item documents"), ""),
        (
            record(
                "Mail",
                "desktop",
                ("+mails",),
                {"mail": "item mails", "body_text": "text text"},
                Operation("click", "desktop", "mail/list/{mail}"),
                Operation("type", "desktop", "mail/compose/body", "{body_text}"),
            ),
            "",
        ),
    ],
)
def test_what_nobody_would_ask_for_is_no_subtask(subtask: SubtaskRecord, why: str) -> None:
    reason = why_not_asked(subtask, predefined_types())
    assert why in reason
    assert bool(reason) == bool(why)
