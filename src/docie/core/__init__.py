"""What everything stands on: values and what makes them equal, counts, settings, families by name, errors."""
