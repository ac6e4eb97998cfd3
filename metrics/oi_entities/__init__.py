"""Order-independent entity metrics as an evaluate module."""
