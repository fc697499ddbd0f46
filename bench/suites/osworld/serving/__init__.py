"""A desktop of ours under the endpoints of OSWorld's server, for whoever drives OSWorld's machines."""
