"""The foundation of all rooms: values and when they are equal, counts, settings, families by name, errors."""
