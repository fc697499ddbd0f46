"""Files, variables, processes, and what the system says about itself."""

from __future__ import annotations

import asyncio
import base64
import fnmatch
import hashlib
import posixpath
import re
import stat as modes
from datetime import datetime, timedelta

from omnipilot.envs.sim.adb.file_tree import ABSENT, File, FileError
from omnipilot.envs.sim.adb.packages import PACKAGES, live_properties, process_of
from omnipilot.envs.sim.adb.process import INTERRUPT, KILLED, TERMINATE, Command, RunningCommand, flags
from omnipilot.envs.sim.adb.properties import PROPERTIES
from omnipilot.envs.sim.adb.shell import STEPS_OF_PATH, Exit, Io
from omnipilot.envs.sim.adb.shell_grammar import is_name

MOST_READ = 16 * 1024 * 1024
"""Bytes that `base64` reads at once."""
MOST_FORMAT = 1000
"""Characters of the form in which `stat` and `date` answer."""
PIECE = 64 * 1024
"""Characters that are written at once."""
LONGEST_SLEEP = 3600.0
SIGNALS = {"HUP": 1, "INT": INTERRUPT, "QUIT": 3, "KILL": KILLED, "TERM": TERMINATE}
BOOT_PROCESSES = ((1, "root", "init"), (412, "system", "system_server"), (3999, "shell", "sh"))


async def _echo(call: RunningCommand) -> int:
    args = list(call.args)
    newline = "\n"
    while args and re.fullmatch(r"-[neE]+", args[0]):
        newline = "" if "n" in args[0] else newline
        args.pop(0)
    await call.out.write((" ".join(args) + newline).encode("utf-8", "surrogateescape"))
    return 0


async def _printf(call: RunningCommand) -> int:
    if not call.args:
        return await call.fail("usage: printf FORMAT [ARG...]")
    form, args = call.args[0], iter(call.args[1:])
    for short, long in (("\\n", "\n"), ("\\t", "\t"), ("\\\\", "\\")):
        form = form.replace(short, long)

    def fill(match: re.Match[str]) -> str:
        if match[0] == "%%":
            return "%"
        value = next(args, "")
        return value if match[1] == "s" else str(int(value)) if re.fullmatch(r"-?\d{1,15}", value) else "0"

    await call.out.write(re.sub(r"%(?:%|([sd]))", fill, form).encode("utf-8", "surrogateescape"))
    return 0


async def _cd(call: RunningCommand) -> int:
    target = call.args[0] if call.args else "/"
    path = call.shell.path(target)
    file = call.phone.files.find(path)
    if file is None or not file.is_folder:
        return await call.fail(f"{target}: {'Not a directory' if file else 'No such file or directory'}", 2)
    call.shell.folder = path
    return 0


async def _pwd(call: RunningCommand) -> int:
    await call.say(call.folder)
    return 0


async def _cat(call: RunningCommand) -> int:
    status = 0
    for name in [arg for arg in call.args if arg == "-" or not arg.startswith("-")] or ["-"]:
        if name == "-":
            while data := await call.stdin.read():
                await call.out.write(data)
            continue
        try:
            await call.out.write(call.read_file(name))
        except FileError as error:
            status = await call.fail(f"{name}: {error}")
    return status


def _listed(name: str, path: str, file: File, long: bool) -> str:
    if not long:
        return name
    when = datetime(1970, 1, 1) + timedelta(seconds=min(max(file.time, 0), 2**33))
    size = 4096 if file.is_folder else len(file.data)
    group = "media_rw" if path.startswith("/sdcard") else "shell"
    return (
        f"{modes.filemode(file.mode)} {2 if file.is_folder else 1} shell {group} {size:>8} {when:%Y-%m-%d %H:%M} {name}"
    )


async def _ls(call: RunningCommand) -> int:
    try:
        options, names = flags(call.args, "", "laA1RdhstrFu")
    except ValueError as problem:
        return await call.fail(str(problem))
    files, status, lines = call.phone.files, 0, []
    hidden = "a" in options or "A" in options
    for name in names or ["."]:
        path = call.shell.path(name)
        file = files.find(path)
        if file is None:
            status = await call.fail(f"{name}: No such file or directory")
            continue
        if not file.is_folder or "d" in options:
            lines.append(_listed(name, path, file, "l" in options))
            continue
        await call.say("\n".join(lines))
        lines = []
        await call.work(STEPS_OF_PATH * files.count)
        if len(names) > 1:
            lines.append(f"{name}:")
        inside = [one for one in files.names(path) if hidden or not one.startswith(".")]
        entries = [(one, f"{path.rstrip('/')}/{one}") for one in inside]
        if "t" in options:
            entries.sort(key=lambda entry: -files.get(entry[1]).time)
        if "r" in options:
            entries.reverse()
        if "l" in options:
            lines.append(f"total {sum(len(files.get(p).data) // 1024 for _, p in entries)}")
        lines += [_listed(one, p, files.get(p), "l" in options) for one, p in entries]
    await call.say("\n".join(lines))
    return status


async def _rm(call: RunningCommand) -> int:
    try:
        options, names = flags(call.args, "", "rRfiv")
    except ValueError as problem:
        return await call.fail(str(problem))
    status = 0
    for name in names:
        try:
            call.phone.files.remove(call.shell.path(name), "r" in options or "R" in options)
            await call.work(STEPS_OF_PATH * call.phone.files.count)
        except FileError as error:
            if error.code != ABSENT or "f" not in options:
                status = await call.fail(f"{name}: {error}")
    return status


async def _mkdir(call: RunningCommand) -> int:
    try:
        options, names = flags(call.args, "m", "pv")
    except ValueError as problem:
        return await call.fail(str(problem))
    status = 0
    for name in names:
        try:
            call.phone.files.make_folder(call.shell.path(name), call.phone.unix(), "p" in options)
        except FileError as error:
            status = await call.fail(f"'{name}': {error}")
    return status


async def _rmdir(call: RunningCommand) -> int:
    status = 0
    for name in call.args:
        try:
            await call.work(STEPS_OF_PATH * call.phone.files.count)
            if call.phone.files.names(call.shell.path(name)):
                status = await call.fail(f"'{name}': Directory not empty")
            else:
                call.phone.files.remove(call.shell.path(name), tree=True)
        except FileError as error:
            status = await call.fail(f"'{name}': {error}")
    return status


async def _touch(call: RunningCommand) -> int:
    status = 0
    for name in [arg for arg in call.args if not arg.startswith("-")]:
        path, now = call.shell.path(name), call.phone.unix()
        try:
            if call.phone.files.find(path) is None:
                call.phone.files.write(path, b"", now)
            else:
                call.phone.files.change(path, time=now)
        except FileError as error:
            status = await call.fail(f"'{name}': {error}")
    return status


async def _copy(call: RunningCommand) -> int:
    try:
        options, names = flags(call.args, "", "aRrfpdvn")
    except ValueError as problem:
        return await call.fail(str(problem))
    move = call.name.endswith("mv")
    whole = move or bool(set("aRr") & set(options))
    files, target = call.phone.files, call.shell.path(names[-1]) if names else ""
    if len(names) < 2:
        return await call.fail("Needs 2 arguments")
    folder = files.find(target)
    if len(names) > 2 and (folder is None or not folder.is_folder):
        return await call.fail(f"'{names[-1]}': Not a directory")
    status = 0
    for name in names[:-1]:
        source = call.shell.path(name)
        # `cp -a FROM/. TO` copies what is in FROM, not the folder itself.
        inside = folder is not None and folder.is_folder and posixpath.basename(name) != "."
        to = f"{target.rstrip('/')}/{posixpath.basename(source)}" if inside else target
        try:
            if files.get(source).is_folder and not whole:
                status = await call.fail(f"'{name}': Is a directory")
                continue
            if source == to or to.startswith(source.rstrip("/") + "/"):
                continue
            paths = files.walk(source)
            await call.work(STEPS_OF_PATH * files.count)
            for path in paths:
                one, place = files.get(path), to + path[len(source) :]
                if one.is_folder:
                    files.make_folder(place, call.phone.unix(), parents=True)
                else:
                    files.write(place, one.data, call.phone.unix(), one.mode)
            if move:
                files.remove(source, tree=True)
        except FileError as error:
            status = await call.fail(f"'{name}': {error}")
    return status


async def _chmod(call: RunningCommand) -> int:
    args = [arg for arg in call.args if arg not in ("-R", "-v")]
    mode, names = (args[0], args[1:]) if args else ("", [])
    status = 0
    for name in names:
        path = call.shell.path(name)
        try:
            old = call.phone.files.get(path).mode
            plus = {"+x": old | 0o111, "-x": old & ~0o111, "+r": old | 0o444, "+w": old | 0o222}.get(
                mode.lstrip("ugoa")
            )
            number = int(mode, 8) if re.fullmatch(r"[0-7]{3,4}", mode) else plus
            if number is None:
                return await call.fail(f"bad mode '{mode}'")
            call.phone.files.change(path, mode=number)
        except FileError as error:
            status = await call.fail(f"'{name}': {error}")
    return status


async def _stat(call: RunningCommand) -> int:
    try:
        options, names = flags(call.args, "c", "Lf")
    except ValueError as problem:
        return await call.fail(str(problem))
    status = 0
    for name in names:
        file = call.phone.files.find(call.shell.path(name))
        if file is None:
            status = await call.fail(f"'{name}': No such file or directory")
            continue
        size = 4096 if file.is_folder else len(file.data)
        values = {"s": str(size), "n": name, "Y": str(file.time), "a": f"{file.mode & 0o777:o}", "f": f"{file.mode:x}"}
        values["F"] = "directory" if file.is_folder else "regular file"
        form = options.get("c", "  File: %n\n  Size: %s\tType: %F\nAccess: (%a)\nModify: %Y")[:MOST_FORMAT]
        await call.work(len(form))
        await call.say(re.sub(r"%(.)", lambda match, values=values: values.get(match[1], "?"), form))  # type: ignore[misc]
    return status


async def _digest(call: RunningCommand) -> int:
    kind = {"md5": "md5", "md5sum": "md5", "sha1sum": "sha1", "sha256sum": "sha256"}[call.name.rpartition("/")[2]]
    status, names = 0, [arg for arg in call.args if not arg.startswith("-")]
    brief = "-b" in call.args
    if not names:
        whole = hashlib.new(kind)
        while data := await call.stdin.read():
            whole.update(data)
        await call.say(f"{whole.hexdigest()}  -")
    for name in names:
        try:
            data = call.read_file(name)
            await call.work(len(data) // 100)
            digest = hashlib.new(kind, data).hexdigest()
            await call.say(digest if brief else f"{digest}  {name}")
        except FileError as error:
            status = await call.fail(f"{name}: {error}")
    return status


async def _base64(call: RunningCommand) -> int:
    try:
        options, names = flags(call.args, "w", "di")
        data = call.read_file(names[0]) if names else await call.stdin.everything(MOST_READ + 1)
        if len(data) > MOST_READ:
            return await call.fail("Cannot allocate memory")
        if "d" in options:
            await call.out.write(base64.b64decode(data, validate=False))
        else:
            text = base64.b64encode(data).decode()
            width = int(options.get("w", "76")) or len(text) or 1
            some = max(1, PIECE // width) * max(1, width)
            for start in range(0, len(text), some):
                part = text[start : start + some]
                await call.work(len(part))
                await call.say("\n".join(part[at : at + width] for at in range(0, len(part), width)))
    except ValueError as problem:
        return await call.fail(str(problem))
    return 0


async def _find(call: RunningCommand) -> int:
    args = list(call.args)
    starts = []
    while args and not args[0].startswith("-"):
        starts.append(args.pop(0))
    ways: list[list[tuple[str, str]]] = [[]]
    """What a path has to pass, joined by `-o`."""
    depths, delete = {"-mindepth": 0, "-maxdepth": 99}, False
    while args:
        test = args.pop(0)
        if test == "-print":
            continue
        if test == "-delete":
            delete = True
            continue
        if test == "-o":
            ways.append([])
            continue
        if test not in ("-name", "-iname", "-type", *depths) or not args:
            return await call.fail(f"bad arg '{test}'")
        value = args.pop(0)
        if test in depths:
            depths[test] = int(value) if value.isdecimal() and len(value) < 4 else 99
        else:
            ways[-1].append((test, value))
    tests = sum(map(len, ways))
    status = 0
    for start in starts or ["."]:
        path = call.shell.path(start)
        if call.phone.files.find(path) is None:
            status = await call.fail(f"'{start}': No such file or directory")
            continue
        paths = call.phone.files.walk(path)
        await call.work(STEPS_OF_PATH * len(paths) * (1 + tests))
        # What is in a folder is deleted before it.
        for number, one in enumerate(reversed(paths) if delete else paths):
            if number % 500 == 499:
                await call.work(0)
            rest = one[len(path.rstrip("/")) :]
            name, folder = posixpath.basename(one), call.phone.files.get(one).is_folder
            fits = {"-name": name, "-iname": name.lower(), "-type": "d" if folder else "f"}
            if not depths["-mindepth"] <= rest.count("/") <= depths["-maxdepth"] or not any(
                all(_glob_fits(fits[test], test, value) for test, value in way) for way in ways
            ):
                continue
            if not delete:
                await call.say(start.rstrip("/") + rest if rest else start)
                continue
            try:
                if folder and call.phone.files.names(one):
                    status = await call.fail(f"{one}: Directory not empty")
                else:
                    call.phone.files.remove(one, tree=folder)
            except FileError as error:
                status = await call.fail(f"{one}: {error}")
    return status


def _glob_fits(text: str, test: str, pattern: str) -> bool:
    return fnmatch.fnmatchcase(text, (pattern.lower() if test == "-iname" else pattern)[:256])


async def _df(call: RunningCommand) -> int:
    free = call.phone.files.most_bytes // 1024
    await call.say(
        "Filesystem     1K-blocks    Used Available Use% Mounted on\n"
        f"/dev/fuse      {free:>9} {0:>7} {free:>9}   0% /storage/emulated"
    )
    return 0


async def _test(call: RunningCommand) -> int:
    args = list(call.args)
    if call.name.endswith("[") and (not args or args.pop() != "]"):
        return await call.fail("missing ]", 2)
    negated = args[:1] == ["!"]
    args = args[1:] if negated else args
    found = False
    if len(args) == 1:
        found = bool(args[0])
    elif len(args) == 2:
        file = call.phone.files.find(call.shell.path(args[1]))
        unary = {
            "-z": not args[1],
            "-n": bool(args[1]),
            "-e": file is not None,
            "-r": file is not None,
            "-f": file is not None and not file.is_folder,
            "-d": file is not None and file.is_folder,
            "-s": file is not None and bool(file.data),
            "-w": file is not None,
            "-x": file is not None and bool(file.mode & 0o111),
        }
        if args[0] not in unary:
            return await call.fail(f"{args[0]}: unexpected operator", 2)
        found = unary[args[0]]
    elif len(args) == 3:
        left, operator, right = args
        if operator in ("=", "==", "!="):
            found = (left == right) == (operator != "!=")
        else:
            try:
                one, other = int(left[:20]), int(right[:20])
                compared = {"-eq": one == other, "-ne": one != other, "-lt": one < other, "-le": one <= other}
                found = {**compared, "-gt": one > other, "-ge": one >= other}[operator]
            except (ValueError, KeyError):
                return await call.fail(f"{operator}: unexpected operator or operand", 2)
    elif args:
        return await call.fail("too many arguments", 2)
    return int(found == negated)


async def _true(call: RunningCommand) -> int:  # noqa: ARG001
    return 0


async def _false(call: RunningCommand) -> int:  # noqa: ARG001
    return 1


async def _exit(call: RunningCommand) -> int:
    text = call.args[0] if call.args else str(call.shell.status)
    raise Exit(int(text) & 0xFF if re.fullmatch(r"\d{1,6}", text) else 2)


async def _export(call: RunningCommand) -> int:
    for arg in call.args:
        name, equals, value = arg.partition("=")
        if not is_name(name):
            return await call.fail(f"{name}: is not an identifier")
        if equals:
            call.shell.set_variable(name, value)
    return 0


async def _env(call: RunningCommand) -> int:
    await call.say("\n".join(f"{name}={value}" for name, value in sorted(call.shell.variables.items())))
    return 0


async def _read(call: RunningCommand) -> int:
    names = [arg for arg in call.args if is_name(arg)]
    line = (await call.stdin.line()).decode("utf-8", "surrogateescape")
    values = line.rstrip("\n").split(None, max(0, len(names) - 1)) if names else []
    for number, name in enumerate(names or ["REPLY"]):
        call.shell.set_variable(name, values[number].strip() if number < len(values) else "")
    return int(not line)


async def _sleep(call: RunningCommand) -> int:
    match = re.fullmatch(r"(\d{1,6}(?:\.\d{1,9})?)([smh]?)", call.args[0] if call.args else "")
    if match is None:
        return await call.fail("bad number")
    seconds = float(match[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[match[2]]
    return 130 if await call.pause(min(seconds, LONGEST_SLEEP)) else 0


async def _wait(call: RunningCommand) -> int:
    chosen = [int(arg) for arg in call.args if arg.isdecimal() and len(arg) < 9] or list(call.shell.jobs)
    status = 0
    for pid in chosen:
        task = call.shell.jobs.get(pid)
        if task is not None:
            await asyncio.wait([task])
            status = task.result() if not task.cancelled() else 143
            call.shell.jobs.pop(pid, None)
    return status


def _signal(args: list[str]) -> tuple[int, list[str]]:
    number = TERMINATE
    if args and args[0].startswith("-"):
        name = args[0].lstrip("-").upper().removeprefix("SIG")
        rest = args[1:]
        if name in ("S", "L") and rest:
            name, rest = rest[0].upper().removeprefix("SIG"), rest[1:]
        number = SIGNALS.get(name, int(name) if name.isdecimal() and len(name) < 3 else TERMINATE)
        return number, rest
    return number, args


async def _kill(call: RunningCommand) -> int:
    number, targets = _signal(list(call.args))
    status = 0
    for target in targets:
        process = call.processes.running.get(int(target)) if target.isdecimal() and len(target) < 9 else None
        if process is None:
            status = await call.fail(f"{target}: No such process")
        else:
            process.send(number)
    return status


async def _pkill(call: RunningCommand) -> int:
    number, names = _signal([arg for arg in call.args if arg not in ("-f", "-x", "-l")])
    found = [
        process
        for process in list(call.processes.running.values())
        if process is not call.process and any(name and name in process.name for name in names)
    ]
    for process in found:
        process.send(number)
    return int(not found)


def _running(call: RunningCommand) -> list[tuple[int, str, str]]:
    """Number, user and name of every process: apps are processes too."""
    apps = [
        (process_of(PACKAGES[window.app]), PACKAGES[window.app].name)
        for window in call.phone.state().phone.windows
        if window.app in PACKAGES
    ]
    return [
        *BOOT_PROCESSES,
        *((pid, f"u0_a{pid % 100 + 50}", name) for pid, name in apps),
        *((process.pid, "shell", process.name) for process in call.processes.running.values()),
    ]


async def _pidof(call: RunningCommand) -> int:
    names = [arg for arg in call.args if not arg.startswith("-")]
    found = [str(pid) for pid, _, name in _running(call) if name in names and pid != call.process.pid]
    if call.name.endswith("pgrep"):
        found = [
            str(pid) for pid, _, name in _running(call) if pid != call.process.pid and any(one in name for one in names)
        ]
        await call.say("\n".join(found))
    else:
        await call.say(" ".join(found))
    return int(not found)


async def _ps(call: RunningCommand) -> int:
    lines = [f"{'USER':<13}{'PID':>6}{'PPID':>6}{'VSZ':>10}{'RSS':>8} {'WCHAN':<12}{'ADDR':>10} {'S':<2}NAME"]
    lines += [
        f"{user:<13}{pid:>6}{1:>6}{1_204_000:>10}{90_000:>8} {'do_epoll':<12}{0:>10} {'S':<2}{name}"
        for pid, user, name in _running(call)
    ]
    await call.say("\n".join(lines))
    return 0


async def _sh(call: RunningCommand) -> int:
    io = Io(call.stdin, call.out, call.err)
    args = list(call.args)
    if args[:1] == ["-c"]:
        if len(args) < 2:
            return await call.fail("-c: requires an argument", 2)
        return await call.shell.script(args[1].encode("utf-8", "surrogateescape"), tuple(args[2:] or ["sh"]), io)
    args = [arg for arg in args if not arg.startswith("-")] if not args[:1] or args[0].startswith("-") else args
    if args:
        try:
            data = call.phone.files.read(call.shell.path(args[0]))
        except FileError as error:
            return await call.fail(f"{args[0]}: {error}", 127)
        return await call.shell.script(data, tuple(args), io)
    return await call.shell.script(await call.stdin.everything(1024 * 1024), ("sh",), io)


async def _which(call: RunningCommand) -> int:
    status = 0
    for name in call.args:
        if name in call.shell.commands:
            await call.say(f"/system/bin/{name}")
        else:
            status = 1
    return status


async def _date(call: RunningCommand) -> int:
    now = call.phone.date()
    if any(arg[:1] not in ("+", "-") for arg in call.args):
        return await call.fail("cannot set date: Operation not permitted")
    form = next((arg[1:] for arg in call.args if arg.startswith("+")), "%a %b %e %H:%M:%S UTC %Y")
    number = call.phone.now
    form = form[:MOST_FORMAT].replace("%s", str(call.phone.unix())).replace("%N", f"{int(number % 1 * 1e9):09d}")
    # Python's strftime differs by platform for other letters.
    texts = {letter: now.strftime(f"%{letter}") for letter in "aAbBdHIjmMpSyYFTD"}
    texts.update(e=f"{now.day:>2}", Z="UTC", z="+0000", n="\n", R=f"{now:%H:%M}")
    texts["%"] = "%"
    await call.say(re.sub(r"%(.)", lambda match: texts.get(match[1], match[0]), form))
    return 0


async def _whoami(call: RunningCommand) -> int:
    await call.say("shell")
    return 0


async def _id(call: RunningCommand) -> int:
    await call.say(
        "2000"
        if "-u" in call.args
        else "uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log),1015(sdcard_rw),3003(inet) "
        "context=u:r:shell:s0"
    )
    return 0


async def _uname(call: RunningCommand) -> int:
    parts = {"s": "Linux", "n": "localhost", "r": "6.1.23-android14-4", "v": "#1 SMP PREEMPT", "m": "x86_64"}
    letters = "".join(arg.lstrip("-") for arg in call.args if arg.startswith("-")) or "s"
    chosen = (
        [*parts.values(), "Android"] if "a" in letters else [parts[letter] for letter in parts if letter in letters]
    )
    await call.say(" ".join(chosen))
    return 0


async def _getprop(call: RunningCommand) -> int:
    known = {**PROPERTIES, **live_properties(call.phone)}
    if call.args:
        name = call.args[0]
        await call.out.write((known.get(name, call.args[1] if len(call.args) > 1 else "") + "\n").encode())
    else:
        await call.say("\n".join(f"[{name}]: [{value}]" for name, value in sorted(known.items())))
    return 0


async def _setprop(call: RunningCommand) -> int:
    if len(call.args) < 2:
        return await call.fail("Need 2 arguments")
    return await call.fail(f"failed to set property '{call.args[0]}' to '{call.args[1]}'")


async def _uptime(call: RunningCommand) -> int:
    minutes = int(call.phone.uptime() // 60)
    now, up = f"{call.phone.date():%H:%M:%S}", f"{minutes // 60}:{minutes % 60:02d}"
    await call.say(f" {now} up {up},  0 users,  load average: 0.20, 0.15, 0.10")
    return 0


COMMANDS: dict[str, Command] = {
    "echo": _echo,
    "printf": _printf,
    "cd": _cd,
    "pwd": _pwd,
    "cat": _cat,
    "ls": _ls,
    "rm": _rm,
    "mkdir": _mkdir,
    "rmdir": _rmdir,
    "touch": _touch,
    "cp": _copy,
    "mv": _copy,
    "chmod": _chmod,
    "stat": _stat,
    "find": _find,
    "md5": _digest,
    "md5sum": _digest,
    "sha1sum": _digest,
    "sha256sum": _digest,
    "base64": _base64,
    "df": _df,
    "test": _test,
    "[": _test,
    "true": _true,
    ":": _true,
    "false": _false,
    "exit": _exit,
    "export": _export,
    "env": _env,
    "read": _read,
    "sleep": _sleep,
    "wait": _wait,
    "kill": _kill,
    "pkill": _pkill,
    "killall": _pkill,
    "pidof": _pidof,
    "pgrep": _pidof,
    "ps": _ps,
    "sh": _sh,
    "which": _which,
    "date": _date,
    "whoami": _whoami,
    "id": _id,
    "uname": _uname,
    "getprop": _getprop,
    "setprop": _setprop,
    "uptime": _uptime,
    "sync": _true,
    "stop": _true,
}
