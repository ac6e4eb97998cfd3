"""Dataset records and model outputs → documents."""
