"""Checks that hold any environment to its contract, for the tests of plug-ins."""
