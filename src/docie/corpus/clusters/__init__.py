"""Documents that belong together: columns of `meta`, clusters, and whether documents of one are alike."""
