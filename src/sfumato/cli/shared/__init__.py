"""What several commands share: options, inputs, rendering."""
