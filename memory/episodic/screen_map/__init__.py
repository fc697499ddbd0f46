"""The map of screens: applications, their pages and elements, and the ways between them, from observations alone."""
