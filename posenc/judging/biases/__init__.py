"""Judge biases of attention scores."""
