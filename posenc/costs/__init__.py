"""What encodings cost: operations, bytes, and the time that both take at least."""

from posenc.costs.flops import (
    addition_flops,
    attention_flops,
    feed_forward_flops,
    matmul_flops,
    rotation_flops,
)
from posenc.costs.memory import cache_bytes, roofline_seconds, table_bytes, traffic_bytes

__all__ = [
    "addition_flops",
    "attention_flops",
    "cache_bytes",
    "feed_forward_flops",
    "matmul_flops",
    "roofline_seconds",
    "rotation_flops",
    "table_bytes",
    "traffic_bytes",
]
