"""Where each module of the service belongs: one folder for each feature, and a few for all of them.

The modules below are still in other folders; all others are in their own.
"""

from __future__ import annotations

ROOT = ""  # next to the folders
_MOVING = {  # folder -> modules
    ROOT: """
        api.recorder operation.processes operation.starting""",
    "accounts": """
        api.callers api.players api.schemas.players operation.closing""",
    "analyses": """
        api.analyses api.internal_analyses api.schemas.analyses games.analyses""",
    "boards": """
        api.boards api.schemas.boards api.schemas.declarations""",
    "eventlog": """
        operation.failovers store store.backup store.broken store.histories store.idempotency
        store.loaded store.pages store.quotas store.steps store.store""",
    "games": """
        api.games api.live api.notices api.pictures api.pixels api.playing api.schemas.games
        api.schemas.histories api.schemas.live api.schemas.notices api.schemas.playing
        api.schemas.seats api.schemas.tagged api.schemas.views matching.lobby operation.sweep
        store.games""",
    "histories": """
        api.histories api.log records.log store.log_head""",
    "http": """
        api api.answers api.application api.authentication api.blueprint api.caching
        api.compressing api.context api.descriptions api.envelope api.headers api.limits
        api.markdown api.plain api.preferring api.problems api.request_log api.requests
        api.schemas api.schemas.base api.schemas.declared api.schemas.headers
        api.schemas.pages api.serving api.streaming api.texts operation.connections
        operation.limits operation.logs operation.metrics operation.outages operation.reading
        operation.server operation.slots operation.sockets""",
    "operation": """
        api.metrics api.operation api.schemas.operation""",
    "page": """
        api.page api.pages api.previews api.screens""",
    "pool": """
        api.pool api.schemas.online api.schemas.pool matching matching.feature matching.online
        matching.pool matching.pool_games matching.pool_sweep matching.pool_views""",
    "ratings": """
        api.ratings api.schemas.ratings records.counting records.leaderboards
        records.opponents records.present records.rated records.rating_rules records.ratings
        records.standing""",
    "records": """
        store.sql store.sql.database store.sql.migrations store.sql.migrations.env
        store.sql.migrations.versions.0001_first store.sql.tables store.sql.views""",
    "redis": """
        operation.appendonly operation.clusters operation.durability operation.layout
        operation.memory operation.redis operation.replies store.batches store.conflicts
        store.deleted store.gathering store.guarding store.idle_connections store.locks
        store.news store.queue store.schedule store.scripts store.secret store.single_flight
        store.versioned""",
    "statistics": """
        api.schemas.statistics api.statistics records.statistics""",
    "tournaments": """
        api.schemas.tournaments api.tournaments store.tournaments""",
    "webhooks": """
        api.internal_webhooks api.schemas.webhooks api.webhooks""",
}
FOLDERS = {
    f"service.{name}": folder for folder, names in _MOVING.items() for name in names.split()}
