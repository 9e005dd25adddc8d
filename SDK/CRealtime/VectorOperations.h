// Loading, storing and exchanging vectors; included by loops that are compiled twice, each time anew.
// SPDX-License-Identifier: Apache-2.0

#define INLINE static inline __attribute__((always_inline))

INLINE Four NAME(four)(const float *from) {
  Four result;
  memcpy(&result, from, sizeof result);
  return result;
}
INLINE Eight NAME(eight)(const float *from) {
  Eight result;
  memcpy(&result, from, sizeof result);
  return result;
}
INLINE void NAME(setFour)(float *to, Four value) { memcpy(to, &value, sizeof value); }
INLINE void NAME(setEight)(float *to, Eight value) { memcpy(to, &value, sizeof value); }

INLINE Eight NAME(all)(float value) {
  return (Eight){value, value, value, value, value, value, value, value};
}
/// The same four in both halves apart.
INLINE Eight NAME(joined)(Four low, Four high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
INLINE Four NAME(low)(Eight value) { return __builtin_shufflevector(value, value, 0, 1, 2, 3); }
INLINE Four NAME(high)(Eight value) { return __builtin_shufflevector(value, value, 4, 5, 6, 7); }

INLINE Eight NAME(larger)(Eight a, Eight b) {
  const EightInts mask = a > b;
  return (Eight)(((EightInts)a & mask) | ((EightInts)b & ~mask));
}
INLINE Eight NAME(smaller)(Eight a, Eight b) {
  const EightInts mask = a < b;
  return (Eight)(((EightInts)a & mask) | ((EightInts)b & ~mask));
}

/// In each half, rows become columns.
INLINE void NAME(turn)(Eight *a, Eight *b, Eight *c, Eight *d) {
  const Eight ab = __builtin_shufflevector(*a, *b, 0, 8, 1, 9, 4, 12, 5, 13);
  const Eight ab2 = __builtin_shufflevector(*a, *b, 2, 10, 3, 11, 6, 14, 7, 15);
  const Eight cd = __builtin_shufflevector(*c, *d, 0, 8, 1, 9, 4, 12, 5, 13);
  const Eight cd2 = __builtin_shufflevector(*c, *d, 2, 10, 3, 11, 6, 14, 7, 15);
  *a = __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13);
  *b = __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15);
  *c = __builtin_shufflevector(ab2, cd2, 0, 1, 8, 9, 4, 5, 12, 13);
  *d = __builtin_shufflevector(ab2, cd2, 2, 3, 10, 11, 6, 7, 14, 15);
}

/// The Hadamard matrix of four, without its factor.
INLINE void NAME(mix)(Eight *a, Eight *b, Eight *c, Eight *d) {
  const Eight sum01 = *a + *b, difference01 = *a - *b;
  const Eight sum23 = *c + *d, difference23 = *c - *d;
  *a = sum01 + sum23;
  *b = difference01 + difference23;
  *c = sum01 - sum23;
  *d = difference01 - difference23;
}
