"""A run under a policy: its identity, its journal, its default on real devices, and its errors."""

from __future__ import annotations

from dataclasses import replace

import pytest

from omnipilot.agents import PartSpec
from omnipilot.bench.cli.commands.show import WhichCalls, show_command
from omnipilot.bench.episode.guarding import check_approver, guard_note, guard_spec, make_guard, real_devices
from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import MoveGuarded, StepTaken
from omnipilot.bench.run import run
from omnipilot.bench.run.config import spec_from
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.spec import RunSpec, essence
from omnipilot.envs import ConfigError

TOY = PartSpec("toy")


def free(**devices):
    return PartSpec("free", {"world": {"devices": devices}})


def settings(**more):
    return RunSettings(suite="toy", planner="oracle", grounder="gold", instances=1, **more)


def test_rulings_are_in_the_journal_before_their_steps_with_the_policys_hash(tmp_path):
    policy = tmp_path / "no.toml"
    policy.write_text('default = "deny"\n')
    spec = spec_from(settings(policy=str(policy)))
    run(spec, tmp_path / "run")
    events = list(read(tmp_path / "run"))
    rulings = [event for event in events if isinstance(event, MoveGuarded)]
    steps = {(event.key, event.step): event for event in events if isinstance(event, StepTaken)}
    assert rulings and {event.policy for event in rulings} == {spec.guard.digest}
    refused = [event for event in rulings if not event.passed]
    assert refused and all(steps[event.key, event.step].executed is None for event in refused)
    for event in rulings:
        assert events.index(event) < events.index(steps[event.key, event.step])


def test_a_policy_belongs_to_a_runs_identity_and_its_layout_does_not(tmp_path):
    def spec(text):
        (tmp_path / "p.toml").write_text(text)
        return spec_from(settings(policy=str(tmp_path / "p.toml")))

    one = spec('default = "deny"')
    assert one.identity == spec('# a comment\ndefault   = "deny"\n').identity
    assert one.identity != spec('default = "ask"').identity
    assert one.identity != replace(one, guard=None).identity
    assert RunSpec.from_json(one.to_json()) == one


def test_a_run_without_a_policy_has_the_identity_that_it_had():
    assert "guard" not in essence(spec_from(settings()).to_json())


def test_secrets_are_no_part_of_a_specification_but_their_names(tmp_path):
    (tmp_path / "s.toml").write_text('bank = "hunter2hunter2"')
    spec = spec_from(settings(secrets=str(tmp_path / "s.toml")))
    assert spec.guard.names == ("bank",)
    assert "hunter2" not in str(spec.to_json())
    assert make_guard(spec.guard).secrets.names == ("bank",)
    (tmp_path / "s.toml").write_text('other = "hunter2hunter2"')
    with pytest.raises(ConfigError, match="began with the secrets bank"):
        make_guard(spec.guard)


def test_only_devices_of_ones_own_are_guarded_by_default():
    real = free(mine={"kind": "android", "serial": "R58M1234"}, here={"kind": "pyautogui"})
    assert list(real_devices(real)) == ["mine (android)", "here (pyautogui)"]
    unreal = free(
        one={"kind": "android", "serial": "emulator-5554"}, two={"kind": "desktop"}, three={"kind": "browser"}
    )
    assert guard_spec(None, None, None, unreal) is guard_spec(None, None, None, TOY) is None
    spec = guard_spec(None, None, None, real)
    assert spec.name == "ask"
    assert "policy ask" in guard_note(spec, real, 1) and "mine (android)" in guard_note(spec, real, 1)
    assert "nobody is asked" in guard_note(spec, real, 1)
    assert "no policy guards" in guard_note(guard_spec("none", None, None, real), real, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("default = 1 =", "is no TOML"),
        ('default = "maybe"', "default: Input should be 'allow', 'ask' or 'deny'"),
        ("", "default: Field required"),
        ('default = "ask"\n[[rule]]\ndo = "deny"\nverbs = ["clik"]', "rule.1.verbs: .* there is no verb 'clik'"),
        ('default = "ask"\n[[rule]]\ndo = "deny"\nkeys = ["contrl+v"]', "rule.1.keys"),
        ('default = "ask"\n[[rule]]\ndo = "deny"\nhosts = ["https://x.org/"]', "is no host"),
        ('default = "ask"\n[[rule]]\ndo = "deny"\ncolour = ["red"]', "rule.1.colour"),
        ('default = "ask"\n[[rule]]\ndo = "deny"\ntext = []', "rule.1.text"),
    ],
)
def test_a_wrong_policy_is_refused_with_its_place(tmp_path, text, message):
    (tmp_path / "p.toml").write_text(text)
    with pytest.raises(ConfigError, match=message):
        guard_spec(str(tmp_path / "p.toml"), None, None, TOY)


def test_a_policy_that_is_no_file_names_the_presets():
    with pytest.raises(ConfigError, match="one of ask, own-device, read-only"):
        guard_spec("no-such", None, None, TOY)


def test_an_approver_without_a_policy_or_a_terminal_is_refused():
    with pytest.raises(ConfigError, match="requires a policy"):
        guard_spec(None, PartSpec("terminal"), None, TOY)
    with pytest.raises(ConfigError, match="no terminal"):
        check_approver(guard_spec("ask", PartSpec("terminal"), None, TOY), 0)


def test_what_was_refused_is_shown_with_its_turn(tmp_path, capsys):
    policy = tmp_path / "no.toml"
    policy.write_text('default = "deny"\n')
    run(spec_from(settings(policy=str(policy))), tmp_path / "run")
    key = next(event for event in read(tmp_path / "run") if isinstance(event, MoveGuarded)).key
    show_command(tmp_path / "run", WhichCalls(key.partition("#")[0], 0, 0, None, None, None), False, False)
    assert "rule 'default': refused" in capsys.readouterr().out
