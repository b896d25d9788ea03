"""The rules, one module per idea.

A module has ``DECIDES`` (command -> the rule that turns it into events) and ``EVOLVES`` (event ->
the change it makes); ``domain/game/legal.py`` lists what they accept. A board's table names the
rules that it adds to the common ones.
"""
