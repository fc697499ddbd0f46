"""What runs with the interpreter of OSWorld's checkout; nothing in this folder imports omnipilot."""
