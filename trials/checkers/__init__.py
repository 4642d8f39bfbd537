"""One brute-force checker a privacy model, written from the definitions; none imports sfumato.

A checker takes what a directory shows (`Seen`), the parameters of the guarantee and what its owner knows (`Behind`).
It returns a sentence for each violation; none, if the promise is kept.
"""

from collections.abc import Callable
from typing import Any

from trials.checkers.associations import check_klm, check_lm
from trials.checkers.c_safety import check_c_safety
from trials.checkers.epsilon import check_epsilon
from trials.checkers.km import check_km
from trials.checkers.mixed import check_k_policy, check_kkm, check_klm_diversity
from trials.checkers.policy import check_policy
from trials.checkers.projection import check_projection
from trials.checkers.reconstruction import check_reconstruction
from trials.checkers.roads import check_inference_route, check_strict_k
from trials.checkers.sequence_k import check_sequence_k
from trials.checkers.tables import check_k_anonymity, check_l_diversity, check_t_closeness
from trials.files import Behind, Seen

__all__ = ["CHECKERS"]

CHECKERS: dict[str, Callable[[Seen, dict[str, Any], Behind], list[str]]] = {
    "km": check_km,
    "klm": check_klm,
    "projection": check_projection,
    "c-safety": check_c_safety,
    "sequence-k": check_sequence_k,
    "strict-k": check_strict_k,
    "inference-route": check_inference_route,
    "k-anonymity": check_k_anonymity,
    "l-diversity": check_l_diversity,
    "t-closeness": check_t_closeness,
    "lm": check_lm,
    "reconstruction": check_reconstruction,
    "kkm": check_kkm,
    "klm-diversity": check_klm_diversity,
    "policy": check_policy,
    "k-policy": check_k_policy,
    "epsilon": check_epsilon,
}
