"""The keys of a config: those that each type reads, and other names for them."""

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
SIZES = (
    "head_dim",
    "kv_channels",  # JetMoE, ChatGLM; goes behind head_dim
    "qk_rope_head_dim",
    "rotary_dim",
    "hidden_size",
    "num_attention_heads",
)
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
    "n_embd": "hidden_size",  # GPT-J
    "n_head": "num_attention_heads",
    "d_model": "hidden_size",  # DBRX
    "n_heads": "num_attention_heads",
    "attention_head_dim": "head_dim",  # Zamba 2
}
MAPPINGS = {"rope_parameters", "rope_scaling"}  # hold keys of the rule, inside a model config
# Keys that belong to one kind of layer.
BASES = {
    "rope_local_base_freq": "sliding_attention",  # Gemma 3
    "local_rope_theta": "sliding_attention",  # ModernBERT
    "global_rope_theta": "full_attention",
    "swa_rope_theta": "sliding_attention",  # MiMo, dots3
    "compress_rope_theta": "compress",  # DeepSeek-V4
}
OF_A_KIND = {"rope_theta", "partial_rotary_factor", *BASES}
WIDTHS = {"global_head_dim": "full_attention", "swa_head_dim": "sliding_attention"}
# Keys that say which layers rotate, and how.
LAYER_KEYS = {"layer_types", "no_rope_layers", "no_rope_layer_interval", "per_layer_config"}
LAYER_KEYS |= {"rope_interleave", "sliding_window", "sliding_window_pattern"}
# Keys of a model that say which positions it has; of these, only rotary ones are read here.
ENCODING_KEYS = ("position_embedding_type", "position_embeddings_type", "pos_embd_type")
# Keys that mean, with this value, that there is no rotary embedding.
NO_ROTARY = {
    "alibi": True,
    "use_alibi": True,
    "rope": False,
    "use_rope": False,
    "use_mem_rope": False,  # Zamba 2
    "use_rotary_embedding": False,
}
ROTARY_WORDS = ("rope", "rotary")
# Keys that are near to one of ours, and right: of networks in stages, of heads in two parts.
LIKE_KEYS = {"hidden_sizes", "qk_nope_head_dim", "rope_interleaved"}
TEXT_PARTS = (
    "text_config",
    "llm_config",
    "language_config",
    "thinker_config",
)  # of multimodal ones
MODEL_NAMES = {  # of published files, and what transformers calls the same model
    "RefinedWeb": "falcon",
    "RefinedWebModel": "falcon",
    "ernie4_5_moe_vl": "ernie4_5_vl_moe_text",
}
# Keys of published files that are not looked at, and the value that they must have (None: any),
# since with another value a library that does look at them would compute something else.
PASSED_OVER = {
    "finetuned": None,  # of YaRN's authors: whether the model was trained with these frequencies
    "interleaved": None,  # of Qwen3-Omni, next to mrope_interleaved
    "llama_4_scaling_beta": None,  # of Ministral 3: multiplies queries, outside of the embedding
    "attn_factor": 1,  # of YaRN's authors: multiplies the attention factor
    "extrapolation_factor": 1,  # of YaRN's authors: multiplies the kept shares
}
# Models whose configs have no key for their positions.
OTHER_ENCODINGS = {"bloom": "alibi", "jamba": "none", "mpt": "alibi", "nemotron_h": "none"}
# Models of transformers without a rotary module that could be measured.
OTHER_ROTATIONS = {
    "kimi_linear": "has no rotary embedding",
    "llama4_vision_model": "rotates patches by two coordinates: use axial_cos_sin",
}
INSTEAD = {
    # What to write for a key that is refused.
    "short_mscale": "attention_factor, where it equals long_mscale",
    "long_mscale": "attention_factor, where it equals short_mscale",
    "alpha": "rope_theta=ntk_base(rope_theta, alpha, head_dim)",
    "scaling_factor": "factor, and rope_type='linear'",
    "max_wavelength": "rope_theta",
}
# Parts of names, beside rope or rotary: such a key of a model must not be passed over.
TELLING = {
    "condense": "rope_scaling",
    "scal": "rope_scaling",
    "theta": "rope_theta",
    "base": "rope_theta",
    "ratio": "rope_theta=10000*rope_ratio",  # ChatGLM
    "pct": "partial_rotary_factor",
    "percent": "partial_rotary_factor",
    "fraction": "partial_rotary_factor",
    "partial": "partial_rotary_factor",
    "dim": "rotary_dim",
    "ntk": "rope_theta=ntk_base(rope_theta, factor, head_dim), for each length",  # Qwen 1
}
# Keys of every model, which do not say that it has a rotary embedding.
NOT_OF_A_MODEL = {
    "hidden_size",
    "num_attention_heads",
    "head_dim",
    "kv_channels",
    "max_position_embeddings",
    "rope_type",  # under "type" it may be anything
    "factor",
    "truncate",
}
OF_A_MODEL = {"model_type", "hidden_size", "num_attention_heads", "n_embd", "n_head"}
ORIGINAL_OR_MAX = {"yarn", "longrope", "llama3"}  # take one length where the other is absent
