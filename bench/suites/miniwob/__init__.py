"""MiniWoB pages."""
