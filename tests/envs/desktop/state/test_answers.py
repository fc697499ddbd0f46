from __future__ import annotations

from omnipilot.envs.desktop.state.answers import SEPARATOR, output_from, players_from, sheet_from, streams_from
from omnipilot.envs.desktop.state.record import PlayerState, PlayingStream

INPUTS = """[{"index": 3, "corked": true, "mute": false,
 "volume": {"front-left": {"value": 32768}, "front-right": {"value": 16384}},
 "properties": {"application.name": "mpv", "application.process.id": "44"}}]"""
SINKS = '[{"name": "other", "mute": true}, {"name": "speaker", "mute": true, "volume": {"l": {"value": 65536}}}]'


def test_players_are_read_and_broken_lines_left_out() -> None:
    line = SEPARATOR.join(["mpv", "Paused", "1500000", "9000000", "0.5", "file:///home/user/a.wav"])
    idle = SEPARATOR.join(["mpv", "Stopped", "", "", "1.0", ""])
    assert players_from(f"{line}\nnonsense\n{idle}\n") == (
        PlayerState("mpv", "Paused", "file:///home/user/a.wav", 1.5, 9.0, 0.5),
        PlayerState("mpv", "Stopped"),
    )


def test_a_player_that_is_before_the_start_is_at_the_start() -> None:
    line = SEPARATOR.join(["mpv", "Playing", "-31028", "-1", "1.0", "file:///home/user/a.wav"])
    assert players_from(line) == (PlayerState("mpv", "Playing", "file:///home/user/a.wav", 0.0, 0.0, 1.0),)


def test_streams_and_the_output_are_read() -> None:
    assert streams_from(INPUTS) == (PlayingStream("mpv", True, False, 0.5),)
    assert output_from(SINKS, "speaker") == (True, 1.0)
    assert output_from(SINKS, "none") == (False, 1.0)


def test_an_answer_that_is_none_tells_nothing() -> None:
    for broken in ("", "{", '{"a": 1}', "[1, 2]", '[{"volume": 3, "properties": 4}]'):
        assert output_from(broken, "speaker") == (False, 1.0)
        assert all(one.program == "" for one in streams_from(broken))


def test_a_sheet_is_read_as_shown() -> None:
    assert sheet_from('a,"b, c"\n\n1,2,3\n') == (("a", "b, c"), (), ("1", "2", "3"))
    assert len(sheet_from("x,y\n" * 20_000)) == 10_000
