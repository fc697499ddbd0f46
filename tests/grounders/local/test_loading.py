"""What the grounder in process loads, what it refuses to, and models that have a way of their own."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

if not all(importlib.util.find_spec(module) for module in ("torch", "transformers")):
    reason = "torch and transformers are not in this environment; test_real_local.py runs this file where they are"
    pytest.skip(reason, allow_module_level=True)

import tiny_models
import tiny_qwen
import torch
import transformers

from omnipilot.envs import ConfigError, Image, Observation, Point, Size
from omnipilot.grounders import Abstention, Family, Grounding, LocalGrounder
from omnipilot.grounders.families import get
from omnipilot.grounders.families.table import names
from omnipilot.grounders.local import grounder as local_module
from omnipilot.grounders.local.loading import ModelSource, check_finite, choose_dtype, load
from omnipilot.grounders.local.model import shared_model
from omnipilot.grounders.local.point_method import shared_pointer
from omnipilot.memory import ModelUnavailable

UGROUND = get("uground-v1")
SIZE = Size(90, 60)
WAIT = 600.0
VIEW = Observation("phone", 0.0, SIZE, screenshot=Image.from_array(np.zeros((60, 90, 3), dtype=np.uint8)))

POINTING = """
import torch
from transformers import PretrainedConfig, PreTrainedModel

class TinyConfig(PretrainedConfig):
    model_type = "tiny_point"

class TinyModel(PreTrainedModel):
    config_class = TinyConfig
    def __init__(self, config):
        super().__init__(config)
        self.bright = torch.nn.Linear(1, 1)
        self.post_init()
    def point(self, image, words, settings):
        assert settings == {"max_objects": 1}
        if words == "nothing":
            return {"points": []}
        return {"points": [{"x": 0.25, "y": len(words) / image.size[0]}]}
"""


def family(monkeypatch: pytest.MonkeyPatch, **changes: object) -> Family:
    """A family that only this test knows, found by any name."""
    changed = replace(UGROUND, **changes)  # type: ignore[arg-type]
    monkeypatch.setattr(local_module, "find_asking", lambda *_: changed)
    return changed


def pointing(folder: Path) -> Path:
    """A model that comes with code of its own and points by a method."""
    named = {"AutoConfig": "pointing.TinyConfig", "AutoModelForCausalLM": "pointing.TinyModel"}
    (folder / "config.json").write_text(json.dumps({"model_type": "tiny_point", "auto_map": named}))
    (folder / "pointing.py").write_text(POINTING)
    from safetensors.torch import save_file

    weights = {"bright.weight": torch.zeros(1, 1), "bright.bias": torch.zeros(1)}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def test_nothing_is_loaded_before_it_is_asked() -> None:
    grounder = LocalGrounder("osunlp/UGround-V1-7B")
    assert grounder.source == ModelSource("osunlp/UGround-V1-7B", preferred="float16")
    assert LocalGrounder("uground-v1-2b").source.model == "osunlp/UGround-V1-2B"


def test_precision_is_the_familys_on_a_gpu_and_single_on_a_cpu() -> None:
    source = LocalGrounder("uground-v1-7b").source
    assert choose_dtype(source, "cpu", torch) is torch.float32
    assert choose_dtype(source, "cuda:0", torch) is torch.float16
    assert choose_dtype(replace(source, preferred=""), "cuda:0", torch) == "auto"
    assert choose_dtype(replace(source, dtype="bfloat16"), "cpu", torch) is torch.bfloat16


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"dtype": "int4"}, "dtype must be one of auto, float32"),
        ({"batch": 0}, "above 0, not 0 and 120"),
        ({"timeout": 0.0}, "above 0, not 8 and 0"),
        ({"model": "uground-v1-8b"}, "closest are .*UGround-V1"),
    ],
)
def test_wrong_arguments_are_refused_at_once(options: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        LocalGrounder(**{"model": "uground-v1-7b", **options})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [name for name in names() if "transformers" in get(name).backends])
def test_every_family_of_this_kind_can_be_asked_for(name: str) -> None:
    assert LocalGrounder(get(name).models[0], name, trust_remote_code=True).family is get(name)


def test_a_prompt_that_is_not_part_of_omnipilot_comes_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "prompt.txt").write_text("a screen of {width}x{height}")
    grounder = LocalGrounder("mPLUG/GUI-Owl-7B", template=str(tmp_path / "prompt.txt"))
    assert isinstance(VIEW.screenshot, Image)
    assert grounder.family.messages(VIEW.screenshot, "it")[0].parts == ("a screen of 90x60",)


def test_a_family_that_is_not_run_in_process_says_how_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    family(monkeypatch, backends=("api",))
    with pytest.raises(ConfigError, match="cannot run in process, only with api"):
        LocalGrounder("some-model")


def test_a_folder_without_a_model_is_an_error_with_the_reason(tmp_path: Path) -> None:
    grounder = LocalGrounder(str(tmp_path), family="uground-v1", device="cpu")
    with pytest.raises(ConfigError, match=r"cannot load .* with transformers \d"):
        grounder.ground(VIEW, "it")


def test_a_device_that_is_not_here_is_refused(tmp_path: Path) -> None:
    tiny_models.write(tmp_path, "qwen2_vl", "(412, 83)")
    grounder = LocalGrounder(str(tmp_path), family="uground-v1", device="cuda:77")
    with pytest.raises(ConfigError, match=r"device 'cuda:77' is not available; choose from auto, cpu"):
        grounder.ground(VIEW, "it")


def test_the_template_of_older_checkpoints_is_found(tmp_path: Path) -> None:
    tiny_models.write(tmp_path, "qwen2_vl", "(412, 83)")
    settings = json.loads((tmp_path / "tokenizer_config.json").read_text())
    words = settings.pop("chat_template")
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(settings))
    with pytest.raises(ConfigError, match="no chat template"):
        load(ModelSource(str(tmp_path), device="cpu"))
    (tmp_path / "chat_template.json").write_text(json.dumps({"chat_template": words}))
    found = LocalGrounder(str(tmp_path), family="uground-v1", device="cpu", timeout=WAIT).ground(VIEW, "it")
    assert isinstance(found, Grounding) and found.point == Point(0.412, 0.083)


def test_a_temperature_draws_different_answers(tmp_path: Path) -> None:
    tiny_models.write(tmp_path, "qwen2_vl")
    greedy, drawn = (
        LocalGrounder(str(tmp_path), "uground-v1", "cpu", timeout=WAIT, temperature=heat) for heat in (None, 9.0)
    )
    torch.manual_seed(1)
    assert len({answer.detail for answer in said(greedy)}) == 1
    assert len({answer.detail for answer in said(drawn)}) == 4


def said(grounder: LocalGrounder) -> list[Abstention]:
    found = grounder.ground_all([(VIEW, "it")] * 4)
    assert all(isinstance(one, Abstention) and one.reason == "unparsable" for one in found)
    return [one for one in found if isinstance(one, Abstention)]


def test_a_model_that_is_no_grid_of_patches_uses_its_own_processor(tmp_path: Path) -> None:
    write_llava(tmp_path)
    model = shared_model(ModelSource(str(tmp_path), device="cpu"))
    asked = [UGROUND.messages(VIEW.screenshot, "x" * length) for length in (3, 30)]  # type: ignore[arg-type]
    replies = model.complete_all(asked, UGROUND.sampling, WAIT)
    assert [reply.text for reply in replies] == ["(412, 83)"] * 2
    assert replies[1].usage.tokens_in - replies[0].usage.tokens_in == 27


def write_llava(folder: Path) -> None:
    """Two layers that always see 56x56 pixels, and say "(412, 83)"."""
    tiny_qwen.write(folder)
    text = {
        **{"model_type": "llama", "vocab_size": tiny_qwen.VOCABULARY, "hidden_size": 256, "intermediate_size": 128},
        **{"num_hidden_layers": 2, "num_attention_heads": 4, "tie_word_embeddings": False},
    }
    vision = {
        **{"model_type": "clip_vision_model", "hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 2},
        **{"num_attention_heads": 2, "image_size": 56, "patch_size": 14, "projection_dim": 32},
    }
    image = tiny_qwen.ID["<|image_pad|>"]
    settings = transformers.LlavaConfig(
        text_config=text, vision_config=vision, image_token_index=image, tie_word_embeddings=False
    )
    model = transformers.AutoModelForImageTextToText.from_config(settings)
    with torch.no_grad():
        tiny_models.teach(model, tiny_models.tokens(f"{tiny_models.OPENING}(412, 83)<|im_end|>"))
    (folder / "preprocessor_config.json").unlink()
    model.save_pretrained(folder)
    seen = getattr(transformers, "CLIPImageProcessorPil", transformers.CLIPImageProcessor)
    transformers.LlavaProcessor(
        seen(size={"shortest_edge": 56}, crop_size={"height": 56, "width": 56}),
        transformers.AutoTokenizer.from_pretrained(folder),
        patch_size=14,
        vision_feature_select_strategy="default",
        image_token="<|image_pad|>",
        num_additional_image_tokens=1,
        chat_template=tiny_qwen.TEMPLATE,
    ).save_pretrained(folder)


def test_code_of_a_models_own_runs_only_where_family_and_user_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(pointing(tmp_path))
    with pytest.raises(ConfigError, match="it brings Python code of its own"):
        LocalGrounder(folder, family="uground-v1", trust_remote_code=True).ground(VIEW, "it")
    own = replace(UGROUND.serving, args=("--trust-remote-code",))
    family(monkeypatch, serving=own)
    with pytest.raises(ConfigError, match="with your permissions; read it, then set trust_remote_code=true"):
        LocalGrounder(folder)
    assert LocalGrounder(folder, trust_remote_code=True).source.trust


def test_a_model_that_points_by_a_method_is_asked_by_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="trust_remote_code=true"):
        LocalGrounder("moondream/moondream3-preview")
    grounder = LocalGrounder(str(pointing(tmp_path)), family="moondream", device="cpu", trust_remote_code=True)
    found, nothing = grounder.ground_all([(VIEW, "four"), (VIEW, "nothing")])
    assert isinstance(found, Grounding) and found.point == Point(0.25, 4 / 90) and found.usage.calls == 1
    assert isinstance(nothing, Abstention) and nothing.reason == "refused"
    grounder.timeout = 1e-9
    with pytest.raises(ModelUnavailable, match=r"no answer within|other threads"):
        grounder.ground(VIEW, "four")


def test_a_model_without_the_method_does_not_point(tmp_path: Path) -> None:
    pointing(tmp_path)
    (tmp_path / "pointing.py").write_text(POINTING.replace("def point(", "def aim("))
    with pytest.raises(ConfigError, match="has no method `point`"):
        shared_pointer(ModelSource(str(tmp_path), device="cpu", trust=True))


def test_weights_that_are_no_numbers_are_refused() -> None:
    layer = torch.nn.Linear(2, 2)
    check_finite(layer, "mine")
    with torch.no_grad():
        layer.bias[1] = float("nan")
    with pytest.raises(ConfigError, match=r"mine: bias holds numbers that are infinite or none"):
        check_finite(layer, "mine")
