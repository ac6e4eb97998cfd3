"""The Space of HED and UHED."""
