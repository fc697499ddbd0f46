"""The commands of `omnipilot synth`, one module each."""
