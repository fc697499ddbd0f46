"""Sub-tasks of `duet` in the Terminal, on the desktop."""

from __future__ import annotations

from collections.abc import Mapping

from omnipilot.bench.suites.duet.kit.desktop import (
    REMARKS,
    copies,
    lines_left,
    lines_of,
    reports,
    says_count,
)
from omnipilot.bench.suites.duet.kit.moves import on_desktop, strays
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Intent, OpenApp, Ref, TypeText
from omnipilot.envs.sim.state.account import Document
from omnipilot.envs.sim.state.files import exists
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.words.desktop import MACHINES


def _commands(*lines: str) -> list[Intent]:
    """Commands with absolute paths, so that they work in any directory."""
    return [
        OpenApp("Terminal"),
        *(TypeText(line, Ref("terminal/prompt"), clear=True, submit=True) for line in lines),
    ]


def _log(draw: TaskSampler, state: WorldState) -> Document:
    return draw.pick("documents", [document for document in state.account.documents if document.folder == "Server"])


def _count(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    log = _log(draw, state)
    word = draw.choice(("error", "slow", "restart", "ok"))
    count = str(sum(word in line for line in log.text.split("\n")))

    def counted(case: Case) -> bool:
        """Whether the number was reported, or all lines with the word were."""
        return says_count(reports(case, log.name, word), log.text, word, count)

    return Piece(
        JudgeGraph((Judge("lines counted", counted),)),
        state,
        lambda _: on_desktop(*_commands(f"grep -c {word} /{log.path}")),
        {"word": word, "log": log.path},
        Resource("text/number", count, f'the number of lines with "{word}"'),
        lambda _: on_desktop(*_commands("cd /Server", f"grep {word} {log.name} | wc -l")),
    )


COUNT_LINES = Template(
    "count-lines",
    'on the desktop, count in Terminal the lines with "{word}" in the file "{log}"',
    "desktop",
    "terminal",
    _count,
    output="text/number",
    dimension="semantic understanding",
)


def _extract(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    log = _log(draw, state)
    # "pump 1" is in the lines of "pump 12" too; such a word would be ambiguous.
    word = draw.choice([machine for machine in MACHINES if not any(machine in o for o in MACHINES if o != machine)])
    name = f"{log.name}-{draw.choice(('lines', 'part', 'check'))}"
    wanted = [line for line in log.text.split("\n") if word in line]
    draw.claim("paths", f"Server/{name}")
    draw.leave("lines", f"Server/{name}", lines_of("\n".join(wanted)))

    def written(case: Case) -> Verdict:
        now = case.state.account.document(f"Server/{name}")
        hit = now is not None and now.text.strip("\n").split("\n") == (wanted or [""])
        wrong = strays(case, "documents", draw)
        return Verdict(float(hit and not wrong), f"text: {now and now.text[:80]!r}; touched besides: {wrong}")

    return Piece(
        JudgeGraph((Judge("lines written", written),)),
        state,
        lambda _: on_desktop(*_commands(f'grep "{word}" /{log.path} > /Server/{name}')),
        {"word": word, "log": log.path, "file": f"Server/{name}"},
        Resource("file", f"Server/{name}", f'the file "{name}" in the folder "Server"'),
        lambda _: on_desktop(*_commands("cd /Server", f'cat {log.name} | grep "{word}" > {name}')),
    )


EXTRACT_LINES = Template(
    "extract-lines",
    'on the desktop, write in Terminal all lines with "{word}" of the file "{log}" into the new file "{file}"',
    "desktop",
    "terminal",
    _extract,
    output="file",
)


def _append(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    log, text = _log(draw, state), given["text"]
    draw.leave("lines", log.id, lines_of(f"{log.text}\n{text}"))

    def added(case: Case) -> Verdict:
        now = case.state.account.document(log.id)
        hit = now is not None and now.path == log.path and now.text.strip("\n") == f"{log.text}\n{text}"
        wrong = strays(case, "documents", draw)
        return Verdict(float(hit and not wrong), f"it ends: {now and now.text[-60:]!r}; touched besides: {wrong}")

    return Piece(
        JudgeGraph((Judge("line added", added),)),
        state,
        lambda _: on_desktop(*_commands(f'echo "{text}" >> /{log.path}')),
        {"log": log.path},
        Resource("file", log.id, f'the file "{log.name}" in the folder "Server"'),
        lambda _: on_desktop(*_commands("cd /Server", f'echo "{text}" >> {log.name}')),
    )


APPEND_LINE = Template(
    "append-line",
    'on the desktop, add {text} in Terminal as a line of its own at the end of the file "{log}"',
    "desktop",
    "terminal",
    _append,
    {"text": "text"},
    "file",
    lambda draw, _: {"text": draw.choice(REMARKS)},
)


def _tidy(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    log, name = _log(draw, state), given["text"]
    draw.claim("paths", f"Server/{name}")

    def moved(case: Case) -> Verdict:
        now = case.state.account.document(log.id)
        hit = now is not None and (now.path, now.text) == (f"Server/{name}/{log.name}", log.text)
        wrong = strays(case, "documents", draw) + copies(case, log)
        return Verdict(float(hit and not wrong), f"it is {now and now.path}; touched besides: {wrong}")

    made = Judge("folder made", lambda case: exists(case.state.account, f"Server/{name}"))
    return Piece(
        JudgeGraph.chain([made, Judge("log moved", moved)]),
        state,
        lambda _: on_desktop(*_commands(f'mkdir "/Server/{name}"', f'mv /{log.path} "/Server/{name}"')),
        {"log": log.path},
        alternative=lambda _: on_desktop(*_commands("cd /Server", f'mkdir "{name}"', f'mv {log.name} "{name}"')),
    )


TIDY_LOG = Template(
    "tidy-log",
    'on the desktop, make a folder inside the folder "Server" in Terminal, name it {text} and move the file '
    '"{log}" into it',
    "desktop",
    "terminal",
    _tidy,
    {"text": "text"},
    alone=lambda draw, _: {"text": draw.choice(("old", "checked", "week 12", "to keep"))},
)


def _rename(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    known = state.account.document(given["file"])
    folder, _, name = (known.path if known else given["file"]).rpartition("/")
    new = f"{name} {draw.choice(('final', 'checked', 'B', 'new'))}"
    lines = lines_left(draw, given["file"], state)
    draw.leave("lines", f"{folder}/{new}", lines)
    draw.claim("paths", f"{folder}/{new}")

    def renamed(case: Case) -> Verdict:
        account = case.state.account
        there, left = account.document(f"{folder}/{new}"), account.document(f"{folder}/{name}")
        wrong = strays(case, "documents", draw)
        same = there is not None and lines_of(there.text) == lines
        hit = there is not None and left is None and same and not wrong
        told = f"there: {there is not None}; its text: {same}; the old one left: {left is not None}"
        return Verdict(float(hit), f"{told}; touched besides: {wrong}")

    return Piece(
        JudgeGraph((Judge("file renamed", renamed),)),
        state,
        lambda _: on_desktop(*_commands(f'mv "/{folder}/{name}" "/{folder}/{new}"')),
        {"new": new},
        Resource("file", f"{folder}/{new}", f'the file "{new}"'),
        lambda _: on_desktop(*_commands(f'cd "/{folder}"', f'mv "{name}" "{new}"')),
    )


def _any_log(draw: TaskSampler, state: WorldState) -> Mapping[str, Resource]:
    log = _log(draw, state)
    return {"file": Resource("file", log.id, f'the file "{log.path}"')}


RENAME_MADE = Template(
    "rename-made",
    'on the desktop, rename {file} in Terminal to "{new}"',
    "desktop",
    "terminal",
    _rename,
    {"file": "file"},
    "file",
    _any_log,
    changes=True,
)

TEMPLATES = (COUNT_LINES, EXTRACT_LINES, APPEND_LINE, TIDY_LOG, RENAME_MADE)
