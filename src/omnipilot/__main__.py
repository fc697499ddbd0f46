"""`python -m omnipilot` is the command `omnipilot`."""

from __future__ import annotations

from omnipilot.bench.cli.app import main

if __name__ == "__main__":
    main()
