// Fits a digital filter of two poles to the magnitude of an analogue one.
// SPDX-License-Identifier: Apache-2.0
#include "FilterFit.h"

#pragma STDC FP_CONTRACT OFF

/// One fit: of the numerator alone where `isFree` is 0, else of both. `past` weighs the errors, and becomes the new denominator.
static int fit(const Points *points, int isFree, Squared *numerator, Squared *past) {
  double columns[4][mostPoints], right[mostPoints], x[4];
  for (int i = 0; i < points->count; i++) {
    const double y = points->y[i], target = points->target[i], below = value(past, y);
    const double weight = points->weight[i] / (fmax(target, points->floor) * below);
    columns[0][i] = y * weight;
    columns[1][i] = y * y * weight;
    columns[2][i] = -target * y * weight;
    columns[3][i] = -target * y * y * weight;
    right[i] = (isFree ? target : target * below) * weight - points->atZero * weight;
  }
  if (!solve(columns, right, isFree ? 4 : 2, points->count, x)) return 0;
  *numerator = (Squared){{points->atZero, x[0], x[1]}};
  if (isFree) *past = (Squared){{1, x[2], x[3]}};
  for (int i = 0; i < points->count; i++)
    if (!(value(past, points->y[i]) > 0)) return 0;
  return 1;
}

/// The coefficients within the unit circle whose squared magnitude this is; false where there are none.
static int factor(const Squared *square, double scale, double *c) {
  const double low = square->p[0];
  const double p2 = square->p[2] / (scale * scale);
  const double high = low + square->p[1] / scale + p2;
  if (!(low >= 0) || !(high >= 0)) return 0;
  const double atZero = sqrt(low), atHalf = sqrt(high), sum = (atZero + atHalf) / 2;
  double left = sum * sum - p2 / 4;
  if (left < 0) {
    if (left < -1e-9 * sum * sum) return 0;
    left = 0;
  }
  c[0] = (sum + sqrt(left)) / 2;
  if (!(c[0] > 0)) return 0;
  c[1] = (atZero - atHalf) / 2;
  c[2] = p2 / 16 / c[0];
  return 1;
}

static double magnitudeSquare(const double *c, double w) {
  const double s = sin(w / 2), y = s * s;
  const double zero = c[0] + c[1] + c[2], half = c[0] - c[1] + c[2], p2 = 16 * c[0] * c[2];
  return zero * zero + y * (half * half - zero * zero - p2 + y * p2);
}

/// The largest error of a filter, as a logarithm of squares; infinite for one that is not stable.
static double error(const Points *points, const AuricleDigitalFilter *filter) {
  const double *a = filter->a;
  if (!(fabs(a[2]) < 1) || !(fabs(a[1]) < 1 + a[2])) return INFINITY;
  double most = 0;
  for (int i = 0; i < points->count; i++) {
    const double target = points->target[i];
    if (target < points->floor) continue;
    const double got =
      magnitudeSquare(filter->b, points->w[i]) / magnitudeSquare(a, points->w[i]);
    const double difference = fabs(log(fmax(got, 1e-12) / target));
    if (!(difference <= most)) most = difference;
  }
  return isnan(most) ? INFINITY : most;
}

static void bilinear(
    const AuricleAnalogueFilter *analogue, double frequency, AuricleDigitalFilter *digital) {
  const double *n = analogue->n, *d = analogue->d;
  const double g = tan(fmin(frequency, 0.999 * M_PI) / 2), square = g * g;
  const double whole = d[2] + d[1] * g + d[0] * square;
  digital->b[0] = (n[2] + n[1] * g + n[0] * square) / whole;
  digital->b[1] = 2 * (n[0] * square - n[2]) / whole;
  digital->b[2] = (n[2] - n[1] * g + n[0] * square) / whole;
  digital->a[0] = 1;
  digital->a[1] = 2 * (d[0] * square - d[2]) / whole;
  digital->a[2] = (d[2] - d[1] * g + d[0] * square) / whole;
}

/// The squared magnitude of a filter's coefficients, 1 at 0 Hz.
static Squared squaredOf(const double *c, double scale) {
  const double zero = c[0] + c[1] + c[2], half = c[0] - c[1] + c[2];
  const double low = zero * zero, p2 = 16 * c[0] * c[2];
  return (Squared){{1, (half * half - low - p2) / low * scale, p2 / low * scale * scale}};
}

/// The squared magnitude of a denominator with the poles of the analogue filter, 1 at 0 Hz.
static Squared polesOf(double frequency, double damping, double scale) {
  const double decay = exp(-damping * frequency);
  double a1;
  if (damping <= 1) {
    a1 = -2 * decay * cos(sqrt(1 - damping * damping) * frequency);
  } else {
    const double part = sqrt(damping * damping - 1) * frequency;
    a1 = -(exp(part - damping * frequency) + exp(-part - damping * frequency));
  }
  return squaredOf((double[]){1, a1, decay * decay}, scale);
}

/// Chooses a candidate if it is nearer than the best so far.
static void consider(
    const Points *points, const Squared *numerator, const Squared *denominator, double *least,
    AuricleDigitalFilter *digital) {
  AuricleDigitalFilter candidate;
  if (!factor(numerator, points->scale, candidate.b)) return;
  if (!factor(denominator, points->scale, candidate.a)) return;
  const double whole = candidate.a[0];
  for (int i = 0; i < 3; i++) {
    candidate.b[i] /= whole;
    candidate.a[i] /= whole;
  }
  const double distance = error(points, &candidate);
  if (!(distance < *least)) return;
  *least = distance;
  *digital = candidate;
}

/// Raises the weight of points at which a fit is far off.
static void reweigh(Points *points, const Squared *numerator, const Squared *denominator) {
  double errors[mostPoints], most = 0;
  for (int i = 0; i < points->count; i++) {
    const double y = points->y[i], target = fmax(points->target[i], points->floor);
    errors[i] = fabs(value(numerator, y) / value(denominator, y) - points->target[i]) / target;
    if (errors[i] > most) most = errors[i];
  }
  if (!(most > 0)) return;
  for (int i = 0; i < points->count; i++) points->weight[i] *= 0.15 + errors[i] / most;
}

/// Rounds of fits that begin with the numerator for a denominator.
static void refine(
    Points *points, Squared denominator, double *least, AuricleDigitalFilter *digital) {
  Squared numerator;
  for (int i = 0; i < points->count; i++) points->weight[i] = 1;
  if (fit(points, 0, &numerator, &denominator))
    consider(points, &numerator, &denominator, least, digital);
  for (int round = 0; round < 6; round++) {
    if (*least < points->enough || !fit(points, 1, &numerator, &denominator)) return;
    consider(points, &numerator, &denominator, least, digital);
    if (round > 0) reweigh(points, &numerator, &denominator);
  }
}

/// The weighed squares of the errors, as logarithms; infinite where no filter has such magnitudes.
static double logErrors(
    const Points *points, const Squared *numerator, const Squared *denominator, double *errors) {
  double c[3], sum = 0;
  if (!factor(numerator, points->scale, c) || !factor(denominator, points->scale, c)) return INFINITY;
  for (int i = 0; i < points->count; i++) {
    const double above = value(numerator, points->y[i]), below = value(denominator, points->y[i]);
    if (!(above > 0 && below > 0)) return INFINITY;
    errors[i] = log(above / below / points->target[i]);
    sum += points->weight[i] * points->weight[i] * errors[i] * errors[i];
  }
  return sum;
}

/// One step towards smaller errors in decibels; false where there is none.
static int descendOnce(Points *points, Squared *numerator, Squared *denominator) {
  double columns[4][mostPoints], right[mostPoints], errors[mostPoints], x[4];
  const double before = logErrors(points, numerator, denominator, errors);
  if (!isfinite(before)) return 0;
  for (int i = 0; i < points->count; i++) {
    const double y = points->y[i], weight = points->weight[i];
    const double above = weight / value(numerator, y), below = weight / value(denominator, y);
    columns[0][i] = y * above;
    columns[1][i] = y * y * above;
    columns[2][i] = -y * below;
    columns[3][i] = -y * y * below;
    right[i] = -weight * errors[i];
  }
  if (!solve(columns, right, 4, points->count, x)) return 0;
  for (double step = 1; step > 0.01; step /= 2) {
    const double *n = numerator->p, *d = denominator->p;
    const Squared up = {{n[0], n[1] + step * x[0], n[2] + step * x[1]}};
    const Squared down = {{d[0], d[1] + step * x[2], d[2] + step * x[3]}};
    if (!(logErrors(points, &up, &down, errors) < before)) continue;
    *numerator = up;
    *denominator = down;
    return 1;
  }
  return 0;
}

/// Steps from the best filter so far towards smaller errors in decibels. Wide shelves have real poles and zeros, which the
/// fits of squares seldom come to.
static void descend(Points *points, double *least, AuricleDigitalFilter *digital) {
  Squared numerator = squaredOf(digital->b, points->scale);
  Squared denominator = squaredOf(digital->a, points->scale);
  for (int k = 0; k < 3; k++) numerator.p[k] *= points->atZero;
  for (int i = 0; i < points->count; i++) points->weight[i] = 1;
  for (int round = 0; round < 8 && *least > points->enough; round++) {
    const int isNearer = descendOnce(points, &numerator, &denominator);
    if (!isNearer && round == 0) return;
    consider(points, &numerator, &denominator, least, digital);
    if (round > 1) reweigh(points, &numerator, &denominator);
  }
}

static void match(
    const AuricleAnalogueFilter *analogue, double frequency, AuricleDigitalFilter *digital) {
  const double *n = analogue->n, *d = analogue->d;
  const double poleFrequency = frequency * sqrt(d[0] / d[2]);
  const double damping = d[1] / (2 * sqrt(d[0] * d[2]));
  Points points;
  choosePoints(&points, analogue, frequency, poleFrequency);
  double least = error(&points, digital);
  if (least < points.enough) return;
  const Squared warped = squaredOf((double[]){1, digital->a[1], digital->a[2]}, points.scale);
  const Squared poles = polesOf(poleFrequency, damping, points.scale);
  if (n[0] > 0 && n[2] > 0) {
    Squared zeros =
      polesOf(frequency * sqrt(n[0] / n[2]), n[1] / (2 * sqrt(n[0] * n[2])), points.scale);
    for (int i = 0; i < 3; i++) zeros.p[i] *= points.atZero;
    consider(&points, &zeros, &poles, &least, digital);
  }
  refine(&points, poles, &least, digital);
  // If that did not come to 0.2 dB, the poles of the bilinear transform may be a better start.
  if (least > 0.04) refine(&points, warped, &least, digital);
  if (n[0] > 0 && n[2] > 0 && least > 0.02) descend(&points, &least, digital);
}

/// Chooses a high-pass with two zeros at 0 Hz, of squared magnitude gain y² / denominator, if it is nearer than the
/// best so far.
static void considerHighPass(
    const Points *points, double gain, const Squared *denominator, double *least,
    AuricleDigitalFilter *digital) {
  AuricleDigitalFilter candidate;
  if (!(gain > 0) || !factor(denominator, points->scale, candidate.a)) return;
  const double whole = candidate.a[0], k = sqrt(gain) / (4 * points->scale * whole);
  for (int i = 0; i < 3; i++) candidate.a[i] /= whole;
  candidate.b[0] = candidate.b[2] = k;
  candidate.b[1] = -2 * k;
  const double distance = error(points, &candidate);
  if (!(distance < *least)) return;
  *least = distance;
  *digital = candidate;
}

/// The weighed squares of the errors of a high-pass, as logarithms; infinite where there is no such filter.
static double highPassErrors(
    const Points *points, double gain, const Squared *denominator, double *errors) {
  double c[3], sum = 0;
  if (!factor(denominator, points->scale, c)) return INFINITY;
  for (int i = 0; i < points->count; i++) {
    const double y = points->y[i], below = value(denominator, y);
    if (!(below > 0)) return INFINITY;
    errors[i] = log(gain * y * y / below / points->target[i]);
    sum += points->weight[i] * points->weight[i] * errors[i] * errors[i];
  }
  return sum;
}

/// Steps from a denominator towards smaller errors in decibels, of a gain and a denominator.
static void refineHighPass(
    Points *points, Squared denominator, double *least, AuricleDigitalFilter *digital) {
  double errors[mostPoints], columns[4][mostPoints], right[mostPoints], x[4];
  double gain = 1, mean = 0;
  for (int i = 0; i < points->count; i++)
    points->weight[i] = points->target[i] < points->floor ? 0 : 1;
  if (!isfinite(highPassErrors(points, gain, &denominator, errors))) return;
  double counted = 0;
  for (int i = 0; i < points->count; i++) {
    mean += points->weight[i] * errors[i];
    counted += points->weight[i];
  }
  if (!(counted > 3)) return;
  gain = exp(-mean / counted);
  considerHighPass(points, gain, &denominator, least, digital);
  for (int round = 0; round < 12; round++) {
    const double before = highPassErrors(points, gain, &denominator, errors);
    double most = 0;
    for (int i = 0; i < points->count; i++) {
      const double y = points->y[i], weight = points->weight[i];
      const double below = weight / value(&denominator, y);
      columns[0][i] = weight;
      columns[1][i] = -y * below;
      columns[2][i] = -y * y * below;
      right[i] = -weight * errors[i];
    }
    if (!isfinite(before) || !solve(columns, right, 3, points->count, x)) return;
    double step = 1;
    for (; step > 0.01; step /= 2) {
      const double *d = denominator.p;
      const Squared down = {{1, d[1] + step * x[1], d[2] + step * x[2]}};
      const double up = gain * exp(step * x[0]);
      if (!(highPassErrors(points, up, &down, errors) < before)) continue;
      denominator = down;
      gain = up;
      break;
    }
    if (!(step > 0.01)) return;
    considerHighPass(points, gain, &denominator, least, digital);
    if (round < 3) continue;
    for (int i = 0; i < points->count; i++) most = fmax(most, points->weight[i] * fabs(errors[i]));
    if (!(most > 0)) return;
    for (int i = 0; i < points->count; i++)
      points->weight[i] *= 0.15 + points->weight[i] * fabs(errors[i]) / most;
  }
}

/// Two zeros at 0 Hz stay, so that nothing steady passes; the poles and the gain are fitted.
static void matchHighPass(
    const AuricleAnalogueFilter *analogue, double frequency, AuricleDigitalFilter *digital) {
  const double *d = analogue->d;
  const double poleFrequency = frequency * sqrt(d[0] / d[2]);
  Points points;
  choosePoints(&points, analogue, frequency, poleFrequency);
  double least = error(&points, digital);
  if (least < 0.0046) return;
  refineHighPass(
    &points, polesOf(poleFrequency, d[1] / (2 * sqrt(d[0] * d[2])), points.scale), &least, digital);
  refineHighPass(
    &points, squaredOf((double[]){1, digital->a[1], digital->a[2]}, points.scale), &least, digital);
}

void AuricleMatchFilter(
    const AuricleAnalogueFilter *analogue, double frequency, AuricleDigitalFilter *digital) {
  const double *n = analogue->n, *d = analogue->d;
  bilinear(analogue, frequency, digital);
  if (n[0] == 0 && n[1] == 0) {
    matchHighPass(analogue, frequency, digital);
    return;
  }
  // A notch consists of zeros on the circle: no fit keeps them.
  if (n[1] == 0 && n[2] != 0) return;
  if (n[0] != 0 && n[2] != 0 && n[1] < d[1]) {
    // A filter that attenuates is the inverse of the one that amplifies, so that the two cancel.
    const AuricleAnalogueFilter inverse = {{d[0], d[1], d[2]}, {n[0], n[1], n[2]}};
    AuricleDigitalFilter found;
    bilinear(&inverse, frequency, &found);
    match(&inverse, frequency, &found);
    for (int i = 0; i < 3; i++) {
      digital->b[i] = found.a[i] / found.b[0];
      digital->a[i] = found.b[i] / found.b[0];
    }
    return;
  }
  match(analogue, frequency, digital);
}
