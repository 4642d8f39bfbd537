"""What there is to choose from, one line each: name on the command line, file, class.

A new method, privacy model, measure, attack, generator, miner or report section is one file and one line here; an
installed package adds its own by entry points.
"""

from typing import Any

from sfumato.registry import Registry

__all__ = [
    "ATTACKS",
    "GENERATORS",
    "MEASURES",
    "METHODS",
    "MINERS",
    "MODELS",
    "SECTIONS",
    "attack_class",
    "measure_class",
    "method_class",
    "model_class",
]

_METHODS = {
    "seqanon": "sfumato.methods.trajectories.seqanon.seqanon:SeqAnon",
    "seqanon-f": "sfumato.methods.trajectories.seqanon.seqanon_f:SeqAnonF",
    "sd-seqanon": "sfumato.methods.trajectories.seqanon.sd_seqanon:SdSeqAnon",
    "u-seqanon": "sfumato.methods.trajectories.seqanon.u_seqanon:USeqAnon",
    "km-suppress": "sfumato.methods.trajectories.sparse.km_suppress:KmSuppress",
    "km-split": "sfumato.methods.trajectories.sparse.km_split:KmSplit",
    "zga": "sfumato.methods.trajectories.klm.zga:Zga",
    "sga": "sfumato.methods.trajectories.klm.sga:Sga",
    "ngrams": "sfumato.methods.trajectories.ngrams.ngrams:NGrams",
    "gsup": "sfumato.methods.trajectories.owners.gsup:Gsup",
    "lsup": "sfumato.methods.trajectories.owners.lsup:Lsup",
    "split": "sfumato.methods.trajectories.owners.split:Split",
    "mix": "sfumato.methods.trajectories.owners.mix:Mix",
    "cast": "sfumato.methods.trajectories.cast.cast:Cast",
    "bf-p2ka": "sfumato.methods.trajectories.bf_p2ka:BfP2ka",
    "icba": "sfumato.methods.trajectories.roads.icba:Icba",
    "cba": "sfumato.methods.trajectories.roads.cba:Cba",
    "disassociate": "sfumato.methods.transactions.disassociate:Disassociate",
    "apriori": "sfumato.methods.transactions.apriori:AprioriAnon",
    "lra": "sfumato.methods.transactions.lra:Lra",
    "vpa": "sfumato.methods.transactions.vpa:Vpa",
    "coat": "sfumato.methods.transactions.coat:Coat",
    "pcta": "sfumato.methods.transactions.pcta:Pcta",
    "diffpart": "sfumato.methods.transactions.diffpart:DiffPart",
    "incognito": "sfumato.methods.relational.incognito:Incognito",
    "cluster": "sfumato.methods.relational.cluster:Cluster",
    "local": "sfumato.methods.relational.local:Local",
    "top-down": "sfumato.methods.relational.top_down:TopDown",
    "bottom-up": "sfumato.methods.relational.bottom_up:BottomUp",
    "r-first": "sfumato.methods.mixed.r_first:RFirst",
    "t-first": "sfumato.methods.mixed.t_first:TFirst",
    "rum-bound": "sfumato.methods.mixed.rum_bound:RumBound",
    "tum-bound": "sfumato.methods.mixed.tum_bound:TumBound",
}

_MODELS = {
    "km": "sfumato.privacy.km:KmAnonymity",
    "klm": "sfumato.privacy.klm:KlmAnonymity",
    "projection": "sfumato.privacy.projection:ProjectionSafety",
    "c-safety": "sfumato.privacy.c_safety:CSafety",
    "sequence-k": "sfumato.privacy.sequence_k:SequenceKAnonymity",
    "strict-k": "sfumato.privacy.strict_k:StrictKAnonymity",
    "inference-route": "sfumato.privacy.inference_route:NoInferenceRoute",
    "k-anonymity": "sfumato.privacy.k_anonymity:KAnonymity",
    "l-diversity": "sfumato.privacy.l_diversity:LDiversity",
    "t-closeness": "sfumato.privacy.t_closeness:TCloseness",
    "lm": "sfumato.privacy.lm:LmDiversity",
    "reconstruction": "sfumato.privacy.reconstruction:ReconstructionAnonymity",
    "kkm": "sfumato.privacy.kkm:KkmAnonymity",
    "klm-diversity": "sfumato.privacy.klm_diversity:KlmDiversity",
    "policy": "sfumato.privacy.policy:PolicyProtection",
    "k-policy": "sfumato.privacy.k_policy:KPolicyProtection",
    "epsilon": "sfumato.privacy.epsilon:Epsilon",
}

_MEASURES = {
    "appearance": "sfumato.utility.places.appearance:LocationAppearance",
    "are": "sfumato.utility.queries:Are",
    "arel": "sfumato.utility.frequent_pairs:Arel",
    "class-size": "sfumato.utility.tables:AverageClassSize",
    "combined-displacement": "sfumato.utility.places.dissimilarity:CombinedDisplacement",
    "discernibility": "sfumato.utility.tables:Discernibility",
    "displacement": "sfumato.utility.places.generalization:Displacement",
    "distance-percentage": "sfumato.utility.places.generalization:DistancePercentage",
    "frequencies": "sfumato.utility.tables:Frequencies",
    "generalization-cost": "sfumato.utility.places.taxonomy_distance:GeneralizationCost",
    "generalized": "sfumato.utility.places.generalization:GeneralizedLocations",
    "granularity": "sfumato.utility.tables:Granularity",
    "guessed-places": "sfumato.attacks.guessed_places:GuessedPlaces",
    "inference-routes": "sfumato.attacks.inference_routes:InferenceRoutes",
    "intact": "sfumato.utility.places.generalization:IntactLocations",
    "intact-number": "sfumato.utility.places.generalization:IntactNumber",
    "item-ncp": "sfumato.utility.items:ItemCertaintyPenalty",
    "kl": "sfumato.utility.supports:KlDivergence",
    "label-size": "sfumato.utility.places.generalization:LabelSize",
    "ncp": "sfumato.utility.tables:Ncp",
    "pairs-lost": "sfumato.utility.places.appearance:PairsLost",
    "pattern-count": "sfumato.utility.patterns.coverage:PatternCount",
    "pattern-coverage": "sfumato.utility.patterns.coverage:PatternCoverage",
    "pattern-distance": "sfumato.utility.patterns.coverage:DistanceCoefficient",
    "patterns-preserved": "sfumato.utility.patterns.preserved:PatternsPreserved",
    "patterns-spurious": "sfumato.utility.patterns.preserved:PatternsSpurious",
    "re": "sfumato.utility.pair_supports:RelativeError",
    "re-a": "sfumato.utility.pair_supports:RelativeErrorCertain",
    "reidentification": "sfumato.utility.reidentification:Reidentification",
    "road-error": "sfumato.utility.road_errors:RoadError",
    "road-error-deviation": "sfumato.utility.road_errors:RoadErrorDeviation",
    "road-patterns": "sfumato.utility.patterns.road_patterns:RoadPatterns",
    "semantic-penalty": "sfumato.utility.places.dissimilarity:SemanticPenalty",
    "sim1": "sfumato.utility.patterns.similarity:Sim1",
    "sim2": "sfumato.utility.patterns.similarity:Sim2",
    "subgraphs-preserved": "sfumato.utility.patterns.subgraphs:SubgraphsPreserved",
    "subgraphs-spurious": "sfumato.utility.patterns.subgraphs:SubgraphsSpurious",
    "subtrajectories": "sfumato.utility.supports:Subtrajectories",
    "tkd": "sfumato.utility.patterns.top_itemsets:TopKDeviation",
    "tkd-a": "sfumato.utility.patterns.top_itemsets:TopKDeviationCertain",
    "tkd-ml2": "sfumato.utility.patterns.top_itemsets:TopKMultipleLevel",
    "tlost": "sfumato.utility.pair_supports:TermsLost",
    "ul": "sfumato.utility.items:UtilityLoss",
    "visits-kept": "sfumato.utility.places.appearance:VisitsKept",
}

_ATTACKS = {
    "reidentify": "sfumato.attacks.reidentify:Reidentify",
    "timed-visits": "sfumato.attacks.timed_visits:TimedVisits",
    "home-work": "sfumato.attacks.top_places:HomeWork",
    "top-places": "sfumato.attacks.top_places:TopPlaces",
    "linkage": "sfumato.attacks.linkage:Linkage",
    "relinking": "sfumato.attacks.pieces.relinking:Relinking",
    "inference": "sfumato.attacks.inference:Inference",
    "composition": "sfumato.attacks.composition:Composition",
    "membership": "sfumato.attacks.membership:Membership",
    "crossings": "sfumato.attacks.crossings:Crossings",
    "downcoding": "sfumato.attacks.downcoding:Downcoding",
    "enrichment": "sfumato.attacks.enrichment.enrichment:Enrichment",
    "leaks": "sfumato.attacks.leaks.search:Leaks",
}

_GENERATORS = {
    "city": "sfumato.generate.city:City",
    "roads": "sfumato.generate.roads:Roads",
    "checkins": "sfumato.generate.checkins:Checkins",
    "semantic": "sfumato.generate.semantic:Semantic",
    "baskets": "sfumato.generate.baskets:Baskets",
    "mixed": "sfumato.generate.mixed:Mixed",
    "graph": "sfumato.generate.graph:Graph",
    "posts": "sfumato.generate.posts:Posts",
}

_MINERS = {
    "sequences": "sfumato.mining.sequences:FrequentSequences",
    "itemsets": "sfumato.mining.itemsets:FrequentItemsets",
    "subgraphs": "sfumato.mining.subgraphs.grami:FrequentSubgraphs",
    "count-isomorphisms": "sfumato.mining.subgraphs.baselines:CountIsomorphisms",
    "grow-store": "sfumato.mining.subgraphs.baselines:GrowStore",
}

_SECTIONS = {
    "claims": "sfumato.experiments.reports.comparison_page:Claims",
    "charts": "sfumato.experiments.reports.comparison_page:Charts",
    "figures": "sfumato.experiments.reports.comparison_page:Figures",
    "configurations": "sfumato.experiments.reports.configurations_section:Configurations",
    "runs": "sfumato.experiments.reports.comparison_page:Runs",
}

METHODS = Registry(
    "method",
    "sfumato.methods",
    _METHODS,
    base="sfumato.methods.base:Method",
    required=("name", "title", "kind", "paper", "promises"),
)
MODELS = Registry(
    "privacy model",
    "sfumato.models",
    _MODELS,
    base="sfumato.privacy.base:PrivacyModel",
    required=("name", "title", "kinds", "not_covered"),
)
MEASURES = Registry(
    "measure",
    "sfumato.measures",
    _MEASURES,
    base="sfumato.utility.base:Measure",
    required=("name", "title", "meaning", "formula", "unit", "bounds", "paper", "kinds", "better"),
)
ATTACKS = Registry(
    "attack",
    "sfumato.attacks",
    _ATTACKS,
    base="sfumato.attacks.base:Attack",
    required=("name", "title", "kinds", "idea"),
)
GENERATORS = Registry(
    "generator", "sfumato.generators", _GENERATORS, base="sfumato.generate.base:Generator", required=("name",)
)
MINERS = Registry("miner", "sfumato.miners", _MINERS, base="sfumato.params:Declared", required=("name", "kind", "mine"))
SECTIONS = Registry(
    "report section",
    "sfumato.sections",
    _SECTIONS,
    base="sfumato.experiments.reports.report_section:ReportSection",
    required=("name",),
)


def method_class(name: str) -> Any:
    """The class of an installed method."""
    return METHODS.load(name)


def model_class(name: str) -> Any:
    """The class of an installed privacy model."""
    return MODELS.load(name)


def measure_class(name: str) -> Any:
    """The class of an installed measure."""
    return MEASURES.load(name)


def attack_class(name: str) -> Any:
    """The class of an installed attack."""
    return ATTACKS.load(name)
