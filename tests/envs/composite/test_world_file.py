from __future__ import annotations

from pathlib import Path

import pytest

from omnipilot.envs import ConfigError, Size
from omnipilot.envs.composite import open_world, read_world
from omnipilot.envs.composite.device_options import typed_options
from omnipilot.envs.composite.kinds import load
from omnipilot.envs.composite.world_file import with_options

FILE = """
[devices.mine]
kind = "phone"
description = "the user's own phone"
applications = ["Notes"]

[devices.page]
kind = "browser"
url = "about:blank"
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "world.toml"
    file.write_text(text)
    return file


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[devices]", "at least one device"),
        ("[device.a]\nkind = 'phone'", "devices"),
        ("[devices.a]\nkind = 'brwoser'", "devices.a.kind: there is no kind of device 'brwoser'; did you mean browser"),
        ("[devices.a]\nkind = 'browser'\nurll = 'x'", "takes no 'urll'; did you mean url"),
        ("[devices.a]\nurl = 'x'", "kind"),
        ("[devices.'a b']\nkind = 'phone'", "a b"),
        ("[devices.a]\nkind = 'phone'\napplications = 'Notes'", "applications"),
        ("[devices.a]\nkind = 'nowhere:Nothing'", "cannot be loaded"),
        (
            "[devices.a]\nkind = 'browser'\nsize = 'large'",
            "devices.a.size must be a size such as \"1280x800\", not 'large'",
        ),
        ("[devices.a", "not valid TOML"),
    ],
)
def test_a_wrong_file_is_refused_with_its_name_and_the_cure(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read_world(written(tmp_path, text))
    assert told in str(refused.value) and "world.toml" in str(refused.value)


@pytest.mark.exhibit("sim")
def test_options_go_to_the_devices_that_take_them(tmp_path: Path) -> None:
    table = read_world(written(tmp_path, FILE))
    assert with_options(table, {"url": "about:srcdoc"})["devices"]["page"]["url"] == "about:srcdoc"
    assert with_options(table, {"page": {"url": "http://x"}})["devices"]["page"]["url"] == "http://x"
    with pytest.raises(ConfigError, match="no device of this world takes the option 'inptu'"):
        with_options(table, {"inptu": "pyautogui"})
    assert "url" not in table["devices"]["mine"]


@pytest.mark.exhibit("sim")
def test_a_world_is_opened_as_described(tmp_path: Path) -> None:
    table = read_world(written(tmp_path, FILE.partition("[devices.page]")[0]))
    world = open_world(table)
    try:
        env = world.envs["mine"]
        assert (env.description, env.applications) == ("the user's own phone", ("Notes",))
    finally:
        world.close()


def test_sizes_are_texts_and_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    text = """
[devices.laptop]
kind = "desktop"
size = "1024x768"
home = "home"

[devices.page]
kind = "browser"
files = "{files}"
""".replace("{files}", str(tmp_path / "files"))
    for name in ("home", "files"):
        (tmp_path / name).mkdir()
    devices = read_world(written(tmp_path, text))["devices"]
    assert devices["laptop"]["home"] == str(tmp_path / "home") and devices["page"]["files"] == str(tmp_path / "files")
    made = typed_options(load("desktop"), {"size": "1024x768", "home": "h", "input": "xtest"})
    assert made == {"size": Size(1024, 768), "home": Path("h"), "input": "xtest"}
    assert typed_options(load("browser"), {"profile": "p"}) == {"profile": "p"}
