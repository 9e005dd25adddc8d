// Input of both sides of the census: noise for each channel, and a few notes.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CENSUS_SIGNAL_H
#define AURICLE_CENSUS_SIGNAL_H

#include <stdint.h>
#include <string.h>

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

// Noise of one generator for all channels of a process, as in the published census of LADSPA plug-ins.
static inline void census_table_noise(float* memory, uint32_t* state, uint32_t frames) {
  for (uint32_t f = 0; f < frames; ++f) {
    *state = *state * 1664525u + 1013904223u;
    memory[f] = (float)((int)(*state >> 8) - 8388608) / 8388608.0f * 0.25f;
  }
}

// The hash of that census, continued over samples; it begins with CENSUS_HASH.
#define CENSUS_HASH 0x14650FB0739D0383u

static inline uint64_t census_hash(uint64_t hash, const float* samples, uint32_t frames) {
  for (uint32_t f = 0; f < frames; ++f) {
    uint32_t word;
    memcpy(&word, samples + f, sizeof word);
    hash = (hash ^ word) * 0x100000001B3u;
  }
  return hash;
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
