"""How the command line is read: commands by name, environment variables of options, mistakes and what was meant."""
