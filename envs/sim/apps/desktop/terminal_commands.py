"""The terminal's commands: pure functions of the account's files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from omnipilot.envs.sim.apps.desktop.formulas import COLUMNS, cell, format_value, place_of, values
from omnipilot.envs.sim.state import files
from omnipilot.envs.sim.state.account import Account, Document
from omnipilot.envs.sim.state.desktop_data import Sheet
from omnipilot.envs.sim.state.files import File, Refused

HELP = """ls [folder]           what is in a folder (-l with sizes)
cd [folder], pwd      go to a folder, tell where
cat, head FILE        show a file, or its first ten lines
grep [-i -c -n -v] WORD FILES    lines with a word (-c counts them)
wc [-l -w] FILES      count lines, words, characters
mkdir, mv, cp, rm [-r]   make, move, copy, remove
echo WORDS            say something
history, clear        commands so far, empty the screen
>  >>  |              into a file, at its end, into the next command
*                     any letters: log-*     "Two words"   one name""".split("\n")


@dataclass(frozen=True, slots=True)
class Job:
    """One running command: the account, its words, and the piped input (or None)."""

    account: Account
    words: tuple[str, ...]
    given: tuple[str, ...] | None
    time: float

    @property
    def cwd(self) -> str:
        """The working folder of the terminal."""
        return self.account.console.cwd

    def options(self, known: str) -> tuple[set[str], list[str]]:
        """The letters of the options, and the other words."""
        letters = {c for word in self.words if word[:1] == "-" and len(word) > 1 for c in word[1:]}
        if letters - set(known):
            raise Refused(f"there is no option -{min(letters - set(known))}")
        return letters, [word for word in self.words if word[:1] != "-" or len(word) == 1]


Done = tuple[Account, Sequence[str]]
Command = Callable[[Job], Done]


def resolve(cwd: str, word: str) -> str:
    """Resolve a word to a path relative to a folder; "" is the root."""
    parts = [] if word[:1] in ("/", "~") else [part for part in cwd.split("/") if part]
    for part in word.lstrip("~").split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _file(job: Job, word: str) -> File:
    path = resolve(job.cwd, word)
    file = next((file for file in files.files(job.account) if files.path_of(file) == path), None)
    if file is None:
        raise Refused(f"{word} is a folder" if files.exists(job.account, path) else f"there is no file {word}")
    return file


def text_of(file: File) -> str:
    """A file as text: a document's text, or a sheet's values separated by commas."""
    if isinstance(file, Document):
        return file.text
    if not isinstance(file, Sheet):
        raise Refused(f"{file.name} is no text")
    found, last = values(file.cells), max((place_of(key)[1] for key in file.cells), default=-1)
    lines = [[format_value(found.get(cell(i, row), "")) for i in range(len(COLUMNS))] for row in range(last + 1)]
    return "\n".join(",".join(line).rstrip(",") for line in lines)


def _texts(job: Job, words: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Name and lines of each named file, or of the piped input."""
    if not words and job.given is not None:
        return [("", list(job.given))]
    if not words:
        raise Refused("say which file")
    return [(word, text_of(_file(job, word)).split("\n")) for word in words]


def _ls(job: Job) -> Done:
    letters, words = job.options("l")
    path = resolve(job.cwd, words[0] if words else "")
    if not files.exists(job.account, path):
        raise Refused(f"there is no {words[0]}")
    if path and path not in files.folders(job.account):
        return job.account, [words[0]]
    inside, lying = files.children(job.account, path)
    lines = [f"{files.name_of(folder)}/" for folder in inside]
    for file in lying:
        size = f"{len(text_of(file))}" if isinstance(file, Document | Sheet) else "-"
        lines.append(f"{files.kind_of(file):8}  {size:>6}  {file.name}" if "l" in letters else file.name)
    return job.account, lines


def _cd(job: Job) -> Done:
    path = resolve(job.cwd, job.words[0] if job.words else "/")
    if path and path not in files.folders(job.account):
        raise Refused(f"there is no folder {job.words[0]}")
    return replace(job.account, console=replace(job.account.console, cwd=path)), ()


def _cat(job: Job) -> Done:
    return job.account, [line for _, lines in _texts(job, job.words) for line in lines]


def _head(job: Job) -> Done:
    return job.account, [line for _, lines in _texts(job, job.words) for line in lines[:10]]


def _grep(job: Job) -> Done:
    letters, words = job.options("icnv")
    if not words:
        raise Refused("say which word")
    wanted = words[0].lower() if "i" in letters else words[0]
    texts = _texts(job, words[1:])
    found: list[str] = []
    for name, lines in texts:
        lead = f"{name}:" if len(texts) > 1 else ""
        hits = [
            (n, line)
            for n, line in enumerate(lines, 1)
            if (wanted in (line.lower() if "i" in letters else line)) != ("v" in letters)
        ]
        found += [f"{lead}{len(hits)}"] if "c" in letters else []
        found += [] if "c" in letters else [f"{lead}{f'{n}:' if 'n' in letters else ''}{line}" for n, line in hits]
    return job.account, found


def _wc(job: Job) -> Done:
    letters, words = job.options("lwc")
    found = []
    for name, lines in _texts(job, words):
        text = "\n".join(lines)
        counts = {"l": len(lines) if text else 0, "w": len(text.split()), "c": len(text)}
        found.append("  ".join([*(str(counts[key]) for key in "lwc" if key in (letters or "lwc")), name]).rstrip())
    return job.account, found


def _echo(job: Job) -> Done:
    return job.account, [" ".join(job.words)]


def _mkdir(job: Job) -> Done:
    account = job.account
    for word in job.words or _missing("folder"):
        path = resolve(job.cwd, word)
        account = files.make_folder(account, files.parent_of(path), files.name_of(path))
    return account, ()


def _missing(what: str) -> tuple[str, ...]:
    raise Refused(f"say which {what}")


def _carry(job: Job, copy: bool) -> Done:
    _, words = job.options("r")
    if len(words) < 2:
        raise Refused("say what, and where to")
    to, account = resolve(job.cwd, words[-1]), job.account
    into = to == "" or to in files.folders(account)
    if len(words) > 2 and not into:
        raise Refused(f"{words[-1]} is no folder")
    for word in words[:-1]:
        path = resolve(job.cwd, word)
        target, name = (to, files.name_of(path)) if into else (files.parent_of(to), files.name_of(to))
        if path and path in files.folders(account):
            if copy:
                raise Refused(f"{word} is a folder; only files are copied")
            account = files.move_folder(account, path, target, name)
        elif copy:
            account = files.copy_file(account, _file(job, word), target, job.time, name)
        else:
            account = files.move_file(account, _file(job, word), target, name)
    return account, ()


def _rm(job: Job) -> Done:
    letters, words = job.options("rf")
    account = job.account
    for word in words or _missing("file"):
        path = resolve(job.cwd, word)
        if path and path in files.folders(account):
            if "r" not in letters:
                raise Refused(f"{word} is a folder; rm -r removes it with everything in it")
            if f"{job.cwd}/".startswith(f"{path}/"):
                raise Refused("the terminal is in that folder")
            account = files.delete_folder(account, path)
        else:
            account = files.delete_file(account, _file(job, word))
    return account, ()


def _history(job: Job) -> Done:
    return job.account, [f"{n:4}  {line}" for n, line in enumerate(job.account.console.past, 1)]


COMMANDS: dict[str, Command] = {
    "ls": _ls,
    "cd": _cd,
    "pwd": lambda job: (job.account, [f"/{job.cwd}"]),
    "cat": _cat,
    "head": _head,
    "grep": _grep,
    "wc": _wc,
    "echo": _echo,
    "mkdir": _mkdir,
    "mv": lambda job: _carry(job, copy=False),
    "cp": lambda job: _carry(job, copy=True),
    "rm": _rm,
    "history": _history,
    "help": lambda job: (job.account, HELP),
}
