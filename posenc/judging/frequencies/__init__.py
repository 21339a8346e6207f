"""Judge rotary frequencies: `inv_freq` on its own, and those of a rotation."""
