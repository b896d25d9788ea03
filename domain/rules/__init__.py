"""The rules, one module per idea.

A module has ``DECIDES`` (command -> the rule that turns it into events) and ``EVOLVES`` (event -> the
change it makes); ``legal.py`` lists what they accept. COMMON serves every board; a board's table
adds others by name.
"""
