"""Tables of sub-tasks that task files of CRAB and OmniBench are played with."""
