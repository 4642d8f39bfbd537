"""Studies: questionnaires that several centres fill in, filtered, charted, exported, and published under a promise.

After A. Tsafara, C. Tryfonopoulos, S. Skiadopoulos, L. Zervakis, "Cloud-based data and knowledge management for
multi-centre biomedical studies", K-CAP 2015.
"""
