"""What the web processes are started with, and those who start them must know."""

APP = "service.api.app:create_app(sweeping=True)"
GRACE = 2  # seconds for requests under way when the service is stopped
METRICS = "PROMETHEUS_MULTIPROC_DIR"  # names the folder in which web processes count
