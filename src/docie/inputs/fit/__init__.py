"""How references and predictions fit together: the changes of how rows are read under which more values agree."""
