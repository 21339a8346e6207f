"""The frequencies that a config specifies.

Letters in this module
    d   rotated channels (rotary_dim)    ω    angular frequency, radians per position
    i   index of a pair, 0..d/2-1                s    stretch factor
    b   base (rope_theta)                        L_0  original length
    a   attention factor                         L    positions now (seq_len)
"""

from collections.abc import Mapping
from os import PathLike
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from posenc.core import checks
from posenc.core.underflow import ignore_underflow
from posenc.scaling import rules
from posenc.scaling.reading import read_config


class HasToDict(Protocol):
    """A config of transformers, or any other object, that can be converted to a mapping."""

    def to_dict(self) -> Mapping[str, Any]:
        """Return all keys."""


class RopeParameters(NamedTuple):
    """Frequencies and attention factor of a scaled rotary embedding.

    Attributes:
        inv_freq: Shape (d/2,), float64, radians per position, at least 0, for
            `rotary_cos_sin`; d is the number of rotated channels.
        attention_factor: a, dimensionless, above 0: cosines and sines are multiplied by
            it, and so the scores by its square.

    Raises:
        TypeError: A field is missing.

    Source:
        The pair that the functions of `modeling_rope_utils.py` of transformers return.
        Deviation: float64 instead of float32.

    Examples:
        >>> from posenc import rope_parameters
        >>> rope_parameters({"rope_type": "linear", "factor": 4, "head_dim": 4})
        RopeParameters(inv_freq=array([0.25  , 0.0025]), attention_factor=1.0)
    """

    inv_freq: NDArray[np.float64]
    attention_factor: float


@ignore_underflow
def rope_parameters(
    config: Mapping[str, Any] | str | PathLike[str] | HasToDict,
    seq_len: int | None = None,
    *,
    layer_type: str | None = None,
    part: str | None = None,
) -> RopeParameters:
    """Return the frequencies and the attention factor that a Hugging Face config specifies.

    Args:
        config: Either the mapping that a config holds under `rope_parameters` or
            `rope_scaling`, with the size of a head added (`head_dim`, or `hidden_size`
            and `num_attention_heads`), or a whole model config with such a mapping, or
            None, inside; as a mapping, an object with `to_dict()`, or the path of a
            `config.json`. `rope_type`, or `type`, is one of `"default"` (also if
            absent), `"linear"`, `"dynamic"`, `"yarn"`, `"longrope"` (also `"su"`),
            `"llama3"` and `"proportional"`; `"mrope"` is `"default"`, and its frequencies
            are those for `mrope_cos_sin`. `rope_theta` is the base b; if absent, 10000.
            If a `model_type` is given, keys that are absent have the defaults of its
            class in transformers; a model that transformers doesn't have must state
            them. A model without rotary embedding is refused. None means an absent key.
            Of a multimodal config the text model is read, unless `part` names another.
            Also read are the metadata of a GGUF file, the params.json of Meta, configs of
            keras-hub, and `hf_overrides` of vLLM, as mappings. Unrelated keys of a
            model config are ignored; of the mapping inside only `finetuned`,
            `interleaved`, `llama_4_scaling_beta` (acts on queries, elsewhere), and
            `attn_factor` and `extrapolation_factor` where they are 1.
        seq_len: L, the current number of positions, an integer within 0..2**53. It
            changes `"dynamic"` beyond `max_position_embeddings` and `"longrope"` beyond
            `original_max_position_embeddings`, and nothing else. None: not beyond.
        layer_type: The kind of layer, such as `"sliding_attention"`, where a config holds
            several: a mapping for each in `rope_parameters`, `rope_local_base_freq`
            next to `rope_theta`, or `global_head_dim` and `per_layer_config` for heads of
            other widths. None: the config describes only one kind.
        part: The part of a multimodal config to read, such as `"vision_config"` or
            `"thinker_config.audio_config"`. None: the text model.

    Returns:
        `RopeParameters(inv_freq, attention_factor)`: shape (d/2,), float64, radians per
        position, and a float. d is `head_dim`, times `partial_rotary_factor` and cut to
        an integer unless the type is `"proportional"`. The entries of `"default"` are
        correctly rounded, the others within a few roundings of the formula.

    Raises:
        TypeError: `config` is none of these, or a value has the wrong type.
        ValueError: A type or key is unknown or misspelt, a key is missing, is unused by
            this type or ignored by the class of the model, or contradicts another, a
            value is out of its range, the model has no rotary embedding or one by several
            coordinates, or `layer_type` or `part` is missing or not in `config`; the
            message names the key and what to pass.
        OSError: A path cannot be read.

    Source:
        transformers 5.24.0, `modeling_rope_utils.py`, for keys, defaults and priorities.
        Deviation: float64 instead of float32. The modules there remember the greatest
        length so far; here each call passes its length. Refused here, where one value
        silently wins there or only a warning is given: keys that contradict each other,
        keys without effect, a factor below 1, an odd number of rotated channels, and a
        yarn ramp that lies outside of all pairs.

    Examples:
        >>> from posenc import rope_parameters
        >>> config = {"rope_type": "dynamic", "factor": 2, "head_dim": 4}
        >>> config["max_position_embeddings"] = 1000
        >>> rope_parameters(config, seq_len=1000).inv_freq
        array([1.  , 0.01])
        >>> rope_parameters(config, seq_len=2000).inv_freq.round(5)
        array([1.     , 0.00333])
        >>> yarn = {"rope_type": "yarn", "factor": 4.0, "max_position_embeddings": 8192}
        >>> model = {"hidden_size": 64, "num_attention_heads": 8, "rope_scaling": yarn}
        >>> round(rope_parameters(model).attention_factor, 4)
        1.1386
        >>> kinds = {"full": {"rope_theta": 1e6}, "sliding": {"rope_theta": 1e4}}
        >>> model = {"head_dim": 4, "rope_parameters": kinds}
        >>> rope_parameters(model, layer_type="full").inv_freq
        array([1.   , 0.001])
    """
    if seq_len is not None:
        seq_len = checks.integer("seq_len", seq_len, least=0)
        if seq_len > checks.LARGEST_POSITION:
            said = checks.describe_value(seq_len)
            raise ValueError(f"seq_len must be at most 2**53, got seq_len={said}")
    settings = read_config(config, layer_type, part)
    return RopeParameters(*rules.RULES[settings.rope_type](settings, seq_len))
