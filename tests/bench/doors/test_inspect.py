"""The real Inspect, where it is installed (`make doors`): its models play demonstrations, and it logs the verdict."""

from __future__ import annotations

import pytest

inspect_ai = pytest.importorskip("inspect_ai")

from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

from demonstrations import Demonstration, demonstrate  # noqa: E402
from inspect_ai.model import ChatMessageTool, ModelOutput, ModelUsage, get_model  # noqa: E402

pytestmark = pytest.mark.exhibit("duet")


def player(demonstrations: list[Demonstration], wrong_first: bool = False) -> Any:
    """A model that plays the demonstration of the task that it is told; with a verb that is none before it, if so."""

    def answer(messages: Any, *_: Any) -> ModelOutput:
        asked = [
            part.text
            for message in messages
            if message.role == "user"
            for part in message.content
            if hasattr(part, "text")
        ]
        played = next(one for one in demonstrations if one.instruction in "".join(asked))
        turn = sum(isinstance(message, ChatMessageTool) for message in messages) - wrong_first
        if turn < 0:
            output = ModelOutput.for_tool_call("mockllm/model", "act", {"verb": {"kind": "clik"}, "device": "phone"})
        elif turn < len(played.verbs):
            verb = dict(played.verbs[turn])
            output = ModelOutput.for_tool_call("mockllm/model", "act", {"device": verb.pop("env"), "verb": verb})
        else:
            output = ModelOutput.from_content("mockllm/model", "finished")
        # Without a count, the mock's tokens are counted with a vocabulary that is downloaded.
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    return get_model("mockllm/model", custom_outputs=answer)


def evaluate(model: Any, folder: Path, **arguments: Any) -> Any:
    (log,) = inspect_ai.eval("omnipilot/duet", model=model, task_args=arguments, log_dir=str(folder), display="none")
    assert log.status == "success", log.error
    return log


def test_demonstrations_are_solved_and_others_are_not(tmp_path: Path) -> None:
    played = demonstrate("duet", ["send-message", "add-alarm"], tmp_path / "run")
    log = evaluate(player(played, wrong_first=True), tmp_path / "logs", tasks="send-message,add-alarm")
    assert [sample.scores["verdict"].value for sample in log.samples] == ["C", "C"]
    assert log.results.scores[0].metrics["accuracy"].value == 1.0
    told = [message for message in log.samples[0].messages if isinstance(message, ChatMessageTool)]
    assert "did you mean click?" in told[0].error.message
    kinds = [part.type for part in told[1].content]
    assert kinds.count("image") == 2 and told[1].content[0].text.startswith(("done", "control"))
    truncated = [type(played[0])(one.task, one.instruction, one.verbs[:1]) for one in played]
    log = evaluate(player(truncated), tmp_path / "logs", tasks="send-message,add-alarm", images=False)
    assert [sample.scores["verdict"].value for sample in log.samples] == ["I", "I"]
    assert all(0 <= sample.scores["verdict"].metadata["completion"] < 1 for sample in log.samples)


def test_wrong_tasks_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="did you mean 'send-message'"):
        inspect_ai.eval("omnipilot/duet", model="mockllm/model", task_args={"tasks": "send-mesage"}, display="none")
    with pytest.raises(Exception, match="hangs on speech"):
        inspect_ai.eval(
            "omnipilot/duet", model="mockllm/model", task_args={"tasks": "spoken-code-to-log"}, display="none"
        )


def test_a_recorded_run_becomes_a_log_that_inspect_reads(tmp_path: Path) -> None:
    from inspect_ai.log import read_eval_log

    from omnipilot.bench.doors.inspect_log import export_inspect

    played = demonstrate("duet", ["send-message", "add-alarm"], tmp_path / "run")
    (file,) = export_inspect([tmp_path / "run"], tmp_path / "logs")
    log = read_eval_log(str(file))
    assert log.eval.task == "duet" and log.results.scores[0].metrics["accuracy"].value == 1.0
    assert {sample.id: sample.scores["verdict"].value for sample in log.samples} == {
        f"{one.task}#0": "C" for one in played
    }
    for one, sample in zip(
        played, sorted(log.samples, key=lambda sample: [p.task for p in played].index(sample.id[:-2])), strict=True
    ):
        calls = [call for message in sample.messages for call in getattr(message, "tool_calls", None) or ()]
        assert [call.function for call in calls] == [verb["kind"] for verb in one.verbs]
        answers = [message for message in sample.messages if isinstance(message, ChatMessageTool)]
        assert len(answers) == len(calls) and sample.input == one.instruction
        pictures = [
            part
            for message in sample.messages
            if isinstance(message.content, list)
            for part in message.content
            if part.type == "image"
        ]
        assert len(pictures) >= 2
