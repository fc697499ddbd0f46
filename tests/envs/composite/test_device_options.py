"""Every key of every kind of device, with a value of every type that TOML has: what fits is taken, the rest is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command_line import omnipilot

from omnipilot.envs import ConfigError
from omnipilot.envs.composite.device_options import misfit, option_words
from omnipilot.envs.composite.kinds import KINDS, load
from omnipilot.envs.composite.world_file import read_world, world_mistakes

VALUES: dict[str, tuple[str, ...]] = {
    "text": ('"some text"', "'''x'''"),
    "nul": ('"a\\u0000b"',),
    "size": ('"800x600"',),
    "int": ("5", "0"),
    "huge": ("9" * 40,),
    "float": ("2.5",),
    "inf": ("inf", "-inf", "nan"),
    "less": ("-5", "-2.5"),
    "bool": ("true",),
    "date": ("1979-05-27", "07:32:00", "1979-05-27T07:32:00Z"),
    "empty": ("[]",),
    "texts": ('["a", "b"]',),
    "ints": ("[1, 2]",),
    "mixed": ('["a", 1]', '["a", "b\\u0000"]'),
    "lists": ('[["a"]]',),
    "nothing": ("{}",),
    "table": ('{ a = "b" }',),
    "table of lists": ('{ a = ["b"] }',),
    "table of ints": ("{ a = 1 }",),
    "tables": ('[{ a = "b" }]',),
}
"""How values are written, by what they are."""
TEXT, TEXTS, NUMBER, TABLE = {"text", "size"}, {"texts", "empty"}, {"int", "float"}, {"table", "nothing"}
TAKEN: tuple[tuple[set[str], str], ...] = (
    ({"size"}, "desktop.size browser.size"),
    ({"bool"}, "browser.downloads browser.ignore_https_errors android.prepare"),
    (TEXTS, "desktop.programs android.commands android.stop remote.reset_command"),
    (TEXTS, "osworld.reset_command windows-agent-arena.reset_command"),
    ({"int"}, "desktop.processes desktop.disk desktop.memory android.cap"),
    (NUMBER, "android.command android.tree android.busy android.still desktop.deadline browser.scale"),
    (NUMBER, "pyautogui.still pyautogui.settle"),
    (TEXT, "pyautogui.display"),
    (NUMBER, "remote.timeout remote.wait remote.reset_seconds osworld.timeout osworld.settle osworld.reset_seconds"),
    (NUMBER, "windows-agent-arena.timeout windows-agent-arena.settle windows-agent-arena.reset_seconds"),
    (TEXT, "desktop.home desktop.window_manager desktop.input browser.url browser.profile browser.files"),
    (TEXT, "browser.user_agent browser.locale browser.timezone browser.http_credentials browser.storage_state"),
    (TEXT, "android.serial android.snapshot android.adb_server remote.url remote.token remote.judges_token"),
    (TEXT, "remote.token_file remote.judges_token_file remote.authority_file osworld.url osworld.python"),
    (TEXT, "windows-agent-arena.url windows-agent-arena.python"),
    (set(), "browser.dialogs browser.video browser.color_scheme android.sound"),
    ({"bool"} | TEXT, "browser.sound"),
    (TEXT | TEXTS, "browser.permissions"),
    (TEXT | {"ints", "empty"}, "browser.geolocation desktop.network"),
    (TABLE, "android.apps desktop.environment"),
    ({"table of lists", "nothing"}, "android.dialogs"),
)
FITS = {option: fits for fits, options in TAKEN for option in options.split()}
"""What each option takes: of those that take certain words, none of the above."""
WORDS = {f"{kind}.{option}": words for kind in KINDS for option, words in option_words(load(kind)).items()}


def world(folder: Path, text: str) -> Path:
    file = folder / "my-world.toml"
    file.write_text(text, encoding="utf-8")
    return file


def mistakes_about(key: str, file: Path) -> list[str]:
    """What is told of a key of the device `mine`."""
    try:
        read_world(file)
    except ConfigError as error:
        assert "my-world.toml" in str(error) and "Traceback" not in str(error)
        lines = [line.removeprefix(f"{file}: ").strip() for line in str(error).splitlines()]
        return [line for line in lines if line.startswith((f"devices.mine.{key} ", f"devices.mine.{key}:"))]
    return []


def test_every_option_of_every_kind_is_tried() -> None:
    assert set(FITS) == set(WORDS)


@pytest.mark.parametrize("option", WORDS)
def test_a_value_of_the_wrong_type_is_told_in_one_line_with_what_is_expected(option: str, tmp_path: Path) -> None:
    kind, _, key = option.partition(".")
    for what, values in VALUES.items():
        for value in values:
            told = mistakes_about(key, world(tmp_path, f'[devices.mine]\nkind = "{kind}"\n{key} = {value}\n'))
            of_type = [line for line in told if line.startswith(f"devices.mine.{key} must be {WORDS[option]}, not ")]
            if what in FITS[option]:
                assert not of_type, (value, told)
            elif what == "less" and FITS[option] & NUMBER and (value == "-5" or "float" in FITS[option]):
                assert told == [f"devices.mine.{key} must be at least 0, not {value}"]
            else:
                assert len(told) == len(of_type) == 1, (value, told)


@pytest.mark.parametrize("key", ["kind", "description", "applications"])
def test_what_every_device_has_is_checked_too(key: str, tmp_path: Path) -> None:
    fits = {"kind": set(), "description": TEXT, "applications": TEXTS}[key]
    other = "" if key == "kind" else 'kind = "phone"\n'
    for what, values in VALUES.items():
        for value in values:
            told = mistakes_about(key, world(tmp_path, f"[devices.mine]\n{other}{key} = {value}\n"))
            assert len(told) == (what not in fits), (key, value, told)


@pytest.mark.parametrize(
    "text", ["devices = 5", "devices = []", "[devices]\nmine = 5", "[devices]\nmine = ['a']", "x = 1"]
)
def test_what_is_no_table_of_devices_is_told(text: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="my-world.toml") as refused:
        read_world(world(tmp_path, text))
    assert "devices" in str(refused.value)


@pytest.mark.parametrize("table", [None, 5, "x", [], {}, {"devices": 5}, {"devices": {"a": 5}}, {"devices": {"a": {}}}])
def test_a_table_from_python_is_told_too(table: Any) -> None:
    assert list(world_mistakes(table))


@pytest.mark.exhibit("sim")
def test_the_dry_run_lists_every_mistake_of_a_world_file(tmp_path: Path) -> None:
    text = """
[devices.page]
kind = "browser"
permissions = 3
geolocation = "here"
files = "nowhere"
urll = "x"

[devices.laptop]
kind = "desktop"
size = 5
home = "nowhere"
programs = ["mousepda"]
window_manager = "kwin"
processes = 3

[devices.pc]
kind = "osworld"
url = "ftp://x"

[devices.mail]
kind = "fone"
"""
    file = world(tmp_path, text)
    done = omnipilot("run", "--world", str(file), "--task", "Look.", "--planner", "noop", "--dry-run")
    assert done.returncode == 2
    first, *lines = done.stderr.splitlines()
    assert first == f"omnipilot: {file} has 11 mistakes:"
    expected = {
        "devices.page.permissions": "must be a text or a list of texts, not 3",
        "devices.page.urll": "did you mean url",
        "devices.page.geolocation": "LATITUDE,LONGITUDE",
        "devices.page.files": str(tmp_path / "nowhere"),
        "devices.laptop.size": 'must be a size such as "1280x800", not 5',
        "devices.laptop.home": str(tmp_path / "nowhere"),
        "devices.laptop.programs": "did you mean mousepad",
        "devices.laptop.window_manager": "xfwm4",
        "devices.laptop.processes": "at least 100",
        "devices.pc.url": "http://HOST:PORT",
        "devices.mail.kind": "did you mean phone",
    }
    for key, words in expected.items():
        assert [line for line in lines if line.strip().startswith(key) and words in line], (key, done.stderr)


def test_the_words_of_a_type_are_those_that_a_reader_would_say() -> None:
    assert misfit(list[str], "x") == "a list of texts, not 'x'"
    assert misfit(dict[str, list[str]], 5) == "a table of lists of texts, not 5"
    assert misfit(int | str, 5) == ""
