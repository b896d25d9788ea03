"""The service: Flask over Redis. HTTP is thin (``api``), application functions are a few lines
(``accounts``, ``games``, ``matching``, ``tournaments``, ``webhooks``), nothing but ``store`` opens
a history, and ``app.py`` says how all of it hangs together."""
