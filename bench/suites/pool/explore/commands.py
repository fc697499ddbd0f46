"""Command lines to try in a terminal, made from its own help: one command a line, what it takes, and what it does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_GAP = re.compile(r"\s{2,}")
_OPTION = re.compile(r"-[a-z]")


@dataclass(frozen=True, slots=True)
class CommandUsage:
    """A command as a help text shows it.

    Attributes:
        options: such as "-r". takes: what stands after it there, in lower case: "file", "folder", "word"; nothing may
            stand where a line explains several commands at once.
    """

    name: str
    options: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()


def parse_usages(lines: Sequence[str]) -> list[CommandUsage]:
    """The commands of a help text whose lines are "name, name [-options] ARGUMENTS", a gap, and an explanation.

    Lines that begin with no name, such as one about ">", are passed over.
    """
    found = []
    for line in lines:
        usage = _GAP.split(line.strip())[0]
        options = tuple(_OPTION.findall(line))
        for part in usage.split(","):
            words = re.sub(r"[\[\]]", " ", part).split()
            if words and re.fullmatch(r"[a-z]{2,}", words[0]):
                takes = tuple(word.lower().rstrip("s") for word in words[1:] if word.isalpha())
                found.append(CommandUsage(words[0], options, takes))
    last = {usage.name: usage for usage in found}
    return list(last.values())


def command_lines(
    usages: Sequence[CommandUsage], file: str, folder: str, word: str, redirects: bool, held: str = ""
) -> Iterator[str]:
    """Lines to try: each command with nothing, and with each combination of at most two things.

    Args:
        file, folder: paths of some that exist, without spaces. word: a name that nothing has yet.
        redirects: whether the help speaks of ">" and ">>".
        held: a word that stands in the file; a new word if none does.
    """
    beside, inside = f"{file.rpartition('/')[0]}/{word}", f"{folder}/{word}"
    held = held or word
    pairs = (f"{file} {folder}", f"{file} {beside}", f"{file} {inside}", f"{folder} {word}", f"{held} {file}")
    for usage in usages:
        yield usage.name
        for argument in (file, folder, word, inside, *pairs):
            yield f"{usage.name} {argument}"
            for option in usage.options:
                yield f"{usage.name} {option} {argument}"
        if redirects:
            for argument in (file, word, f"{held} {file}"):
                yield f"{usage.name} {argument} > {inside}"
                yield f"{usage.name} {argument} >> {file}"
