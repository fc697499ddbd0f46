"""Filters of text: grep, head, tail, wc, cut, sort, uniq, tr, tee, xargs."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from omnipilot.envs.sim.adb.file_tree import FileError
from omnipilot.envs.sim.adb.patterns import grep_regex
from omnipilot.envs.sim.adb.process import Call, Command, flags

MOST = 16 * 1024 * 1024
"""Bytes of an input that a filter reads at once."""


async def _inputs(call: Call, names: list[str]) -> list[tuple[str, bytes]]:
    """Names and contents of the files, or standard input; missing ones are complained of."""
    found = []
    for name in names or ["-"]:
        if name == "-":
            found.append(("(standard input)", await call.stdin.everything(MOST)))
            continue
        try:
            found.append((name, call.read_file(name)))
        except FileError as error:
            await call.fail(f"{name}: {error}")
    return found


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n") if data else []


async def _grep(call: Call) -> int:
    name = call.name.rpartition("/")[2]
    try:
        options, rest = flags(call.args, "emABC", "EFivcnoqwxlhHrs")
        pattern = options["e"] if "e" in options else rest.pop(0) if rest else None
        if pattern is None:
            return await call.fail("no REGEX", 2)
        extended, fixed = "E" in options or name == "egrep", "F" in options or name == "fgrep"
        parts = pattern.split("\n")
        found = [grep_regex(part, extended, fixed, "i" in options) for part in parts[:50]]
        most = int(options["m"]) if "m" in options else None
        before = int(options.get("B", options.get("C", "0")))
        after = int(options.get("A", options.get("C", "0")))
    except ValueError as problem:
        return await call.fail(str(problem), 2)

    def fits(line: str) -> list[str]:
        hits = []
        for regex in found:
            for hit in regex.finditer(line):
                around = line[max(0, hit.start() - 1) : hit.start()] + line[hit.end() : hit.end() + 1]
                if "w" in options and any(char.isalnum() or char == "_" for char in around):
                    continue
                if "x" in options and hit[0] != line:
                    continue
                hits.append(hit[0])
                if "o" not in options:
                    return hits
        return hits

    status = 1
    inputs = await _inputs(call, rest)
    for file, data in inputs:
        prefix = f"{file}:" if (len(inputs) > 1 or "H" in options) and "h" not in options else ""
        lines, count, shown, out = _lines(data), 0, -1, []
        for number, line in enumerate(lines):
            hits = fits(line)
            if bool(hits) == ("v" in options):
                continue
            status, count = 0, count + 1
            if "q" in options:
                return 0
            if "o" in options and hits:
                out += [prefix + (f"{number + 1}:" if "n" in options else "") + hit for hit in hits if hit]
            else:
                for at in range(max(shown + 1, number - before), min(number + after + 1, len(lines))):
                    if at > shown:
                        mark = f"{at + 1}{':' if at == number else '-'}" if "n" in options else ""
                        out.append(prefix + mark + lines[at])
                        shown = at
            if most is not None and count >= most:
                break
        if "c" in options:
            await call.say(f"{prefix}{count}")
        elif "l" in options:
            await call.say(file if count else "")
        elif out:
            await call.say("\n".join(out) + "\n")
    return status


async def _head(call: Call) -> int:
    args = [f"-n{arg[1:]}" if re.fullmatch(r"-\d+", arg) else arg for arg in call.args]
    try:
        options, names = flags(args, "nc", "qv")
        lines, size = options.get("n", "10"), options.get("c")
        number = int((size or lines)[:9])
    except ValueError as problem:
        return await call.fail(str(problem))
    tail = call.name.endswith("tail")
    from_start = tail and (size or lines).startswith("+")
    for _, data in await _inputs(call, names):
        pieces: list[bytes] = [data[at : at + 1] for at in range(len(data))] if size and len(data) < 100_000 else []
        if size and not pieces:
            kept = data[-number:] if tail else data[:number]
            await call.out.write(kept if number else b"")
            continue
        pieces = pieces or data.splitlines(keepends=True)
        if from_start:
            chosen = pieces[max(0, number - 1) :]
        elif tail:
            chosen = pieces[-abs(number) :] if number else []
        else:
            chosen = pieces[:number]
        await call.out.write(b"".join(chosen))
    return 0


async def _wc(call: Call) -> int:
    try:
        options, names = flags(call.args, "", "lwcm")
    except ValueError as problem:
        return await call.fail(str(problem))
    letters = [letter for letter in "lwcm" if letter in options] or ["l", "w", "c"]
    for name, data in await _inputs(call, names):
        counts = {"l": data.count(b"\n"), "w": len(data.split()), "c": len(data)}
        counts["m"] = len(data.decode("utf-8", "replace"))
        text = " ".join(str(counts[letter]) for letter in letters)
        await call.say(f"{text} {name}" if names else text)
    return 0


async def _cut(call: Call) -> int:
    try:
        options, names = flags(call.args, "dfcb", "s")
        spec = options.get("f", options.get("c", options.get("b", "")))
        ranges = []
        for part in spec.split(",")[:100]:
            match = re.fullmatch(r"(\d{0,6})(-?)(\d{0,6})", part)
            if match is None or not part.strip("-"):
                raise ValueError("bad list")
            first = int(match[1] or 1)
            ranges.append((first, int(match[3]) if match[3] else 10**7 if match[2] else first))
    except ValueError as problem:
        return await call.fail(str(problem))
    delimiter = options.get("d", "\t")[:1]
    for _, data in await _inputs(call, names):
        out = []
        for line in _lines(data):
            fields: list[str] = line.split(delimiter) if "f" in options and delimiter else list(line)
            if "f" in options and len(fields) == 1:
                if "s" not in options:
                    out.append(line)
                continue
            chosen = [f for n, f in enumerate(fields, 1) if any(low <= n <= high for low, high in ranges)]
            out.append((delimiter if "f" in options else "").join(chosen))
        await call.say("\n".join(out) + "\n" if out else "")
    return 0


async def _sort(call: Call) -> int:
    try:
        options, names = flags(call.args, "kt", "rnufb")
    except ValueError as problem:
        return await call.fail(str(problem))
    lines = [line for _, data in await _inputs(call, names) for line in _lines(data)]

    def key(line: str) -> Any:
        if "k" in options:
            field = re.match(r"\d{1,4}", options["k"])
            parts = line.split(options["t"] if options.get("t") else None)
            at = int(field[0]) - 1 if field else 0
            line = parts[at] if 0 <= at < len(parts) else ""
        if "n" in options:
            number = re.match(r"\s*(-?\d{1,300}(?:\.\d+)?)", line)
            return float(number[1]) if number else 0.0
        return line.lower() if "f" in options else line

    lines = sorted(dict.fromkeys(lines) if "u" in options else lines, key=key, reverse="r" in options)
    await call.say("\n".join(lines) + "\n" if lines else "")
    return 0


async def _uniq(call: Call) -> int:
    try:
        options, names = flags(call.args, "", "cdu")
    except ValueError as problem:
        return await call.fail(str(problem))
    groups: list[tuple[str, int]] = []
    for _, data in await _inputs(call, names[:1]):
        for line in _lines(data):
            if groups and groups[-1][0] == line:
                groups[-1] = (line, groups[-1][1] + 1)
            else:
                groups.append((line, 1))
    chosen = [g for g in groups if ("d" not in options or g[1] > 1) and ("u" not in options or g[1] == 1)]
    out = [f"{count:>7} {line}" if "c" in options else line for line, count in chosen]
    await call.say("\n".join(out) + "\n" if out else "")
    return 0


def _letters(text: str) -> str:
    for short, long in (("\\n", "\n"), ("\\r", "\r"), ("\\t", "\t"), ("\\\\", "\\")):
        text = text.replace(short, long)
    ranges = {"a-z": "abcdefghijklmnopqrstuvwxyz", "A-Z": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0-9": "0123456789"}
    for short, long in {**ranges, "[:lower:]": ranges["a-z"], "[:upper:]": ranges["A-Z"]}.items():
        text = text.replace(short, long)
    return text


async def _tr(call: Call) -> int:
    args = list(call.args)
    delete = args[:1] == ["-d"]
    args = args[1:] if delete else args
    if not args or (not delete and len(args) < 2):
        return await call.fail("Needs 2 arguments")
    text = (await call.stdin.everything(MOST)).decode("utf-8", "surrogateescape")
    source = _letters(args[0])
    target = "" if delete else _letters(args[1])
    table = {
        ord(c): (None if delete else target[min(n, len(target) - 1)]) for n, c in enumerate(source) if delete or target
    }
    await call.out.write(text.translate(table).encode("utf-8", "surrogateescape"))
    return 0


async def _tee(call: Call) -> int:
    append = call.args[:1] == ["-a"]
    data = await call.stdin.everything(MOST)
    await call.out.write(data)
    for name in call.args[1:] if append else call.args:
        call.phone.files.write(call.shell.path(name), data, call.phone.unix(), append=append)
    return 0


async def _xargs(call: Call) -> int:
    words = (await call.stdin.everything(100_000)).decode("utf-8", "surrogateescape").split()
    command = call.shell.commands.get(call.args[0] if call.args else "echo")
    if command is None:
        return await call.fail(f"{call.args[0]}: No such file or directory", 127)
    inner = replace(call, name=call.args[0] if call.args else "echo", args=[*call.args[1:], *words])
    if command is _xargs:
        return await call.fail("nested too deeply")
    return await command(inner)


COMMANDS: dict[str, Command] = {
    **{"grep": _grep, "egrep": _grep, "fgrep": _grep, "head": _head, "tail": _head, "wc": _wc, "cut": _cut},
    **{"sort": _sort, "uniq": _uniq, "tr": _tr, "tee": _tee, "xargs": _xargs},
}
