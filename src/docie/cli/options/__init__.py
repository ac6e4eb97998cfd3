"""The options of commands: a file of those they share, of those of attacks, and of what their texts mean."""
