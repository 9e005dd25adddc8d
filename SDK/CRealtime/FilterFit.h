// The points where a digital filter is compared with an analogue one, and the solution of the equations of a fit.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "FilterDesign.h"

#include <math.h>

#pragma STDC FP_CONTRACT OFF

// Squared magnitudes of filters of second order are ratios of polynomials in y = sin²(w/2) / scale; fits are made of those.
// A squared magnitude P(y) = p0 + p1 y + p2 y² belongs to the coefficients of one filter within the unit circle.

enum { mostPoints = 40 };

typedef struct {
  double w[mostPoints];
  double y[mostPoints];
  /// The wanted magnitudes, squared.
  double target[mostPoints];
  int count;
  double scale;
  /// The target at 0 Hz.
  double atZero;
  /// The weight of each; it grows with the error of the last fit, so that the largest error becomes small.
  double weight[mostPoints];
  /// Below this (squared) errors count less and less.
  double floor;
  /// A filter with a smaller error (a logarithm of squares) is chosen without a search for a better one.
  double enough;
} Points;

typedef struct {
  double p[3];
} Squared;

static double analogueSquare(const double *c, double x) {
  const double even = c[0] - c[2] * x * x, odd = c[1] * x;
  return even * even + odd * odd;
}

static double value(const Squared *polynomial, double y) {
  return polynomial->p[0] + y * (polynomial->p[1] + y * polynomial->p[2]);
}

static void addPoint(Points *points, double w, double lowest, double highest) {
  if (w > lowest && w <= highest && points->count < mostPoints) points->w[points->count++] = w;
}

static void addPoints(
    Points *points, const double *places, int count, double start, double step, double lowest,
    double highest) {
  for (int index = 0; index < count; index++)
    addPoint(points, start + places[index] * step, lowest, highest);
}

static void choosePoints(
    Points *points, const AuricleAnalogueFilter *analogue, double frequency, double poleFrequency) {
  static const double spread[11] = {0.08, 0.16, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.8, 0.86, 0.92};
  static const double near[10] = {0.12, 0.25, 0.37, 0.5, 0.7, 0.85, 1, 1.18, 1.4, 2};
  static const double poles[8] = {-1, -0.7, -0.4, -0.2, 0.2, 0.4, 0.7, 1};
  static const double zeros[5] = {-0.5, -0.2, 0, 0.2, 0.5};
  static const double slopes[5] = {0.03, 0.06, 4, 8, 16};
  const double *n = analogue->n, *d = analogue->d;
  const double highest = 0.92 * M_PI, lowest = 0.02 * frequency;
  const double width = fmin(frequency * d[1] / d[2], frequency);
  points->count = 0;
  addPoints(points, spread, 11, 0, M_PI, fmin(lowest, 0.3), highest);
  addPoints(points, near, 10, 0, fmin(frequency, highest), 0, highest);
  addPoints(points, poles, 8, poleFrequency, width, 0, highest);
  if (n[0] > 0 && n[2] > 0) {
    const double zeroFrequency = frequency * sqrt(n[0] / n[2]);
    const double narrow = fmin(frequency * n[1] / n[2], zeroFrequency);
    addPoints(points, zeros, 5, zeroFrequency, narrow, 0, highest);
  }
  if (n[0] == 0) addPoints(points, slopes, 5, 0, frequency, 0, highest);
  const double half = sin(fmin(poleFrequency, 2) / 2);
  points->scale = half * half;
  for (int index = 0; index < points->count; index++) {
    const double s = sin(points->w[index] / 2), x = points->w[index] / frequency;
    points->y[index] = s * s / points->scale;
    points->target[index] = analogueSquare(n, x) / analogueSquare(d, x);
  }
  const double ratio = n[0] / d[0];
  points->atZero = ratio * ratio;
  // The stop band of a low-pass is inaudible; the slopes of a band-pass are audible.
  points->floor = n[0] == 0 ? 3e-5 : n[2] == 0 ? 1e-3 : 1e-12;
  points->enough = n[0] > 0 && n[2] > 0 ? 0.0046 : 0;
}

/// Solves an overdetermined system by orthogonalising its columns; false where they depend on each other.
static int solve(double columns[][mostPoints], double *right, int unknowns, int count, double *x) {
  double r[4][4], z[4];
  for (int j = 0; j < unknowns; j++) {
    double before = 0;
    for (int i = 0; i < count; i++) before += columns[j][i] * columns[j][i];
    // Twice, since one pass leaves rounding errors.
    for (int k = 0; k < j; k++) r[k][j] = 0;
    for (int round = 0; round < 2; round++) {
      for (int k = 0; k < j; k++) {
        double product = 0;
        for (int i = 0; i < count; i++) product += columns[k][i] * columns[j][i];
        r[k][j] += product;
        for (int i = 0; i < count; i++) columns[j][i] -= product * columns[k][i];
      }
    }
    double length = 0;
    for (int i = 0; i < count; i++) length += columns[j][i] * columns[j][i];
    if (!(length > before * 1e-24)) return 0;
    r[j][j] = sqrt(length);
    double product = 0;
    for (int i = 0; i < count; i++) {
      columns[j][i] /= r[j][j];
      product += columns[j][i] * right[i];
    }
    z[j] = product;
    for (int i = 0; i < count; i++) right[i] -= product * columns[j][i];
  }
  for (int j = unknowns - 1; j >= 0; j--) {
    double sum = z[j];
    for (int k = j + 1; k < unknowns; k++) sum -= r[j][k] * x[k];
    x[j] = sum / r[j][j];
  }
  return 1;
}
