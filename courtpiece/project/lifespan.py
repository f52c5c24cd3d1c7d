"""What a process that answers pages does when it starts."""

import gc
import sys
from typing import Any, Final

GC_THRESHOLD: Final = (50_000, 20, 50)
"""Objects made before Python looks for cycles: its own 700 costs the slowest pages most of their time."""
SWITCH_INTERVAL: Final = 0.0005
"""Seconds that a thread may run while others wait for their turn. A request waits for its turn after every query, and
while it does a deal holds the lock of its tournament: with Python's own 5 ms fifty tables wait for seconds."""


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
    sys.setswitchinterval(SWITCH_INTERVAL)
