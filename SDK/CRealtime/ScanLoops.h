// The loops that search through samples; included twice by Scan.c.
// SPDX-License-Identifier: Apache-2.0

static void NAME(areFinite)(const float *samples, intptr_t count, int32_t *areFinite) {
  // Infinities and NaNs have all exponent bits set.
  const EightInts exponent = (EightInts){} + 0x7F800000;
  EightInts first = {}, second = {};
  intptr_t index = 0;
  for (; index + 16 <= count; index += 16) {
    first |= ((EightInts)NAME(eight)(samples + index) & exponent) == exponent;
    second |= ((EightInts)NAME(eight)(samples + index + 8) & exponent) == exponent;
  }
  int32_t found = 0;
  first |= second;
  for (int lane = 0; lane < 8; lane++) found |= first[lane];
  for (; index < count; index++) {
    int32_t bits;
    memcpy(&bits, samples + index, sizeof bits);
    found |= (bits & 0x7F800000) == 0x7F800000;
  }
  *areFinite = found == 0;
}

static void NAME(magnitude)(const float *samples, intptr_t count, int32_t *largest) {
  const EightInts sign = (EightInts){} + 0x7FFFFFFF;
  EightInts highest = {}, other = {};
  intptr_t index = 0;
  for (; index + 16 <= count; index += 16) {
    const EightInts first = (EightInts)NAME(eight)(samples + index) & sign;
    const EightInts second = (EightInts)NAME(eight)(samples + index + 8) & sign;
    const EightInts isHigher = first > highest, isOther = second > other;
    highest = (first & isHigher) | (highest & ~isHigher);
    other = (second & isOther) | (other & ~isOther);
  }
  int32_t found = 0;
  for (int lane = 0; lane < 8; lane++) {
    found = highest[lane] > found ? highest[lane] : found;
    found = other[lane] > found ? other[lane] : found;
  }
  for (; index < count; index++) {
    int32_t bits;
    memcpy(&bits, samples + index, sizeof bits);
    bits &= 0x7FFFFFFF;
    found = bits > found ? bits : found;
  }
  *largest = found;
}

static void NAME(levels)(const float *samples, intptr_t count, float *peak, double *squares) {
  const EightInts magnitude = (EightInts){} + 0x7FFFFFFF;
  Eight highest = {}, other = {};
  double total = 0;
  intptr_t index = 0;
  while (index + 16 <= count) {
    // The squares of some hundred samples fit a float; their sum over a file needs a double.
    const intptr_t end = index + 1024 < count - 15 ? index + 1024 : count - 15;
    Eight sums = {}, others = {};
    for (; index < end; index += 16) {
      const Eight first = NAME(eight)(samples + index), second = NAME(eight)(samples + index + 8);
      sums += first * first;
      others += second * second;
      highest = NAME(larger)((Eight)((EightInts)first & magnitude), highest);
      other = NAME(larger)((Eight)((EightInts)second & magnitude), other);
    }
    sums += others;
    float sum = sums[0];
    for (int lane = 1; lane < 8; lane++) sum += sums[lane];
    total += sum;
  }
  highest = NAME(larger)(other, highest);
  float largest = highest[0];
  for (int lane = 1; lane < 8; lane++) largest = highest[lane] > largest ? highest[lane] : largest;
  for (; index < count; index++) {
    const float sample = __builtin_fabsf(samples[index]);
    largest = sample > largest ? sample : largest;
    total += (double)sample * (double)sample;
  }
  *peak = largest;
  *squares = total;
}
