"""Making data in OmniACT's format: screens with named boxes, tasks over names, checks, review and export."""
