"""Thirty invoices, written in every form that docie reads. No adapter of docie is imported here.

`invoices` has what is written, `table` has all forms, each with what a user types. The other modules write them.
"""
