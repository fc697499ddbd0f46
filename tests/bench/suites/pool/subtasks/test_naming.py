"""Names by rule say each change in words of its own."""

from __future__ import annotations

import pytest

from omnipilot.bench.suites.pool.records import Operation, SubtaskRecord
from omnipilot.bench.suites.pool.subtasks.naming import instruction_for
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
            "move {document} to {dir_2} from {dir}",
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
            'change the songs of {playlist} by "Remove" of {song}',
        ),
    ],
)
def test_a_clause_tells_what_is_set_to_what_and_where(subtask: SubtaskRecord, clause: str) -> None:
    assert instruction_for(subtask, predefined_types()).split(", ", 2)[2] == clause
