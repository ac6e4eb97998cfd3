"""JSON values: conversion of Python and numpy values, reading and writing of JSON text, limits on depth and size."""
