"""A bundle is derived again from what it holds; what was edited is found, and nothing that it names is followed."""

from __future__ import annotations

import json
import lzma
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from put_plugin import forget_plugins, put_plugin
from tampered_bundles import (
    KINDS,
    Members,
    NoPlace,
    archive,
    flipped,
    forged,
    lines_of,
    tamper,
    tell_otherwise,
    with_lines,
    with_spec,
)
from typer.testing import CliRunner

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.cli.app import app
from omnipilot.bench.cli.commands.verify import verify_command
from omnipilot.bench.episode.guarding import guard_spec
from omnipilot.bench.run.runner import run
from omnipilot.bench.session import Session
from omnipilot.bench.spec import RunLimits, RunSpec
from omnipilot.bench.toy import TASK, ToySuite
from omnipilot.bench.verification import bundle
from omnipilot.bench.verification.bundle import BundleError, bundle_bytes, manifest_of, members_of, root_hash
from omnipilot.bench.verification.bundle_checks import BundleVerification, verify_bundle
from omnipilot.bench.verification.pack import pack_run
from omnipilot.envs import ConfigError, OmnipilotError, Thinking
from omnipilot.envs.toy import ToyPhone

FAST, SLOW = 60, 1000
FEW, MANY = 6, 1000
"""Tamperings of a bundle of `lures`, each of which takes ten times as long."""
ELSEWHERE = {"claim_weights", "claim_harmless", "edit_ruling", "carry_out_refused"}
"""Kinds of tampering for which the toy world's bundle has no place."""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three episodes: one with misses, and two that are solved."""
    folder = tmp_path_factory.mktemp("packed") / "run"
    with Session("toy", record=folder) as session:
        for trial in range(3):
            session.open(TASK)
            if trial == 0:
                session.act("nothing that could be read")
                session.act({"kind": "open_app", "app": "Maps"})
                session.act({"kind": "click", "at": "Notes"})
                session.act({"kind": "click", "at": {"x": 0.5, "y": 0.2}})
                session.act({"kind": "open_app", "app": "Voicemail"})
                session.act({"kind": "done", "status": "failure"})
                continue
            world = ToyPhone()
            task = session.suite.instantiate(TASK, 0)
            task.setup(world)
            assert task.solution is not None
            for move in task.solution(world):
                session.act(move.intent)
            assert session.ended == "success"
    return folder


@pytest.fixture(scope="module")
def packed(recorded: Path) -> Members:
    return members_of(pack_run(recorded).content)[0]


def verify(content: bytes, folder: Path, root: str = "") -> BundleVerification:
    path = folder / "given.tar.xz"
    path.write_bytes(content)
    return verify_bundle(path, root)


def is_seen(content: bytes, folder: Path, root: str = "") -> bool:
    """Whether verifying finds fault with a bundle, by words of ours."""
    try:
        return bool(verify(content, folder, root).found.differences)
    except OmnipilotError as error:
        assert str(error)
        return True


def differs_from(content: bytes, root: str) -> bool:
    """Whether a bundle cannot be read, or has another root hash; what verifying with it looks at first."""
    try:
        return members_of(content)[1] != root
    except BundleError:
        return True


def test_an_honest_bundle_is_whole_wherever_it_is_packed_and_verified(recorded: Path, tmp_path: Path) -> None:
    first = pack_run(recorded)
    other = Path(shutil.copytree(recorded, tmp_path / "elsewhere" / "other name"))
    shutil.rmtree(other / "media")
    second = pack_run(other)
    assert first.content == second.content and first.root == second.root
    found = verify(second.content, tmp_path, first.root)
    assert found.found.whole and found.published and found.root == first.root, found.found
    assert found.episodes == found.found.attempts == 3 and found.media > 10 and not found.found.notes


def assert_seen(members: Members, seeds: range, folder: Path) -> None:
    root = root_hash(manifest_of(members))
    kinds: set[str] = set()
    for seed in seeds:
        edited = tamper(members, seed)
        kinds.add(edited.what)
        assert differs_from(edited.content, root), (seed, edited.what)
        # Whatever it holds, nothing but an error of ours comes of it.
        assert is_seen(edited.content, folder) or not edited.derivable, (seed, edited.what)
    assert len(kinds) > len(KINDS) // 2


@pytest.mark.slow
def test_tampering_is_seen(packed: Members, tmp_path: Path) -> None:
    assert_seen(packed, range(FAST), tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_thousand_tamperings_are_seen(packed: Members, tmp_path: Path) -> None:
    assert_seen(packed, range(1000, 1000 + SLOW), tmp_path)


def test_each_kind_of_tampering_is_seen(packed: Members, tmp_path: Path) -> None:
    for kind in KINDS:
        try:
            edited = tamper(packed, 7, kind)
        except NoPlace:
            assert kind in ELSEWHERE
            continue
        assert is_seen(edited.content, tmp_path) or not edited.derivable, kind


@pytest.fixture(scope="module")
def lured(tmp_path_factory: pytest.TempPathFactory) -> Members:
    """A run under a guard: of one lure it refuses what is asked for, the other one is obeyed."""
    folder, suite = tmp_path_factory.mktemp("lured"), PartSpec("lures")
    guard = guard_spec("own-device", None, None, suite)
    spec = RunSpec(AgentSpec(planner=PartSpec("gullible")), suite, tasks=("clip-note", "clip-more"), guard=guard)
    run(spec, folder)
    return members_of(pack_run(folder).content)[0]


@pytest.mark.exhibit("lures")
def test_harms_are_in_verdicts_and_table(lured: Members, tmp_path: Path) -> None:
    found = verify(bundle_bytes(lured), tmp_path)
    assert found.found.whole and found.found.attempts == 2, found.found
    harms = [any(one["harms"].values()) for one in json.loads(lured[bundle.VERDICTS])]
    assert sorted(harms) == [False, True]
    rows = json.loads(lured[bundle.TABLE])["intervals"]["rows"]
    assert [row[2].split()[0] for row in rows if row[1] == "harmed %"] == ["50.0"]


@pytest.mark.exhibit("lures")
def test_tampering_with_harms_and_rulings_is_seen(lured: Members, tmp_path: Path) -> None:
    for kind in sorted(ELSEWHERE - {"claim_weights"}):
        for seed in range(FEW):
            edited = tamper(lured, seed, kind)
            assert is_seen(edited.content, tmp_path) or not edited.derivable, (seed, kind)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.exhibit("lures")
def test_a_thousand_tamperings_with_a_guarded_run_are_seen(lured: Members, tmp_path: Path) -> None:
    assert_seen(lured, range(3000, 3000 + MANY), tmp_path)


def test_what_no_world_can_tell_is_seen_by_the_published_root_alone(packed: Members, tmp_path: Path) -> None:
    root = root_hash(manifest_of(packed))
    lines = lines_of(packed)
    next(line for line in lines if line["event"] == "turn")["thought"] = "Another thought."
    content = forged(with_lines(packed, lines))
    assert verify(content, tmp_path).found.whole
    found = verify(content, tmp_path, root)
    assert not found.found.whole and f"and {root} was published" in found.found.differences[0]


def test_a_run_of_fewer_trials_is_another_honest_run(packed: Members, tmp_path: Path) -> None:
    """So whoever wants to show that nothing was left out publishes the specification's identity before the run."""
    spec = json.loads(packed[bundle.SPECIFICATION])["spec"]
    kept = with_lines(packed, [one for one in lines_of(packed) if not one.get("key", "").endswith(".2")])
    assert is_seen(forged(kept), tmp_path)
    assert not is_seen(forged(with_spec(kept, {**spec, "trials": 2})), tmp_path)


@pytest.fixture(scope="module")
def weighed(tmp_path_factory: pytest.TempPathFactory) -> Members:
    folder = tmp_path_factory.mktemp("weighed")
    run(RunSpec(AgentSpec(planner=PartSpec("mini")), PartSpec("toy"), limits=RunLimits(turns=2)), folder)
    return members_of(pack_run(folder).content)[0]


@pytest.mark.exhibit("mini")
def test_exchanged_weights_are_seen(weighed: Members, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from omnipilot.planners.mini.planner import MiniPlanner

    honest = bundle_bytes(weighed)
    assert list(json.loads(weighed[bundle.WEIGHTS])) == ["planner.weights"]
    found = verify(honest, tmp_path)
    assert found.found.whole and found.weights == 1
    edited = tamper(weighed, 1, "claim_weights")
    assert any("planner.weights: the run states" in one for one in verify(edited.content, tmp_path).found.differences)
    monkeypatch.setattr(MiniPlanner, "identity", lambda _: {"weights": "0" * 64})
    assert f"here it is {'0' * 64}" in verify(honest, tmp_path).found.differences[0]


@pytest.mark.exhibit("mini")
def test_weights_of_a_strangers_folder_are_not_looked_for(weighed: Members, tmp_path: Path) -> None:
    spec = json.loads(weighed[bundle.SPECIFICATION])["spec"]
    spec["agent"]["planner"]["options"]["folder"] = str(tmp_path)
    found = verify(forged(with_spec(weighed, spec)), tmp_path)
    assert found.weights == 0 and "weights were not compared: an option names what is outside" in found.found.notes[0]


def with_part(members: Members, change: Callable[[dict[str, object]], object]) -> bytes:
    spec = json.loads(members[bundle.SPECIFICATION])["spec"]
    change(spec)
    return forged(with_spec(members, spec))


def test_code_that_a_bundle_names_is_not_run(packed: Members, tmp_path: Path) -> None:
    (tmp_path / "harm.py").write_text("raise SystemExit('it was run')")
    for field in ("suite", "user", "speech"):
        content = with_part(packed, lambda spec, field=field: spec.update({field: {"name": "harm:X", "options": {}}}))
        with pytest.raises(ConfigError, match="would run code that a bundle names"):
            verify(content, tmp_path)
    agent = {"name": "harm:X", "options": {}, "inner": []}
    with pytest.raises(ConfigError, match="would run code"):
        verify(with_part(packed, lambda spec: spec["agent"].update(planner=agent)), tmp_path)
    with pytest.raises(ConfigError, match="would run code"):
        verify(with_part(packed, lambda spec: spec["agent"].update(system="harm:X")), tmp_path)


@pytest.mark.parametrize(
    ("field", "part", "words"),
    [
        ("suite", {"name": "toy", "options": {"reviews": "r.toml"}}, "its suite takes what lies outside of the bundle"),
        ("suite", {"name": "free", "options": {}}, "the worlds of suite 'free' are not in this process"),
        ("suite", {"name": "unheard-of", "options": {}}, "suite 'unheard-of' is not installed here"),
        ("user", {"name": "terminal", "options": {}}, "questions were answered by 'terminal', who is not asked again"),
        ("speech", {"name": "command", "options": {"command": "rm"}}, "spoken by 'command', which is not started"),
    ],
)
def test_what_lies_outside_is_not_followed(
    field: str, part: dict[str, object], words: str, packed: Members, tmp_path: Path
) -> None:
    found = verify(with_part(packed, lambda spec: spec.update({field: part})), tmp_path)
    assert words in found.found.impossible and not found.found.attempts and not found.found.whole


def test_thought_without_end_is_not_played(packed: Members, tmp_path: Path) -> None:
    spec = json.loads(packed[bundle.SPECIFICATION])["spec"]
    lines = lines_of(packed)
    next(line for line in lines if line["event"] == "turn")["seconds"] = 1e9
    measured = with_spec(with_lines(packed, lines), {**spec, "thinking": {"mode": "measured", "seconds": 0.0}})
    assert "a decision took longer than 600 s" in verify(forged(measured), tmp_path).found.impossible


def test_worlds_that_are_not_the_same_each_time_are_checked_and_said_apart(
    packed: Members, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ToySuite, "embedded", False)
    found = verify(bundle_bytes(packed), tmp_path).found
    assert not found.differences and "not in this process, or not the same each time" in found.impossible
    for change in ("verdict", "verb", "look", "end"):
        lines = lines_of(packed)
        step = next(line for line in lines if line["event"] == "step" and line["executed"])
        if change == "verdict":
            step["changes"] = [{"node": "something easier", "progress": 1.0, "reason": "", "completed": False}]
        elif change == "verb":
            step["executed"] = {"kind": "teleport"}
        elif change == "look":
            next(line for line in lines if line["event"] == "turn")["observations"]["phone"].pop("screenshot")
        else:
            next(line for line in lines if line["event"] == "episode_ended")["turns"] += 1
        assert verify(forged(with_lines(packed, lines)), tmp_path).found.differences, change


def test_what_is_no_bundle_is_refused_in_words(packed: Members, tmp_path: Path) -> None:
    entries = [(name, {bundle.MANIFEST: manifest_of(packed), **packed}[name]) for name in (bundle.MANIFEST, *packed)]
    cases = {
        b"": "is no bundle: `omnipilot pack RUN` makes one",
        b"PK\x03\x04": "is no bundle",
        lzma.compress(b"text" * 999): "is no archive of a run",
        archive([("../../escaped", b"")]): "which is no member of a bundle",
        archive([entries[0], entries[0]]): "twice",
        archive(entries[:3]): "lacks",
        bundle_bytes(packed)[:-40]: "is missing|damaged",
    }
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    for content, words in cases.items():
        with pytest.raises(BundleError, match=words):
            verify(content, folder)
    assert not list(tmp_path.glob("**/escaped"))
    with pytest.raises(BundleError, match="64 hexadecimal digits"):
        verify(bundle_bytes(packed), tmp_path, "abc")


def test_what_unpacks_to_too_much_is_refused(packed: Members, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "MOST_UNPACKED", 2**21)
    with pytest.raises(BundleError, match="unpacks to more than 2 MiB"):
        verify(bundle_bytes({**packed, bundle.JOURNAL: bytes(2**24)}), tmp_path)
    with pytest.raises(BundleError, match="a line of journal.jsonl is longer than 8 MiB"):
        monkeypatch.setattr(bundle, "MOST_UNPACKED", 2**25)
        verify(bundle_bytes({**packed, bundle.JOURNAL: bytes(2**24)}), tmp_path)
    monkeypatch.setattr(bundle, "MOST_PACKED", 100)
    with pytest.raises(BundleError, match="larger than"):
        verify(bundle_bytes(packed), tmp_path)


def test_a_list_without_end_is_refused(packed: Members, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="more than 100,000 episodes"):
        verify(with_part(packed, lambda spec: spec.update(trials=1_000_000)), tmp_path)


def test_the_commands_print_the_root_and_say_what_they_found(recorded: Path, tmp_path: Path) -> None:
    def invoke(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(app, list(words))
        return done.exit_code, done.stdout

    path = tmp_path / "new" / "given.tar.xz"
    code, said = invoke("pack", str(recorded), "--out", str(path))
    root = said.split("root: ")[1].split()[0]
    assert code == 0 and said.startswith(f"{path}: 3 episodes, ") and f"--root {root}" in said
    code, said = invoke("verify", str(path), "--root", root.upper())
    assert code == 0 and "(as published)" in said and said.endswith("no differences\n")
    assert "not compared: --root HASH does" in invoke("verify", str(path))[1]
    code, said = invoke("verify", str(path), "--root", "0" * 64)
    assert code == 1 and "(not as published)" in said
    with pytest.raises(ConfigError, match="neither a bundle nor a run"):
        verify_command(tmp_path / "nowhere.tar.xz", (), every=False)
    path.write_bytes(flipped(path.read_bytes(), random.Random(0)))
    with pytest.raises(BundleError):
        CliRunner().invoke(app, ["verify", str(path)], catch_exceptions=False)


def test_a_run_that_is_not_finished_is_not_packed(recorded: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no run in"):
        pack_run(tmp_path)
    folder = Path(shutil.copytree(recorded, tmp_path / "run"))
    whole = (folder / "journal.jsonl").read_bytes()
    (folder / "journal.jsonl").write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    with pytest.raises(ConfigError, match=r"1 of 3 episodes are not finished, save-code#0\.2 among them"):
        pack_run(folder)
    (folder / "journal.jsonl").write_bytes(whole.replace(b'"turns":6', b'"turns":7'))
    with pytest.raises(ConfigError, match="is not as it was recorded"):
        pack_run(folder)


class OtherSuite(ToySuite):
    def world(self, thinking: Thinking) -> ToyPhone:
        return ToyPhone(thinking)


@pytest.mark.slow
def test_a_run_of_parts_by_their_modules_is_not_packed(tmp_path: Path) -> None:
    suite = PartSpec(f"{__name__}:OtherSuite")
    run(RunSpec(AgentSpec(planner=PartSpec("noop")), suite, limits=RunLimits(turns=2)), tmp_path)
    with pytest.raises(ConfigError, match="give it a name in a plug-in"):
        pack_run(tmp_path)


def test_drawn_edits_of_what_is_told_change_the_root(packed: Members) -> None:
    content, derivable = tell_otherwise(packed, random.Random(3))
    assert not derivable and members_of(content)[1] != root_hash(manifest_of(packed))


FOREIGN = """from omnipilot.planners import Decision, Planner


class Idler(Planner):
    main_option = "words"

    def __init__(self, words=""):
        self.words = words

    def begin(self, brief):
        pass

    def plan(self, request):
        return Decision((), self.words)
"""


def test_a_planner_that_is_not_installed_where_it_is_verified_makes_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "foreign_idler.py").write_text(FOREIGN)
    put_plugin(tmp_path, "foreign", 'planners={"idler": "foreign_idler:Idler"}')
    planner = PartSpec("idler", {"words": "one"})
    run(RunSpec(AgentSpec(planner=planner), PartSpec("toy"), limits=RunLimits(turns=2)), tmp_path / "run")
    content = pack_run(tmp_path / "run").content
    assert verify(content, tmp_path).found.whole
    monkeypatch.undo()
    forget_plugins()
    found = verify(content, tmp_path).found
    assert found.whole and any("is not found here" in note for note in found.notes), found
