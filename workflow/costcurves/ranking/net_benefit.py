r"""Net benefit: decision curves are cost curves on other axes.

Whoever would treat from a risk of t (the threshold probability) on takes a false positive for t /
(1 - t) of a false negative. So at prevalence p, with w = t / (1 - t), an operating condition is
PC(+) = p / (p + (1 - p) w), and what is normalized expected cost (`nec`) there is ([1]_, [2]_)

- net benefit p tp - (1 - p) fp w = p (1 - nec / PC(+)), a share of all who are judged;
- standardized net benefit ([3]_) 1 - nec / PC(+), a share of what perfect decisions bring;
- interventions avoided, over treating all, (1 - p) (1 - nec / (1 - PC(+))): what net benefit gains
  on treating all, divided by w.

Treating nobody is always-negative, treating all always-positive. All three fall as the cost rises,
so bands, differences and verdicts carry over point by point; and the line of a classifier is a
line in w. p is taken as known: that it is estimated widens no band.

References
----------
.. [1] A. J. Vickers and E. B. Elkin, "Decision curve analysis: a novel method for evaluating
   prediction models", Medical Decision Making 26, 565-574, 2006.
   https://doi.org/10.1177/0272989X06295361
.. [2] L. A. C. Millard and P. A. Flach, "Evaluating classification performance across operating
   contexts: a comparison of decision curve analysis and cost curves", 2025.
   https://arxiv.org/abs/2509.24608
.. [3] K. F. Kerr, M. D. Brown, K. Zhu and H. Janes, "Assessing the clinical impact of risk
   prediction models with decision curves: guidance for correct interpretation and appropriate
   use", Journal of Clinical Oncology 34, 2534-2540, 2016.
   https://doi.org/10.1200/JCO.2015.65.5654
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from costcurves.counts.elementwise import FloatArray, Values, finite, plain, quotient, rate, refuse


def pc_at(threshold: ArrayLike, prevalence: ArrayLike) -> Values:
    """Place threshold probabilities in [0, 1] on PC(+): p (1 - t) / (p (1 - t) + (1 - p) t).

    The same formula leads back: ``pc_at(pc_at(t, p), p)`` is t. Prevalences of 0 and 1, where all
    thresholds have one PC(+), are refused.

    >>> pc_at(0.1, prevalence=0.2), pc_at([0, 0.2, 1], prevalence=0.2)
    (0.6923076923076924, array([1. , 0.5, 0. ]))
    """
    t, p = rate("the threshold probability", threshold), _prevalence(prevalence)
    return plain(p * (1 - t) / (p * (1 - t) + (1 - p) * t))


def net_benefit(nec: ArrayLike, pc: ArrayLike, prevalence: ArrayLike) -> Values:
    """Turn costs at PC(+) above 0 into net benefit p (1 - nec / PC(+)).

    PC(+) = 0 is refused: at a threshold probability of 1 a false positive costs without limit.

    >>> net_benefit(0.5, 0.5, prevalence=0.2), net_benefit(0.25, 0.5, prevalence=0.2)
    (0.0, 0.1)
    """
    return plain(_prevalence(prevalence) * standardized(nec, pc))


def standardized(nec: ArrayLike, pc: ArrayLike) -> Values:
    """Turn costs at PC(+) above 0 into standardized net benefit 1 - nec / PC(+)."""
    cost, x = finite("the cost", nec), rate("PC(+)", pc)
    refuse(x == 0, x, "net benefit needs a threshold probability below 1, a PC(+) above 0")
    return plain(1 - quotient(cost, x))


def interventions_avoided(nec: ArrayLike, pc: ArrayLike, prevalence: ArrayLike) -> Values:
    """Turn costs at PC(+) below 1 into interventions avoided, a share of all who are judged.

    (1 - p) (1 - nec / (1 - PC(+))): net benefit as it is with the classes exchanged. PC(+) = 1 is
    refused: at a threshold probability of 0 an intervention costs nothing.

    >>> interventions_avoided(0.25, 0.5, prevalence=0.2)
    0.4
    """
    x, p = rate("PC(+)", pc), _prevalence(prevalence)
    refuse(x == 1, x, "interventions avoided need a threshold probability above 0, a PC(+) below 1")
    return plain((1 - p) * (1 - quotient(finite("the cost", nec), 1 - x)))


def treat_all(threshold: ArrayLike, prevalence: ArrayLike) -> Values:
    """Return the net benefit of treating all at threshold probabilities below 1."""
    x = pc_at(threshold, prevalence)
    return net_benefit(1 - x, x, prevalence)


def balanced(risk: ArrayLike, prevalence: ArrayLike) -> Values:
    """Say what risks would be if there were as many positives as negatives: 1 - PC(+), in [0, 1].

    Whoever treats from a risk of t on decides as the rule "positive where the score is at least
    1 - PC(+)" does with these in place of scores. So a decision curve is the cost curve of that
    rule, and thresholds are to be placed at ``1 - balanced(t, p)``, which meets ties exactly.

    >>> balanced(0.2, prevalence=0.2), balanced([0, 0.5, 1], prevalence=0.2)
    (0.5, array([0. , 0.8, 1. ]))
    """
    return 1 - pc_at(risk, prevalence)


def _prevalence(prevalence: ArrayLike) -> FloatArray:
    p = rate("the prevalence", prevalence)
    refuse((p == 0) | (p == 1), p, "a prevalence must be strictly between 0 and 1")
    return p
