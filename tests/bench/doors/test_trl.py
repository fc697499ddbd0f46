"""The real TRL, where it is installed (`make doors`): its schemas of the tools, and a step of its trainer."""

from __future__ import annotations

import pytest

transformers = pytest.importorskip("transformers", minversion="5.2")
pytest.importorskip("trl")

import inspect  # noqa: E402
import json  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

from demonstrations import Demonstration, demonstrate  # noqa: E402
from door_players import tool_call  # noqa: E402

from omnipilot.bench.doors.trl_environment import PROMPT, VerbTools, task_environment, task_rows  # noqa: E402
from omnipilot.bench.suites.duet import Duet  # noqa: E402
from omnipilot.envs import ConfigError, Modality  # noqa: E402
from omnipilot.envs.schema import codec  # noqa: E402

pytestmark = pytest.mark.exhibit("duet")
TASKS = tuple(info.id for info in Duet().tasks())
TOOLS = {
    name: function
    for name, function in inspect.getmembers(VerbTools, inspect.isfunction)
    if not name.startswith("_") and name not in ("reset", "get_reward")
}


def test_every_tool_has_a_schema_that_says_what_the_verb_is() -> None:
    environment = task_environment("duet")()
    for name in TOOLS:
        tool = transformers.utils.get_json_schema(getattr(environment, name))["function"]
        ours = codec.tool_schema(name, places="described", flat=True)["parameters"]["properties"]
        its = tool["parameters"]["properties"]
        assert tool["name"] == name and tool["description"]
        # A swipe has one place, which all others call `at`.
        assert set(its) - {"device"} <= set(ours) | ({"at"} if name == "swipe" else set())
        for argument, schema in its.items():
            assert schema["description"], (name, argument)
            if argument in ours and "enum" in ours[argument]:
                assert schema["enum"] == ours[argument]["enum"], (name, argument)
    assert {"click", "type", "scroll", "swipe", "press", "open_app", "wait", "answer", "done"} <= set(TOOLS)


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("click", {"device": "toaster", "at": "Save"}, "toaster"),
        ("click", {"device": "phone", "at": "no such thing at all"}, "not_found"),
        ("click", {"device": "phone", "at": [3]}, "malformed"),
        ("click", {"device": "phone", "at": "7, 0.5"}, "malformed"),
        ("press", {"device": "desktop", "keys": "enter"}, "malformed"),
        ("wait", {"seconds": "long"}, "malformed"),
        ("done", {"status": ["x"]}, "malformed"),
        ("type", {"device": "phone", "text": None}, "malformed"),
    ],
)
def test_wrong_calls_raise_their_words_and_change_nothing(name: str, arguments: dict[str, Any], said: str) -> None:
    environment = task_environment("duet")()
    environment.reset("send-message", 1)
    before = environment._show("", ())
    with pytest.raises(ValueError, match=said):
        getattr(environment, name)(**arguments)
    assert environment._show("", ()) == before and environment._session.ended == ""


def test_places_are_words_ids_and_points() -> None:
    environment = task_environment("duet")()
    environment.reset("send-message", 0)
    elements = environment._session.observe({Modality.ELEMENTS})["phone"].elements
    (one,) = [element for element in elements if element.name == "Messages"]  # type: ignore[union-attr]
    middle = one.box.center
    answers = []
    for place in ("Messages", f"#{one.id}", f"{middle.x}, {middle.y}", f"({middle.x},{middle.y})"):
        environment.reset("send-message", 0)
        answers.append(environment.click("phone", place))
    assert answers[0].startswith("done") and set(answers) == {answers[0]}


def test_rewards_are_a_share_or_nothing(tmp_path: Path) -> None:
    (played,) = demonstrate("duet", ["send-message"], tmp_path)
    dense, sparse = (task_environment("duet", reward=reward)() for reward in ("dense", "sparse"))
    for environment in (dense, sparse):
        environment.reset("send-message", 0)
        for verb in played.verbs[:-1]:
            name, arguments = tool_call(verb)
            getattr(environment, name)(**arguments)
    assert 0 < dense.get_reward() < 1 and sparse.get_reward() == 0.0


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ConfigError, match="reward is 'dense' or 'sparse'"):
        task_environment("duet", reward="denser")
    with pytest.raises(ConfigError, match="did you mean 'send-message'"):
        task_rows("duet", ["send-mesage"])
    with pytest.raises(ConfigError, match="hangs on speech"):
        task_environment("duet")().reset("spoken-code-to-log")
    with pytest.raises(ConfigError, match="need a column task; task_rows makes them"):
        task_environment("duet")().reset(prompt="x")
    rows = task_rows("duet", instances=2)
    assert len({row["task"] for row in rows}) * 2 == len(rows) and rows[1]["instance"] == 1
    assert [row["instance"] for row in task_rows("duet", ["send-message"], 2, first=100)] == [100, 101]


@pytest.mark.slow
def test_a_step_of_the_trainer_learns_from_scripted_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tasks, two answers each: one plays the demonstration, the other stops after its first verb."""
    import torch
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer
    from trl.chat_template_utils import qwen3_chat_template

    monkeypatch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
    played = demonstrate("duet", ["dismiss-alarm", "write-document"], tmp_path / "run")
    tokenizer = tiny_tokenizer(played)
    tokenizer.chat_template = qwen3_chat_template
    torch.manual_seed(0)
    settings = transformers.Qwen3Config(
        vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=2, head_dim=16, eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id,
    )  # fmt: skip
    model = transformers.Qwen3ForCausalLM(settings)
    before = [weight.detach().clone() for weight in model.parameters()]

    class Scripted(GRPOTrainer):  # type: ignore[misc]
        """Its model says what a script says; all else is the trainer's."""

        stopped: set[str] = set()  # noqa: RUF012

        def _generate_single_turn(self, prompt_ids: Any, *_: Any, **__: Any) -> Any:
            return [self._turn(tokenizer.decode(ids)) for ids in prompt_ids], None

        def _turn(self, text: str) -> list[int]:
            one = next(one for one in played if one.instruction in text)
            turn = text.count("\n<tool_response>\n")
            said = "finished"
            if turn < len(one.verbs) and not (turn == 1 and one.task in self.stopped):
                name, arguments = tool_call(one.verbs[turn])
                call = json.dumps({"name": name, "arguments": arguments})
                said = f"<tool_call>\n{call}\n</tool_call>"
            if turn == 1:
                self.stopped.add(one.task)
            return list(tokenizer(f"<think>\n\n</think>\n\n{said}<|im_end|>")["input_ids"])

    trainer = Scripted(
        model=model,
        args=GRPOConfig(
            output_dir=str(tmp_path / "out"), max_steps=1, per_device_train_batch_size=4, num_generations=2,
            max_completion_length=30_000, learning_rate=1e-2, use_cpu=True, bf16=False,
            report_to=[], logging_steps=1, save_strategy="no", disable_tqdm=True,
        ),
        train_dataset=Dataset.from_list(task_rows("duet", [one.task for one in played])),
        processing_class=tokenizer,
        environment_factory=task_environment("duet"),
    )  # fmt: skip
    trainer.train()
    (log,) = [one for one in trainer.state.log_history if "reward" in one]
    assert log["tools/failure_frequency"] == 0 and log["tools/call_frequency"] == (2 + 4 + 1 + 1) / 4
    rewards = sorted(environment.get_reward() for environment in trainer.environments)
    assert rewards[2:] == [1.0, 1.0] and max(rewards[:2]) < 1
    assert log["rewards/VerbTools/mean"] == pytest.approx(sum(rewards) / 4) and log["reward_std"] > 0
    assert any(not torch.equal(old, new) for old, new in zip(before, model.parameters(), strict=True))


def tiny_tokenizer(played: list[Demonstration]) -> Any:
    """A byte-level tokenizer whose few words are learned from the prompt and the tools; nothing is downloaded."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    environment = task_environment("duet")()
    texts = [environment.reset(one.task) for one in played]
    texts += [json.dumps(transformers.utils.get_json_schema(getattr(environment, name))) for name in TOOLS]
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    made.train_from_iterator(
        [PROMPT, *texts],
        trainers.BpeTrainer(
            vocab_size=2000, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
        ),
    )
    made.add_tokens(["<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>"])
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token="<|im_end|>", pad_token="<|endoftext|>", model_max_length=100_000
    )
