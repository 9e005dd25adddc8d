// The one door to libsoxr, which is opened when it is first needed and linked by nobody.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <soxr.h>

// The functions of the library that are used. Their documentation is the library's.
typedef struct AuricleSoxr {
  soxr_t (*create)(
      double inputRate, double outputRate, unsigned channels, soxr_error_t *error,
      soxr_io_spec_t const *formats, soxr_quality_spec_t const *quality,
      soxr_runtime_spec_t const *resources);
  soxr_error_t (*process)(
      soxr_t resampler, soxr_in_t input, size_t inputCount, size_t *taken, soxr_out_t output,
      size_t outputCount, size_t *given);
  soxr_error_t (*clear)(soxr_t resampler);
  void (*destroy)(soxr_t resampler);
  soxr_io_spec_t (*formats)(soxr_datatype_t input, soxr_datatype_t output);
  soxr_quality_spec_t (*quality)(unsigned long recipe, unsigned long flags);
  soxr_runtime_spec_t (*resources)(unsigned threads);
} AuricleSoxr;

// The library; NULL where it is not installed. Any thread.
const AuricleSoxr *AuricleSoxrLibrary(void);

// The reason why it could not be opened; empty where it could.
const char *AuricleSoxrFailure(void);
