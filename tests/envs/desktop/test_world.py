"""A world of one private desktop: equal starts, and what judges may read."""

import pytest

from omnipilot.envs import ActionRejected
from omnipilot.envs.desktop import DesktopWorld

LISTING = "cd; find . -path './.*' -prune -o -print | sort; ls -A /tmp"

pytestmark = pytest.mark.desktop


def test_a_reset_leaves_nothing_of_the_episode_before():
    world = DesktopWorld(programs=("mousepad",))
    try:
        world.reset(0)
        first = world.shell(LISTING, 10.0)
        display = world.desktop.address.display
        world.shell(
            "echo changed > ~/Documents/left.txt; echo x > /tmp/left; ln -s /etc/passwd ~/Desktop/out; "
            "xfconf-query -c xfwm4 -p /general/workspace_count -n -t int -s 3; pactl set-sink-volume speaker 20%; "
            "nohup sleep 1000 >/dev/null 2>&1 &",
            10.0,
        )
        assert world.read_file("Documents/left.txt") == b"changed\n"
        with pytest.raises(PermissionError):
            world.read_file("Desktop/out")
        world.reset(1)
        assert world.desktop.address.display == display
        assert world.now < 5
        assert not [one for one in world.desktop.processes() if "sleep" in one.command]
        assert sum("mousepad" in one.command for one in world.desktop.processes()) == 1
        assert world.shell(LISTING, 10.0) == first
        assert "100%" in world.shell("pactl get-sink-volume speaker", 10.0)
        assert world.shell("xprop -root _NET_NUMBER_OF_DESKTOPS", 10.0).split()[-1] == "1"
    finally:
        world.close()
    assert not world.desktop.alive


@pytest.mark.slow
def test_a_desktop_whose_server_was_killed_is_replaced_at_the_next_reset():
    world = DesktopWorld()
    try:
        world.reset(0)
        pid = next(one.pid for one in world.desktop.processes() if one.command[0] == "pulseaudio")
        world.shell(f"kill -9 {pid}", 10.0)
        assert not world.desktop.alive
        before = world.desktop
        world.reset(1)
        assert world.desktop is not before and world.desktop.alive
        assert not before.home.path.exists()
        with pytest.raises(ActionRejected, match="no program 'Nothing'"):
            world._launch("Nothing")
    finally:
        world.close()
