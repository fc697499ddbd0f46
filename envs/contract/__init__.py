"""Conformance checks for environments, for the tests of plug-ins."""
