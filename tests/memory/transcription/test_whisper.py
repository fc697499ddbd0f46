"""Whisper in process: a tiny random model, made from its configuration."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from omnipilot.envs import AudioClip, ConfigError
from omnipilot.envs.types.media import SAMPLE_RATE
from omnipilot.memory.transcription import WhisperTranscriber, make_transcriber
from omnipilot.memory.transcription.whisper import LONGEST

pytest.importorskip("torch", reason="needs torch and transformers")
transformers = pytest.importorskip("transformers", reason="needs torch and transformers")

SPECIAL = (
    "<|endoftext|>", "<|startoftranscript|>", "<|en|>", "<|zh|>", "<|translate|>", "<|transcribe|>", "<|nospeech|>",
    "<|notimestamps|>",
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of one layer with random weights, and one token a byte."""
    import torch
    from transformers.models.gpt2.tokenization_gpt2 import GPT2Tokenizer  # noqa: F401

    path = tmp_path_factory.mktemp("whisper")
    letters = [chr(c) for c in [*range(33, 127), *range(161, 173), *range(174, 256)]]
    letters += [chr(256 + n) for n in range(256 - len(letters))]
    vocab = {letter: i for i, letter in enumerate(letters)} | {word: 256 + i for i, word in enumerate(SPECIAL)}
    (path / "vocab.json").write_text(json.dumps(vocab))
    (path / "merges.txt").write_text("#version: 0.2\n")
    (path / "normalizer.json").write_text("{}")
    tokenizer = transformers.WhisperTokenizer(
        vocab=str(path / "vocab.json"), merges=str(path / "merges.txt"),
        vocab_file=str(path / "vocab.json"), merges_file=str(path / "merges.txt"),
        additional_special_tokens=list(SPECIAL[1:]),
    )  # fmt: skip
    processor = transformers.WhisperProcessor(transformers.WhisperFeatureExtractor(), tokenizer)
    processor.save_pretrained(path)
    torch.manual_seed(7)
    config = transformers.WhisperConfig(
        vocab_size=len(vocab), d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=32, decoder_ffn_dim=32, max_target_positions=32, pad_token_id=256,
        bos_token_id=256, eos_token_id=256, decoder_start_token_id=257,
    )  # fmt: skip
    model = transformers.WhisperForConditionalGeneration(config)
    model.generation_config = transformers.GenerationConfig(
        is_multilingual=True, lang_to_id={"<|en|>": 258, "<|zh|>": 259}, max_length=20, begin_suppress_tokens=[256],
        task_to_id={"translate": 260, "transcribe": 261}, no_timestamps_token_id=263, decoder_start_token_id=257,
        eos_token_id=256, pad_token_id=256,
    )  # fmt: skip
    model.save_pretrained(path)
    return path


def clip(seconds: float) -> AudioClip:
    draw = np.random.default_rng(3)
    return AudioClip.from_array((draw.normal(0, 3000, round(seconds * SAMPLE_RATE))).astype(np.int16), "phone")


def test_it_answers_with_words_the_same_every_time(folder: Path) -> None:
    transcriber = make_transcriber(f"whisper/{folder},device=cpu,language=en")
    once, again = transcriber.transcribe(clip(1.0)), transcriber.transcribe(clip(1.0))
    assert once == again and once and "<|" not in once


def test_a_long_clip_is_given_in_pieces(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from omnipilot.memory.transcription import whisper

    heard: list[float] = []
    monkeypatch.setattr(whisper._Whisper, "transcribe", lambda self, clip, language: heard.append(clip.seconds) or "a")
    assert WhisperTranscriber(str(folder), "cpu").transcribe(clip(2 * LONGEST + 1)) == "a a a"
    assert heard == [LONGEST, LONGEST, 1.0]


def test_what_cannot_be_loaded_says_so(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be loaded"):
        WhisperTranscriber(str(tmp_path)).transcribe(clip(0.5))
    with pytest.raises(ConfigError, match="klingon"):
        WhisperTranscriber(str(folder), "cpu", "klingon").transcribe(clip(0.5))
