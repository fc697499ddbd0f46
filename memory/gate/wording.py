"""Whether an instruction speaks of hearing or of watching."""

from __future__ import annotations

import re

from omnipilot.envs import Modality

_SPEAKS_OF = {
    Modality.AUDIO: re.compile(
        r"\b(?:hear[sd]?|hearing|heard|listen(?:s|ed|ing)?|sounds?|audible|aloud|spoken|speaks?|speaking|voice(?:mail)?s?|"
        r"beeps?|rings?|ringing|ringtones?|melod(?:y|ies)|tunes?|tones?|songs?|music|announce[ds]?|announcements?|"
        r"narrat\w+|dials?|dialled|podcasts?|recordings?|audio)\b|[听聽声聲]|[语語]音|铃|鈴|音[乐樂频頻]|播放",
        re.IGNORECASE,
    ),
    Modality.VIDEO: re.compile(
        r"\b(?:watch(?:es|ed|ing)?|films?|videos?|clips?|movies?|animat\w+|blink(?:s|ed|ing)?|flash(?:es|ed|ing)?|"
        r"moves about|(?:is|are|starts?|stops?|in) mov(?:es|ing)|motion|movements?|footage|playback|"
        r"play the (?:ball|lamp|tones?))\b"
        r"|[视視][频頻]|影片|观看|觀看|[闪閃]|[动動]画|播放",
        re.IGNORECASE,
    ),
}


def speaks_of(instruction: str, modality: Modality) -> str:
    """The first word of an instruction that speaks of hearing (audio) or of watching (video); "" for none.

    English and Chinese are known.
    """
    pattern = _SPEAKS_OF.get(modality)
    found = pattern.search(instruction) if pattern is not None else None
    return found[0] if found else ""
