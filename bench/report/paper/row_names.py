"""How a user writes rows and columns of a table: SECTION/NAME=RUN, and FIGURE/TAG."""

from __future__ import annotations

from pathlib import Path


def split_run(argument: str) -> tuple[str, str, Path]:
    """The section, the name and the path of SECTION/NAME=RUN; "" for what is not given.

    The whole is a path where there is a file of that name, or no equals sign.
    """
    if Path(argument).exists() or "=" not in argument:
        return "", "", Path(argument)
    words, _, path = argument.partition("=")
    section, _, name = words.rpartition("/")
    return section.strip(), name.strip(), Path(path)


def split_column(text: str) -> tuple[str, str]:
    """The figure and the tag of FIGURE/TAG; "" where there is no tag."""
    figure, _, tag = text.strip().partition("/")
    return figure.strip(), tag.strip()


def screen_in(target: str) -> str:
    """The screen that a target's id begins with: "phone-light-messages-0" of "phone-light-messages-0/1"."""
    return target.rpartition("/")[0] or target
