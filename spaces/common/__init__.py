"""What the Spaces share: reading, limits, computing in worker processes, and the blocks of a page."""
