"""All families at once, on the same documents."""
