"""Writes compare.json: differences of two arms by SciPy and statsmodels.

Run with a Python that has both (Debian: python3-scipy, python3-statsmodels). The numbers are drawn with a fixed seed.
"""

import json
import pathlib

import numpy
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.multitest import multipletests

random = numpy.random.default_rng(20260701)
entities = 6
level = 0.95


def draw(sizes, runs):
    """By arm, prompt and run: which entities the answer names. Prompts and topics have rates of their own, arms differ a little."""
    topics = numpy.repeat(numpy.arange(len(sizes)), sizes)
    of_topic = random.normal(0, 0.8, (len(sizes), entities))[topics]
    of_prompt = of_topic + random.normal(0, 0.5, (len(topics), entities))
    shifts = numpy.array([0, 0.1, 0.3, 0.6, 1.0, 1.6])
    arms = []
    for arm in range(2):
        logit = of_prompt + arm * (shifts + random.normal(0, 0.4, of_prompt.shape))
        rate = 1 / (1 + numpy.exp(-logit))
        arms.append(random.uniform(size=(runs[arm], *rate.shape)) < rate)
    return topics, arms


def compare(topics, arms):
    rows = []
    for entity in range(entities):
        means = [arm[:, :, entity].mean(axis=0) for arm in arms]
        by_prompt = means[1] - means[0]
        names = sorted(set(topics))
        sizes = numpy.array([(topics == t).sum() for t in names])
        if len(set(sizes)) == 1:
            # Topics of the same size: a paired t test of their means.
            one, other = ([mean[topics == t].mean() for t in names] for mean in means)
            test = stats.ttest_rel(other, one)
            low, high = test.confidence_interval(level)
            value, p, df = by_prompt.mean(), test.pvalue, test.df
        else:
            # A regression of the prompts' differences on a constant, errors clustered by topic: CR2, and Bell and McCaffrey's degrees of
            # freedom, from the definitions; CR0 as a check by statsmodels.
            ones = numpy.ones(len(by_prompt))
            fit = sm.OLS(by_prompt, ones).fit(cov_type="cluster", cov_kwds={"groups": topics, "use_correction": False})
            value = fit.params[0]
            part = numpy.array([(by_prompt - value)[topics == t].sum() for t in names]) / len(topics)
            assert abs((part**2).sum() - fit.bse[0] ** 2) < 1e-12
            share = sizes / len(topics)
            variance = (part**2 / (1 - share)).sum()
            rows_of = numpy.array([(numpy.eye(len(names))[i] - share) * s / numpy.sqrt(1 - s) for i, s in enumerate(share)])
            # Of the topics' means if they vary equally.
            gram = rows_of @ rows_of.T
            df = numpy.trace(gram) ** 2 / (gram**2).sum()
            half = stats.t.ppf((1 + level) / 2, df) * numpy.sqrt(variance)
            low, high = value - half, value + half
            p = 2 * stats.t.cdf(-abs(value) / numpy.sqrt(variance), df)
        rows.append({"value": value, "low": low, "high": high, "p": p})
    for row, adjusted in zip(rows, multipletests([row["p"] for row in rows], method="fdr_bh")[1]):
        row["adjusted"] = adjusted
    return rows


cases = []
for sizes, runs in [([2] * 24, (3, 3)), ([2] * 30, (2, 4)), ([1, 2, 3, 1, 4] * 5, (3, 2))]:
    topics, arms = draw(sizes, runs)
    cases.append(
        {
            "topics": [f"t{t}" for t in topics],
            # By arm, run and prompt: a digit for each entity.
            "arms": [[["".join(str(int(x)) for x in prompt) for prompt in run] for run in arm] for arm in arms],
            "rows": compare(topics, arms),
        }
    )
path = pathlib.Path(__file__).with_name("compare.json")
path.write_text(json.dumps({"cases": cases}, default=float) + "\n")
