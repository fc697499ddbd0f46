"""The phone's shell: carries out parsed lines on commands of its own, never on those of the machine that serves it."""

from __future__ import annotations

import asyncio
import fnmatch
from collections.abc import Mapping
from dataclasses import dataclass, replace

from omnipilot.envs.sim.adb.file_tree import FileError, FileTree
from omnipilot.envs.sim.adb.patterns import Steps, TooManySteps
from omnipilot.envs.sim.adb.phone import ServedPhone
from omnipilot.envs.sim.adb.process import Command, Process, Processes, RunningCommand
from omnipilot.envs.sim.adb.shell_grammar import (
    CaseCommand,
    For,
    If,
    Pipeline,
    Redirection,
    Script,
    ShellSyntaxError,
    Simple,
    While,
    Word,
    is_literal,
    parse,
)
from omnipilot.envs.sim.adb.streams import BrokenPipe, Content, Lines, Pipe, Writable
from omnipilot.envs.types.errors import OmnipilotError

MOST_STEPS = 100_000_000
"""Steps of one shell with all that it starts, about 100 ns each; then it is killed."""
STEPS_OF_COMMAND = 5_000
"""Steps that each command costs, whatever it does: after 20,000 of them a shell is killed."""
STEPS_OF_PATH = 20
"""Steps that it costs to look at a path by a pattern."""
MOST_CAPTURED = 1024 * 1024
"""Characters of a substituted command, of a word, of all arguments, or of all variables."""
MOST_WORDS = 20_000
"""Words of one command."""
MOST_PIPED = 32
"""Commands of one pipe."""
MOST_TO_FILE = 64 * 1024 * 1024
MOST_JOBS = 32
NOT_FOUND = 127
EDITORS = frozenset({"sed", "awk", "xargs", "perl", "python", "python3"})
"""Commands that people miss: each is a language of its own."""
INSTEAD = "; this phone has grep, cut, tr, head, tail and sort"
VARIABLES = {
    "PATH": "/product/bin:/apex/com.android.runtime/bin:/system/bin:/vendor/bin",
    "HOME": "/",
    "USER": "shell",
    "ANDROID_ROOT": "/system",
    "ANDROID_DATA": "/data",
    "EXTERNAL_STORAGE": "/sdcard",
    "SHELL": "/system/bin/sh",
    "TMPDIR": "/data/local/tmp",
    "HOSTNAME": "omnipilot",
}


class Exit(Exception):
    """`exit`, or the end of a shell that went too far."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class LeaveLoop(Exception):
    """`break` and `continue`.

    Attributes:
        levels: of loops that are left. again: the last of them goes on with its next round.
    """

    def __init__(self, levels: int, again: bool) -> None:
        super().__init__(levels, again)
        self.levels, self.again = levels, again


class TooManyWords(Exception):
    """A command has more or longer words than a shell takes."""


class Nothing:
    """/dev/null: nothing is read, what is written is gone."""

    async def read(self, most: int = 0) -> bytes:  # noqa: ARG002
        """Nothing."""
        return b""

    async def write(self, data: bytes) -> None:
        """Drop it."""


class Captured:
    """Keeps what is written, up to a limit; the rest is dropped."""

    def __init__(self, most: int) -> None:
        self.data = bytearray()
        self._most = most
        self.cut = False

    async def write(self, data: bytes) -> None:
        """See `Writable`."""
        self.cut = self.cut or len(self.data) + len(data) > self._most
        self.data += data[: self._most - len(self.data)]


class Mixed:
    """A file that is written to, at once or appended to."""

    def __init__(self, files: FileTree, path: str, append: bool, phone: ServedPhone) -> None:
        self._files, self._path, self._phone = files, path, phone
        self._data = bytearray()
        files.check_write(path)
        if not append or files.find(path) is None:
            files.write(path, b"", phone.unix())

    async def write(self, data: bytes) -> None:
        """See `Writable`; it reaches the file with `close`.

        Raises:
            FileError: there is no space left for it.
        """
        part = data[: MOST_TO_FILE - len(self._data)]
        self._files.reserve(len(part))
        self._data += part

    def close(self) -> None:
        """Write what has come to the file."""
        data = bytes(self._data)
        self._data.clear()
        self._files.reserve(-len(data))
        if data:
            self._files.write(self._path, data, self._phone.unix(), append=True)


@dataclass(slots=True)
class Io:
    """Where a command reads and writes."""

    stdin: Lines
    out: Writable
    err: Writable


class Shell:
    """One shell.

    Args:
        commands: by name.
        args: `$0`, `$1`, ….
    """

    def __init__(
        self,
        phone: ServedPhone,
        processes: Processes,
        commands: Mapping[str, Command],
        args: tuple[str, ...] = ("sh",),
        depth: int = 0,
    ) -> None:
        self.phone, self.processes, self.commands = phone, processes, commands
        self.args = args
        self.depth = depth
        self.folder = "/"
        self.variables = dict(VARIABLES)
        self.status = 0
        self.jobs: dict[int, asyncio.Task[int]] = {}
        self.last_job = 0
        self.steps = Steps(MOST_STEPS)
        self.loops = 0
        """Loops that are running, one within the other."""

    def copy(self, args: tuple[str, ...] | None = None) -> Shell:
        """A shell below this one, which changes nothing of it, but counts as the same."""
        other = Shell(self.phone, self.processes, self.commands, args or self.args, self.depth + 1)
        other.folder, other.variables, other.status = self.folder, dict(self.variables), self.status
        other.last_job, other.steps = self.last_job, self.steps
        return other

    async def run_text(self, text: str, io: Io) -> int:
        """Parse and run a line or a script, and wait for nothing that it put into the background.

        Returns:
            The status of its last command.
        """
        try:
            script = parse(text)
        except ShellSyntaxError as error:
            await io.err.write(f"/system/bin/sh: syntax error: {error}\n".encode("utf-8", "surrogateescape"))
            return 1
        try:
            return await self.run(script, io)
        except Exit as end:
            return end.status

    async def finish(self) -> None:
        """End what still runs in the background."""
        for task in self.jobs.values():
            task.cancel()
        await asyncio.gather(*self.jobs.values(), return_exceptions=True)
        self.jobs.clear()

    async def run(self, script: Script, io: Io) -> int:
        """Run a parsed script."""
        for step in script.steps:
            if step.background:
                await self._start(Script((replace(step, background=False),)), io)
                continue
            for joint, pipeline in step.pipelines:
                if (joint == "&&" and self.status) or (joint == "||" and not self.status):
                    continue
                self.status = await self._pipeline(pipeline, io)
        return self.status

    async def _start(self, script: Script, io: Io) -> None:
        """Start a script in the background, which reads nothing."""
        self.jobs = {pid: task for pid, task in self.jobs.items() if not task.done()}
        if len(self.jobs) >= MOST_JOBS or self.processes.full(self.depth > 0):
            await self._cannot_fork(io)
        process = self.processes.start("sh")
        below = self.copy()
        task = asyncio.create_task(self._job(below, script, Io(Lines(Nothing()), io.out, io.err), process))
        self.jobs[process.pid] = task
        self.last_job, self.status = process.pid, 0

    async def _cannot_fork(self, io: Io) -> None:
        """End the shell, because too much runs already."""
        await io.err.write(b"/system/bin/sh: fork failed: Try again\n")
        raise Exit(1)

    async def _job(self, shell: Shell, script: Script, io: Io, process: Process) -> int:
        shell._inherited = process
        try:
            return await shell.run(script, io)
        except Exit as end:
            return end.status
        except BrokenPipe:
            return 141
        finally:
            await shell.finish()
            self.processes.end(process)

    _inherited: Process | None = None

    async def _pipeline(self, pipeline: Pipeline, io: Io) -> int:
        if len(pipeline.commands) == 1:
            return await self._command(pipeline.commands[0], io)
        return await self._joined(pipeline, io)

    async def _joined(self, pipeline: Pipeline, io: Io) -> int:
        if len(pipeline.commands) > MOST_PIPED:
            await self._cannot_fork(io)
        pipes = [Pipe() for _ in pipeline.commands[1:]]

        async def one(number: int) -> int:
            source = io.stdin if number == 0 else Lines(pipes[number - 1])
            out = io.out if number == len(pipes) else pipes[number]
            shell = self.copy()
            try:
                return await shell._command(pipeline.commands[number], Io(source, out, io.err))
            except Exit as end:
                return end.status
            except BrokenPipe:
                return 141
            finally:
                await shell.finish()
                if number < len(pipes):
                    pipes[number].end()
                if number > 0:
                    pipes[number - 1].stop()

        tasks = [asyncio.create_task(one(number)) for number in range(len(pipeline.commands))]
        try:
            return (await asyncio.gather(*tasks))[-1]
        finally:
            for task in tasks:
                task.cancel()

    async def _command(self, command: Simple | If | While | For | CaseCommand, io: Io) -> int:
        closing: list[Mixed] = []
        try:
            self.steps.spend(STEPS_OF_COMMAND)
            await asyncio.sleep(0)
            io = await self._redirected(command.redirections, io, closing)
            if isinstance(command, If):
                return await self._if(command, io)
            if isinstance(command, While):
                return await self._while(command, io)
            if isinstance(command, For):
                return await self._for(command, io)
            if isinstance(command, CaseCommand):
                return await self._case(command, io)
            return await self._simple(command, io)
        except TooManyWords:
            await io.err.write(b"/system/bin/sh: Argument list too long\n")
            return 126
        except TooManySteps:
            await io.err.write(b"/system/bin/sh: Killed\n")
            raise Exit(137) from None
        except FileError as error:
            await io.err.write(f"/system/bin/sh: {error}\n".encode("utf-8", "surrogateescape"))
            return 1
        finally:
            for file in closing:
                try:
                    file.close()
                except FileError as error:
                    await io.err.write(f"/system/bin/sh: {error}\n".encode("utf-8", "surrogateescape"))

    async def _redirected(self, redirections: tuple[Redirection, ...], io: Io, closing: list[Mixed]) -> Io:
        io = replace(io)
        for one in redirections:
            target = " ".join(await self._expand(one.target, io))
            if one.operator == ">&":
                if target in ("1", "2"):
                    other = io.out if target == "1" else io.err
                    if one.fd == 1:
                        io.out = other
                    else:
                        io.err = other
                continue
            if one.operator == "<":
                if target == "/dev/null":
                    io.stdin = Lines(Nothing())
                else:
                    try:
                        data = self.phone.files.read(self.path(target))
                    except FileError as error:
                        raise FileError(error.code, f"can't open {target}: {error}") from None
                    io.stdin = Lines(Content(data))
                continue
            if target in ("/dev/null", "/dev/tty", "/dev/stdout"):
                out: Writable = Nothing() if target == "/dev/null" else io.out
            else:
                try:
                    out = Mixed(self.phone.files, self.path(target), one.operator == ">>", self.phone)
                except FileError as error:
                    raise FileError(error.code, f"can't create {target}: {error}") from None
                closing.append(out)
            if one.fd == 2:
                io.err = out
            else:
                io.out = out
        return io

    def path(self, path: str) -> str:
        """An absolute path."""
        return FileTree.resolve(path, self.folder)

    async def _if(self, command: If, io: Io) -> int:
        if await self.run(command.condition, io) == 0:
            return await self.run(command.body, io)
        return await self.run(command.otherwise, io) if command.otherwise is not None else 0

    async def _while(self, command: While, io: Io) -> int:
        status = 0
        self.loops += 1
        try:
            while True:
                try:
                    if (await self.run(command.condition, io) == 0) == command.until:
                        return status
                    status = await self.run(command.body, io)
                except LeaveLoop as leave:
                    if not self._goes_on(leave):
                        return 0
        finally:
            self.loops -= 1

    async def _for(self, command: For, io: Io) -> int:
        words = await self._words(command.words, io)
        status = 0
        self.loops += 1
        try:
            for word in words:
                self.set_variable(command.name, word)
                try:
                    status = await self.run(command.body, io)
                except LeaveLoop as leave:
                    if not self._goes_on(leave):
                        return 0
            return status
        finally:
            self.loops -= 1

    def _goes_on(self, leave: LeaveLoop) -> bool:
        """Whether the innermost loop goes on with its next round; one of those around it hears of it otherwise."""
        if leave.levels > 1 and self.loops > 1:
            raise LeaveLoop(leave.levels - 1, leave.again)
        return leave.again

    async def _leave_loop(self, words: list[str], io: Io) -> int:
        name, levels = words[0], words[1] if len(words) > 1 else "1"
        if not self.loops:
            await io.err.write(f"/system/bin/sh: {name}: can't {name}\n".encode())
            return 0
        if not (levels.isdecimal() and levels.isascii() and 0 < len(levels) < 4 and int(levels)):
            await io.err.write(f"/system/bin/sh: {name}: {levels}: bad number\n".encode("utf-8", "surrogateescape"))
            return 1
        raise LeaveLoop(int(levels), name == "continue")

    async def _case(self, command: CaseCommand, io: Io) -> int:
        value = (await self._expand(command.word, io))[0]
        for patterns, body in command.branches:
            for pattern in patterns:
                if await self._fits(value, pattern, io):
                    return await self.run(body, io) if body.steps else 0
        return 0

    async def _fits(self, value: str, pattern: Word, io: Io) -> bool:
        """Whether a value has the form of a pattern, of which quoted parts stand for themselves."""
        text = ""
        for part in pattern:
            said = part.text if part.kind == "text" else (await self._expand((part,), io))[0]
            text += _literal(said) if part.quoted else said
        self.steps.spend(len(value) * (1 + text.count("*")))
        return fnmatch.fnmatchcase(value, text)

    async def _tested(self, words: tuple[Word, ...], io: Io) -> list[str]:
        """The words of `[ … ]` for those of `[[ … ]]`, which are not split, and where = has a pattern at its right."""
        inside = [(await self._expand(word, io))[0] for word in words[1:-1]]
        if len(inside) == 3 and inside[1] in ("=", "==", "!="):
            fits = await self._fits(inside[0], words[3], io)
            inside = ["-n", "fits" if fits == (inside[1] != "!=") else ""]
        return ["[", *inside, "]"]

    async def _simple(self, command: Simple, io: Io) -> int:
        self.substituted = 0
        values = {name: " ".join(await self._expand(word, io)) for name, word in command.assignments}
        if command.words and is_literal(command.words[0], "[["):
            words = await self._tested(command.words, io)
        else:
            words = await self._words(command.words, io)
        while len(words) > 1 and words[0] in ("exec", "command", "toybox") and not words[1].startswith("-"):
            words.pop(0)
        if not words:
            self._set(values)
            return self.substituted
        name = words[0]
        if name in ("break", "continue"):
            return await self._leave_loop(words, io)
        run = self.commands.get(name.removeprefix("/system/bin/") if name.startswith("/system/bin/") else name)
        if run is None:
            return await self._unknown(name, words, io)
        if self._inherited is None and self.processes.full(self.depth > 0):
            await self._cannot_fork(io)
        inherited, self._inherited = self._inherited, None
        process = inherited or self.processes.start(name)
        process.name = name
        before = {key: self.variables.get(key) for key in values}
        self._set(values)
        call = RunningCommand(self.phone, self.processes, process, name, words[1:], io.stdin, io.out, io.err, self)
        try:
            return await run(call)
        except (FileError, OmnipilotError) as error:
            return await call.fail(str(error))
        finally:
            if inherited is None:
                self.processes.end(process)
            for key, old in before.items():
                if old is None:
                    self.variables.pop(key, None)
                else:
                    self.variables[key] = old

    async def _unknown(self, name: str, words: list[str], io: Io) -> int:
        if "/" in name:
            file = self.phone.files.find(self.path(name))
            if file is not None and not file.is_folder and file.mode & 0o111:
                return await self.script(file.data, tuple(words), io)
            if file is not None:
                await io.err.write(f"/system/bin/sh: {name}: can't execute: Permission denied\n".encode())
                return 126
        text = f"/system/bin/sh: {name}: inaccessible or not found{INSTEAD if name in EDITORS else ''}\n"
        await io.err.write(text.encode("utf-8", "surrogateescape"))
        return NOT_FOUND

    async def script(self, data: bytes, args: tuple[str, ...], io: Io) -> int:
        """Run a file's content in a shell below this one."""
        if self.depth > 16:
            await io.err.write(b"/system/bin/sh: nested too deeply\n")
            return 126
        below = self.copy(args)
        try:
            return await below.run_text(data.decode("utf-8", "surrogateescape"), io)
        finally:
            await below.finish()

    def _set(self, values: Mapping[str, str]) -> None:
        for name, value in values.items():
            self.set_variable(name, value)

    def set_variable(self, name: str, value: str) -> None:
        """Set a variable; past a thousand of them new ones are dropped.

        Raises:
            Exit: all of them together have become too large.
        """
        if len(self.variables) < 1000 or name in self.variables:
            self.variables[name] = value
        if sum(map(len, self.variables.values())) > MOST_CAPTURED:
            raise Exit(137)

    def value(self, name: str) -> str:
        """The value of a variable or special parameter."""
        special = {
            "?": str(self.status),
            "!": str(self.last_job or ""),
            "$": "3999",
            "#": str(len(self.args) - 1),
            "@": " ".join(self.args[1:]),
        }
        if name in special:
            return special[name]
        if name.isdecimal() and name.isascii():
            return self.args[int(name)] if len(name) < 4 and int(name) < len(self.args) else ""
        return self.variables.get(name, "")

    def sum(self, text: str) -> str:
        """What `i`, `i + 1` or `i - 1` is, within 32 bits as mksh counts; a variable that holds no number is 0."""
        one, *rest = text.split()
        total = self._number(one)
        if rest:
            sign, other = rest
            total += self._number(other) if sign == "+" else -self._number(other)
        return str((total + 2**31) % 2**32 - 2**31)

    def _number(self, name: str) -> int:
        said = name if name.isdigit() else self.value(name).strip()
        digits = said[1:] if said[:1] in ("+", "-") else said
        return int(said) if digits.isascii() and digits.isdigit() and len(digits) < 12 else 0

    async def _words(self, words: tuple[Word, ...], io: Io) -> list[str]:
        """The fields that the words of a command stand for.

        Raises:
            TooManyWords: they are too many, or too long all together.
        """
        found: list[str] = []
        size = 0
        for word in words:
            fields = await self._expand(word, io, split=True)
            size += sum(map(len, fields))
            found += fields
            if len(found) > MOST_WORDS or size > MOST_CAPTURED:
                raise TooManyWords
        return found

    async def _expand(self, word: Word, io: Io, split: bool = False) -> list[str]:
        """The fields that a word stands for; one without `split`."""
        fields: list[tuple[str, str, bool]] = []
        """Text, the same as a pattern, whether anything of it was quoted or written out."""
        text, pattern, there = "", "", False
        for part in word:
            if part.kind == "text":
                text += part.text
                pattern += _literal(part.text) if part.quoted else part.text
                there = there or part.quoted or bool(part.text)
                continue
            if part.kind == "variable":
                value = self.value(part.text)
            elif part.kind == "sum":
                value = self.sum(part.text)
            else:
                assert part.script is not None
                value = await self._substitute(part.script, io)
            self.steps.spend(len(value))
            if part.quoted or not split:
                text, pattern, there = text + value, pattern + _literal(value), there or part.quoted
                await self._check(text, io)
                continue
            pieces = value.split()
            if value[:1].isspace() and there:
                fields.append((text, pattern, there))
                text, pattern, there = "", "", False
            for number, piece in enumerate(pieces):
                if number:
                    fields.append((text, pattern, there))
                    text, pattern = "", ""
                text, pattern, there = text + piece, pattern + piece, True
            if value[-1:].isspace() and there:
                fields.append((text, pattern, there))
                text, pattern, there = "", "", False
            await self._check(text, io)
        await self._check(text, io)
        fields.append((text, pattern, there))
        if not split:
            return [fields[0][0]]
        found: list[str] = []
        for text, pattern, there in fields:
            if there:
                found += await self._glob(text, pattern)
                if len(found) > MOST_WORDS:
                    raise TooManyWords
        return found

    async def _check(self, text: str, io: Io) -> None:
        """End the shell if a word has grown beyond all measure."""
        if len(text) > MOST_CAPTURED:
            await io.err.write(b"/system/bin/sh: out of memory\n")
            raise Exit(137)

    async def _glob(self, text: str, pattern: str) -> list[str]:
        if not any(char in pattern.replace("[[]", "").replace("[*]", "").replace("[?]", "") for char in "*?["):
            return [text]
        whole = pattern if pattern.startswith("/") else f"{_literal(self.folder.rstrip('/'))}/{pattern}"
        try:
            start = FileTree.resolve(whole.split("*")[0].split("?")[0].split("[")[0].rpartition("/")[0] or "/")
        except FileError:
            return [text]
        levels = whole.count("/")
        if len(pattern) > 256 or pattern.count("*") > 8:
            return [text]
        for link in ("/storage/emulated/0", "/storage/self/primary", "/mnt/sdcard"):
            if whole.startswith(link + "/"):
                whole = "/sdcard" + whole[len(link) :]
                levels = whole.count("/")
        paths = self.phone.files.walk(start)
        self.steps.spend(STEPS_OF_PATH * len(paths))
        await asyncio.sleep(0)
        found = [p for p in paths if p.count("/") == levels and fnmatch.fnmatchcase(p, whole)]
        if not pattern.startswith("/"):
            found = [p[len(self.folder.rstrip("/")) + 1 :] for p in found]
        return found or [text]

    async def _substitute(self, script: Script, io: Io) -> str:
        captured = Captured(MOST_CAPTURED)
        below = self.copy()
        try:
            self.substituted = await below.run(script, Io(io.stdin, captured, io.err))
        except Exit as end:
            self.substituted = end.status
        finally:
            await below.finish()
        return bytes(captured.data).decode("utf-8", "surrogateescape").rstrip("\n").replace("\0", "")

    substituted = 0


def _literal(text: str) -> str:
    """Text as a pattern that matches itself."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in text)
