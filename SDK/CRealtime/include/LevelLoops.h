// Inner loops of loudness meters, of true-peak detectors and of the limiter behind them.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_LEVEL_LOOPS_H
#define AURICLE_LEVEL_LOOPS_H

#include <stdint.h>

#include "RealtimeMark.h"

// As those of SignalLoops.h: compiled for two kinds of processors, with the same bits from both.
//
// Context of all of them: render.

#pragma clang assume_nonnull begin

/// Two filters in a row: y = b0 v + b1 v' + b2 v'' with v = x - a1 v' - a2 v''.
typedef struct {
  double b[2][3], a[2][2];
} AuricleWeighting;

/// The last two v of both filters, for four channels.
typedef struct {
  double past[2][2][4];
} AuricleWeightingState;

/// The results of four channels.
typedef struct {
  /// Sums of the squares of the filtered samples.
  double squares[4];
  /// The largest magnitudes of the unfiltered samples.
  float peaks[4];
} AuricleWeighed;

/// Filters four channels, and adds to their sums and peaks. Any number of frames; four rows, which may be the same.
void AuricleWeigh(
    const float *_Nonnull const *_Nonnull rows, intptr_t offset, intptr_t count,
    const AuricleWeighting *weighting, AuricleWeightingState *state,
    AuricleWeighed *weighed) AURICLE_REALTIME;

/// Adds up the results of the first `count` channels, each by its weight, and begins anew.
///
/// \param peak Raised to the highest of their peaks.
static inline double AuricleEndWeighing(
    AuricleWeighed *weighed, const double *weights, intptr_t count, float *peak) AURICLE_REALTIME;
static inline double AuricleEndWeighing(
    AuricleWeighed *weighed, const double *weights, intptr_t count, float *peak) {
  double energy = 0;
  for (intptr_t channel = 0; channel < count; channel++) {
    energy += weights[channel] * weighed->squares[channel];
    if (weighed->peaks[channel] > *peak) *peak = weighed->peaks[channel];
  }
  *weighed = (AuricleWeighed){{0}, {0}};
  return energy;
}

/// The number of samples that the values between two frames are computed from, the two in the middle.
#define AURICLE_PEAK_SAMPLES 96

/// An interpolator of eight places between two frames.
typedef struct {
  /// Eight a sample, at any address.
  const float *coefficients;
  /// The samples it needs of the 96.
  intptr_t first, count;
} AuriclePeakFilter;

/// The interpolators of a true-peak detector.
typedef struct {
  AuriclePeakFilter filters[3];
  /// For each of the 96 samples, the largest magnitude of its coefficients.
  const float *bounds;
  /// The most by which a value can exceed all samples, as a factor.
  float mostGain;
} AuriclePeakFilters;

/// Finds the highest magnitudes between frames.
///
/// Frame n lies in the middle of samples n to n + 95. Frames that cannot reach `floor` are not computed.
///
/// \param samples 95 more than `count`. \param peaks Raised where a value is higher and above `floor`;
/// null to find only the highest of all, which then is the floor for the following ones. \return The
/// highest value found, or `floor`.
float AuricleTruePeaks(
    const AuriclePeakFilters *filters, const float *samples, float *_Nullable peaks,
    intptr_t count, float floor) AURICLE_REALTIME;

/// The samples that each of the eight places behind a frame is computed from, the frame's own the 24th.
#define AURICLE_PLACE_SAMPLES 48

/// Finds the highest magnitudes at the eight places behind each frame of a channel.
///
/// Frame n lies in the middle of samples n to n + 47. A frame that certainly does not exceed `floor` is not computed.
///
/// \param weights Eight a sample, the oldest sample first.
/// \param bounds For each of the 48 samples, the largest magnitude of its weights.
/// \param samples 47 more than `count`.
/// \param peaks Raised where a value is higher.
void AuriclePlacePeaks(
    const float *weights, const float *bounds, const float *samples, float *peaks, intptr_t count,
    float floor) AURICLE_REALTIME;

/// A limiter's gain: falls in time for a peak, and rises again slowly.
///
/// The least of `window` wanted gains is followed at once downwards and with a time constant upwards; two averages
/// over `half` values make slopes of its steps. The memory is the caller's.
typedef struct {
  float ceiling;
  /// The share of the remaining reduction by which the gain rises each frame.
  double release;
  intptr_t window, half;
  /// `window` values: those of the present block; behind them, the least from each place of the block before on.
  float *_Null_unspecified minima;
  intptr_t position;
  /// The least of the present block.
  float present;
  /// `half` each; see `AuricleLimiterBegin`.
  double *_Null_unspecified averages[2];
  intptr_t averagePlace;
  double sums[2];
  float last;
  double envelope;
  /// The lowest gain so far.
  double lowest;
  /// Frames since anything was turned down.
  intptr_t calm;
} AuricleLimiter;

/// Begins with a gain of 1: all fields but the first four and the pointers are set.
void AuricleLimiterBegin(AuricleLimiter *limiter) AURICLE_REALTIME;

/// Puts the gain of each frame in the place of its true peak.
///
/// \return Whether one of them is not 1.
int32_t AuricleLimiterGains(
    AuricleLimiter *limiter, float *peaks, intptr_t count) AURICLE_REALTIME;

/// Delays a row by the length of a ring, and scales the output.
///
/// \param gains A gain a frame; null for none.
void AuricleDelayAndScale(
    const float *source, float *target, const float *_Nullable gains, intptr_t count,
    float *ring, intptr_t ringLength, intptr_t ringPlace) AURICLE_REALTIME;

#pragma clang assume_nonnull end

#endif
