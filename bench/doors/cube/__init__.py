"""Our suites as cubes, for whatever speaks cube-standard: `cube list`, `cube test omnipilot-duet`, its harness."""
