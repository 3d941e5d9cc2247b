"""colver's rollouts (random bidding and play, in Rust) on one core, in the peers' environment: prints JSON."""

import json
import os
import sys
import time

import colver

count, seed = int(sys.argv[1]), int(sys.argv[2])
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {int(os.environ["BENCH_CORE"])})
env = colver.Env.deal(seed=seed)
env.rollout(1_000)
start = time.perf_counter()
env.rollout(count)
print(json.dumps({"seconds": time.perf_counter() - start, "deals": count}))
