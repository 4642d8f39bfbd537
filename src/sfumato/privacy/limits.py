"""What a promise does not cover, where several promises share a limit: sentences for certificates.

Each names an attack that has been published:

- minimality: R. Wong, A. Fu, K. Wang, J. Pei, "Minimality attack in privacy preserving data publishing", VLDB 2007, and
  downcoding: A. Cohen, "Attacks on deidentification's defenses", USENIX Security 2022;
- composition: S. Ganta, S. Kasiviswanathan, A. Smith, "Composition attacks and auxiliary information in data privacy",
  KDD 2008;
- what a crowd has in common, and knowledge that rules out some of it: A. Machanavajjhala, D. Kifer, J. Gehrke,
  M. Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity", ACM TKDD 1(1), 2007;
- presence: M. Nergiz, M. Atzori, C. Clifton, "Hiding the presence of individuals from shared databases", SIGMOD 2007;
- learning from the whole release: D. Kifer, "Attacks on privacy and deFinetti's theorem", SIGMOD 2009.
"""

__all__ = ["COMPOSITION", "LEARNED", "MEMBERS", "MINIMALITY", "OTHERS", "PRESENCE", "TIMES", "TOGETHER"]

COMPOSITION = "an attacker who combines this release with another release about the same people"
MINIMALITY = (
    "an attacker who reasons backwards from how a method chooses: one that changes as little as it must gives away "
    "that changing less would have broken the promise (minimality, downcoding)"
)
OTHERS = (
    "an attacker who can rule out some who match, by knowing them or having entered them: fewer than k may then be left"
)
PRESENCE = "that somebody is in the data at all, or is not: whoever matches nothing is not"
MEMBERS = "an attacker who holds some of what a label stands for, for likelier than the rest"
LEARNED = (
    "what can be learned from the whole release about everybody alike, such as which values go together, and then held "
    "against one person (deFinetti)"
)
TIMES = (
    "when visits were made: times are not published, but whoever knows them may rule out records by what is possible "
    "on the way"
)
TOGETHER = (
    "an attacker who knows which records belong to the same person, or pieces from several of them: records are "
    "protected one by one"
)
