"""What is told of values that no change gives a counterpart: a file each, whose `propose(sample)` yields it."""
