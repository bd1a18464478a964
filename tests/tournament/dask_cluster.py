"""A Dask cluster on this machine, of real processes: prints its address, then scales to each number of
workers that it reads, and ends with its input.
"""

from __future__ import annotations

import sys
from typing import Any

from distributed import LocalCluster


def main() -> None:
    local: Any = LocalCluster
    with local(n_workers=0, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        print(cluster.scheduler_address, flush=True)
        for line in sys.stdin:
            cluster.scale(int(line))
            cluster.wait_for_workers(int(line))
            print(line.strip(), flush=True)


if __name__ == "__main__":
    main()
