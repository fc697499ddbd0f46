"""A world of one's own, written from docs/extending.md: a lamp that a click switches, and a task on it."""

from omnipilot.bench import run, task
from omnipilot.envs import ActionRejected, Box, Click, Element, Elements, Env, Observation, Size, World, check_env


class Lamp(World, Env):
    name, platform, size, verbs, custom = "lamp", "desktop", Size(16, 16), frozenset({"click"}), {}

    def __init__(self):
        self.reset(0)

    envs = property(lambda self: {"lamp": self})
    now = property(lambda self: self.time)

    def reset(self, instance):
        self.time, self.on = 0.0, False

    def wait(self, seconds):
        self.time += seconds

    def think(self, measured): ...
    def close(self): ...

    def observe(self, modalities, since):
        switch = Element("switch", "Lamp", Box(0, 0, 1, 1), frozenset({"checked"} if self.on else ()), id="switch")
        return Observation("lamp", self.time, self.size, elements=Elements((switch,))).only(modalities, "unasked")

    def act(self, action):
        if not isinstance(action, Click):
            raise ActionRejected(f"a lamp cannot {action.kind}; it can click")
        self.time, self.on = self.time + 0.1, not self.on


@task("Switch the lamp on.", world={"lamp": f"{__name__}:Lamp"})
def switch_on(case):
    return any("checked" in one.states for one in case.world.envs["lamp"].observe({"elements"}, 0.0).elements)


if __name__ == "__main__":
    check_env(Lamp)
    print(run(suite=__file__, planner="random", jobs=0, out="runs/world"))
