"""The shared code of the Spaces: reading, limits, computing in worker processes, and the components of a page."""
