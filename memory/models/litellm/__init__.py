"""Hosted and local models through litellm."""
