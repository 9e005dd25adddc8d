// The one door to libsndfile.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sndfile.h>
#include <stddef.h>

// Offset of an instrument's loops: Swift cannot import the array of an unnamed struct.
enum { AuricleInstrumentLoopsOffset = offsetof(SF_INSTRUMENT, loops) };
