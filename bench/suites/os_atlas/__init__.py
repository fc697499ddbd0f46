"""The step benchmarks in the style of OS-Atlas: GUI-Odyssey, GUIAct-Web, OmniACT line by line."""
