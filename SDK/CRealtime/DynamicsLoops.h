// The loops of the filters and of the compressor; included twice by Dynamics.c.
// SPDX-License-Identifier: Apache-2.0

/// Binary logarithm of positive normal numbers; absolute error below 1e-6.
INLINE Eight NAME(logarithm)(Eight x) {
  const EightInts bits = (EightInts)x;
  // Removes the exponent so that the mantissa lies between sqrt(1/2) and sqrt(2).
  const EightInts exponent = (bits - 0x3F3504F3) >> 23;
  const Eight z = (Eight)(bits - (exponent << 23)) - 1.0f;
  Eight p = NAME(all)(0.17212874f);
  p = p * z + -0.26950628f;
  p = p * z + 0.2956336f;
  p = p * z + -0.35935065f;
  p = p * z + 0.48062915f;
  p = p * z + -0.721364f;
  p = p * z + 1.4426965f;
  return __builtin_convertvector(exponent, Eight) + p * z;
}

/// Two to the power of numbers between −126 and 126; relative error below 1e-6.
INLINE Eight NAME(power)(Eight x) {
  const Eight magic = NAME(all)(12582912.0f);
  const Eight shifted = x + magic;
  const Eight f = x - (shifted - magic);
  const EightInts whole = (EightInts)shifted - (EightInts)magic;
  Eight p = NAME(all)(0.0013390867f);
  p = p * f + 0.009666374f;
  p = p * f + 0.05550357f;
  p = p * f + 0.24022348f;
  p = p * f + 0.6931472f;
  p = p * f + 1.0f;
  return p * (Eight)((whole + 127) << 23);
}

static void NAME(compression)(
    const float *levels, float *reductions, intptr_t count, float threshold, float headroom) {
  const Eight zero = NAME(all)(0), one = NAME(all)(1);
  for (intptr_t frame = 0; frame < count; frame += 8) {
    const Eight gain = NAME(larger)(NAME(eight)(levels + frame), NAME(all)(1e-8f));
    const Eight level = NAME(logarithm)(gain) * 6.0206f;
    const Eight over = NAME(larger)(level - threshold, zero);
    const Eight exponent = NAME(larger)(over * (-1.442695f / headroom), NAME(all)(-120));
    const Eight reduction = over - headroom * (one - NAME(power)(exponent));
    NAME(setEight)(reductions + frame, NAME(larger)(reduction, zero));
  }
}

static void NAME(reducedGains)(
    const float *reductions, float *gains, intptr_t count, float start, float slope,
    intptr_t phase) {
  Eight place = NAME(all)((float)phase) + (Eight){0, 1, 2, 3, 4, 5, 6, 7};
  for (intptr_t frame = 0; frame < count; frame += 8) {
    const Eight decibels = (start + slope * place) - NAME(eight)(reductions + frame);
    NAME(setEight)(gains + frame, NAME(power)(decibels * (1.0f / 6.0206f)));
    place += 8.0f;
  }
}

INLINE FourWide NAME(pair)(double low, double high) {
  return (FourWide){low, low, high, high};
}
/// Two frames of both channels from one or two of others.
#define FRAMES(a, b, i, j)                                                                         \
  __builtin_shufflevector(                                                                         \
      a, b, 2 * (i), 2 * (i) + 1, 2 * (j), 2 * (j) + 1)

static void NAME(filterFours)(
    float *left, float *right, intptr_t fours, const AuricleFilterStep *step, double *states) {
  FourWide s = {states[0], states[1], states[2], states[3]};
  const double *h = step->response;
  const double(*c)[2] = step->outputs, (*p)[2] = step->states, (*q)[4] = step->inputs;
  const FourWide h0 = NAME(pair)(h[0], h[0]), h1 = NAME(pair)(h[1], h[1]);
  const FourWide h2 = NAME(pair)(h[2], h[2]), h01 = NAME(pair)(0, h[1]), h03 = NAME(pair)(0, h[3]);
  const FourWide c1 = NAME(pair)(c[0][0], c[1][0]), c2 = NAME(pair)(c[0][1], c[1][1]);
  const FourWide c3 = NAME(pair)(c[2][0], c[3][0]), c4 = NAME(pair)(c[2][1], c[3][1]);
  const FourWide p1 = NAME(pair)(p[0][0], p[1][0]), p2 = NAME(pair)(p[0][1], p[1][1]);
  const FourWide q0 = NAME(pair)(q[0][0], q[1][0]), q1 = NAME(pair)(q[0][1], q[1][1]);
  const FourWide q2 = NAME(pair)(q[0][2], q[1][2]), q3 = NAME(pair)(q[0][3], q[1][3]);
  for (intptr_t four = 0; four < fours; four++) {
    const Four l = NAME(four)(left + 4 * four), r = NAME(four)(right + 4 * four);
    const FourWide x01 = __builtin_convertvector(__builtin_shufflevector(l, r, 0, 4, 1, 5), FourWide);
    const FourWide x23 = __builtin_convertvector(__builtin_shufflevector(l, r, 2, 6, 3, 7), FourWide);
    const FourWide x00 = FRAMES(x01, x01, 0, 0), x11 = FRAMES(x01, x01, 1, 1);
    const FourWide x22 = FRAMES(x23, x23, 0, 0), x33 = FRAMES(x23, x23, 1, 1);
    const FourWide x12 = FRAMES(x01, x23, 1, 2);
    const FourWide s1 = FRAMES(s, s, 0, 0), s2 = FRAMES(s, s, 1, 1);
    // No output has a term of an input behind it: it may not have come yet.
    const FourWide y01 = (h0 * x01 + h01 * x00) + (c1 * s1 + c2 * s2);
    const FourWide y23 =
        ((h0 * x23 + h1 * x12) + (h2 * x01 + h03 * x00)) + (c3 * s1 + c4 * s2);
    s = (((q0 * x00 + q1 * x11) + (q2 * x22 + q3 * x33)) + p2 * s2) + p1 * s1;
    const Four a = __builtin_convertvector(y01, Four), b = __builtin_convertvector(y23, Four);
    NAME(setFour)(left + 4 * four, __builtin_shufflevector(a, b, 0, 2, 4, 6));
    NAME(setFour)(right + 4 * four, __builtin_shufflevector(a, b, 1, 3, 5, 7));
  }
  states[0] = s[0], states[1] = s[1], states[2] = s[2], states[3] = s[3];
}
#undef FRAMES

/// Frames that begin or continue a group of four without completing more than that one.
static intptr_t NAME(filterPart)(
    float *left, float *right, intptr_t count, const AuricleFilterStep *step,
    AuricleFilterState *state) {
  const intptr_t from = state->pendingCount, to = from + count < 4 ? from + count : 4;
  float rows[2][4] = {{0}}, *channels[2] = {left, right};
  double states[4];
  for (int channel = 0; channel < 2; channel++) {
    for (intptr_t frame = 0; frame < from; frame++)
      rows[channel][frame] = state->pending[channel][frame];
    for (intptr_t frame = from; frame < to; frame++)
      state->pending[channel][frame] = rows[channel][frame] = channels[channel][frame - from];
  }
  memcpy(states, state->states, sizeof states);
  NAME(filterFours)(rows[0], rows[1], 1, step, states);
  for (int channel = 0; channel < 2; channel++)
    for (intptr_t frame = from; frame < to; frame++)
      channels[channel][frame - from] = rows[channel][frame];
  if (to == 4) memcpy(state->states, states, sizeof states);
  state->pendingCount = to == 4 ? 0 : to;
  return to - from;
}

/// The coefficients of a frame of an interval, on a straight line.
INLINE void NAME(between)(double *values, const AuricleMovingFilter *moving, intptr_t frame) {
  const double part = (double)(frame + 1) * moving->slope;
  const double *start = (const double *)&moving->start, *end = (const double *)&moving->end;
  for (int index = 0; index < 9; index++)
    values[index] = start[index] + (end[index] - start[index]) * part;
}

static void NAME(movingFilter)(
    float *left, float *right, intptr_t count, intptr_t phase, const AuricleMovingFilter *moving,
    AuricleFilterState *state) {
  const intptr_t pending = state->pendingCount;
  double s1[2] = {state->states[0], state->states[1]}, s2[2] = {state->states[2], state->states[3]};
  float *channels[2] = {left, right};
  // Frames of the group that has begun are done again, from its state on.
  for (intptr_t frame = -pending; frame < count; frame++) {
    AuricleFilterCoefficients c;
    NAME(between)((double *)&c, moving, phase + frame);
    const int place = (int)((frame + pending) & 3);
    if (place == 0)
      for (int channel = 0; channel < 2; channel++)
        state->states[channel] = s1[channel], state->states[2 + channel] = s2[channel];
    float outputs[2];
    for (int channel = 0; channel < 2; channel++) {
      float *const stored = state->pending[channel];
      const double x = frame < 0 ? stored[place] : channels[channel][frame];
      stored[place] = (float)x;
      const double one = s1[channel], two = s2[channel];
      outputs[channel] = (float)((c.c1 * one + c.c2 * two) + c.d * x);
      s1[channel] = (c.a11 * one + c.a12 * two) + c.b1 * x;
      s2[channel] = (c.a21 * one + c.a22 * two) + c.b2 * x;
    }
    if (frame < 0) continue;
    left[frame] = outputs[0];
    right[frame] = outputs[1];
  }
  state->pendingCount = (count + pending) & 3;
  if (state->pendingCount == 0)
    for (int channel = 0; channel < 2; channel++)
      state->states[channel] = s1[channel], state->states[2 + channel] = s2[channel];
}

static void NAME(filter)(
    float *left, float *right, intptr_t count, const AuricleFilterStep *step,
    AuricleFilterState *state) {
  if (count > 0 && state->pendingCount > 0) {
    const intptr_t done = NAME(filterPart)(left, right, count, step, state);
    left += done, right += done, count -= done;
  }
  const intptr_t fours = count / 4;
  NAME(filterFours)(left, right, fours, step, state->states);
  if (count & 3) {
    NAME(filterPart)(left + 4 * fours, right + 4 * fours, count & 3, step, state);
  }
}
