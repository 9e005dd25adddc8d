// Inner loops of filters, of the reverb, of the compressor, of scans and of rounding, for any vectors of the processor.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_SIGNAL_LOOPS_H
#define AURICLE_SIGNAL_LOOPS_H

#include <stdint.h>

// Every loop is compiled twice, for any processor and for one with wider vectors, and uses the second
// if it may. No product is fused with a sum: both produce the same bits, and so does every machine.
//
// Context of all of them: render. Runs are of 1 to 32 frames unless a comment says otherwise; where one
// says "by eights", up to seven frames more are read and written.

#if defined(__clang__)
#define AURICLE_LOOP __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))
#else
#define AURICLE_LOOP
#endif

#pragma clang assume_nonnull begin

/// Selects loops; for tests. 0: the ones for any processor, 1: the widest ones available.
void AuricleLoopsSetWidest(int32_t widest);

/// Whether this processor runs the wide loops.
int32_t AuricleLoopsHaveWide(void);

/// Four steps at once of a two-pole filter with states s and inputs x, y = c s + d x
/// (StateVariableCoefficients).
typedef struct {
  /// Output from the same input, and from those one, two and three frames before.
  double response[4];
  /// Each output from state 1 and from state 2 before the four.
  double outputs[4][2];
  /// Each state after the four from both before, and from each input.
  double states[2][2];
  double inputs[2][4];
} AuricleFilterStep;

/// The past of a two-pole filter of two channels.
typedef struct {
  /// State 1 of both channels, then state 2 of both, before the last frames that are not four.
  double states[4];
  /// The pending frames of either channel, and their number.
  float pending[2][4];
  int64_t pendingCount;
} AuricleFilterState;

/// Filters any number of frames of two channels in place. The step may change after a multiple of four
/// frames; however the stream is cut, the result is the same. `left` and `right` may be the same.
void AuricleFilter(
    float *left, float *right, intptr_t count, const AuricleFilterStep *step,
    AuricleFilterState *state) AURICLE_LOOP;

/// One step of a two-pole filter: new states and output from states and input.
typedef struct {
  double a11, a12, b1, a21, a22, b2, c1, c2, d;
} AuricleFilterCoefficients;

/// Coefficients that move in a straight line through an interval: their values before its first frame and at its last,
/// and one over its frames.
typedef struct {
  AuricleFilterCoefficients start, end;
  double slope;
} AuricleMovingFilter;

/// The same with coefficients that move in every frame; `phase` is the place in the interval, which began at a multiple of
/// four frames. However an interval is cut, the result is the same.
void AuricleFilterMoving(
    float *left, float *right, intptr_t count, intptr_t phase, const AuricleMovingFilter *moving,
    AuricleFilterState *state) AURICLE_LOOP;

/// Lines of a network on their way through its losses.
typedef struct {
  /// Places of each line's samples; may be their places in `outputs`.
  float *_Nonnull const *_Nonnull sources;
  /// A row a line.
  float *outputs;
  /// A state, a pole and a gain a line, these at the start of the interval.
  float *states;
  const float *poles, *gains;
  /// Their changes in a frame, or null where no line's change.
  const float *_Nullable poleChanges, *_Nullable gainChanges;
} AuricleDampedLines;

/// Damps sixteen lines of one network and eight of another, and mixes each four by the inner part of a
/// Hadamard matrix. Rows are `stride` samples apart; `phase` is the place in the interval. Frames by fours.
void AuricleNetworksDamp(
    const AuricleDampedLines *sixteen, const AuricleDampedLines *eight, intptr_t stride,
    intptr_t phase, intptr_t count) AURICLE_LOOP;

/// Mixes sixteen lines by the outer part of the matrix and feeds them. Frames by eights.
///
/// \param first The feed of the first eight lines.
/// \param second The feed of the others.
/// \param rings Where the next samples of each line go.
void AuricleNetworkMix16(
    float *outputs, intptr_t stride, const float *first, const float *second,
    float *_Nonnull const *_Nonnull rings, intptr_t count) AURICLE_LOOP;

/// The same for eight lines.
void AuricleNetworkMix8(
    float *outputs, intptr_t stride, const float *first, const float *second,
    float *_Nonnull const *_Nonnull rings, intptr_t count) AURICLE_LOOP;

/// Neighbours that a sample between the frames is made of, and a row of their weights.
enum { AuricleMovingTaps = 13, AuricleMovingRow = 16, AuricleMovingRows = 129 };

/// A line that is read between its frames.
typedef struct {
  /// The frame seven behind the first one wanted; five frames behind that one are read as well.
  const float *source;
  float *output;
  /// A row of weights at the start of the interval, and a row of their changes in a frame.
  const float *weights;
} AuricleMovingLine;

/// Reads lines that move; `phase` is the place in the interval. Frames by eights.
void AuricleReadMovingLines(
    const AuricleMovingLine *lines, intptr_t lineCount, intptr_t phase,
    intptr_t count) AURICLE_LOOP;

/// Fills rows of weights for samples that are 0 to 2 frames further behind, in steps of 1/64. Context: control.
///
/// No row lets any frequency through louder than it was, nor does a mean of rows: lines that feed each other may be read so.
void AuricleFillMovingWeights(float *table);

/// The slow movement of eight lines: speed and phase in turns, offsets in frames.
typedef struct {
  double phases[8], speeds[8], starts[8], ends[8];
  /// Delays in this interval: whole frames, the fraction left at its start, and the change in a frame.
  int64_t whole[8];
  float fractions[8], slopes[8];
} AuricleMovement;

/// Begins an interval of `frames`; a fresh movement is where it is to be at once.
///
/// \param table The result of `AuricleFillMovingWeights`. \param weights Two rows for each line: weights at
/// the start of the interval, and their changes in a frame.
void AuricleMove(
    AuricleMovement *movement, double rate, double depth, int32_t isFresh, double frames,
    const float *table, float *weights) AURICLE_LOOP;

/// Passes samples through all-pass stages in a row into a feed, which may be the same memory. Frames by eights.
///
/// \param past The values that each stage stored some time before. \param next The place where each
/// stage stores. \param coefficient The coefficient of all stages at the start of the interval, of
/// which `phase` is the place. \param change The change of the coefficient in a frame.
void AuricleDiffuse(
    const float *source, float *feed, float *_Nonnull const *_Nonnull past, float *_Nonnull const *_Nonnull next,
    intptr_t stages, float coefficient, float change, intptr_t phase, intptr_t count) AURICLE_LOOP;

/// Multiplies samples by a gain a frame and adds the returns of two rooms, with their own gains.
///
/// \param gains Those of the samples, of the early and of the late room: three rows of 32.
void AuricleMixRooms(
    float *samples, const float *early, const float *late, const float *gains,
    intptr_t count) AURICLE_LOOP;

/// The followers of two feeds, subtracted from them: one-pole low-passes.
typedef struct {
  float scales[2];
  float follow, stay;
  /// Their values before the last whole four frames of the interval.
  float slow[2];
} AuricleFollower;

/// Scales two feeds and removes their slow part.
///
/// The four rows begin at the start of the interval: 32 frames, of which `count` are new from `phase`
/// on. Frames of a group of four that were done before are done again, to the same result.
void AuricleTakeOutSlow(
    const float *first, const float *second, float *firstOutput, float *secondOutput,
    intptr_t phase, intptr_t count, AuricleFollower *follower) AURICLE_LOOP;

/// Decibels of compression for levels: L − T − H (1 − exp((T − L) / H)) above T. Frames by eights.
void AuricleCompression(
    const float *levels, float *reductions, intptr_t count, float threshold,
    float headroom) AURICLE_LOOP;

/// Gains for reductions: a level of `start` decibels at `phase` 0 that changes by `slope` a frame,
/// less the reduction. Frames by eights.
void AuricleReducedGains(
    const float *reductions, float *gains, intptr_t count, float start, float slope,
    intptr_t phase) AURICLE_LOOP;

/// Whether no sample is infinite or no number: 1 or 0. Any number of them.
int32_t AuricleSamplesAreFinite(const float *samples, intptr_t count) AURICLE_LOOP;

/// The bits of the largest magnitude of any number of samples. They order as magnitudes do, NaN above all.
int32_t AuricleSamplesMagnitude(const float *samples, intptr_t count) AURICLE_LOOP;

/// The largest magnitude of any number of samples, and the sum of their squares; NaNs count for the sum
/// alone.
void AuricleSamplesMeasure(
    const float *samples, intptr_t count, float *peak, double *squares) AURICLE_LOOP;

/// The conversion of samples into whole numbers of up to 16 bits.
typedef struct {
  /// 2 to the number of bits less one, and that less one.
  float factor, highest;
  /// By how many bits the numbers are moved up: 16 less the number of bits.
  int32_t shift;
} AuricleQuantizer;

/// Rounds two channels to the nearest numbers, to even between two, clips and interleaves them. Any number of
/// frames.
///
/// \return The number of samples beyond ±1.
int32_t AuricleQuantizePairs(
    const float *left, const float *right, int16_t *frames, intptr_t count,
    const AuricleQuantizer *quantizer) AURICLE_LOOP;

#pragma clang assume_nonnull end

#endif
