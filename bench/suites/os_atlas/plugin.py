"""What the benchmark os-atlas adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Plugin

PLUGIN = Plugin(
    name="os-atlas",
    about="step benchmarks as OS-Atlas scores them",
    scores={
        "omniact-os-atlas": "omnipilot.bench.suites.os_atlas.score:OmniActInStyle",
        "gui-odyssey": "omnipilot.bench.suites.os_atlas.score:GuiOdyssey",
        "guiact-web": "omnipilot.bench.suites.os_atlas.score:GuiActWeb",
    },
    miniatures={
        "omniact-os-atlas": "omnipilot.bench.suites.os_atlas.sample_omniact:write",
        "gui-odyssey": "omnipilot.bench.suites.os_atlas.sample_gui_odyssey:write",
        "guiact-web": "omnipilot.bench.suites.os_atlas.sample_guiact_web:write",
    },
    benchmarks={
        "omniact-os-atlas": BenchmarkInfo(
            "OmniACT as OS-Atlas scores it: Type, Grounding, step SR",
            "the data of omniact, or omniact_test.jsonl of OS-Atlas",
            "hf://Writer/omniact; or rows as in eval/data of https://github.com/OS-Copilot/OS-Atlas",
        ),
        "gui-odyssey": BenchmarkInfo(
            "GUI-Odyssey as OS-Atlas scores it",
            "gui_odyssey_test.jsonl",
            "rows as in eval/data of https://github.com/OS-Copilot/OS-Atlas",
        ),
        "guiact-web": BenchmarkInfo(
            "GUIAct-Web as OS-Atlas scores it",
            "gui_act_web_test.jsonl",
            "rows as in eval/data of https://github.com/OS-Copilot/OS-Atlas",
        ),
    },
    place=90,
)
