"""Filters of text: grep, head, tail, wc, cut, sort, tr."""

from __future__ import annotations

import itertools
import re
from collections.abc import AsyncIterator, Sequence
from typing import Any

from omnipilot.envs.sim.adb.file_tree import FileError
from omnipilot.envs.sim.adb.patterns import Steps, TooManySteps, grep_pattern
from omnipilot.envs.sim.adb.process import Command, RunningCommand, flags

MOST = 1024 * 1024
"""Bytes of an input that a filter reads at once."""
AT_ONCE = 10_000
"""Lines after which others have their turn."""
PAUSE_STEPS = 200_000
"""Steps after which others have their turn."""
MOST_WAITING = 64 * 1024
"""Characters of lines that wait to be written."""


async def _inputs(call: RunningCommand, names: list[str]) -> AsyncIterator[tuple[str, bytes]]:
    """Names and contents of the files, or standard input; those that are missing or too large are complained of."""
    for name in names or ["-"]:
        try:
            data = await call.stdin.everything(MOST + 1) if name == "-" else call.read_file(name)
        except FileError as error:
            await call.fail(f"{name}: {error}")
            continue
        await call.work(min(len(data), MOST))
        if len(data) > MOST:
            await call.fail(f"{name}: Cannot allocate memory")
        else:
            yield "(standard input)" if name == "-" else name, data


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n") if data else []


async def _grep(call: RunningCommand) -> int:
    name = call.name.rpartition("/")[2]
    try:
        options, rest = flags(call.args, "emABC", "EFivcnoqwxlhHrs")
        pattern = options["e"] if "e" in options else rest.pop(0) if rest else None
        if pattern is None:
            return await call.fail("no REGEX", 2)
        extended, fixed = "E" in options or name == "egrep", "F" in options or name == "fgrep"
        parts = pattern.split("\n")
        steps = Steps(within=call.shell.steps)
        found = [grep_pattern(part, extended, fixed, "i" in options, steps) for part in parts[:50]]
        most = int(options["m"]) if "m" in options else None
        before = int(options.get("B", options.get("C", "0")))
        after = int(options.get("A", options.get("C", "0")))
    except ValueError as problem:
        return await call.fail(str(problem), 2)

    def fits(line: str) -> list[str]:
        """What is found in a line; where it does not matter what, the line itself."""
        if "x" in options:
            return [line] if any(one.fits(line) for one in found) else []
        if not any(one.found_in(line) for one in found):
            return []
        if "o" not in options and "w" not in options:
            return [line]
        hits = []
        for one in found:
            for start, end in one.spans(line):
                around = line[max(0, start - 1) : start] + line[end : end + 1]
                if "w" not in options or not any(char.isalnum() or char == "_" for char in around):
                    hits.append(line[start:end])
        return hits

    status, paused = 1, 0
    try:
        async for file, data in _inputs(call, rest):
            prefix = f"{file}:" if (len(rest) > 1 or "H" in options) and "h" not in options else ""
            lines, count, shown = _lines(data), 0, -1
            out, size = list[str](), 0
            for number, line in enumerate(lines):
                if steps.spent - paused > PAUSE_STEPS:
                    paused = steps.spent
                    await call.work(0)
                hits = fits(line)
                if bool(hits) == ("v" in options):
                    continue
                status, count = 0, count + 1
                if "q" in options:
                    return 0
                if "c" in options or "l" in options:
                    continue
                if "o" in options and hits:
                    out += [prefix + (f"{number + 1}:" if "n" in options else "") + hit for hit in hits if hit]
                else:
                    for at in range(max(shown + 1, number - before), min(number + after + 1, len(lines))):
                        mark = f"{at + 1}{':' if at == number else '-'}" if "n" in options else ""
                        out.append(prefix + mark + lines[at])
                        shown = at
                        size += len(out[-1])
                        if size > MOST_WAITING:
                            await call.say("\n".join(out) + "\n")
                            await call.work(size)
                            out, size = [], 0
                if most is not None and count >= most:
                    break
            if "c" in options:
                await call.say(f"{prefix}{count}")
            elif "l" in options:
                await call.say(file if count else "")
            elif out:
                await call.say("\n".join(out) + "\n")
    except TooManySteps as problem:
        return await call.fail(str(problem), 2)
    return status


async def _head(call: RunningCommand) -> int:
    args = [f"-n{arg[1:]}" if re.fullmatch(r"-\d+", arg) else arg for arg in call.args]
    try:
        options, names = flags(args, "nc", "qv")
        lines, size = options.get("n", "10"), options.get("c")
        number = int((size or lines)[:9])
    except ValueError as problem:
        return await call.fail(str(problem))
    tail = call.name.endswith("tail")
    from_start = tail and (size or lines).startswith("+")
    async for _, data in _inputs(call, names):
        pieces: Sequence[bytes] = data.splitlines(keepends=True) if not size else ()
        first, last = 0, len(data) if size else len(pieces)
        if from_start:
            first = max(0, number - 1)
        elif tail:
            first = max(0, last - abs(number))
        else:
            last = min(last, number) if number >= 0 else max(0, last + number)
        await call.out.write(data[first:last] if size else b"".join(pieces[first:last]))
    return 0


async def _wc(call: RunningCommand) -> int:
    try:
        options, names = flags(call.args, "", "lwcm")
    except ValueError as problem:
        return await call.fail(str(problem))
    letters = [letter for letter in "lwcm" if letter in options] or ["l", "w", "c"]
    async for name, data in _inputs(call, names):
        counts = {"l": data.count(b"\n"), "w": len(data.split()), "c": len(data)}
        counts["m"] = len(data.decode("utf-8", "replace"))
        text = " ".join(str(counts[letter]) for letter in letters)
        await call.say(f"{text} {name}" if names else text)
    return 0


async def _cut(call: RunningCommand) -> int:
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
    ranges = _merge(ranges)
    async for _, data in _inputs(call, names):
        out = []
        for line in _lines(data):
            fields: Sequence[str] = line.split(delimiter) if "f" in options and delimiter else line
            if "f" in options and len(fields) == 1:
                if "s" not in options:
                    out.append(line)
                continue
            chosen = [fields[low - 1 : high] for low, high in ranges]
            out.append(delimiter.join(itertools.chain(*chosen)) if "f" in options else "".join(map("".join, chosen)))
        await call.work(len(data) + len(out) * len(ranges))
        await call.say("\n".join(out) + "\n" if out else "")
    return 0


def _merge(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges of whole numbers, their ends included, as ones that are in order and do not overlap."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted((max(low, 1), high) for low, high in ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(merged[-1][1], high)
        elif low <= high:
            merged.append((low, high))
    return merged


async def _sort(call: RunningCommand) -> int:
    try:
        options, names = flags(call.args, "kt", "rnufb")
    except ValueError as problem:
        return await call.fail(str(problem))
    lines: list[str] = []
    size = 0
    async for name, data in _inputs(call, names):
        size += len(data)
        if size > MOST:
            return await call.fail(f"{name}: Cannot allocate memory")
        lines += _lines(data)

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

    lines = list(dict.fromkeys(lines)) if "u" in options else lines
    keys: list[Any] = []
    for at in range(0, len(lines), AT_ONCE):
        await call.work(10 * AT_ONCE)
        keys += map(key, lines[at : at + AT_ONCE])
    order = sorted(range(len(lines)), key=keys.__getitem__, reverse="r" in options)
    lines = [lines[number] for number in order]
    await call.say("\n".join(lines) + "\n" if lines else "")
    return 0


def _letters(text: str) -> str:
    for short, long in (("\\n", "\n"), ("\\r", "\r"), ("\\t", "\t"), ("\\\\", "\\")):
        text = text.replace(short, long)
    ranges = {"a-z": "abcdefghijklmnopqrstuvwxyz", "A-Z": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0-9": "0123456789"}
    for short, long in {**ranges, "[:lower:]": ranges["a-z"], "[:upper:]": ranges["A-Z"]}.items():
        text = text.replace(short, long)
    return text


async def _tr(call: RunningCommand) -> int:
    args = list(call.args)
    delete = args[:1] == ["-d"]
    args = args[1:] if delete else args
    if not args or (not delete and len(args) < 2):
        return await call.fail("Needs 2 arguments")
    source = _letters(args[0])
    target = "" if delete else _letters(args[1])
    table = {
        ord(c): (None if delete else target[min(n, len(target) - 1)]) for n, c in enumerate(source) if delete or target
    }
    async for _, data in _inputs(call, []):
        text = data.decode("utf-8", "surrogateescape").translate(table)
        await call.out.write(text.encode("utf-8", "surrogateescape"))
    return 0


COMMANDS: dict[str, Command] = {
    "grep": _grep,
    "egrep": _grep,
    "fgrep": _grep,
    "head": _head,
    "tail": _head,
    "wc": _wc,
    "cut": _cut,
    "sort": _sort,
    "tr": _tr,
}
