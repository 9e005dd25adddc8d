// The sample rate converter that is the floor. Its constants are macros with casts, which Swift does not import.
// SPDX-License-Identifier: Apache-2.0
#include <soxr.h>

static inline soxr_quality_spec_t AuricleSoxrQuality(void) { return soxr_quality_spec(SOXR_HQ, 0); }
