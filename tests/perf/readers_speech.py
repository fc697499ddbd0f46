"""How well Whisper understands the embedded world's voices: errors in words by noise, whole codes, and what it costs.

    python tests/perf/readers_speech.py FOLDER [scenes of each language, 32; at least 8]

FOLDER holds a model in CTranslate2's form; the extra `speech` runs it. Each scene is a sentence by one of the world's
voices with 0.5 s before and after it, every other one a four-digit code, under white or pink noise in turn. The level
is that of the speech, while it sounds, over the noise. The language is told, except where the table says otherwise.

A word is wrong if it is put in, left out or changed (word error rate; of Chinese, the same of characters). Case,
punctuation, and whether a digit is written as a word or as a sign do not count; a number is as many words as digits.
A code is whole if its digits, and no others, were written in their order.
"""

from __future__ import annotations

import re
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import get_args

import typer
from readers_sounds import LEVELS, loudness

from omnipilot.bench.tables import Table
from omnipilot.envs import AudioClip
from omnipilot.envs.sim.audio.noise import LOUDEST, QUIETEST, Colour
from omnipilot.envs.sim.audio.sound import Sound, mix, pattern
from omnipilot.memory.transcription import Transcriber, make_transcriber

AROUND = 0.5
PROMPT = "The code is 4 7 1 1."
"""What the rows "with a prompt" tell Whisper was said before."""
_DIGITS = {
    **{word: str(value) for value, word in enumerate("zero one two three four five six seven eight nine".split())},
    **{sign: str(value) for value, sign in enumerate("零一二三四五六七八九")},
    "oh": "0",
    "o": "0",
    "幺": "1",
}
_ENGLISH = {
    "please": ("open", "close", "send", "delete", "archive", "reply", "save", "stop", "snooze", "answer", "ignore"),
    "then": ("left", "right", "first", "second", "third", "last"),
    "call": ("call back today", "call back tomorrow"),
}
_CHINESE = {
    "please": ("打开", "关闭", "发送", "删除", "归档", "回复", "保存", "停止", "接听", "忽略"),
    "then": ("左边", "右边", "第一", "第二", "第三", "最后"),
    "call": ("请回电 今天", "请回电 明天"),
}


@dataclass(frozen=True, slots=True)
class SpeechScene:
    """A sentence by a voice, the code in it ("" for none), and the noise's colour and seed."""

    voice: str
    said: str
    code: str
    colour: Colour
    seed: int

    def clip(self, level: int | None) -> AudioClip:
        """The sentence, `level` decibels over its noise; None is no noise."""
        name = f"speech:{self.voice}:{self.said}"
        seconds = pattern(name).seconds - 0.4
        sounds = [Sound(name, AROUND, seconds, 70)]
        whole = seconds + 2 * AROUND
        if level is not None:
            noise = min(LOUDEST, max(QUIETEST, loudness(mix(sounds, "phone", 0.0, whole)) - level))
            sounds.append(Sound(f"noise:{self.colour}:{noise}:{self.seed}", 0.0, whole))
        return mix(sounds, "phone", 0.0, whole)


def speech_scenes(language: str, count: int, seed: int = 0) -> list[SpeechScene]:
    """`count` scenes in a language, "en" or "zh", every other one a code; the same for the same seed."""
    draw = Random(f"speech {language} {seed}")
    code_is, listed = ("the code is", _ENGLISH) if language == "en" else ("验证码是", _CHINESE)
    please, then = ("please", "then") if language == "en" else ("请", "然后")
    found = []
    for number in range(count):
        code = "".join(draw.choices("0123456789", k=4)) if number % 2 == 0 else ""
        command = f"{please} {draw.choice(listed['please'])} {then} {draw.choice(listed['then'])}"
        said = f"{code_is} {code}" if code else draw.choice((command, command, *listed["call"]))
        voice = f"{language}-{'ab'[number // 2 % 2]}"
        found.append(SpeechScene(voice, said, code, get_args(Colour)[number // 4 % 2], number))
    return found


def split_words(text: str) -> list[str]:
    """The words of a text as they are compared: lower case, without punctuation, digits and Chinese characters one by
    one."""
    found = re.findall(r"\d|[㐀-鿿]|[^\W\d_㐀-鿿]+(?:['’]\w+)?", text.casefold())
    return [_DIGITS.get(word, word) for word in found]


def errors(said: Sequence[str], heard: Sequence[str]) -> int:
    """The fewest words that are put in, left out or changed from what was said to what was heard."""
    row = list(range(len(heard) + 1))
    for at, word in enumerate(said, 1):
        before, row[0] = row[0], at
        for index, other in enumerate(heard, 1):
            before, row[index] = row[index], min(row[index] + 1, row[index - 1] + 1, before + (word != other))
    return row[-1]


@dataclass(slots=True)
class SpeechCount:
    """Words said, errors in them, codes said, codes that were whole; seconds of sound and of computing."""

    words: int = 0
    wrong: int = 0
    codes: int = 0
    whole: int = 0
    seconds: float = 0.0
    computing: float = 0.0

    @property
    def error_rate(self) -> float:
        """Errors for each word that was said; more than 1 if more is invented than was said."""
        return self.wrong / self.words

    def add(self, other: SpeechCount) -> SpeechCount:
        """Both together."""
        return SpeechCount(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


def count_errors(scenes: Sequence[SpeechScene], level: int | None, transcriber: Transcriber) -> SpeechCount:
    """What a transcriber made of scenes at a level of noise."""
    count = SpeechCount()
    for scene in scenes:
        clip = scene.clip(level)
        begun = time.process_time()
        heard = split_words(transcriber.transcribe(clip))
        count.computing += time.process_time() - begun
        count.seconds += clip.seconds
        said = split_words(scene.said)
        count.words += len(said)
        count.wrong += errors(said, heard)
        count.codes += bool(scene.code)
        count.whole += bool(scene.code) and "".join(word for word in heard if word.isdigit()) == scene.code
    return count


def tables(folder: str, count: int) -> Iterator[Table]:
    """Errors and whole codes by language, colour and level."""
    ways = [
        ("English", "en", ",language=en", LEVELS),
        ("Chinese", "zh", ",language=zh", (None,)),
        ("English, with a prompt", "en", f",language=en,prompt={PROMPT}", (None, 0)),
        ("English, in float32", "en", ",language=en,precision=float32", (None,)),
        ("English, language not told", "en", "", (None,)),
    ]
    names = ["no noise" if level is None else f"{level} dB" for level in LEVELS]
    rows: dict[str, list[tuple[str, ...]]] = {"wrong": [], "whole": []}
    cost = SpeechCount()
    costs: list[str] = []
    for what, language, options, levels in ways:
        transcriber = make_transcriber(f"whisper/{folder}{options}")
        drawn = speech_scenes(language, count, seed=1)
        counts: dict[str, list[SpeechCount]] = {
            colour: [
                count_errors([scene for scene in drawn if scene.colour == colour], level, transcriber)
                for level in levels
            ]
            for colour in get_args(Colour)
        }
        both = [first.add(second) for first, second in zip(*counts.values(), strict=True)]
        for name, of in (("", both), *((f", {colour}", each) for colour, each in counts.items() if levels is LEVELS)):
            rates = {level: f"{100 * one.error_rate:.0f}" for level, one in zip(levels, of, strict=True)}
            whole = {level: str(one.whole) for level, one in zip(levels, of, strict=True)}
            rows["wrong"].append((what + name, str(of[0].words), *(rates.get(level, "") for level in LEVELS)))
            rows["whole"].append((what + name, str(of[0].codes), *(whole.get(level, "") for level in LEVELS)))
        typer.echo(f"{what}: {rows['wrong'][-3:]} {rows['whole'][-3:]}", err=True)
        cost = SpeechCount()
        for one in both:
            cost = cost.add(one)
        costs.append(f"{cost.computing / cost.seconds:.2f} ({what})")
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    notes = (
        f"seconds of computing for 1 s of sound, of all cores together: {', '.join(costs)}",
        f"memory of the process at most: {megabytes:.0f} MiB",
    )
    yield Table(("wrong words, %", "words", *names), tuple(rows["wrong"]), notes)
    yield Table(("whole codes", "codes", *names), tuple(rows["whole"]))


def main() -> None:
    """Print the tables."""
    if len(sys.argv) < 2:
        raise SystemExit("name the folder of a model: python tests/perf/readers_speech.py FOLDER")
    for table in tables(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 32):
        typer.echo(table.text() + "\n")


if __name__ == "__main__":
    main()
