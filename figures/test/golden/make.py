"""Writes golden.json: values of SciPy and statsmodels that the figures are compared with.

Run with a Python that has both (Debian: python3-scipy, python3-statsmodels). The numbers are drawn with a fixed seed.
"""

import json
import pathlib

import numpy
import scipy
import statsmodels
import statsmodels.api as sm
from scipy import optimize, special, stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.sandwich_covariance import cov_cluster

random = numpy.random.default_rng(20260101)


def panel(topics, prompts, runs, kind):
    """Cells with answers; `kind` is what a value is."""
    cells = []
    for topic in range(topics):
        for _ in range(prompts):
            p = random.uniform(0.05, 0.95)
            answers = []
            for run in range(runs):
                for _ in range(random.integers(1, 4)):
                    of = 1 if kind == "rate" else int(random.integers(0, 6))
                    value = int(random.uniform() < p) if kind == "rate" else int(random.binomial(of, p))
                    answers.append({"run": f"r{run}", "value": value, "of": of})
            cells.append({"topic": f"t{topic}", "weight": float(random.integers(1, 4)), "answers": answers})
    return cells


def figures(cells):
    """The same figures by matrices: a weighted mean of cells, or a ratio of two, linearized."""
    weight = numpy.concatenate([[c["weight"] / len(c["answers"])] * len(c["answers"]) for c in cells])
    value = numpy.array([a["value"] for c in cells for a in c["answers"]], float)
    of = numpy.array([a["of"] for c in cells for a in c["answers"]], float)
    cell = numpy.concatenate([[i] * len(c["answers"]) for i, c in enumerate(cells)])
    topic = numpy.concatenate([[int(c["topic"][1:])] * len(c["answers"]) for c in cells])
    run = numpy.array([int(a["run"][1:]) for c in cells for a in c["answers"]])
    total = (weight * of).sum()
    theta = (weight * value).sum() / total
    z = value - theta * of

    # Runs: a regression on the cells, with errors clustered by run; the contrast is the weighted sum of the cells.
    dummies = (cell[:, None] == numpy.arange(len(cells))[None, :]).astype(float)
    fit = sm.OLS(z, dummies).fit()
    contrast = numpy.array([c["weight"] for c in cells]) / total
    count = len(set(run))
    by_run = contrast @ cov_cluster(fit, run, use_correction=False) @ contrast * count / (count - 1)

    # Topics: CR2 of a regression on a constant, with Bell and McCaffrey's degrees of freedom, from the definitions.
    names = sorted(set(topic))
    share = numpy.array([(weight * of)[topic == t].sum() for t in names]) / total
    part = numpy.array([(weight * z)[topic == t].sum() for t in names]) / total
    between = (part**2 / (1 - share)).sum()
    rows = numpy.array([(numpy.eye(len(names))[i] - share) * s / numpy.sqrt(1 - s) for i, s in enumerate(share)])
    gram = rows @ rows.T
    df_topics = numpy.trace(gram) ** 2 / (gram**2).sum()
    residual = fit.resid * weight / total
    both = sum((residual[(topic == t) & (run == r)].sum()) ** 2 for t in names for r in set(run))
    common = max(0.0, by_run - both * count / (count - 1))
    variance = between + common
    df = variance**2 / (between**2 / df_topics + common**2 / (count - 1))
    return theta, (by_run, count - 1), (variance, df)


def wilson(theta, variance, df):
    """statsmodels' Wilson interval, with Student's quantile: by the level at which the normal one is the same."""
    level = 2 * stats.norm.cdf(t_quantile(0.975, df)) - 1
    size = theta * (1 - theta) / variance
    return list(proportion_confint(theta * size, size, alpha=1 - level, method="wilson"))


def estimates():
    found = []
    for kind in ("rate", "share"):
        for topics, prompts, runs in ((22, 1, 6), (40, 1, 5), (20, 2, 7)):
            cells = panel(topics, prompts, runs, kind)
            theta, by_run, by_topic = figures(cells)
            found.append(
                {"cells": cells, "value": theta, "these": wilson(theta, *by_run), "like": wilson(theta, *by_topic)}
            )
    return found


def t_quantile(p, df):
    """SciPy's own is exact to eight digits only; its distribution function to fifteen."""
    low, high = sorted((0.9 * stats.t.ppf(p, df) - 1e-3, 1.1 * stats.t.ppf(p, df) + 1e-3))
    return optimize.brentq(lambda t: stats.t.cdf(t, df) - p, low, high, xtol=1e-15, rtol=4e-15)


p = [0.0001, 0.001, 0.025, 0.2, 0.5, 0.6, 0.975, 0.999]
df = [1, 2, 3.7, 6, 19, 120.5, 5000]
x = [-8, -3, -1, -0.1, 0, 0.3, 1.7, 4]
pvalues = random.uniform(size=40) ** 3
golden = {
    "versions": {"scipy": scipy.__version__, "statsmodels": statsmodels.__version__},
    "normalQuantile": [[a, stats.norm.ppf(a)] for a in p],
    "normalCdf": [[a, stats.norm.cdf(a)] for a in x],
    "tQuantile": [[a, b, t_quantile(a, b)] for a in p for b in df],
    "tCdf": [[a, b, stats.t.cdf(a, b)] for a in x for b in df],
    "betaCdf": [
        [a, b, c, special.betainc(b, c, a)] for a in (0.001, 0.2, 0.5, 0.9, 0.9999) for b in (0.5, 3, 900) for c in (0.5, 2, 77)
    ],
    "pValues": pvalues.tolist(),
    "adjusted": multipletests(pvalues, method="fdr_bh")[1].tolist(),
    "estimates": estimates(),
}
path = pathlib.Path(__file__).parent / "golden.json"
path.write_text(json.dumps(golden, separators=(",", ":")) + "\n")
