"""Studies: questionnaires that several centres fill in, filtered, charted, exported, and published under a promise."""
