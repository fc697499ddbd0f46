"""The tasks of `workshop`, in modules by what they are about; each lists its `TEMPLATES`."""
