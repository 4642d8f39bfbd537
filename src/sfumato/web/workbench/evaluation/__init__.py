"""One method, or a combination of methods, on a dataset: form, run, figures."""
