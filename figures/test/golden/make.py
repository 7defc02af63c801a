"""Writes golden.json: values of SciPy and statsmodels that the figures are compared with.

Run with a Python that has both (Debian: python3-scipy, python3-statsmodels). The numbers are drawn with a fixed seed.
"""

import json
import pathlib

import numpy
import scipy
import statsmodels
import statsmodels.api as sm
from scipy import fft, optimize, special, stats
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

    # These prompts. Within cells: a regression on the cells, with errors clustered by cell and run; the contrast is the weighted sum of
    # the cells. Each cell's clusters have their own correction for the mean.
    count = len(set(run))
    dummies = (cell[:, None] == numpy.arange(len(cells))[None, :]).astype(float)
    fit = sm.OLS(z, dummies).fit()
    contrast = numpy.array([c["weight"] for c in cells]) / total
    residual = fit.resid * weight / total
    grid = numpy.array([[residual[(cell == c) & (run == r)].sum() for r in range(count)] for c in range(len(cells))])
    by_both = contrast @ cov_cluster(fit, cell * count + run, use_correction=False) @ contrast
    assert abs(by_both - (grid**2).sum()) < 1e-12 * by_both
    df_within = len(cells) * (count - 1)
    shares = numpy.array([(weight * of)[cell == c].sum() for c in range(len(cells))]) / total
    within = by_both * count / (count - 1) + (shares**2).sum() / count / (df_within + 2)

    # How neighbouring runs of a cell correlate: the correlation of a process whose deviations from their mean have the same ratio of
    # products to squares, on average, less 0.7 of a standard error; the less, the fewer cells show it.
    centering = numpy.eye(count) - 1 / count

    def process(rho):
        distance = numpy.abs(numpy.subtract.outer(range(count), range(count)))
        covariance = numpy.where(distance == 0, 1.0, rho * max(rho, 0.6) ** (distance - 1.0))
        centered = centering @ covariance @ centering
        ratio = numpy.diagonal(centered, 1).sum() / numpy.trace(centered)
        inflation = (covariance.sum() / count**2) / (numpy.trace(centered) / (count * (count - 1)))
        return ratio, inflation

    squares = (grid**2).sum(axis=1)
    chance = numpy.sqrt((squares**2 / count).sum())
    found = ((grid[:, 1:] * grid[:, :-1]).sum() - 0.7 * chance) / squares.sum()
    different = squares.sum() ** 2 / (squares**2).sum()
    shown = max(0.0, different - 1) / (different + 3)
    rho = 0.0 if found <= process(0)[0] else shown * optimize.brentq(lambda r: process(r)[0] - found, 0, 0.9, xtol=1e-13)
    corrected = within * process(rho)[1]
    df_corrected = df_within * (1 - rho) / (1 + rho)

    # What runs move all cells by: errors clustered by run, and the slowest cosines of the runs' sums.
    by_run = contrast @ cov_cluster(fit, run, use_correction=False) @ contrast * count / (count - 1)
    waves = 2
    cosines = fft.dct(grid.sum(axis=0), norm="ortho")[1 : waves + 1]
    memory = 0.7 ** numpy.abs(numpy.subtract.outer(range(count), range(count)))
    # What the waves of a process with a memory of 0.7 show on average is taken from its spectrum.
    spectrum = (1 - 0.7**2) / (1 - 1.4 * numpy.cos(numpy.pi * numpy.arange(1, waves + 1) / count) + 0.7**2)
    slow = count * (cosines**2).mean() * min(1.25, max(1.0, memory.sum() / count / spectrum.mean()))
    ratio, slow_ratio = by_run / within, slow / corrected
    ramp = lambda number, low, high: min(1.0, max(0.0, (number - low) / (high - low)))
    believed = shown * max(ramp(ratio, 1.1, 1.6), ramp(slow_ratio, 1.7, 3))
    common = believed * max(0.0, slow - corrected) + (1 - believed) * max(0.0, by_run - within)
    df_common = believed * waves + (1 - believed) * (count - 1)
    these = corrected + common
    excess = these / corrected
    by_runs = min(1.0, (min(1.0, ratio) * excess + 0.15 * max(0.0, ratio - excess)) / 2)
    df_these = these**2 / (corrected**2 * (1 - by_runs**2) / df_corrected + (by_runs * these) ** 2 / df_common)
    groups = sum(len({a["run"] for a in c["answers"] if a["of"] > 0}) for c in cells)
    rate = (theta * groups + 1) / (groups + 2)
    size_these = rate * (1 - rate) / these

    # Topics: CR2 of a regression on a constant, with Bell and McCaffrey's degrees of freedom, from the definitions.
    names = sorted(set(topic))
    share = numpy.array([(weight * of)[topic == t].sum() for t in names]) / total
    part = numpy.array([(weight * z)[topic == t].sum() for t in names]) / total
    between = (part**2 / (1 - share)).sum()
    rows = numpy.array([(numpy.eye(len(names))[i] - share) * s / numpy.sqrt(1 - s) for i, s in enumerate(share)])
    gram = rows @ rows.T
    df_topics = numpy.trace(gram) ** 2 / (gram**2).sum()
    clear = shown * max(ramp(ratio, 1.6, 2.6), ramp(slow_ratio, 3, 6))
    beside = clear * max(0.0, slow - corrected) + (1 - clear) * max(0.0, by_run - within)
    df_beside = clear * waves + (1 - clear) * (count - 1)
    like = between + beside
    df_like = like**2 / (between**2 / df_topics + beside**2 / df_beside)
    size = theta * (1 - theta) / like
    different = (part**2).sum() ** 2 / (part**4).sum()
    known = different**2 / (different**2 + 1)
    size_like = 1 / (known / size + (1 - known) / len(names)) if size > len(names) else size
    return theta, (size_these, df_these), (size_like, df_like)


def wilson(theta, size, df):
    """statsmodels' Wilson interval, with Student's quantile: by the level at which the normal one is the same."""
    level = 2 * stats.norm.cdf(t_quantile(0.975, df)) - 1
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


def log_likelihood(values, noise, common, shape=None, effect=0.0):
    """Of the contrasts of the values: Student's distribution, since the mean is unknown and the variance known by so many answers."""
    variance, df, memory = noise
    size, common_memory = common
    count = len(values)
    distance = numpy.abs(numpy.subtract.outer(numpy.arange(count), numpy.arange(count)))
    own = numpy.where(distance == 0, 1.0, memory * max(0.6, memory) ** (distance - 1.0))
    covariance = own + size * float(common_memory) ** distance
    if shape is not None:
        covariance = covariance + effect * numpy.outer(shape, shape)
    contrasts = numpy.linalg.qr(numpy.column_stack([numpy.ones(count), numpy.eye(count)[:, 1:]]))[0][:, 1:].T
    return stats.multivariate_t.logpdf(
        contrasts @ values, loc=numpy.zeros(count - 1), shape=variance * contrasts @ covariance @ contrasts.T, df=df
    )


commons = [((0, 0), 1.0)]
for size, most in ((0.3, 0.15), (1, 0.12), (3, 0.1), (10, 0.05)):
    commons += [((size, 0), 0.25), ((size, 0.4), 0.1), ((size, 0.7), most)]


def plausible(values, noise):
    """The greatest variance of the sum by what moves all runs at once, among what explains them about as well as anything."""
    variance, df, memory = noise
    count = len(values)
    distance = numpy.abs(numpy.subtract.outer(numpy.arange(count), numpy.arange(count)))
    own = numpy.where(distance == 0, 1.0, memory * max(0.6, memory) ** (distance - 1.0))
    read = []
    for (size, common_memory), plausibility in commons:
        common = float(common_memory) ** distance
        # Generalized least squares: what the runs differ by from their mean.
        fit = sm.GLS(values, numpy.ones(count), sigma=own + size * common).fit()
        unit = (df * variance + fit.ssr) / (df + count - 1)
        likelihood = log_likelihood(values, noise, (size, common_memory)) + numpy.log(plausibility)
        read.append((likelihood, size * unit * common.sum()))
    best = max(likelihood for likelihood, _ in read)
    return max(found * min(1, max(0, (1.4 - best + likelihood) / (1.4 - 0.4))) for likelihood, found in read)


def evidence(values, noise):
    """The evidence for a change, and the same if what moves all prompts lasted for a single run."""
    count, baseline, flatness, of_trend = len(values), 4, 30, 0.2
    changes = [(numpy.arange(count) / (count - 1), of_trend)]
    for step in range(baseline, count):
        nth = step - baseline + 1
        share = (1 - of_trend) * (flatness + 1) / ((nth + flatness) * (nth + flatness + 1))
        changes.append(((numpy.arange(count) >= step).astype(float), share))
    terms, best, best_independent = [], -numpy.inf, -numpy.inf
    for common, plausibility in commons:
        unchanged = log_likelihood(values, noise, common)
        best = max(best, unchanged + numpy.log(plausibility))
        if common[1] == 0:
            best_independent = max(best_independent, unchanged + numpy.log(plausibility))
        weight = 0.5 if common[0] == 0 else 0.5 / (len(commons) - 1)
        rest = (1 - of_trend) * (flatness + 1) / (count - baseline + flatness + 1)
        terms.append(unchanged + numpy.log(weight * rest))
        for shape, share in changes:
            for effect in (1, 4):
                likelihood = log_likelihood(values, noise, common, shape, effect)
                terms.append(likelihood + numpy.log(weight * share / 2))
    found = special.logsumexp(terms)
    return [20 * (numpy.exp(found - one) / 10) ** 1.5 for one in (best, best_independent)]


def evidences():
    found = []
    for count, change, noise in ((5, 0.1, (0.004, 12.5, 0)), (12, 0.15, (0.003, 30, 0.2)), (28, -0.12, (0.005, 8, 0.65))):
        values = 0.5 + 0.06 * random.normal(size=count) + change * (numpy.arange(count) >= count // 2)
        found.append({"values": values.tolist(), "noise": noise, "evidence": evidence(values, noise), "plausible": plausible(values, noise)})
    return found


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
    "evidences": evidences(),
}
path = pathlib.Path(__file__).parent / "golden.json"
path.write_text(json.dumps(golden, separators=(",", ":")) + "\n")
