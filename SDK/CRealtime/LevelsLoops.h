// The loops of loudness meters and true-peak detectors; included twice by Levels.c.
// SPDX-License-Identifier: Apache-2.0

INLINE FourWide NAME(wide)(double value) { return (FourWide){value, value, value, value}; }
INLINE FourWide NAME(fourWide)(const double *from) {
  FourWide result;
  memcpy(&result, from, sizeof result);
  return result;
}
INLINE void NAME(setFourWide)(double *to, FourWide value) { memcpy(to, &value, sizeof value); }

INLINE Eight NAME(magnitude)(Eight value) {
  return (Eight)((EightInts)value & ((EightInts){} + 0x7FFFFFFF));
}

INLINE float NAME(largest)(Eight value) {
  float result = value[0];
  for (int lane = 1; lane < 8; lane++) result = value[lane] > result ? value[lane] : result;
  return result;
}

static void NAME(weigh)(
    const float *const *rows, intptr_t offset, intptr_t count, const AuricleWeighting *weighting,
    AuricleWeightingState *state, AuricleWeighed *weighed) {
  const float *one = rows[0] + offset, *two = rows[1] + offset;
  const float *three = rows[2] + offset, *four = rows[3] + offset;
  const double(*a)[2] = weighting->a, (*b)[3] = weighting->b;
  const FourWide a1 = NAME(wide)(a[0][0]), a2 = NAME(wide)(a[0][1]);
  const FourWide b0 = NAME(wide)(b[0][0]), b1 = NAME(wide)(b[0][1]), b2 = NAME(wide)(b[0][2]);
  const FourWide c1 = NAME(wide)(a[1][0]), c2 = NAME(wide)(a[1][1]);
  const FourWide d0 = NAME(wide)(b[1][0]), d1 = NAME(wide)(b[1][1]), d2 = NAME(wide)(b[1][2]);
  FourWide v1 = NAME(fourWide)(state->past[0][0]), v2 = NAME(fourWide)(state->past[0][1]);
  FourWide u1 = NAME(fourWide)(state->past[1][0]), u2 = NAME(fourWide)(state->past[1][1]);
  FourWide squares = NAME(fourWide)(weighed->squares);
  FourInts highest;
  memcpy(&highest, weighed->peaks, sizeof highest);
  for (intptr_t frame = 0; frame < count; frame++) {
    const Four input = {one[frame], two[frame], three[frame], four[frame]};
    // Magnitudes are in the order of their bits.
    const FourInts bits = (FourInts)input & ((FourInts){} + 0x7FFFFFFF);
    const FourInts mask = bits > highest;
    highest = (bits & mask) | (highest & ~mask);
    const FourWide x = __builtin_convertvector(input, FourWide);
    // The last product is the only one that waits for the frame before.
    const FourWide v = (x - a2 * v2) - a1 * v1;
    const FourWide y = (b2 * v2 + b1 * v1) + b0 * v;
    const FourWide u = (y - c2 * u2) - c1 * u1;
    const FourWide z = (d2 * u2 + d1 * u1) + d0 * u;
    v2 = v1, v1 = v, u2 = u1, u1 = u;
    squares += z * z;
  }
  NAME(setFourWide)(state->past[0][0], v1);
  NAME(setFourWide)(state->past[0][1], v2);
  NAME(setFourWide)(state->past[1][0], u1);
  NAME(setFourWide)(state->past[1][1], u2);
  NAME(setFourWide)(weighed->squares, squares);
  memcpy(weighed->peaks, &highest, sizeof highest);
}

/// The highest magnitude at the eight places behind the frame in the middle of 96 samples.
INLINE float NAME(betweenFrames)(const AuriclePeakFilters *filters, const float *samples) {
  Eight highest = {};
  for (int index = 0; index < 3; index++) {
    const AuriclePeakFilter *filter = &filters->filters[index];
    const float *coefficients = filter->coefficients, *from = samples + filter->first;
    Eight even = {}, odd = {};
    for (intptr_t tap = 0; tap < filter->count; tap += 2) {
      even += NAME(eight)(coefficients + 8 * tap) * NAME(all)(from[tap]);
      odd += NAME(eight)(coefficients + 8 * tap + 8) * NAME(all)(from[tap + 1]);
    }
    highest = NAME(larger)(NAME(magnitude)(even + odd), highest);
  }
  return NAME(largest)(highest);
}

/// The same for sums beyond the range of a float: at most the largest float.
static float NAME(betweenLarge)(const AuriclePeakFilters *filters, const float *samples) {
  float scaled[AURICLE_PEAK_SAMPLES];
  for (int index = 0; index < AURICLE_PEAK_SAMPLES; index++) scaled[index] = samples[index] * 0x1p-8f;
  const float found = NAME(betweenFrames)(filters, scaled);
  return found < FLT_MAX * 0x1p-8f ? found * 0x1p8f : FLT_MAX;
}

/// Frames that are examined together.
#define PEAK_BLOCK 64

/// Up to 64 frames; `magnitudes` has 159, zero behind the valid ones.
INLINE void NAME(blockPeaks)(
    const AuriclePeakFilters *filters, const float *samples, const float *magnitudes,
    float *peaks, intptr_t count, int isLarge, float *floor, float *highest) {
  Eight sums[PEAK_BLOCK / 8] = {};
  for (intptr_t tap = 0; tap < AURICLE_PEAK_SAMPLES; tap++) {
    const Eight bound = NAME(all)(filters->bounds[tap]);
    for (int part = 0; part < PEAK_BLOCK / 8; part++)
      sums[part] += bound * NAME(eight)(magnitudes + tap + 8 * part);
  }
  for (intptr_t frame = 0; frame < count; frame++) {
    const float least = peaks && peaks[frame] > *floor ? peaks[frame] : *floor;
    // Rounding may have made the sum less than the value it bounds.
    if (!(sums[frame / 8][frame % 8] * 1.0001f > least)) continue;
    const float found = isLarge ? NAME(betweenLarge)(filters, samples + frame)
                                : NAME(betweenFrames)(filters, samples + frame);
    if (!(found > least)) continue;
    if (peaks)
      peaks[frame] = found;
    else
      *floor = found;
    *highest = found > *highest ? found : *highest;
  }
}

static void NAME(truePeaks)(
    const AuriclePeakFilters *filters, const float *samples, float *peaks, intptr_t count,
    float floor, float *highest) {
  float magnitudes[PEAK_BLOCK + AURICLE_PEAK_SAMPLES];
  for (intptr_t start = 0; start < count; start += PEAK_BLOCK) {
    const intptr_t size = count - start < PEAK_BLOCK ? count - start : PEAK_BLOCK;
    const intptr_t length = size + AURICLE_PEAK_SAMPLES - 1;
    const float *from = samples + start;
    if (size < PEAK_BLOCK) {
      memset(magnitudes, 0, sizeof magnitudes);
      for (intptr_t index = 0; index < length; index++)
        magnitudes[index] = __builtin_fabsf(from[index]);
    } else {
      magnitudes[length] = 0;
      intptr_t index = 0;
      for (; index + 8 <= length; index += 8)
        NAME(setEight)(magnitudes + index, NAME(magnitude)(NAME(eight)(from + index)));
      for (; index < length; index++) magnitudes[index] = __builtin_fabsf(from[index]);
    }
    Eight most = {};
    for (int index = 0; index < PEAK_BLOCK + AURICLE_PEAK_SAMPLES; index += 8)
      most = NAME(larger)(NAME(eight)(magnitudes + index), most);
    const float bound = NAME(largest)(most) * filters->mostGain;
    if (!(bound > floor)) continue;
    NAME(blockPeaks)(
        filters, from, magnitudes, peaks ? peaks + start : 0, size, bound > FLT_MAX, &floor,
        highest);
  }
}
#undef PEAK_BLOCK

/// Frames whose bounds are computed together.
#define PLACE_BLOCK 64
/// Frames whose values are computed together: the additions of one wait for each other.
#define PLACE_GROUP 4
/// The samples in the middle, which have most of the weight.
#define PLACE_CORE_FIRST 20
#define PLACE_CORE_END 28

/// The values at the eight places behind each of four frames, of some of their samples in order.
INLINE void NAME(placeGroup)(
    const float *weights, const float *samples, const uint8_t *frames, intptr_t first, intptr_t end,
    Eight values[PLACE_GROUP]) {
  for (int index = 0; index < PLACE_GROUP; index++) values[index] = NAME(all)(0);
  for (intptr_t tap = first; tap < end; tap++) {
    const Eight weight = NAME(eight)(weights + 8 * tap);
    for (int index = 0; index < PLACE_GROUP; index++)
      values[index] += weight * NAME(all)(samples[frames[index] + tap]);
  }
}

INLINE Four NAME(largerFour)(Four a, Four b) {
  const FourInts mask = a > b;
  return (Four)(((FourInts)a & mask) | ((FourInts)b & ~mask));
}

/// The highest magnitude of each of four vectors; any number in place of one that is not a number.
INLINE Four NAME(largestOfFour)(const Eight values[PLACE_GROUP]) {
  Four four[PLACE_GROUP];
  for (int index = 0; index < PLACE_GROUP; index++) {
    const Eight value = NAME(magnitude)(values[index]);
    four[index] = NAME(largerFour)(NAME(low)(value), NAME(high)(value));
  }
  const Four two = NAME(largerFour)(
      __builtin_shufflevector(four[0], four[1], 0, 1, 4, 5),
      __builtin_shufflevector(four[0], four[1], 2, 3, 6, 7));
  const Four more = NAME(largerFour)(
      __builtin_shufflevector(four[2], four[3], 0, 1, 4, 5),
      __builtin_shufflevector(four[2], four[3], 2, 3, 6, 7));
  return NAME(largerFour)(
      __builtin_shufflevector(two, more, 0, 2, 4, 6),
      __builtin_shufflevector(two, more, 1, 3, 5, 7));
}

/// Adds the largest possible magnitudes of some samples to those of a block.
INLINE void NAME(boundBlock)(
    const float *bounds, const float *magnitudes, intptr_t first, intptr_t end,
    Eight sums[PLACE_BLOCK / 8]) {
  for (intptr_t tap = first; tap < end; tap++) {
    const Eight bound = NAME(all)(bounds[tap]);
    for (int part = 0; part < PLACE_BLOCK / 8; part++)
      sums[part] += bound * NAME(eight)(magnitudes + tap + 8 * part);
  }
}

/// Repeats the last frame of a list until its length is a multiple of a group's.
INLINE void NAME(fillGroup)(uint8_t *frames, intptr_t count) {
  for (intptr_t index = count; index % PLACE_GROUP != 0; index++) frames[index] = frames[count - 1];
}

/// The most that the samples of each frame of a block can add up to, and that of those beside the core.
///
/// Both are a little more, as rounding may have made a sum less than the value it bounds.
INLINE void NAME(placeBounds)(
    const float *bounds, const float *magnitudes, float *most, float *rest) {
  Eight outer[PLACE_BLOCK / 8] = {}, core[PLACE_BLOCK / 8] = {};
  NAME(boundBlock)(bounds, magnitudes, 0, PLACE_CORE_FIRST, outer);
  NAME(boundBlock)(bounds, magnitudes, PLACE_CORE_END, AURICLE_PLACE_SAMPLES, outer);
  NAME(boundBlock)(bounds, magnitudes, PLACE_CORE_FIRST, PLACE_CORE_END, core);
  for (int part = 0; part < PLACE_BLOCK / 8; part++) {
    const Eight sum = outer[part] + core[part];
    NAME(setEight)(most + 8 * part, sum * NAME(all)(1.0001f));
    NAME(setEight)(rest + 8 * part, outer[part] + sum * NAME(all)(0.0001f));
  }
}

/// Up to 64 frames; `magnitudes` has 111, zero behind the valid ones.
INLINE void NAME(placeBlock)(
    const float *weights, const float *bounds, const float *samples, const float *magnitudes,
    float *peaks, intptr_t count, float floor) {
  uint8_t frames[PLACE_BLOCK];
  float least[PLACE_BLOCK], most[PLACE_BLOCK], rest[PLACE_BLOCK];
  NAME(placeBounds)(bounds, magnitudes, most, rest);
  intptr_t left = 0, kept = 0;
  for (intptr_t frame = 0; frame < count; frame++) {
    least[frame] = peaks[frame] > floor ? peaks[frame] : floor;
    frames[left] = (uint8_t)frame;
    left += !(most[frame] <= least[frame]);
  }
  Eight values[PLACE_GROUP];
  NAME(fillGroup)(frames, left);
  for (intptr_t index = 0; index < left; index += PLACE_GROUP) {
    NAME(placeGroup)(
        weights, samples, frames + index, PLACE_CORE_FIRST, PLACE_CORE_END, values);
    const Four core = NAME(largestOfFour)(values);
    for (int member = 0; member < PLACE_GROUP && index + member < left; member++) {
      const uint8_t frame = frames[index + member];
      frames[kept] = frame;
      kept += !(core[member] + rest[frame] <= least[frame]);
    }
  }
  NAME(fillGroup)(frames, kept);
  for (intptr_t index = 0; index < kept; index += PLACE_GROUP) {
    NAME(placeGroup)(weights, samples, frames + index, 0, AURICLE_PLACE_SAMPLES, values);
    for (int member = 0; member < PLACE_GROUP; member++) {
      const float found = NAME(largest)(NAME(magnitude)(values[member]));
      float *peak = &peaks[frames[index + member]];
      if (found > *peak) *peak = found;
    }
  }
}

static void NAME(placePeaks)(
    const float *weights, const float *bounds, const float *samples, float *peaks, intptr_t count,
    float floor) {
  float magnitudes[PLACE_BLOCK + AURICLE_PLACE_SAMPLES];
  for (intptr_t start = 0; start < count; start += PLACE_BLOCK) {
    const intptr_t size = count - start < PLACE_BLOCK ? count - start : PLACE_BLOCK;
    const intptr_t length = size + AURICLE_PLACE_SAMPLES - 1;
    const float *from = samples + start;
    intptr_t index = 0;
    for (; index + 8 <= length; index += 8)
      NAME(setEight)(magnitudes + index, NAME(magnitude)(NAME(eight)(from + index)));
    for (; index < length; index++) magnitudes[index] = __builtin_fabsf(from[index]);
    for (; index < PLACE_BLOCK + AURICLE_PLACE_SAMPLES; index++) magnitudes[index] = 0;
    NAME(placeBlock)(weights, bounds, from, magnitudes, peaks + start, size, floor);
  }
}
#undef PLACE_BLOCK
#undef PLACE_GROUP
#undef PLACE_CORE_FIRST
#undef PLACE_CORE_END
