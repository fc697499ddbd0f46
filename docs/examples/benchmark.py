"""A benchmark of one's own, written from docs/extending.md: open the application that is asked for."""

from omnipilot.bench import Case, Judge, JudgeGraph, Suite, Task, TaskInfo, check_suite, run
from omnipilot.envs import ConfigError, OpenApp, Thinking
from omnipilot.envs.schema.validation_messages import nearest
from omnipilot.envs.toy import ToyPhone
from omnipilot.memory import Move

APPS = {"open-notes": "Notes", "open-voicemail": "Voicemail"}


class OpenApps(Suite):
    name, version = "open-apps", "1"

    def tasks(self) -> list[TaskInfo]:
        return [TaskInfo(id, f"Open {app}.", ("phone",)) for id, app in APPS.items()]

    def instantiate(self, task_id: str, instance: int) -> Task:
        if task_id not in APPS:
            raise ConfigError(f"there is no task {task_id!r}; {nearest(task_id, APPS)}")
        app = APPS[task_id]

        def setup(world: ToyPhone) -> str:
            world.reset(instance)
            return f"Open {app}."

        def is_open(case: Case) -> bool:
            return case.state.app == app

        solution = [Move("phone", OpenApp(app))]
        return Task(task_id, instance, setup, JudgeGraph((Judge("open", is_open),)), lambda world: solution)

    def world(self, thinking: Thinking) -> ToyPhone:
        return ToyPhone(thinking)


if __name__ == "__main__":
    check_suite(OpenApps)
    print(run(suite=OpenApps, planner="oracle", jobs=0, out="runs/benchmark"))
