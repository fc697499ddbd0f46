"""The commands of the phone's shell, in tables by what they deal with."""
