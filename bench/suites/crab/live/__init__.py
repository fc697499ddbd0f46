"""CRAB's sub-tasks on real devices: their judges, and what these read of a desktop and a phone."""
