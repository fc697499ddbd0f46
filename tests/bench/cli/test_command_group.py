"""The list of commands imports none of them; those of plug-ins are called by name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import typer.main
from command_line import omnipilot
from installed_plugin import environment

from omnipilot.bench.cli.app import app
from omnipilot.bench.cli.parsing.command_group import HEADINGS, OWN
from omnipilot.envs import Command, ConfigError, Plugin
from omnipilot.envs.installed_plugins import Broken, Installed, Plugins, installed_plugins

DECLARED = {name: one for found in installed_plugins().working for name, one in found.plugin.commands.items()}


@pytest.mark.parametrize("name", DECLARED)
def test_a_command_of_a_plugin_says_of_itself_what_its_record_says(name: str) -> None:
    command = typer.main.get_command(app).get_command(None, name)  # type: ignore[attr-defined]
    assert " ".join(command.help.split()) == DECLARED[name].help


@pytest.mark.exhibit("duet", "rules")
def test_the_list_of_commands_imports_no_plugin_s_module() -> None:
    script = """
import sys
from omnipilot.bench.cli.app import app
from typer.testing import CliRunner
done = CliRunner().invoke(app, ["--help"])
assert done.exit_code == 0 and "\\n  train " in done.output, done.output
rooms = [name for name in sys.modules if name.startswith(("omnipilot.bench.suites.", "omnipilot.bench.training."))]
print(*(name for name in rooms if not name.endswith(".plugin") and not hasattr(sys.modules[name], "__path__")))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == ""


def test_a_stranger_s_command_is_listed_last_and_called(plugin: Path, tmp_path: Path) -> None:
    script = """
from command_line import omnipilot
print(omnipilot("--help").stdout)
print(omnipilot("miniature", "m", "errands").stdout)
print(omnipilot("example-count", "m/errands").stdout)
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=environment(plugin),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "example-count" in done.stdout.partition("\nMore:\n")[2].partition("\n\n")[0]
    assert "3 errands" in done.stdout


def test_each_command_of_ours_has_a_heading() -> None:
    headed = [name for names in HEADINGS.values() for name in names]
    own = {one.name or one.callback.__name__ for one in OWN.registered_commands if one.callback}
    own |= {str(one.name) for one in OWN.registered_groups}
    assert len(headed) == len(set(headed)) and own == set(headed) - {"demo"}
    assert omnipilot("--help").stdout.index("Begin here:") < omnipilot("--help").stdout.index("Compare:")


def test_a_name_of_ours_stays_ours_and_a_broken_command_names_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    record = Plugin(
        name="bad", commands={"run": Command("nowhere:run", "Nothing."), "walk": Command("nowhere:walk", "Nothing.")}
    )
    ours = installed_plugins()
    broken = Broken("worse", "nowhere:PLUGIN", "worse-package", "it is not there")
    plugins = Plugins((*ours.working, Installed(record, "bad-package", ours=False)), (broken,))
    monkeypatch.setattr("omnipilot.envs.installed_plugins.installed_plugins", lambda: plugins)
    done = omnipilot("--help")
    assert done.returncode == 0 and "Run an agent on a suite" in done.stdout and "walk " in done.stdout
    group = typer.main.get_command(app)
    assert "agent" in group.get_command(None, "run").help  # type: ignore[attr-defined]
    with pytest.raises(ConfigError, match=r"command 'walk' cannot be loaded from the package bad-package"):
        group.get_command(None, "walk")  # type: ignore[attr-defined]
    assert omnipilot("nothing-of-the-kind").returncode == 2
