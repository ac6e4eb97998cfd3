"""Which of several systems is better: the test, the interval, corrections."""
