"""Scores from few labels and a second system's reading of all documents."""
