"""Mouse and keyboard through PyAutoGUI: the way to desktops of Windows and macOS, and another one to X11."""
