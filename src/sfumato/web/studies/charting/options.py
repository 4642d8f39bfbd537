"""Which options of a question with several answers are hidden before its chart leaves the study."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from sfumato.errors import Infeasible
from sfumato.web.studies.charting.suppressing import Place

__all__ = ["hidden_options"]


def hidden_options(counts: Sequence[int], absent: int, total: int, k: int) -> frozenset[Place]:
    """The options to hide: those that fewer than k people chose, or that all but fewer than k chose.

    counts : of each option.  absent : how many people chose none, which is counted after the options if there are some.
    Everybody who answered chose at least one option, so a single hidden one is bounded by the others; refuses where
    this reveals it.

    >>> sorted(hidden_options([20, 2, 28], 0, 30, 5))
    [(1, 0), (2, 0)]
    """
    if 0 < total < k:
        raise Infeasible(_("the chart is about fewer than %(k)s entries, so nothing of it can be shared") % {"k": k})
    answered = total - absent
    hidden = {place for place, count in enumerate(counts) if _is_small(count, (answered, total), k)}
    if len(hidden) == 1:
        (place,) = hidden
        least = max(1, answered - sum(count for other, count in enumerate(counts) if other != place))
        if least >= k or answered - least < 2 * (k - 1):  # a count that is hidden and not small is that of nearly all
            raise Infeasible(
                _("a count below %(k)s could be inferred from the other options; choose another question") % {"k": k}
            )
    if 0 < absent < k:
        hidden.add(len(counts))
    return frozenset((place, 0) for place in hidden)


def _is_small(count: int, wholes: tuple[int, ...], k: int) -> bool:
    """Whether few people chose an option, or few did not."""
    return 0 < count < k or any(0 < whole - count < k for whole in wholes)
