"""What a process that answers pages does when it starts."""

import gc
from typing import Any, Final

GC_THRESHOLD: Final = (50_000, 20, 50)
"""Objects made before Python looks for cycles: its own 700 costs the slowest pages most of their time."""


async def lifespan(_scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answer the server's word that it starts, and later that it stops."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            settle_memory()
            await send({"type": "lifespan.startup.complete"})
        else:
            await send({"type": "lifespan.shutdown.complete"})
            return


def settle_memory() -> None:
    """Set aside for good what was loaded until now, so that no collection looks at it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLD)
