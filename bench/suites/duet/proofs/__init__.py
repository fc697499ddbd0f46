"""Proofs that the tasks of `duet` measure what they claim to."""
