"""Start the recorder: ``python -m service.records``."""

from importlib import import_module

import_module("service.api.recording").main()  # by its name, as ``api`` is above this package
