"""Command lines that are made from a help text."""

from __future__ import annotations

from omnipilot.bench.suites.pool.explore.commands import CommandUsage, command_lines, parse_usages

HELP = ("ls [folder]       what is in a folder (-l with sizes)", "mv, rm [-r]   move, remove", ">  >>   into a file")


def test_a_help_text_says_the_commands_and_their_options() -> None:
    assert parse_usages(HELP) == [
        CommandUsage("ls", ("-l",), ("folder",)),
        CommandUsage("mv", ("-r",)),
        CommandUsage("rm", ("-r",)),
    ]


def test_lines_combine_what_there_is_with_a_new_name() -> None:
    lines = list(command_lines([CommandUsage("mv", ("-r",))], "Notes/Plan", "Work", "lantern", redirects=True))
    assert {"mv Notes/Plan Work", "mv -r Work lantern", "mv lantern > Work/lantern"} <= set(lines)
    held = list(command_lines([CommandUsage("grep", ("-c",))], "Notes/Plan", "Work", "new", True, held="milk"))
    assert {"grep -c milk Notes/Plan", "grep milk Notes/Plan > Work/new"} <= set(held)
    assert not any(">" in line for line in command_lines([CommandUsage("mv")], "a", "b", "c", redirects=False))
