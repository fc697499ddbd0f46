"""Serving a model: the command of every family, and a server process that never outlives its purpose."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import fake_vllm
import pytest
from adb_server import free_port
from fake_vllm import LONG, alive, child_of, until

from omnipilot.envs import ConfigError
from omnipilot.envs.types.resize import SmartResize
from omnipilot.grounders import Family
from omnipilot.grounders.families import families
from omnipilot.grounders.served import Launch, Server, served_models
from omnipilot.grounders.served.command import launch
from omnipilot.grounders.served.server import free


@pytest.fixture
def program(tmp_path: Path) -> str:
    return fake_vllm.write(tmp_path)


def started(program: str, mode: str = "", grace: float = 60.0, key: str = "") -> Server:
    wanted = launch("uground-v1-7b", port=free_port(), program=program)
    environment = {"FAKE": mode, **({"VLLM_API_KEY": key} if key else {})}
    return Server(wanted.argv(), wanted.url, environment, key, grace=grace)


def test_the_command_of_uground() -> None:
    argv = launch("uground-v1-7b").argv()
    assert argv[:3] == ["vllm", "serve", "osunlp/UGround-V1-7B"]
    options = dict(zip(argv[3::2], argv[4::2], strict=True))
    assert json.loads(options["--limit-mm-per-prompt"]) == {"image": 1, "audio": 0, "video": 0}
    assert json.loads(options["--mm-processor-kwargs"]) == {"min_pixels": 3136, "max_pixels": 12_845_056}
    # 16384 tokens of the largest image, the prompt and the answer.
    assert int(options["--max-model-len"]) == 19 * 1024
    assert options["--dtype"] == "float16" and "--tensor-parallel-size" not in options


def test_several_gpus_and_a_cluster() -> None:
    words = launch("uground-v1-72b", gpus=4, replicas=2, ray=True, served_name="u", videos=1).argv()
    text = " ".join(words)
    assert "--tensor-parallel-size 4 --mm-encoder-tp-mode data --data-parallel-size 2" in text
    assert "--distributed-executor-backend ray --data-parallel-backend ray" in text
    assert "--served-model-name u" in text and '"video":1' in text


def test_what_the_user_says_comes_before_what_we_say() -> None:
    extra = ("--dtype=bfloat16", "--max_model_len", "4096", "-tp", "2")
    argv = launch("uground-v1-7b", gpus=8, extra=extra).argv()
    assert argv[-5:] == list(extra)
    assert not {"--dtype", "--max-model-len", "--tensor-parallel-size"} & set(argv)


@pytest.mark.parametrize("family", families(), ids=lambda family: family.name)
def test_every_family_is_served_or_says_what_does(family: Family) -> None:
    if not {"vllm", "completions"} & set(family.backends):
        with pytest.raises(ConfigError, match=r"--grounder (local|vllm)"):
            Launch(family.models[0], family)
        return
    wanted = Launch(family.models[0], family, key_env="KEY")
    shown = wanted.shell().replace("\\\n", " ")
    assert shlex.split(shown)[1:] == wanted.argv()
    options = [word for word in wanted.argv() if word.startswith("--")]
    assert len(options) == len(set(options))
    assert ("--mm-processor-kwargs" in options) == isinstance(family.resize, SmartResize)
    assert ("nobody has verified" in " ".join(wanted.remarks())) == (family.evidence == "unverified")


def test_nonsense_is_refused() -> None:
    for settings in ({"gpus": 0}, {"replicas": 0}, {"port": 0}, {"images": -1}):
        with pytest.raises(ConfigError):
            launch("uground-v1-7b", **settings)
    with pytest.raises(ConfigError, match="no program"):
        started("no-such-program")


def test_a_server_is_waited_for_and_ended_with_its_children(program: str) -> None:
    with started(program, key="secret") as server:
        assert server.wait(LONG) == ("osunlp/UGround-V1-7B",)
        with pytest.raises(OSError, match="401"):
            served_models(server.url)
        child = child_of(server)
        assert alive(server.pid) and alive(child) and not server.ended()
        with pytest.raises(ConfigError, match="--port"):
            free("127.0.0.1", int(server.url.split(":")[2].split("/")[0]))
    until(lambda: not alive(server.pid) and not alive(child))
    assert server.ended()
    server.stop()


def test_a_server_that_dies_tells_its_last_words(program: str) -> None:
    with (
        started(program, "dies") as server,
        pytest.raises(ConfigError, match="(?s)code 3.*not enough memory for osunlp"),
    ):
        server.wait(LONG)


def test_a_server_that_never_answers_meets_its_deadline(program: str) -> None:
    with started(program, "silent") as server:
        child = child_of(server)
        with pytest.raises(ConfigError, match=r"(?s)did not answer .* within 0.3 s.*loading serve"):
            server.wait(0.3)
    until(lambda: not alive(child))


def test_a_server_that_will_not_end_is_killed(program: str) -> None:
    server = started(program, "stubborn", grace=0.2)
    server.wait(LONG)
    child = child_of(server)
    server.stop()
    until(lambda: not alive(server.pid) and not alive(child))


def test_whoever_was_interrupted_while_waiting_can_still_end_it(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("omnipilot.grounders.served.server.GONE", 0.5)
    server = started(program, grace=0.2)
    server.wait(LONG)
    child = child_of(server)
    server._process._waitpid_lock.acquire()  # type: ignore[attr-defined]  # as an exception in `Popen.wait` leaves it
    server.stop()
    until(lambda: not alive(server.pid) and not alive(child))


def test_a_server_that_was_killed_leaves_nothing(program: str) -> None:
    with started(program) as server:
        server.wait(LONG)
        child = child_of(server)
        os.kill(server.pid, signal.SIGKILL)
        until(server.ended)
        until(lambda: not alive(child))


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_server_dies_with_whoever_started_it(program: str) -> None:
    code = (
        "import sys, test_server as t\n"
        "server = t.started(sys.argv[1], grace=5.0)\n"
        "server.wait(t.LONG)\n"
        "print(server.pid, t.child_of(server), flush=True)\n"
        "sys.stdin.read()"
    )
    here = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", code, program], env=here, **pipes) as owner:  # type: ignore[call-overload]
        server, child = map(int, owner.stdout.readline().split())
        assert alive(server) and alive(child)
        owner.kill()
    until(lambda: not alive(server) and not alive(child))
