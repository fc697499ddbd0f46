"""How long an experiment reads the journal of a thousand episodes: python tests/perf/attribution_reading.py RUN

RUN is a finished run; its episodes are copied under other instances into a run of 1,000, in a temporary folder."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from omnipilot.bench.episode.origin import RecordedOrigin
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.results import Slot, survey_of
from omnipilot.bench.registry import loading_suites_once
from omnipilot.bench.run.fork import ForkPoint, fork_spec
from omnipilot.bench.settings import RunSettings

EPISODES = 1_000


def main(source: Path) -> None:
    """Print the seconds of three experiments, one after the other."""
    first = load_run(source).episodes
    with TemporaryDirectory() as folder, loading_suites_once():
        big = Path(folder)
        (big / "spec.json").write_text((source / "spec.json").read_text(encoding="utf-8"), encoding="utf-8")
        events = [json.loads(line) for line in (source / "journal.jsonl").open(encoding="utf-8")]
        with (big / "journal.jsonl").open("w", encoding="utf-8") as file:
            file.write(json.dumps(events[0]) + "\n")
            for instance in range(-(-EPISODES // len(first))):
                for event in events[1:]:
                    if "key" in event:
                        key = f"{event['key'].partition('#')[0]}#{instance}.0"
                        changed = event | {"key": key} | ({"instance": instance} if "instance" in event else {})
                        file.write(json.dumps(changed) + "\n")
        print(f"{(big / 'journal.jsonl').stat().st_size / 1e6:.0f} MB, {EPISODES} episodes or a few more")
        for number in range(3):
            survey_of(source)  # as a fork asks for its own
            begun = time.perf_counter()
            spec, _ = fork_spec(ForkPoint(big, Slot(first[number].task, number, 0), 1), RunSettings())
            assert spec.forked is not None
            RecordedOrigin.of(spec.forked)
            print(f"experiment {number + 1}: {time.perf_counter() - begun:.2f} s")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
