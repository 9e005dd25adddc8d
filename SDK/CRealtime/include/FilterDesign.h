// The design of digital filters of two poles from analogue ones.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_FILTER_DESIGN_H
#define AURICLE_FILTER_DESIGN_H

#include <stdint.h>

#include "RealtimeMark.h"

#pragma clang assume_nonnull begin

/// H(s) = (n[0] + n[1] s + n[2] s²) / (d[0] + d[1] s + d[2] s²), s in units of the filter's own frequency.
typedef struct {
  double n[3], d[3];
} AuricleAnalogueFilter;

/// H(z) = (b[0] + b[1]/z + b[2]/z²) / (1 + a[1]/z + a[2]/z²).
typedef struct {
  double b[3], a[3];
} AuricleDigitalFilter;

/// Finds the filter whose magnitude follows the analogue one, also where a bilinear transform is cramped: close to half the
/// sample rate.
///
/// A first candidate is the bilinear transform. Others have the poles of the analogue filter (z = exp(s)), with its zeros
/// or with a fitted numerator. The last come from rounds of a fit of all coefficients, by least squares, to the squared
/// magnitude. The nearest stable one is chosen. A filter that turns down is the inverse of the one that turns up as much, so the two cancel. High-passes (n[0] and
/// n[1] 0) keep their zeros at 0 Hz; notches (n[1] 0, n[0] and n[2] not) are the bilinear transform.
///
/// Context: render.
///
/// \param frequency The filter's own frequency, radians a sample, above 0.
void AuricleMatchFilter(
    const AuricleAnalogueFilter *analogue, double frequency, AuricleDigitalFilter *digital)
    AURICLE_REALTIME;

#pragma clang assume_nonnull end

#endif
