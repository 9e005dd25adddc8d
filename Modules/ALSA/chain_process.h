// A chain in a process apart, `auricle serve-chain`, as the plug-in of ALSA uses it.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CHAIN_PROCESS_H
#define AURICLE_CHAIN_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

enum {
  /// The most frames of a slice.
  kChainFrames = 4096,
};

/// A chain; the functions belong to one thread at a time.
typedef struct Chain Chain;

/// Starts the process, and makes the chain of a preset in it.
///
/// Prints the reason and returns NULL where there is none, with a negative error number in `error`.
Chain *ChainStart(const char *program, const char *preset, unsigned rate, unsigned channels, int *error);

/// Ends the process. Accepts NULL.
void ChainStop(Chain *chain);

/// Frames by which the chain delays sound.
unsigned ChainLatency(const Chain *chain);

/// The samples of a channel for the chain, and from it; at most `kChainFrames`.
float *ChainInput(Chain *chain, unsigned channel);
const float *ChainOutput(Chain *chain, unsigned channel);

/// Renders a slice; false where the chain is lost, or has not answered for two seconds.
bool ChainRender(Chain *chain, unsigned frames);

/// Renders the next slice of what the chain holds behind the last one: the sound that it delays, and its tail.
///
/// - Returns: Its frames, 0 to `kChainFrames`; -1 where the chain is lost. `isOver`: whether there is no more.
int ChainRenderEnd(Chain *chain, bool *isOver);

/// Has the chain forget the past; false where it is lost.
bool ChainReset(Chain *chain);

#endif
