"""What all pages share: templates, style, scripts, forms made from declared parameters, sentences, failures."""
