"""The service: Flask over Redis. HTTP is thin (``api``), application functions are a few lines
(``accounts``, ``games``, ``matching``, ``tournaments``, ``webhooks``), only ``store`` opens
histories, and ``api/wiring.py`` connects all parts."""
