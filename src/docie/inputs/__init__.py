"""The way in: from files, tables, data sets and sequences to pairs of a prediction and its reference.

A source yields rows; openers find the id and the document in each; shapes merge pages, rename and leave out; a join
pairs references and predictions. `Reading` says how.
"""
