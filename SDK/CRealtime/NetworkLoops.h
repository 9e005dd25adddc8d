// The loops of the reverb; included twice by Network.c.
// SPDX-License-Identifier: Apache-2.0

/// Four frames of eight lines: 0 to 3 in the low halves, 4 to 7 in the high ones.
INLINE void NAME(readLines)(
    float *const *sources, intptr_t frame, Eight *a, Eight *b, Eight *c, Eight *d) {
  *a = NAME(joined)(NAME(four)(sources[0] + frame), NAME(four)(sources[4] + frame));
  *b = NAME(joined)(NAME(four)(sources[1] + frame), NAME(four)(sources[5] + frame));
  *c = NAME(joined)(NAME(four)(sources[2] + frame), NAME(four)(sources[6] + frame));
  *d = NAME(joined)(NAME(four)(sources[3] + frame), NAME(four)(sources[7] + frame));
  NAME(turn)(a, b, c, d);
}

INLINE void NAME(writeLines)(
    float *output, intptr_t stride, Eight *a, Eight *b, Eight *c, Eight *d) {
  NAME(turn)(a, b, c, d);
  NAME(mix)(a, b, c, d);
  NAME(setFour)(output, NAME(low)(*a));
  NAME(setFour)(output + stride, NAME(low)(*b));
  NAME(setFour)(output + 2 * stride, NAME(low)(*c));
  NAME(setFour)(output + 3 * stride, NAME(low)(*d));
  NAME(setFour)(output + 4 * stride, NAME(high)(*a));
  NAME(setFour)(output + 5 * stride, NAME(high)(*b));
  NAME(setFour)(output + 6 * stride, NAME(high)(*c));
  NAME(setFour)(output + 7 * stride, NAME(high)(*d));
}

/// Eight lines' damping of four frames, of which `left` are real.
#define DAMP(state, pole, gain, a, b, c, d)                                                        \
  a = pole * state + gain * a;                                                                     \
  b = pole * a + gain * b;                                                                         \
  c = pole * b + gain * c;                                                                         \
  d = pole * c + gain * d;                                                                         \
  state = left > 3 ? d : (left == 3 ? c : (left == 2 ? b : a))

/// Three groups of eight at a time, since each waits for its own past.
INLINE void NAME(dampStill)(
    const AuricleDampedLines *sixteen, const AuricleDampedLines *eight, intptr_t stride,
    intptr_t count) {
  Eight state = NAME(eight)(sixteen->states), state2 = NAME(eight)(sixteen->states + 8);
  Eight state3 = NAME(eight)(eight->states);
  const Eight pole = NAME(eight)(sixteen->poles), pole2 = NAME(eight)(sixteen->poles + 8);
  const Eight gain = NAME(eight)(sixteen->gains), gain2 = NAME(eight)(sixteen->gains + 8);
  const Eight pole3 = NAME(eight)(eight->poles), gain3 = NAME(eight)(eight->gains);
  float *const *sources = sixteen->sources, *const *sources3 = eight->sources;
  float *outputs = sixteen->outputs, *outputs3 = eight->outputs;
  for (intptr_t frame = 0; frame < count; frame += 4) {
    const intptr_t left = count - frame;
    Eight a, b, c, d, a2, b2, c2, d2, a3, b3, c3, d3;
    NAME(readLines)(sources, frame, &a, &b, &c, &d);
    DAMP(state, pole, gain, a, b, c, d);
    NAME(writeLines)(outputs + frame, stride, &a, &b, &c, &d);
    NAME(readLines)(sources + 8, frame, &a2, &b2, &c2, &d2);
    DAMP(state2, pole2, gain2, a2, b2, c2, d2);
    NAME(writeLines)(outputs + 8 * stride + frame, stride, &a2, &b2, &c2, &d2);
    NAME(readLines)(sources3, frame, &a3, &b3, &c3, &d3);
    DAMP(state3, pole3, gain3, a3, b3, c3, d3);
    NAME(writeLines)(outputs3 + frame, stride, &a3, &b3, &c3, &d3);
  }
  NAME(setEight)(sixteen->states, state);
  NAME(setEight)(sixteen->states + 8, state2);
  NAME(setEight)(eight->states, state3);
}
#undef DAMP

/// Eight lines whose poles and gains change, from the line `first` on.
INLINE void NAME(dampChanging)(
    const AuricleDampedLines *lines, int first, intptr_t stride, intptr_t phase, intptr_t count) {
  Eight state = NAME(eight)(lines->states + first);
  const Eight pole = NAME(eight)(lines->poles + first), gain = NAME(eight)(lines->gains + first);
  const Eight bend = NAME(eight)(lines->poleChanges + first);
  const Eight rise = NAME(eight)(lines->gainChanges + first);
  for (intptr_t frame = 0; frame < count; frame += 4) {
    Eight rows[4];
    NAME(readLines)(lines->sources + first, frame, &rows[0], &rows[1], &rows[2], &rows[3]);
    Eight last = state;
    for (intptr_t row = 0; row < 4; row++) {
      const Eight place = NAME(all)((float)(phase + frame + row));
      last = (pole + bend * place) * last + (gain + rise * place) * rows[row];
      rows[row] = last;
      if (frame + row < count) state = last;
    }
    float *output = lines->outputs + first * stride + frame;
    NAME(writeLines)(output, stride, &rows[0], &rows[1], &rows[2], &rows[3]);
  }
  NAME(setEight)(lines->states + first, state);
}

static void NAME(damp)(
    const AuricleDampedLines *sixteen, const AuricleDampedLines *eight, intptr_t stride,
    intptr_t phase, intptr_t count) {
  if (!sixteen->poleChanges || !sixteen->gainChanges || !eight->poleChanges || !eight->gainChanges) {
    NAME(dampStill)(sixteen, eight, stride, count);
    return;
  }
  NAME(dampChanging)(sixteen, 0, stride, phase, count);
  NAME(dampChanging)(sixteen, 8, stride, phase, count);
  NAME(dampChanging)(eight, 0, stride, phase, count);
}

static void NAME(mix16)(
    float *outputs, intptr_t stride, const float *first, const float *second, float *const *rings,
    intptr_t count) {
  for (int line = 0; line < 4; line++) {
    // Half of the lines have an input of the other sign.
    const float gain = 0.35355339f;
    const Eight gain0 = NAME(all)(gain), gain4 = NAME(all)(line & 1 ? gain : -gain);
    const Eight gain8 = NAME(all)(line & 2 ? -gain : gain);
    const Eight gain12 = NAME(all)(line ? gain : -gain);
    float *row0 = outputs + line * stride, *row4 = row0 + 4 * stride;
    float *row8 = row4 + 4 * stride, *row12 = row8 + 4 * stride;
    float *ring0 = rings[line], *ring4 = rings[line + 4];
    float *ring8 = rings[line + 8], *ring12 = rings[line + 12];
    for (intptr_t frame = 0; frame < count; frame += 8) {
      Eight a = NAME(eight)(row0 + frame), b = NAME(eight)(row4 + frame);
      Eight c = NAME(eight)(row8 + frame), d = NAME(eight)(row12 + frame);
      NAME(mix)(&a, &b, &c, &d);
      NAME(setEight)(row0 + frame, a);
      NAME(setEight)(row4 + frame, b);
      NAME(setEight)(row8 + frame, c);
      NAME(setEight)(row12 + frame, d);
      const Eight one = NAME(eight)(first + frame), two = NAME(eight)(second + frame);
      NAME(setEight)(ring0 + frame, a + gain0 * one);
      NAME(setEight)(ring4 + frame, b + gain4 * one);
      NAME(setEight)(ring8 + frame, c + gain8 * two);
      NAME(setEight)(ring12 + frame, d + gain12 * two);
    }
  }
}

static void NAME(mix8)(
    float *outputs, intptr_t stride, const float *first, const float *second, float *const *rings,
    intptr_t count) {
  for (int line = 0; line < 4; line++) {
    const Eight gain = NAME(all)(line & 1 ? -0.5f : 0.5f);
    const Eight gain4 = NAME(all)(line & 2 ? -0.5f : 0.5f);
    float *row0 = outputs + line * stride, *row4 = row0 + 4 * stride;
    float *ring0 = rings[line], *ring4 = rings[line + 4];
    for (intptr_t frame = 0; frame < count; frame += 8) {
      const Eight a = NAME(eight)(row0 + frame), b = NAME(eight)(row4 + frame);
      const Eight sum = a + b, difference = a - b;
      NAME(setEight)(row0 + frame, sum);
      NAME(setEight)(row4 + frame, difference);
      NAME(setEight)(ring0 + frame, sum + gain * NAME(eight)(first + frame));
      NAME(setEight)(ring4 + frame, difference + gain4 * NAME(eight)(second + frame));
    }
  }
}

static void NAME(readMoving)(
    const AuricleMovingLine *lines, intptr_t lineCount, intptr_t phase, intptr_t count) {
  const Eight ramp = NAME(all)((float)phase) + (Eight){0, 1, 2, 3, 4, 5, 6, 7};
  for (intptr_t line = 0; line < lineCount; line++) {
    const float *source = lines[line].source, *weights = lines[line].weights;
    const float *changes = weights + AuricleMovingRow;
    Eight place = ramp;
    // Only a line that passes a whole frame in this interval has a weight for the first neighbour.
    const int passes = weights[0] != 0 || changes[0] != 0;
    for (intptr_t frame = 0; frame < count; frame += 8) {
      Eight even = NAME(all)(0), odd = even;
#pragma clang loop unroll(full)
      for (int tap = 1; tap < AuricleMovingTaps; tap += 2) {
        odd += (weights[tap] + changes[tap] * place) * NAME(eight)(source + frame + tap);
        even += (weights[tap + 1] + changes[tap + 1] * place) * NAME(eight)(source + frame + tap + 1);
      }
      if (passes) even += (weights[0] + changes[0] * place) * NAME(eight)(source + frame);
      NAME(setEight)(lines[line].output + frame, even + odd);
      place += NAME(all)(8);
    }
  }
}

/// Eight weights of a row that lies `behind` frames from the first one.
INLINE Eight NAME(weigh)(const float *table, float behind, int half) {
  const float steps = 64 * behind;
  const int row = steps > 0 ? (steps < AuricleMovingRows - 2 ? (int)steps : AuricleMovingRows - 2) : 0;
  const float *first = table + row * AuricleMovingRow + half;
  const Eight low = NAME(eight)(first), high = NAME(eight)(first + AuricleMovingRow);
  return low + (high - low) * NAME(all)(steps - (float)row);
}

INLINE FourWide NAME(lesser)(FourWide a, FourWide b) {
  const FourLongs mask = a < b;
  return (FourWide)(((FourLongs)a & mask) | ((FourLongs)b & ~mask));
}

/// A triangle with rounded tips, within 2 % of a sine, from 0 to twice the depth.
INLINE FourWide NAME(wave)(FourWide phase, double depth) {
  const FourWide x =
      4.0 * (FourWide)((FourLongs)(phase - 0.5) & INT64_C(0x7FFFFFFFFFFFFFFF)) - 1.0;
  return depth * (1.0 + x * (1.5 - 0.5 * x * x));
}

static void NAME(move)(
    AuricleMovement *movement, double rate, double depth, int32_t isFresh, double part,
    const float *table, float *weights) {
  for (int half = 0; half < 8; half += 4) {
    FourWide phase, speed, start;
    memcpy(&phase, movement->phases + half, sizeof phase);
    memcpy(&speed, movement->speeds + half, sizeof speed);
    memcpy(&start, movement->ends + half, sizeof start);
    if (isFresh) start = NAME(wave)(phase, depth);
    phase += rate * speed;
    phase -= (FourWide)((FourLongs)(FourWide){1, 1, 1, 1} & (phase >= 1.0));
    const FourWide most = {0.9, 0.9, 0.9, 0.9};
    const FourWide wanted = NAME(lesser)(NAME(wave)(phase, depth) - start, most);
    const FourWide end = start - NAME(lesser)(-wanted, most);
    const FourInts whole = __builtin_convertvector(NAME(lesser)(start, end), FourInts);
    const FourLongs longs = __builtin_convertvector(whole, FourLongs);
    const Four fraction =
        __builtin_convertvector(start - __builtin_convertvector(whole, FourWide), Four);
    const Four slope = __builtin_convertvector((end - start) * part, Four);
    memcpy(movement->phases + half, &phase, sizeof phase);
    memcpy(movement->starts + half, &start, sizeof start);
    memcpy(movement->ends + half, &end, sizeof end);
    memcpy(movement->whole + half, &longs, sizeof longs);
    memcpy(movement->fractions + half, &fraction, sizeof fraction);
    memcpy(movement->slopes + half, &slope, sizeof slope);
  }
  const float frames = (float)(1 / part);
  const Eight each = NAME(all)((float)part);
  for (int line = 0; line < 8; line++) {
    const float start = movement->fractions[line];
    const float end = start + movement->slopes[line] * frames;
    float *row = weights + 2 * line * AuricleMovingRow;
    for (int half = 0; half < AuricleMovingRow; half += 8) {
      const Eight first = NAME(weigh)(table, start, half), last = NAME(weigh)(table, end, half);
      NAME(setEight)(row + half, first);
      NAME(setEight)(row + AuricleMovingRow + half, (last - first) * each);
    }
  }
}

static void NAME(diffuse)(
    const float *source, float *feed, float *const *past, float *const *next, intptr_t stages,
    float coefficient, float change, intptr_t phase, intptr_t count) {
  Eight place = NAME(all)((float)phase) + (Eight){0, 1, 2, 3, 4, 5, 6, 7};
  for (intptr_t frame = 0; frame < count; frame += 8, place += NAME(all)(8)) {
    const Eight a = coefficient + change * place;
    Eight sample = NAME(eight)(source + frame);
    for (intptr_t stage = 0; stage < stages; stage++) {
      const Eight old = NAME(eight)(past[stage] + frame);
      const Eight stored = sample + a * old;
      sample = old - a * stored;
      NAME(setEight)(next[stage] + frame, stored);
    }
    NAME(setEight)(feed + frame, sample);
  }
}

static void NAME(mixRooms)(
    float *samples, const float *early, const float *late, const float *gains, intptr_t count) {
  const float *earlyGains = gains + 32, *lateGains = gains + 64;
  intptr_t frame = 0;
  for (; frame + 8 <= count; frame += 8) {
    const Eight wet = NAME(eight)(early + frame) * NAME(eight)(earlyGains + frame)
                      + NAME(eight)(late + frame) * NAME(eight)(lateGains + frame);
    NAME(setEight)(
        samples + frame, NAME(eight)(samples + frame) * NAME(eight)(gains + frame) + wet);
  }
  for (; frame < count; frame++) {
    const float wet = early[frame] * earlyGains[frame] + late[frame] * lateGains[frame];
    samples[frame] = samples[frame] * gains[frame] + wet;
  }
}

static void NAME(takeOutSlow)(
    const float *first, const float *second, float *firstOutput, float *secondOutput,
    intptr_t phase, intptr_t count, AuricleFollower *follower) {
  const float stay = follower->stay, follow = follower->follow;
  const float stay2 = stay * stay, stay3 = stay2 * stay, stay4 = stay2 * stay2;
  const Eight powers = {stay, stay2, stay3, stay4, stay, stay2, stay3, stay4};
  const Eight now = NAME(all)(follow), one = NAME(all)(follow * stay);
  const Eight two = NAME(all)(follow * stay2), three = NAME(all)(follow * stay3);
  const float l = follower->scales[0], r = follower->scales[1];
  const Eight scale = {l, l, l, l, r, r, r, r}, zero = NAME(all)(0);
  const float sl = follower->slow[0], sr = follower->slow[1];
  Eight slow = {sl, sl, sl, sl, sr, sr, sr, sr};
  const intptr_t end = phase + count;
  for (intptr_t frame = phase & ~(intptr_t)3; frame < end; frame += 4) {
    const Eight x = NAME(joined)(NAME(four)(first + frame), NAME(four)(second + frame)) * scale;
    const Eight x1 = __builtin_shufflevector(zero, x, 0, 8, 9, 10, 4, 12, 13, 14);
    const Eight x2 = __builtin_shufflevector(zero, x, 0, 1, 8, 9, 4, 5, 12, 13);
    const Eight x3 = __builtin_shufflevector(zero, x, 0, 1, 2, 8, 4, 5, 6, 12);
    const Eight found = ((now * x + one * x1) + (two * x2 + three * x3)) + powers * slow;
    const Eight result = x - found;
    NAME(setFour)(firstOutput + frame, NAME(low)(result));
    NAME(setFour)(secondOutput + frame, NAME(high)(result));
    if (frame + 4 <= end) slow = __builtin_shufflevector(found, found, 3, 3, 3, 3, 7, 7, 7, 7);
  }
  follower->slow[0] = slow[0];
  follower->slow[1] = slow[4];
}
