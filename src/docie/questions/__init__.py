"""What can be asked of references and predictions: a file for each question, whose answer is a Result."""
