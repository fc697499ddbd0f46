"""The scenes of `duet-memory`."""
