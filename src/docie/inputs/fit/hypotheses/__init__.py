"""What may differ in how two sides were written: a file each, whose `propose(sample)` yields the changes that help."""
