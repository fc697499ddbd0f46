"""A world over HTTP is the world itself: what is seen, done, refused, judged and told of the time."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic
import pytest
from live_world import LiveWorld

from omnipilot.bench import Case, GraphEvaluator
from omnipilot.bench.suites.duet import Duet
from omnipilot.bench.suites.duet.kit.play import play
from omnipilot.envs import (
    ActionRejected,
    Answer,
    AskUser,
    Capability,
    Click,
    ConfigError,
    Custom,
    Done,
    EnvLost,
    KeyDown,
    Modality,
    OpenApp,
    OpenUrl,
    Point,
    Press,
    Thinking,
    Wait,
    check_env,
    custom_verb,
)
from omnipilot.envs.base import ENV_CAPABILITIES
from omnipilot.envs.clock import WallClock
from omnipilot.envs.composite import open_world, read_world
from omnipilot.envs.remote import EnvServer, RemoteWorld
from omnipilot.envs.remote.verbs import remote_verb
from omnipilot.envs.schema import tool_schema
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.types import ALL_MODALITIES

TOKEN, JUDGES = "t" * 43, "j" * 43


@pytest.fixture(scope="module")
def server() -> Iterator[EnvServer]:
    with EnvServer(SimWorld, TOKEN, JUDGES, allow_judges=True) as served:
        yield served


@pytest.fixture
def remote(server: EnvServer) -> Iterator[RemoteWorld]:
    with contextlib.closing(RemoteWorld(server.url, TOKEN, JUDGES)) as world:
        yield world


@contextlib.contextmanager
def live(**options: object) -> Iterator[tuple[LiveWorld, EnvServer]]:
    made: list[LiveWorld] = []

    def make() -> LiveWorld:
        made.append(LiveWorld())
        return made[-1]

    with EnvServer(make, TOKEN, JUDGES, **options) as served:  # type: ignore[arg-type]
        yield made[0], served


def test_it_shows_what_the_world_itself_shows(remote: RemoteWorld) -> None:
    local = SimWorld()
    for world in (remote, local):
        world.reset(3)
        world.envs["phone"].act(OpenApp("Clock"))
        world.envs["desktop"].act(Click(Point(0.02, 0.98)))
        world.wait(1.5)
    assert remote.now == local.now
    for name in local.envs:
        here, there = local.envs[name], remote.envs[name]
        assert (there.platform, there.size, there.verbs) == (here.platform, here.size, here.verbs)
        assert there.installed == here.installed and "Settings" in there.installed
        assert there.observe(ALL_MODALITIES, 0.5) == here.observe(ALL_MODALITIES, 0.5)
        assert there.observe({Modality.CONTEXT}, 0.5) == here.observe({Modality.CONTEXT}, 0.5)
        assert there.offered == ALL_MODALITIES


def test_media_that_were_received_are_not_sent_again(remote: RemoteWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    remote.reset(1)
    sent: list[int] = []
    ask = remote.client.ask

    def counted(*given: Any) -> Any:
        answer = ask(*given)
        sent.append(len(answer["media"]))
        return answer

    monkeypatch.setattr(remote.client, "ask", counted)
    first = remote.envs["phone"].observe({Modality.SCREENSHOT}, 0.0)
    again = remote.envs["phone"].observe({Modality.SCREENSHOT}, 0.0)
    assert sent == [1, 0] and first == again
    remote.client.media.__init__()  # type: ignore[misc]
    assert remote.client.medium(next(iter(named(remote)))) == first.screenshot.png()  # type: ignore[union-attr]


def named(remote: RemoteWorld) -> set[str]:
    """The hashes that an observation names."""
    message = {"env": "phone", "modalities": ["screenshot"], "since": 0.0}
    return {remote.client.ask("observe", message)["observation"]["screenshot"]["file"]}


def test_words_of_a_rejection_travel_and_nothing_changes(remote: RemoteWorld) -> None:
    remote.reset(0)
    local = SimWorld()
    local.reset(0)
    for action in (OpenApp("Nonsense"), Custom("set_clipboard", {"text": 3})):
        with pytest.raises(ActionRejected) as here:
            local.envs["phone"].act(action)
        with pytest.raises(ActionRejected) as there:
            remote.envs["phone"].act(action)
        assert str(there.value) == str(here.value)
    assert remote.state() == local.state()
    with pytest.raises(ActionRejected, match="phone cannot key_down; it can: "):
        remote.envs["phone"].act(KeyDown(("a",)))


def test_capabilities_are_there_only_where_they_work(server: EnvServer) -> None:
    with contextlib.closing(RemoteWorld(server.url, TOKEN, JUDGES)) as judged:
        assert Capability.SNAPSHOTS in judged.capabilities and Capability.STATE in judged.capabilities
        assert Capability.ENDS not in judged.capabilities and Capability.RECORDED not in judged.capabilities
        phone = judged.envs["phone"]
        assert phone.capabilities == ENV_CAPABILITIES - {Capability.SHELL}
    with contextlib.closing(RemoteWorld(server.url, TOKEN)) as plain:
        assert Capability.SNAPSHOTS in plain.capabilities and Capability.STATE not in plain.capabilities
        assert not plain.envs["phone"].capabilities
        before = plain.envs["phone"].observe(ALL_MODALITIES, 0.0)
        kept = plain.snapshot()
        plain.envs["phone"].act(OpenApp("Clock"))
        plain.restore(kept)
        assert plain.envs["phone"].observe(ALL_MODALITIES, 0.0) == before
        with pytest.raises(ConfigError, match="no snapshot 'abc'"):
            plain.restore("abc")


def test_what_judges_read_is_what_is_there(remote: RemoteWorld) -> None:
    local = SimWorld()
    for world in (remote, local):
        world.reset(2)
        world.envs["phone"].act(OpenApp("Notes"))
    here, there = local.envs["phone"], remote.envs["phone"]
    assert there.ui_tree() == here.ui_tree() and len(here.ui_tree())
    assert there.written_texts() == here.written_texts()
    assert there.transcript(0.0, 9.0) == here.transcript(0.0, 9.0)
    path = next(document.path for document in local.state().account.documents)
    assert there.read_file(path) == here.read_file(path)
    with pytest.raises(FileNotFoundError):
        there.read_file("../etc/passwd")
    kept = remote.snapshot()
    fresh = SimWorld()
    fresh.restore(kept)
    assert fresh.state() == remote.state()
    remote.wait(5)
    remote.restore(kept)
    assert remote.state() == fresh.state()


def verdicts(task_id: str, world: SimWorld | RemoteWorld) -> tuple[list[object], bool]:
    """The oracle's episode in a world: each judge's findings, and whether the task is solved."""
    task = Duet("all").instantiate(task_id, 0)
    task.setup(world)
    judge = GraphEvaluator(task.graph)
    start = world.state()
    assert task.solution is not None
    found: list[object] = [judge.step(Case(world, start))]
    for move in task.solution(world):
        if isinstance(move.intent, Wait):
            world.wait(move.intent.seconds)
        else:
            play(world, move)  # type: ignore[arg-type]
        found.append(judge.step(Case(world, start)))
    return found, judge.success


PHONE = [info.id for info in Duet("all").tasks() if set(info.envs) == {"phone"}]


def test_a_phone_task_of_duet_gets_the_same_verdicts(remote: RemoteWorld) -> None:
    there, here = verdicts("send-message", remote), verdicts("send-message", SimWorld())
    assert there == here and here[1]


@pytest.mark.slow
@pytest.mark.parametrize("task_id", PHONE)
def test_every_phone_task_of_duet_gets_the_same_verdicts(task_id: str, remote: RemoteWorld) -> None:
    there, here = verdicts(task_id, remote), verdicts(task_id, SimWorld())
    assert there == here and here[1]


@pytest.mark.slow
def test_it_keeps_the_contract(server: EnvServer) -> None:
    check_env(lambda: RemoteWorld(server.url, TOKEN, JUDGES))


def test_thinking_passes_in_a_simulated_world(server: EnvServer) -> None:
    with contextlib.closing(RemoteWorld(server.url, TOKEN, thinking=Thinking("fixed", 2.0))) as world:
        world.reset(0)
        world.think(0.1)
        assert world.now == 2.0


def test_a_running_clock_is_converted_to_the_shared_one() -> None:
    with live() as (world, served):
        time.sleep(0.1)
        clock = WallClock()
        with contextlib.closing(RemoteWorld(served.url, TOKEN, clock=clock)) as remote:
            assert remote.offset is not None and remote.offset.round_trip < 5
            before = clock.now
            look = remote.envs["left"].observe({Modality.SCREENSHOT}, clock.now)
            slack = remote.offset.round_trip
            assert before - slack <= look.time <= clock.now + slack and remote.now <= clock.now
            assert look.screenshot.start == look.time  # type: ignore[union-attr]
            assert world.now - clock.now > 0.05
        with contextlib.closing(RemoteWorld(served.url, TOKEN)) as own:
            assert own.now == pytest.approx(world.now, abs=0.05)
            own.reset(0)
            assert own.now == pytest.approx(world.now, abs=0.05) and own.now < 1


def test_a_simulated_clock_is_not_shared(server: EnvServer) -> None:
    with pytest.raises(ConfigError, match="simulated clock"):
        RemoteWorld(server.url, TOKEN, clock=WallClock())


def test_files_and_shell_are_for_judges() -> None:
    with live(allow_judges=True) as (world, served):
        with contextlib.closing(RemoteWorld(served.url, TOKEN, JUDGES)) as judged:
            env = judged.envs["left"]
            assert env.capabilities == {Capability.FILES, Capability.SHELL}
            assert env.read_file("notes.txt") == b"notes"
            assert env.shell("ls", 3) == "ran ls within 3 s" and world.commands == ["ls"]
        with contextlib.closing(RemoteWorld(served.url, TOKEN)) as plain:
            assert not plain.envs["left"].capabilities & {Capability.FILES, Capability.SHELL}
            with pytest.raises(ConfigError, match="token is missing or wrong"):
                plain.ask("judges/shell", {"env": "left", "command": "ls", "timeout": 1.0})
    assert world.commands == ["ls"]
    assert {name.rpartition("_")[0] for name in world.threads} == {"omnipilot-world"}


def test_what_an_agent_says_reaches_a_served_world() -> None:
    with live() as (world, served), contextlib.closing(RemoteWorld(served.url, TOKEN)) as remote:
        said = [Answer("42 ü"), AskUser("which?"), Done("infeasible")]
        for one in said:
            remote.hear(one)  # type: ignore[arg-type]
        with pytest.raises(ActionRejected, match="an answer must say something"):
            remote.hear(Answer(""))
        assert world.heard == said
        with pytest.raises(ConfigError, match="not click"):
            remote.ask("hear", {"said": {"kind": "click", "at": {"x": 0.5, "y": 0.5}}})


def test_a_served_world_that_does_not_hear_is_told_nothing(remote: RemoteWorld) -> None:
    assert Capability.HEARS not in remote.capabilities
    before = remote.client.version
    remote.hear(Answer("42"))
    assert remote.client.version == before


def test_a_world_without_judges_has_none() -> None:
    with live() as (world, served), contextlib.closing(RemoteWorld(served.url, TOKEN, JUDGES)) as remote:
        assert not remote.envs["left"].capabilities & {Capability.FILES, Capability.SHELL}
        with pytest.raises(ConfigError, match="without --allow-judges"):
            remote.ask("judges/shell", {"env": "left", "command": "ls", "timeout": 1.0})
        assert not world.commands


def test_a_lost_device_is_lost_and_made_anew_for_the_next_client() -> None:
    with live() as (world, served):
        remote = RemoteWorld(served.url, TOKEN)
        world.gone = "the cable was pulled"
        with pytest.raises(EnvLost, match="the cable was pulled"):
            remote.envs["left"].act(Click())
        with pytest.raises(EnvLost, match="the cable was pulled"):
            remote.reset(0)
        remote.close()
        assert world.closed == 1
        with contextlib.closing(RemoteWorld(served.url, TOKEN)) as second:
            second.reset(0)
            second.envs["left"].act(Click())
            assert second.server["instance"] != remote.server["instance"]


def test_a_bug_in_the_world_tells_its_class_and_no_more() -> None:
    with live() as (_, served), contextlib.closing(RemoteWorld(served.url, TOKEN)) as remote:
        with pytest.raises(EnvLost, match="has a bug \\(ZeroDivisionError\\)") as error:
            remote.envs["left"].act(Click(Point(1.0, 1.0)))
        assert "secret" not in str(error.value)


def test_a_wrong_token_is_the_users_to_mend() -> None:
    with live() as (_, served):
        for wrong in ("", "x" * 43, TOKEN[:-1]):
            with pytest.raises(ConfigError, match="token is missing or wrong") as error:
                RemoteWorld(served.url, wrong)
            assert "x" * 43 not in str(error.value)


@pytest.mark.parametrize("url", ["ftp://a", "http://", "http://a/b", "127.0.0.1:8700", "http://a:b", "http://u:p@a"])
def test_an_address_that_is_none_is_told(url: str) -> None:
    with pytest.raises(ConfigError):
        RemoteWorld(url)


def test_custom_verbs_keep_their_schemas() -> None:
    def set_volume(
        percent: Annotated[int, pydantic.Field(ge=0, le=100)],
        output: Literal["speakers", "headphones"] = "speakers",
        names: list[str] = [],  # noqa: B006
        fade: float = 0.5,
        mute: bool = False,
        word: Annotated[str, pydantic.Field(max_length=7)] | None = None,
        either: int | str = 3,
    ) -> None:
        """Set the volume.

        Args:
            percent: how loud. output: which one.
        """

    verb = custom_verb(set_volume)
    schema = tool_schema(verb)
    given: list[object] = []
    made = remote_verb(verb.name, verb.description, schema["parameters"], given.append)
    assert tool_schema(made) == schema
    bound = made.bind({"percent": 3})
    made.call(*bound.args, **bound.kwargs)
    assert given == [{"percent": 3}]
    with pytest.raises(ActionRejected, match="percent"):
        made.bind({})
    with pytest.raises(ValueError):
        remote_verb("click", "", {}, given.append)
    for broken in ({"properties": {"a b": {}}}, {"properties": {"a": {"type": "object"}}}, {"properties": 3}):
        with pytest.raises(ValueError):
            remote_verb("v", "", broken, given.append)


@pytest.mark.slow
@pytest.mark.web
def test_a_browser_is_served_from_the_one_thread_that_it_needs(chromium_path: str) -> None:
    from omnipilot.envs.web import BrowserWorld

    page = "data:text/html,<title>There</title><button>Save</button>"
    with (
        EnvServer(lambda: BrowserWorld(url=page), TOKEN) as served,
        contextlib.closing(RemoteWorld(served.url, TOKEN)) as world,
    ):
        world.reset(0)
        look = world.envs["browser"].observe(ALL_MODALITIES, 0.0)
        assert look.context.title == "There"  # type: ignore[union-attr]
        assert [one.name for one in look.elements] == ["Save"]  # type: ignore[union-attr]
        assert world.offset is not None and abs(look.time - world.now) < 5
        with pytest.raises(ActionRejected, match="does not open|no address"):
            world.envs["browser"].act(OpenUrl("not an address"))


@pytest.mark.parametrize(
    ("script", "said"),
    [("", "was not restored: the same server still runs"), ("exit('no domain')", "status 1: .*no domain")],
    ids=["nothing done", "failed"],
)
def test_a_machine_that_was_not_restored_is_lost(script: str, said: str) -> None:
    with live() as (_, served):
        world = RemoteWorld(served.url, TOKEN, reset_command=[sys.executable, "-c", script])
        with contextlib.closing(world), pytest.raises(EnvLost, match=said):
            world.reset(0)


def test_a_restored_machine_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    servers = [EnvServer(LiveWorld, TOKEN)]
    port = servers[0].port

    def restore(command: list[str], seconds: float) -> None:
        servers.pop().close()
        servers.append(EnvServer(LiveWorld, TOKEN, port=port))

    monkeypatch.setattr("omnipilot.envs.remote.world.run_reset_command", restore)
    try:
        with contextlib.closing(RemoteWorld(servers[0].url, TOKEN, reset_command=["restore"])) as world:
            for _ in range(2):
                before = world.server["instance"]
                world.reset(0)
                assert world.server["instance"] != before
                world.envs["left"].act(Click())
    finally:
        servers.pop().close()


def test_a_machine_whose_memory_was_restored_is_known_by_its_age(monkeypatch: pytest.MonkeyPatch) -> None:
    with live() as (_, served):
        host = served._world
        time.sleep(0.3)

        def restore(command: list[str], seconds: float) -> None:
            host._begun = time.monotonic()

        monkeypatch.setattr("omnipilot.envs.remote.world.run_reset_command", restore)
        with contextlib.closing(RemoteWorld(served.url, TOKEN, reset_command=["restore"])) as world:
            world.reset(0)


def test_devices_of_a_served_world_are_seen_at_one_moment(tmp_path: Path) -> None:
    (tmp_path / "world.toml").write_text(
        "".join(f'[devices.{name}]\nkind = "live_world:LiveWorld"\n' for name in ("one", "two"))
    )
    table = read_world(tmp_path / "world.toml")
    with (
        EnvServer(lambda: open_world(table), TOKEN) as served,
        contextlib.closing(RemoteWorld(served.url, TOKEN)) as world,
    ):
        world.reset(0)
        assert Capability.TOGETHER in world.capabilities
        found = world.observe_together({Modality.SCREENSHOT}, dict.fromkeys(("one-left", "two-right"), 0.0))
        assert list(found) == ["one-left", "two-right"]
        first, second = found.values()
        assert first.screenshot == second.screenshot and first.env == "one-left"
        assert abs(first.time - second.time) < 0.2
    with live() as (_, served), contextlib.closing(RemoteWorld(served.url, TOKEN)) as plain:
        assert Capability.TOGETHER not in plain.capabilities


def test_a_device_of_a_world_file_may_be_remote(tmp_path: Path) -> None:
    with live(allow_judges=True) as (_, served):
        (tmp_path / "token").touch(0o600)
        (tmp_path / "token").write_text(TOKEN)
        (tmp_path / "world.toml").write_text(
            f'[devices.there]\nkind = "remote"\nurl = "{served.url}"\ntoken_file = "token"\n'
        )
        world = open_world(read_world(tmp_path / "world.toml"))
        try:
            world.reset(0)
            env = world.envs["there-left"]
            before = world.now
            look = env.observe({Modality.SCREENSHOT}, before)
            assert before - 0.05 <= look.time <= world.now + 0.05
            env.act(Click())
            with pytest.raises(ActionRejected, match="it only clicks"):
                env.act(Press(("a",)))
        finally:
            world.close()
