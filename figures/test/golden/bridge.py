"""Writes bridge.json: prediction-powered means by the formulas of PPI++ (arXiv 2311.01453, as in ppi_py), on drawn numbers.

Run with a Python that has NumPy (Debian: python3-numpy). The numbers are drawn with a fixed seed.
"""

import json
import pathlib

import numpy

random = numpy.random.default_rng(20260301)


def power_tuned(observed, predicted, others):
    """The weight that minimizes the variance, the estimate, and its standard error."""
    n, more = len(observed), len(others)
    covariance = numpy.cov(observed, predicted, ddof=0)[0, 1]
    variance = numpy.var(numpy.concatenate([predicted, others]), ddof=1)
    weight = numpy.clip(covariance / ((1 + n / more) * variance), 0, 1)
    value = (weight * others).mean() + (observed - weight * predicted).mean()
    error = numpy.sqrt((weight * others).var() / more + (observed - weight * predicted).var() / n)
    return weight, value, error


cases = []
for correlation in (0.95, 0.5, 0, -0.5):
    for n, more in ((40, 400), (150, 150), (30, 3000)):
        latent = random.normal(size=n + more)
        other = correlation * latent + numpy.sqrt(1 - correlation**2) * random.normal(size=n + more)
        predicted, observed = (latent > 0.3).astype(float), (other > -0.2).astype(float)[:n]
        weight, value, error = power_tuned(observed, predicted[:n], predicted[n:])
        cases.append(
            {
                "observed": observed.tolist(),
                "predicted": predicted[:n].tolist(),
                "others": predicted[n:].tolist(),
                "lambda": weight,
                "value": value,
                "standardError": error,
            }
        )
path = pathlib.Path(__file__).parent / "bridge.json"
path.write_text(json.dumps({"numpy": numpy.__version__, "cases": cases}, separators=(",", ":")) + "\n")
