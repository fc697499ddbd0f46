"""Record the spoken words that ship beside this script: one FLAC file for each voice, and `words.json`.

Run it only to change the words or voices; the golden hashes of the simulator's sounds change with it.

    apt-get install espeak-ng
    pip install soundfile numpy
    python make_speech.py

Every word is spoken by itself, brought to 16 kHz, trimmed, and set to one loudness. The words of a voice lie one
after the other in its file; `words.json` says where each begins and how many samples it has.
"""

from __future__ import annotations

import json
import string
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import soundfile

RATE = 16_000
LEVEL = 3000
"""Root mean square of a word's louder half, of 32768."""
STEP = 32
"""Samples are multiples of this: the rest is 50 dB under the speech, and the files are smaller."""
QUIET, MARGIN, FADE = 0.006, 160, 80
"""What counts as silence at the ends (share of the peak), and samples kept around a word, of which some fade."""
VOICES = {
    "en-a": ("en-us", 155, 42),
    "en-b": ("en-gb+f3", 165, 55),
    "zh-a": ("cmn-latn-pinyin", 160, 45),
    "zh-b": ("cmn-latn-pinyin+f2", 170, 60),
}
"""Voice of espeak-ng, words a minute, pitch (0..99)."""
ENGLISH = (
    "the code is",
    "the room is",
    "the time is",
    "call back",
    "please",
    "open",
    "close",
    "send",
    "delete",
    "archive",
    "reply",
    "save",
    "stop",
    "snooze",
    "answer",
    "ignore",
    "left",
    "right",
    "first",
    "second",
    "third",
    "last",
    "red",
    "green",
    "blue",
    "yellow",
    "today",
    "tomorrow",
    "yes",
    "no",
    "then",
    "not",
)
CHINESE = {
    "验证码是": "yan4 zheng4 ma3 shi4", "房间是": "fang2 jian1 shi4", "时间是": "shi2 jian1 shi4",
    "请回电": "qing3 hui2 dian4", "请": "qing3", "打开": "da3 kai1", "关闭": "guan1 bi4", "发送": "fa1 song4",
    "删除": "shan1 chu2", "归档": "gui1 dang4", "回复": "hui2 fu4", "保存": "bao3 cun2", "停止": "ting2 zhi3",
    "稍后": "shao1 hou4", "接听": "jie1 ting1", "忽略": "hu1 lve4", "左边": "zuo3 bian1", "右边": "you4 bian1",
    "第一": "di4 yi1", "第二": "di4 er4", "第三": "di4 san1", "最后": "zui4 hou4", "红色": "hong2 se4",
    "绿色": "lv4 se4", "蓝色": "lan2 se4", "黄色": "huang2 se4", "今天": "jin1 tian1", "明天": "ming2 tian1",
    "是": "shi4", "否": "fou3", "然后": "ran2 hou4", "不要": "bu2 yao4",
}  # fmt: skip
DIGITS = ("ling2", "yi1", "er4", "san1", "si4", "wu3", "liu4", "qi1", "ba1", "jiu3")


def words_to_speak(language: str) -> dict[str, str]:
    """The words of a language: what the world calls each, and what the synthesiser is given."""
    letters = {letter: letter for letter in string.ascii_uppercase}
    if language == "zh":
        return {**dict(zip(string.digits, DIGITS, strict=True)), **letters, **CHINESE}
    return {**dict(zip(string.digits, string.digits, strict=True)), **letters, **{word: word for word in ENGLISH}}


def record_words(text: str, voice: str, speed: int, pitch: int) -> np.ndarray:
    """What the synthesiser says, as floats at `RATE`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "word.wav"
        command = ["espeak-ng", "-b", "1", "-v", voice, "-s", str(speed), "-p", str(pitch), "-w", str(path), text]
        subprocess.run(command, check=True, timeout=60)
        samples, rate = soundfile.read(path)
    length = round(len(samples) * RATE / rate)
    spectrum = np.fft.rfft(samples)[: length // 2 + 1]
    return np.asarray(np.fft.irfft(spectrum, length) * length / len(samples))


def finish_sound(samples: np.ndarray) -> np.ndarray:
    """Trimmed, faded at both ends, at one loudness, as whole numbers."""
    loud = np.nonzero(np.abs(samples) > QUIET * np.abs(samples).max())[0]
    cut = samples[max(0, loud[0] - MARGIN) : loud[-1] + MARGIN].copy()
    ramp = np.linspace(0, 1, FADE)
    cut[:FADE] *= ramp
    cut[-FADE:] *= ramp[::-1]
    pieces = np.sort([np.mean(part**2) for part in np.array_split(cut, max(1, len(cut) // 320))])
    cut *= LEVEL / np.sqrt(np.mean(pieces[len(pieces) // 2 :]))
    return np.asarray(np.clip(np.round(cut / STEP), -1000, 1000) * STEP, np.int16)


def main(out: Path) -> None:
    """Record every word of every voice and write the files to `out`."""
    index: dict[str, dict[str, list[int]]] = {}
    for name, (voice, speed, pitch) in VOICES.items():
        words, at, parts = {}, 0, []
        for word, text in words_to_speak(name[:2]).items():
            part = finish_sound(record_words(text, voice, speed, pitch))
            words[word] = [at, len(part)]
            parts.append(part)
            at += len(part)
        soundfile.write(out / f"{name}.flac", np.concatenate(parts), RATE, "PCM_16", compression_level=1.0)
        index[name] = words
    text = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    (out / "words.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(__file__).parent)
