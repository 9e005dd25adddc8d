// Input of both sides of the census: noise for each channel, and a few notes.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CENSUS_SIGNAL_H
#define AURICLE_CENSUS_SIGNAL_H

#include <stdint.h>

// Measures of speed repeat the first CENSUS_LOOP frames: whole blocks of any power of two up to 4096.
enum { CENSUS_RATE = 48000, CENSUS_NOTES = 4, CENSUS_LOOP = 12 * 4096 };

// Noise of one channel: the frame decides, so that slices may be cut anywhere.
static inline float census_noise(uint32_t channel, uint64_t frame) {
  uint64_t x = frame * 0x9E3779B97F4A7C15u + (uint64_t)(channel + 1) * 0xD1B54A32D192ED03u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  x ^= x >> 31;
  return (float)((double)(x >> 40) / 16777216.0 - 0.5) * 0.5f;
}

// Notes for plug-ins with a MIDI input: frame, status, two data bytes.
static const struct {
  uint64_t frame;
  uint8_t bytes[3];
} census_notes[CENSUS_NOTES] = {
  {0, {0x90, 60, 100}},
  {5000, {0x90, 67, 80}},
  {20000, {0x80, 60, 0}},
  {30000, {0x80, 67, 0}},
};

#endif
