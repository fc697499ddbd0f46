"""How fast a grounder in process is on a GPU, and how near to what the GPU could do: `python
tests/perf/gpu_grounder.py`.

The architecture of UGround-V1-7B (Qwen2-VL-7B) with dummy weights made on the device, through `LocalGrounder`: nothing
is downloaded. It needs torch, transformers and pillow. Tokens of the prompt are words, about as many as the real
tokenizer makes; every answer is made to be as long as a point is.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gpu_dummy import SEVEN_B, Shape, dummy_files, dummy_model
from gpu_limits import Limits, Load, from_sheet, load_of, measured

from omnipilot.envs import Image, Observation, Size
from omnipilot.envs.types import require
from omnipilot.grounders import Abstention, Grounding, LocalGrounder
from omnipilot.grounders.families.resize import prepare
from omnipilot.grounders.local.inputs import tensors
from omnipilot.grounders.local.loading import EXTRA
from omnipilot.grounders.local.model import LocalModel, share

FAMILY = "uground-v1"
WORDS = "the Save button"


@dataclass(frozen=True, slots=True)
class Row:
    """One size of batch. Seconds are medians.

    Attributes:
        host: to make tensors of screenshots and prompts. prefill: to read them. step: one token of every row.
        whole: the batch, from screenshots to results.
        compute: share of the device's operations that the prefill uses. bandwidth: of its memory's that a step uses.
        limit: share of `whole` that the device would take at its limits.
        busy: share of a step in which the device works, by its own clock; None where it has none.
    """

    batch: int
    host: float
    prefill: float
    step: float
    whole: float
    compute: float
    bandwidth: float
    limit: float
    busy: float | None = None

    def cells(self) -> list[str]:
        """As the table shows them."""
        times = (self.host, self.prefill, self.step)
        return [
            *(str(self.batch), f"{self.batch / self.whole:.2f}", *(f"{1e3 * seconds:.1f}" for seconds in times)),
            *(f"{100 * share:.1f} %" for share in (self.compute, self.bandwidth, self.limit)),
            "—" if self.busy is None else f"{100 * self.busy:.1f} %",
        ]


HEADS = (
    "batch",
    "requests/s",
    "inputs, ms",
    "prefill, ms",
    "token, ms",
    "prefill, of compute",
    "token, of bandwidth",
    "all, of the limit",
    "token, device at work",
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a table in Markdown."""
    asked = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    asked.add_argument("--batches", default="1,2,4,8,16", help="sizes of batches")
    asked.add_argument("--screen", default="1280x800", help="size of the screenshots")
    asked.add_argument("--tokens", type=int, default=12, help="of every answer; `(412, 83)` is 10")
    asked.add_argument("--dtype", default="float16", choices=("float16", "bfloat16", "float32"))
    asked.add_argument("--device", default="auto")
    asked.add_argument("--repeats", type=int, default=5)
    said = asked.parse_args(arguments)
    if said.tokens < 2:
        asked.error("--tokens: at least 2, to tell the first from the others")
    width, height = map(int, said.screen.split("x"))
    batches = [int(number) for number in said.batches.split(",")]
    sys.stdout.write(
        report(SEVEN_B, batches, Size(width, height), said.tokens, said.dtype, said.device, said.repeats) + "\n"
    )


def report(
    shape: Shape,
    batches: Sequence[int],
    screen: Size,
    tokens: int,
    dtype: str,
    device: str,
    repeats: int,
) -> str:
    """Measure a model of a shape, and say in Markdown what it was measured on."""
    torch: Any = require("torch", EXTRA)
    hub: Any = require("transformers", EXTRA)
    with tempfile.TemporaryDirectory() as folder:
        grounder = LocalGrounder(str(dummy_files(Path(folder))), FAMILY, device, dtype, batch=max(batches), timeout=600)
        model = dummy_model(shape, grounder, torch, hub)
        share(model)
        place = model.loaded.device
        name = torch.cuda.get_device_name(place) if place.startswith("cuda") else place.upper()
        known = from_sheet(name)
        numbers = model.loaded.model.dtype
        limits = known or measured(torch, place, numbers, 8192 if place.startswith("cuda") else 1024)
        rows = [measure(grounder, model, limits, batch, screen, tokens, repeats) for batch in batches]
    lines = [[*HEADS], ["---:"] * len(HEADS), *(row.cells() for row in rows)]
    load = load_of(model.loaded.model)
    billions = (load.language + load.head + load.vision) / 1e9
    about = (
        f"{name}, torch {torch.__version__}, transformers {hub.__version__}, {dtype}; {billions:.2f} billion weights "
        f"without the embedding; {screen} screenshots, {tokens} tokens an answer, median of {repeats}; limits "
        f"({limits.source}): {limits.bytes_s / 1e12:.3g} TB/s, {limits.flops_s / 1e12:.4g} TFLOP/s"
    )
    return "\n".join([about, "", *("| " + " | ".join(line) + " |" for line in lines)])


def measure(
    grounder: LocalGrounder, model: LocalModel, limits: Limits, batch: int, screen: Size, tokens: int, repeats: int
) -> Row:
    """One size of batch: answers of one token tell the prefill, what each further one adds is the decoding."""
    pictures = [noise(screen, seed) for seed in range(batch)]
    asked = [(Observation("screen", 0.0, screen, screenshot=picture), WORDS) for picture in pictures]
    chats = [grounder.family.messages(prepare(picture, grounder.family), WORDS) for picture in pictures]
    grounder.batch = batch
    seconds, worked = {}, {}

    def answer() -> None:
        written(grounder.ground_all(asked), batch * grounder.sampling.max_tokens)

    for length in (1, tokens):
        grounder.sampling = replace(grounder.sampling, max_tokens=length)
        seconds[length] = middle(answer, repeats)
        worked[length] = device_seconds(answer) if model.loaded.device.startswith("cuda") else 0.0
    # Reading one number back waits for the device.
    host = middle(lambda: int(tensors(model.loaded, chats, {})["image_grid_thw"].sum()), repeats)
    read = tensors(model.loaded, chats[:1], {})["input_ids"].shape[1]
    patches = grounder.family.sent_size(screen).pixels // model.loaded.images.patch_size**2
    prefill, step = seconds[1] - host, (seconds[tokens] - seconds[1]) / (tokens - 1)
    row = against(load_of(model.loaded.model), limits, (batch, patches, read, tokens), (host, prefill, step))
    busy = (worked[tokens] - worked[1]) / (tokens - 1)
    return replace(row, busy=busy / step if busy else None)


def written(found: Sequence[Grounding | Abstention], tokens: int) -> None:
    """Hold that as many tokens were written as are counted on.

    Raises:
        RuntimeError: an answer ended early.
    """
    if sum(one.usage.tokens_out for one in found) != tokens:
        raise RuntimeError(f"answers of {[one.usage.tokens_out for one in found]} tokens, where {tokens} are measured")


def against(load: Load, limits: Limits, asked: tuple[int, int, int, int], seconds: tuple[float, float, float]) -> Row:
    """Times beside the limits: prefill and step each take as long as the slower of computing and reading memory.

    Args:
        asked: rows, patches a picture, tokens a prompt, tokens an answer.
        seconds: host, prefill, step.
    """
    batch, patches, read, told = asked
    host, prefill, step = seconds
    computed = batch * load.prefill_flops(patches, read) / limits.flops_s
    moved = load.step_bytes(batch, read) / limits.bytes_s
    least = max(computed, load.prefill_bytes() / limits.bytes_s)
    least_step = max(moved, load.step_flops(batch, read) / limits.flops_s)
    whole = host + prefill + (told - 1) * step
    limit = (least + (told - 1) * least_step) / whole
    return Row(batch, host, prefill, step, whole, computed / prefill, moved / step, limit)


def device_seconds(work: Callable[[], object]) -> float:
    """Seconds that the kernels of some work take on the device, together."""
    torch: Any = require("torch", EXTRA)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as seen:
        work()
        torch.cuda.synchronize()
    return float(sum(one.self_device_time_total for one in seen.key_averages()) / 1e6)


def middle(work: Callable[[], object], repeats: int) -> float:
    """Median seconds, after one run to warm up. What is timed ends with its results on the host."""
    times = []
    for _ in range(repeats + 1):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return statistics.median(times[1:])


def noise(screen: Size, seed: int) -> Image:
    """A screenshot unlike the others."""
    import numpy as np

    shape = (screen.height, screen.width, 3)
    return Image.from_array(np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8))


if __name__ == "__main__":
    main()
