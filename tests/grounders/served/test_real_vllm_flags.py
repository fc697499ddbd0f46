"""Every family's command, read by the parser of the real `vllm serve`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from omnipilot.grounders.families import families
from omnipilot.grounders.served import Launch

pytestmark = [pytest.mark.vllm, pytest.mark.slow, pytest.mark.timeout(1200)]

READ = """
import json, sys
from vllm.entrypoints.launchers.cli_args import make_arg_parser, validate_parsed_serve_args
from vllm.utils.argparse_utils import FlexibleArgumentParser

parser, told = make_arg_parser(FlexibleArgumentParser()), {}
for name, words in json.load(sys.stdin).items():
    try:
        read = parser.parse_args(words)
        validate_parsed_serve_args(read)
    except (Exception, SystemExit) as error:
        told[name] = f"{type(error).__name__}: {error}"
        continue
    told[name] = {
        "limits": read.limit_mm_per_prompt,
        "budget": read.mm_processor_kwargs,
        "context": read.max_model_len,
        "gpus": [read.tensor_parallel_size, read.data_parallel_size],
        "ray": [read.distributed_executor_backend, read.data_parallel_backend],
    }
print("read:", json.dumps(told))
"""


def test_vllm_understands_the_command_of_every_family(vllm_program: Path) -> None:
    servable = [family for family in families() if {"vllm", "completions"} & set(family.backends)]
    commands = {
        family.name: Launch(family.models[0], family, gpus=2, replicas=3, ray=True).argv()[2:] for family in servable
    }
    done = subprocess.run(
        [str(vllm_program.with_name("python")), "-c", READ],
        input=json.dumps(commands),
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    told = json.loads(done.stdout.rpartition("read: ")[2])
    assert set(told) == set(commands)
    wrong = {name: answer for name, answer in told.items() if isinstance(answer, str)}
    assert not wrong, (wrong, done.stderr[-2000:])
    for answer in told.values():
        assert answer["limits"] == {"image": 1, "audio": 0, "video": 0}
        assert answer["gpus"] == [2, 3] and answer["ray"] == ["ray", "ray"]
    assert told["uground-v1"]["budget"] == {"min_pixels": 3136, "max_pixels": 12_845_056}
    assert told["uground-v1"]["context"] == 19 * 1024
