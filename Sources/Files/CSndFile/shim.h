// The one door to libsndfile.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sndfile.h>
#include <stddef.h>

// Where the loops of an instrument begin: Swift cannot import the array of an unnamed struct.
enum { AuricleInstrumentLoopsOffset = offsetof(SF_INSTRUMENT, loops) };
