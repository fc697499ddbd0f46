"""The terminal's language: words, quotation marks, `*`, `>`, `>>` and `|`; executing a line on the account."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from omnipilot.envs.sim.apps.desktop.terminal_commands import COMMANDS, Done, Job, resolve
from omnipilot.envs.sim.state import files
from omnipilot.envs.sim.state.account import Account, Document
from omnipilot.envs.sim.state.files import Refused

MOST_LINES = 400


def prompt(account: Account) -> str:
    """The text before a command."""
    return f"{account.owner.name.split()[0].lower()}:/{account.console.cwd}$"


def run(account: Account, line: str, time: float) -> Account:
    """The account after a line of commands, with their output in its console; a refused command says why."""
    console = account.console
    line = line.strip()
    if line == "clear":
        return replace(account, console=replace(console, lines=(), past=(*console.past, line)))
    said = f"{prompt(account)} {line}"
    if not line:
        return _say(account, [said])
    account = replace(account, console=replace(console, past=(*console.past, line)))
    try:
        account, lines = _carry_out(account, line, time)
    except Refused as refused:
        # A line is executed completely or not at all.
        lines = [str(refused)]
    return _say(account, [said, *lines])


def _say(account: Account, lines: Sequence[str]) -> Account:
    kept = (*account.console.lines, *lines)[-MOST_LINES:]
    return replace(account, console=replace(account.console, lines=kept))


def _words(line: str) -> list[str]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|>")
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        return list(lexer)
    except ValueError:
        raise Refused("a quotation mark has no partner") from None


def _carry_out(account: Account, line: str, time: float) -> Done:
    words = _words(line)
    target, more = "", False
    for mark in (">>", ">"):
        if mark in words:
            if words.index(mark) != len(words) - 2:
                raise Refused(f"after {mark} comes the name of one file, at the end of the line")
            target, more, words = words[-1], mark == ">>", words[:-2]
            break
    given: tuple[str, ...] | None = None
    while words:
        end = words.index("|") if "|" in words else len(words)
        part, words = words[:end], words[end + 1 :]
        name = part[0] if part else ""
        if name not in COMMANDS:
            raise Refused(f"{name}: there is no such command; help tells which there are")
        try:
            job = Job(account, _expand(account, part[1:]), given, time)
            account, lines = COMMANDS[name](job)
        except Refused as refused:
            raise Refused(f"{name}: {refused}") from None
        given = tuple(lines)
    if not target:
        return account, given or ()
    path = resolve(account.console.cwd, target)
    known = files.file_of(account, path)
    old = f"{known.text}\n" if more and isinstance(known, Document) and known.text else ""
    return files.write_file(account, path, old + "\n".join(given or ()), time), ()


def _expand(account: Account, words: Sequence[str]) -> tuple[str, ...]:
    found: list[str] = []
    for word in words:
        folder, slash, pattern = word.rpartition("/")
        names: list[str] = []
        if "*" in pattern:
            inside, lying = files.children(account, resolve(account.console.cwd, folder + slash))
            all_names = sorted([*(files.name_of(path) for path in inside), *(file.name for file in lying)])
            names = [folder + slash + name for name in all_names if fnmatchcase(name, pattern)]
        found += names or [word]
    return tuple(found)
