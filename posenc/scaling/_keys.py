"""The keys of a config: which there are, which of them each type reads, and other names of them."""

FACTORS = ("factor", "attention_factor")
LLAMA3 = ("factor", "low_freq_factor", "high_freq_factor")
TYPES = {
    # What each type reads besides SHARED, and which keys must be there.
    "default": ((), ()),
    "linear": (("factor",), ("factor",)),
    "dynamic": (("factor",), ("factor", "max_position_embeddings")),
    "yarn": (
        (*FACTORS, "beta_fast", "beta_slow", "mscale", "mscale_all_dim", "truncate"),
        ("original_max_position_embeddings",),
    ),
    "longrope": (
        (*FACTORS, "short_factor", "long_factor"),
        ("short_factor", "long_factor", "original_max_position_embeddings"),
    ),
    "llama3": (
        LLAMA3,
        (*LLAMA3, "original_max_position_embeddings", "rope_theta"),
    ),
    "proportional": (("factor",), ()),
}
OWN = {key for reads, _ in TYPES.values() for key in reads}
SIZES = ("head_dim", "qk_rope_head_dim", "rotary_dim", "hidden_size", "num_attention_heads")
SHARED = {
    *SIZES,
    "rope_type",
    "rope_theta",
    "partial_rotary_factor",
    "max_position_embeddings",
    "original_max_position_embeddings",
    "mrope_section",
    "mrope_interleaved",
}
TYPE_NAMES = {"su": "longrope", "mrope": "default"}  # of older files
KEY_NAMES = {
    "type": "rope_type",  # of older files
    "rotary_pct": "partial_rotary_factor",  # GPT-NeoX
    "rotary_emb_base": "rope_theta",
    "rope_local_base_freq": "rope_theta",  # Gemma 3, layers with a sliding window
    "n_embd": "hidden_size",  # GPT-J
    "n_head": "num_attention_heads",
}
NESTED = ("rope_parameters", "rope_scaling")
OF_A_MODEL = {"model_type", "hidden_size", "num_attention_heads", "n_embd", "n_head"}
ORIGINAL_OR_MAX = {"yarn", "longrope", "llama3"}  # take one length where the other is absent
