"""Models by name: what their classes fill in, or do otherwise, without a word in the config.

Read from the config classes and the rotary modules of transformers 5.23.0; a test compares each.
"""

# Which keys a config of this model_type must hold, as its class has a default of its own for
# them. Without a base, that of these models is 10000, unless rope_theta is named. A model that
# is not listed must say its base.
_STATED = {
    "": """
        afmoe arcee aria_text blt_patcher codegen cohere2 cohere2_moe
        deepseek_ocr2_encoder dia_decoder diffllama doge esmc eurobert exaone4
        exaone_moe falcon falcon_h1 glm4v_text glm_image_text glm_ocr_text
        gpt_neox_japanese gptj gradium_phonon_tts granite granite4_vision_text
        granite_docling_text granitemoe granitemoeshared hrm_text hyperclovax idefics
        jais2 jetmoe kyutai_speech_to_text lasr_encoder llama mimi mimi_decoder
        mimi_encoder mistral moshi nanochat nemotron3_diarization_audio neucodec olmo
        olmo2 olmo_hybrid olmoe phi3 phi4_multimodal pocket_tts
        pocket_tts_audio_tokenizer pocket_tts_audio_tokenizer_decoder
        pocket_tts_audio_tokenizer_encoder qwen2 qwen2_5_omni_dit qwen2_moe qwen3
        qwen3_moe starcoder2 timesfm2_5 unlimited_ocr_text voxtral_realtime_text xcodec2
    """,
    "head_dim": """
        dia_encoder flint gemma gemma2 kolibri1 qwen3_omni_moe_talker_code_predictor
        seed_oss vaultgemma voxtral_realtime_encoder
    """,
    "partial_rotary_factor": """
        bamba dots3_note_audio_encoder glm glm4 glmasr_encoder gpt_neox
        nemotron3_5_transcribe_asr_audio nemotron3_5_transcribe_word_timestamp persimmon
        phi qwen3_5_text recurrent_gemma stablelm
    """,
    "partial_rotary_factor head_dim": """
        qwen3_5_moe_text qwen3_next
    """,
    "partial_rotary_factor qk_rope_head_dim rope_parameters": """
        mistral4
    """,
    "qk_rope_head_dim": """
        axk1 axk2 deepseek_v2 deepseek_v3 deepseek_v32 glm4_moe_lite glm_moe_dsa hy_v4
        minicpm3 youtu
    """,
    "rope_theta": """
        bitnet blt_global_transformer blt_local_decoder blt_local_encoder cohere
        cosmos3_edge_text csm csm_depth_decoder_model emu3_text_model ernie4_5_moe
        flex_olmo gte helium jina_embeddings_v3 lfm2 llama4_text minimax mixtral
        mllama_text_model nomic_bert pe_audio_encoder phimoe qwen2_5_omni_talker
        qwen2_5_omni_text qwen2_5_vl_text qwen2_vl_text qwen3_vl_moe_text qwen3_vl_text
        smollm3
    """,
    "rope_theta head_dim": """
        ernie4_5 hy_v3 minimax_m2 muse_glimmer_assistant paddleocr_vl_text
    """,
    "rope_theta head_dim rope_parameters": """
        gpt_oss openai_privacy_filter
    """,
    "rope_theta qk_rope_head_dim": """
        bailing_hybrid longcat_flash
    """,
    "rope_theta rope_parameters": """
        apertus cwm higgs_audio_v2 ministral3
    """,
}
STATED: dict[str, tuple[str, ...]] = {
    model: tuple(keys.split()) for keys, models in _STATED.items() for model in models.split()
}

# These have layers of several kinds, which older files do not tell apart.
SEVERAL = frozenset(
    [
        "beam",
        "deepseek_v4",
        "diffusion_gemma_text",
        "dots3_note_text",
        "embedding_gemma2_text",
        "gemma3_text",
        "gemma3n_text",
        "gemma4_text",
        "gemma4_unified_text",
        "laguna",
        "lfm3",
        "mellum",
        "mimo_v2_flash",
        "modernbert",
        "modernbert-decoder",
        "neomme",
        "olmo3",
        "step3p5",
        "t5gemma2_decoder",
        "t5gemma2_text",
        "ultrabert",
        "zaya",
    ]
)

# These do something else with the keys that they share with others.
OTHERWISE = {
    "dinov3_vit": "rotates patches by two coordinates: use axial_cos_sin",
    "ernie4_5_vl_moe_text": "orders its frequencies differently, height and width alternating "
    "first: leave out model_type to get them from fast to slow, then reorder them",
    "eomt_dinov3": "rotates patches by two coordinates: use axial_cos_sin",
    "internlm3": "has no module in transformers to compare with: leave out model_type",
    "iquestcoder": "has no module in transformers to compare with: leave out model_type",
    "kimi_linear": "has no rotary embedding",
    "llama4_vision_model": "rotates patches by two coordinates: use axial_cos_sin",
    "minimax_m3_vl_text": "rotates all channels of a head, whatever rotary_dim is: "
    "leave out model_type and rotary_dim",
    "sapiens2": "rotates patches by two coordinates: use axial_cos_sin",
}
