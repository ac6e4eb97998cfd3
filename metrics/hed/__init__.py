"""HED and UHED as an evaluate module."""
