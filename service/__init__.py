"""The service: Flask over Redis. HTTP is thin (``api``), application functions are a few lines
(``games``, ``players``), and nothing but ``store`` opens a game's history."""
