"""People rate the tasks of a pool: sheets and a local page, acceptance, agreement, and the reviews that follow."""
