// Compiles the loops of the header LOOPS for both kinds of processors.
// SPDX-License-Identifier: Apache-2.0
//
// They are nameAny and, where there are such processors, nameWide; CHOOSE(name, …) calls the one that this processor
// can run.
#include "SignalLoops.h"
#include "Vectors.h"

#define NAME(name) name##Any
#include "VectorOperations.h"
#include LOOPS
#undef NAME
#undef INLINE

#if AURICLE_HAS_WIDE
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define NAME(name) name##Wide
#include "VectorOperations.h"
#include LOOPS
#undef NAME
#pragma clang attribute pop
#define CHOOSE(name, ...)                                                                          \
  if (AuricleLoopsAreWide())                                                                       \
    name##Wide(__VA_ARGS__);                                                                       \
  else                                                                                             \
    name##Any(__VA_ARGS__)
#else
#define CHOOSE(name, ...) name##Any(__VA_ARGS__)
#endif
