"""Tables of sub-tasks for playing task files of CRAB and OmniBench."""
