"""Read a config: the steps from a file to the settings of one kind of layer."""

from posenc.scaling.completing import complete, refuse_computed, refuse_ignored, refuse_unequal
from posenc.scaling.each_layer import merge_layers
from posenc.scaling.encodings import refuse_other_encodings
from posenc.scaling.files import find_facts, find_part, open_config
from posenc.scaling.layers import choose_layer
from posenc.scaling.settings import Settings, make_settings, merge
from posenc.scaling.translating import translate
from posenc.scaling.unknown import is_model, refuse_misspelt, require_keys


def read_config(config: object, layer_type: str | None = None, part: str | None = None) -> Settings:
    """Return the settings of a config of any form, or refuse it."""
    whole = stated = merge_layers(find_part(translate(open_config(config)), part))
    refuse_other_encodings(whole)
    refuse_misspelt(whole)
    facts = find_facts(whole)
    if facts is not None:
        whole = complete(whole, facts)
    one = choose_layer(whole, layer_type)
    given = merge(one)
    if facts is not None:
        refuse_ignored(given, stated, layer_type, facts)
        refuse_unequal(given, layer_type, facts)
        refuse_computed(given, stated, layer_type, facts)
    elif is_model(whole):
        require_keys(whole, given)
    return make_settings(given)
