"""The episodes of OmniGUI's miniature, with labels and instructions in two languages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SampleEpisode:
    """One episode.

    Attributes:
        task: of `duet`, played to its end; "" where `errand` says what is done.
        english: the instruction; "" for that of the task. chinese: in it, {0}, {1}, … are what the English one has in
            quotation marks, and times of day.
        errand: what is done, one thing a step: "tap ID", "double ID", "up", "down", "left", "right", "back", "home",
            "impossible", "complete".
        places: how a step's place is written where it is no rectangle: by its number, `point`, `list` or `yx`.
        clips: whether sound and video are kept.
    """

    id: str
    subset: str
    app: str
    level: str
    dimension: str
    chinese: str
    task: str = ""
    english: str = ""
    errand: tuple[str, ...] = ()
    places: Mapping[int, str] = field(default_factory=dict)
    clips: bool = True

    def told(self, instruction: str) -> tuple[str, str]:
        """The instruction in English and Chinese, derived from the task's."""
        english = self.english or instruction
        facts = [quoted or clock for quoted, clock in _FACTS.findall(english)]
        return english, self.chinese.format(*facts)


_FACTS = re.compile(r'"([^"]+)"|\b(\d\d:\d\d)\b')
_LOCAL, _SEMANTIC, _CROSS = "Localization", "Semantic Understanding", "Cross-modal Discrimination"
_TEMPORAL, _INSTANT = "Temporal Reasoning", "Instant Response"
_CRITICAL, _SUPPORTIVE, _PRESENT = "AV-Critical", "AV-Supportive", "AV-Present"

EPISODES = (
    SampleEpisode(
        "messages_1",
        "zh",
        "messages",
        _PRESENT,
        _LOCAL,
        "在手机上打开信息，进入与“{0}”的对话，输入“{1}”并点击“{2}”。",
        task="send-message",
        places={1: "point"},
    ),
    SampleEpisode(
        "clock_1",
        "zh",
        "clock",
        _PRESENT,
        _LOCAL,
        "在手机的时钟里新建一个 {0} 的闹钟并保存。",
        task="add-alarm",
        clips=False,
    ),
    SampleEpisode(
        "phone_1",
        "zh",
        "phone",
        _CRITICAL,
        _INSTANT,
        "打开电话里的语音信箱，播放“{0}”最新的留言并记住验证码；等“{1}”来电时，在 20 秒内点击“{2}”，"
        "打开通话键盘并按下留言里说的验证码。",
        task="code-into-call",
    ),
    SampleEpisode(
        "gallery_1",
        "zh",
        "gallery",
        _SUPPORTIVE,
        _CROSS,
        "打开相册里的第一张照片，双击照片，然后返回。",
        english="Open the first picture in Gallery, double tap it, and go back.",
        errand=("tap home/gallery", "tap gallery/photos/photo-*", "double gallery/photo/picture", "back", "complete"),
        places={0: "list"},
    ),
    SampleEpisode(
        "clock_2",
        "en",
        "clock",
        _SUPPORTIVE,
        _INSTANT,
        "等手机上的闹钟响起，点击“{0}”。",
        task="dismiss-alarm",
    ),
    SampleEpisode(
        "settings_1",
        "en",
        "settings",
        _PRESENT,
        _LOCAL,
        "在手机的设置里打开 Wi-Fi，忘记已保存的网络“{0}”。",
        task="forget-old-network",
        places={1: "yx"},
    ),
    SampleEpisode(
        "contacts_1",
        "en",
        "contacts",
        _CRITICAL,
        _SEMANTIC,
        "打开电话里的语音信箱，播放“{0}”最新的留言，记住回电号码；在通讯录里打开“{1}”，把电话号码换成这个号码并保存。",
        task="number-by-voicemail",
    ),
    SampleEpisode(
        "gallery_2",
        "en",
        "gallery",
        _PRESENT,
        _TEMPORAL,
        "打开相册，向下翻看照片再翻回来，然后回到主屏幕。",
        english="Open Gallery, look through the pictures and come back up, then go to the home screen.",
        errand=("tap home/gallery", "up", "down", "home", "complete"),
    ),
    SampleEpisode(
        "launcher_1",
        "en",
        "launcher",
        _PRESENT,
        _SEMANTIC,
        "在手机上打开“{0}”应用。",
        english='Open the app "Compass" on the phone.',
        errand=("left", "right", "impossible"),
        clips=False,
    ),
    SampleEpisode(
        "notes_1",
        "en",
        "notes",
        _PRESENT,
        _LOCAL,
        "打开便签，再返回主屏幕。",
        english="Open Notes, then go back to the home screen.",
        errand=("tap home/notes", "back", "complete"),
        clips=False,
    ),
)
