"""The table of model families: every record is whole, every id finds its record, every place survives its family."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import points, sizes

from omnipilot.envs import ConfigError, Image, Point, Size
from omnipilot.envs.types import Frame
from omnipilot.envs.types.frames import STEEPEST
from omnipilot.envs.types.resize import SmartResize
from omnipilot.grounders import Family, Grounding
from omnipilot.grounders.families import families, find, get
from omnipilot.grounders.families.prompt_template import IMAGE, TEMPLATE
from omnipilot.grounders.families.table import model_id, names, rows
from omnipilot.grounders.families.unsupported import ELSEWHERE

# What the authors' code and logs say; a wrong word here is a click in the wrong place for every user of a model.
SPACES = {
    "norm1": "showui seeclick aguvis opencua-norm1 kimi-vl moondream",
    "norm999": "evocua glm-v",
    "abs_resized": """
        ui-tars-1.5 ui-tars-1.5-action qwen2.5-vl qwen2.5-vl-tools gui-owl gta1 gelato-ui-tars-1.5 ui-ins jedi opencua
        scalecua holo1 holo1.5 ui-venus-ground fara claude openai-computer-use groundnext se-gui infigui-g1 infigui-r1
        gui-g2 ui-r1 gui-r1 ui-agile zonui
    """,
    "norm1000": """
        uground-v1 ui-tars ui-tars-action ui-tars-2 os-atlas-base-7b os-atlas-base-4b os-atlas-pro-7b os-atlas-pro-4b
        cogagent cogagent-chat qwen2-vl qwen3-vl qwen3-vl-thinking qwen3-vl-tools qwen3.5 qwen3.5-tools gui-owl-1.5
        gui-owl-1.5-thinking
        gelato gelato-refusal holo2 holo3 mai-ui ui-venus-1.5 ui-venus-2 fara-1.5 agentcpm-gui minicpm-v internvl
        aria-ui gemini gemini-computer-use openai yutori-n1 qwen-omni mini-grounder
    """,
}
ALL = pytest.mark.parametrize("family", families(), ids=lambda family: family.name)


def picture(size: Size) -> Image:
    return Image.raw(size, bytes(size.pixels * 3))


@pytest.mark.exhibit("mini")
def test_every_family_is_there_once_with_its_space() -> None:
    said = {name: space for space, listed in SPACES.items() for name in listed.split()}
    assert {family.name: family.space for family in families()} == said
    assert len(set(names())) == len(names())
    assert [family.name for family in families() if family.order == "yx"] == ["gemini"]
    assert [name for name, *_ in rows()] == list(names())


@ALL
@given(screenshot=sizes, point=points)
def test_a_place_survives_its_family(family: Family, screenshot: Size, point: Point) -> None:
    steep = max(screenshot.width, screenshot.height) > STEEPEST * min(screenshot.width, screenshot.height)
    if steep and isinstance(family.resize, SmartResize):
        with pytest.raises(ValueError, match=f"aspect ratio above {STEEPEST}"):
            family.sent_size(screenshot)
        return
    sent = family.sent_size(screenshot)
    found = family.parse(family.render(point, sent), sent, screenshot)
    assert isinstance(found, Grounding), found
    across, down = Frame(screenshot, sent, family.space).ranges
    half = family.syntax.unit / 2 * (1 + 1e-9)
    # Half-way off the far edge there is nothing to click: the last pixel stands for it.
    assert abs(found.point.x - min(point.x, 1 - 1 / screenshot.width)) * across <= half
    assert abs(found.point.y - min(point.y, 1 - 1 / screenshot.height)) * down <= half


@ALL
@given(st.integers(4, 400), st.integers(4, 400), points)
def test_an_answer_with_a_decoy_in_its_reasoning_is_the_answer(
    family: Family, width: int, height: int, point: Point
) -> None:
    size = Size(width * 10, height * 10)
    sent = family.sent_size(size)
    plain = family.render(point, sent)
    decoy = 'It is not (1, 2) nor [3, 4] nor <box>5 6 7 8</box> nor {"coordinate": [9, 9]}.'
    wanted = family.parse(plain, sent, size)
    assert family.parse(f"<think>{decoy}</think>\n{plain}", sent, size) == wanted
    assert family.parse(f"{decoy}</think>{plain}", sent, size) == wanted


@ALL
def test_a_record_is_whole(family: Family) -> None:
    assert family.name == family.name.lower() and family.models and family.source and family.base
    assert all(" " not in id for id in family.models)
    parts = (family.layout.system, *family.layout.user)
    assert parts.count(IMAGE) == 1
    assert family.layout.takes_template == bool(family.layout.needs)
    described = any("{description}" in part for part in parts)
    assert described or family.layout.takes_template
    assert isinstance(hash(family), int)
    assert set(family.backends) <= {"vllm", "completions", "transformers", "api"}
    if family.schema is not None:
        reply = family.render(Point(0.5, 0.5), Size(200, 100)).removeprefix("```json").removesuffix("```")
        assert json.loads(reply)
    if family.layout.prefill:
        assert family.render(Point(0.5, 0.5), Size(200, 100)).startswith(family.layout.prefill)


@ALL
def test_an_id_finds_its_family_in_any_case_and_by_its_last_part(family: Family) -> None:
    for id in family.models:
        for said in (id, id.rsplit("/", 1)[-1], id.upper(), id.rsplit("/", 1)[-1].lower()):
            first = find(said)
            # Some families are a second way to ask the same models; the first record is the default.
            assert first is family or (id in first.models and names().index(first.name) < names().index(family.name))
            assert model_id(said).rsplit("/", 1)[-1].lower() == id.rsplit("/", 1)[-1].lower()
    assert find("somebody/fine-tune", family.name) is family is get(family.name)


@pytest.mark.parametrize(
    ("said", "family"),
    [
        ("Qwen/Qwen3-VL-8B-Instruct-FP8", "qwen3-vl"),
        ("Qwen/Qwen2.5-VL-7B-Instruct-AWQ", "qwen2.5-vl"),
        ("x/UI-TARS-7B-DPO-GPTQ-Int4", "ui-tars"),
        ("mradermacher/UI-TARS-1.5-7B-GGUF:Q4_K_M", "ui-tars-1.5"),
        ("mlx-community/UI-TARS-1.5-7B-4bit", "ui-tars-1.5"),
        ("/models/UI-Venus-1.5-8B.Q8_0.gguf", "ui-venus-1.5"),
        ("Hcompany/Holo-3.1-35B-A3B-NVFP4", "holo3"),
        ("QuantTrio/Qwen3.6-27B-AWQ", "qwen3.5"),
        ("zai-org/cogagent-9b-20241220", "cogagent"),
        ("meituan/EvoCUA-8B-20260105-FP8", "evocua"),
    ],
)
def test_a_quantised_or_dated_id_finds_its_family_and_keeps_its_weights(said: str, family: str) -> None:
    assert find(said).name == family
    assert model_id(said) == said
    assert model_id(said.rsplit("/", 1)[-1]).rsplit("/", 1)[-1] == said.rsplit("/", 1)[-1]


@pytest.mark.parametrize("family", [one for one in families() if "/" in one.models[0]], ids=lambda one: one.name)
def test_the_names_of_those_who_pack_weights_find_the_family(family: Family) -> None:
    """Another organisation's name, the owner in front of it, and what says how the weights are packed."""
    for id in family.models:
        owner, _, name = id.rpartition("/")
        for said in (
            f"bartowski/{owner}_{name}-GGUF",
            f"bartowski/{name}-GGUF:Q4_K_M",
            f"unsloth/{name}-GGUF/{name}-UD-Q4_K_XL.gguf",
            f"unsloth/{name}-unsloth-bnb-4bit",
            f"lmstudio-community/{name}-MLX-8bit",
            f"mradermacher/{name}-i1-GGUF",
            f"mlx-community/{name}-4bit",
            f"RedHatAI/{name}-quantized.w8a8",
            f"{id}-FP8",
            f"{id}-AWQ",
            f"{id}-GPTQ-Int4",
            f"{id}-NVFP4",
            f"/models/{name}.Q8_0.gguf",
        ):
            assert find(said) is find(id), said
            assert model_id(said) == said


def test_an_unknown_id_is_told_the_closest() -> None:
    with pytest.raises(ConfigError, match="osunlp/UGround-V1-7B.*--family"):
        find("osunlp/UGround-V1-8B")
    with pytest.raises(ConfigError, match=r"ui-tars-1\.5"):
        get("ui-tars-1.6")
    with pytest.raises(ConfigError, match="omnipilot list grounders"):
        find("§§§")
    assert model_id("somebody/fine-tune") == "somebody/fine-tune"
    assert model_id("uground-v1-7b") == "osunlp/UGround-V1-7B"


@pytest.mark.parametrize("name", [name for entry in ELSEWHERE.items() for name in (entry[0], *entry[1][0])])
def test_what_is_known_and_not_served_says_why(name: str) -> None:
    with pytest.raises(ConfigError, match="known but not supported"):
        find(name)
    with pytest.raises(ConfigError, match="known but not supported"):
        get(name)
    with pytest.raises(ConfigError, match="known but not supported"):
        find(name + "-FP8")


@ALL
def test_a_question_holds_the_picture_once_and_the_description(family: Family, tmp_path: object) -> None:
    image = picture(family.sent_size(Size(60, 40)))
    if family.layout.takes_template:
        with pytest.raises(ConfigError, match="template=FILE"):
            family.messages(image, "the bin")
        file = f"{tmp_path}/prompt.txt"
        with pytest.raises(ConfigError, match=r"prompt\.txt"):
            family.with_template(file).messages(image, "the bin")
        with open(file, "w", encoding="utf-8") as out:
            out.write("{width}x{height} {instruction} {other} {{}}")
        family = family.with_template(file)
    else:
        with pytest.raises(ConfigError, match="leave the option template out"):
            family.with_template("prompt.txt")
    messages = family.messages(image, "the {width} bin")
    roles = [message.role for message in messages]
    assert roles == ["system"] * bool(family.layout.system) + ["user"] + ["assistant"] * bool(family.layout.prefill)
    parts = [part for message in messages for part in message.parts]
    assert [part for part in parts if isinstance(part, Image)] == [image]
    text = "".join(part for part in parts if isinstance(part, str))
    assert "the {width} bin" in text, "a description is not a template"
    assert TEMPLATE not in text and "{description}" not in text
    if family.layout.template_file:
        assert f"{image.size} the {{width}} bin {{other}} {{{{}}}}" in text


def test_a_mirror_and_a_folder_find_their_family_and_keep_their_name() -> None:
    for home in ("mlfoundations-cua-dev", "mirror", "/m"):
        assert find(f"{home}/Gelato-UI-TARS-1.5-7B/").name == "gelato-ui-tars-1.5"
    assert model_id("mirror/UGround-V1-7B") == "mirror/UGround-V1-7B"
    assert model_id("uground-v1-7b") == "osunlp/UGround-V1-7B"


def test_a_prompt_of_ones_own_replaces_the_question(tmp_path: Path) -> None:
    file = tmp_path / "ask.txt"
    file.write_text("Where, of {width}x{height}, is {description}?")
    asked = get("claude").with_prompt(str(file))
    image = Image.raw(Size(4, 2), bytes(24), "pc")
    (message,) = asked.messages(image, "the bin")
    assert message.parts == (image, "Where, of 4x2, is the bin?")
    assert asked.layout.identity() == {"prompt": hashlib.sha256(file.read_bytes()).hexdigest()}
    assert get("claude").layout.identity() == {"prompt": "ours"}
    assert get("uground-v1").layout.identity() == {}
