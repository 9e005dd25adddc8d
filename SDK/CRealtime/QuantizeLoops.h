// The loop that rounds two channels to interleaved numbers of 16 bits; included twice by Quantize.c.
// SPDX-License-Identifier: Apache-2.0

/// The rounded numbers, in the low bits. 1.5 × 2^23: the sum has them there, to even like lrint.
INLINE EightInts NAME(whole)(Eight samples, float factor, float highest) {
  const Eight scaled = NAME(larger)(samples, NAME(all)(-1)) * NAME(all)(factor);
  return (EightInts)(NAME(smaller)(scaled, NAME(all)(highest)) + NAME(all)(12582912.0f));
}

/// Eight frames; `beyond` becomes less by the samples beyond ±1.
INLINE void NAME(quantizeEight)(
    const float *left, const float *right, int16_t *frames, const AuricleQuantizer *quantizer,
    EightInts *beyond) {
  const EightInts magnitude = (EightInts){} + 0x7FFFFFFF;
  const Eight first = NAME(eight)(left), second = NAME(eight)(right), one = NAME(all)(1);
  *beyond += (Eight)((EightInts)first & magnitude) > one;
  *beyond += (Eight)((EightInts)second & magnitude) > one;
  const EightInts a = NAME(whole)(first, quantizer->factor, quantizer->highest) << quantizer->shift;
  const EightInts b = NAME(whole)(second, quantizer->factor, quantizer->highest) << quantizer->shift;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  const EightInts pairs = (a & 0xFFFF) | b << 16;
#else
  const EightInts pairs = (b & 0xFFFF) | a << 16;
#endif
  memcpy(frames, &pairs, sizeof pairs);
}

static void NAME(quantize)(
    const float *left, const float *right, int16_t *frames, intptr_t count,
    const AuricleQuantizer *quantizer, int32_t *clipped) {
  EightInts beyond = {};
  intptr_t index = 0;
  for (; index + 8 <= count; index += 8)
    NAME(quantizeEight)(left + index, right + index, frames + 2 * index, quantizer, &beyond);
  if (index < count) {
    // The remaining frames of both, with silence behind them.
    float rest[2][8] = {};
    int16_t result[16];
    const size_t rests = (size_t)(count - index);
    memcpy(rest[0], left + index, rests * sizeof(float));
    memcpy(rest[1], right + index, rests * sizeof(float));
    NAME(quantizeEight)(rest[0], rest[1], result, quantizer, &beyond);
    memcpy(frames + 2 * index, result, rests * 2 * sizeof(int16_t));
  }
  *clipped = 0;
  for (int lane = 0; lane < 8; lane++) *clipped -= beyond[lane];
}
