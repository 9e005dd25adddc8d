// Work that one process asks of another through shared memory: they spin for a moment, then wait in the kernel.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_HAND_OVER_H
#define AURICLE_HAND_OVER_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The beginning of the memory; zero at first. The sides may differ in language, and neither trusts the words that it
/// reads.
typedef struct AuricleHandOver {
  /// The number of the last request, raised by one when all that belongs to it is written.
  uint32_t request;
  /// The number of the last request that is answered, behind all that belongs to the answer.
  uint32_t answer;
  /// The request: its kind, and the count of items behind these words that it covers.
  uint32_t kind, count;
  /// The answer: whether it was done, and one number.
  uint32_t outcome, detail;
  /// Whether a side waits in the kernel, or is about to.
  uint32_t serverWaits, clientWaits;
  uint32_t reserved[8];
} AuricleHandOver;

/// Posts a request, and returns its number. The client's side.
uint32_t AuricleHandOverPost(AuricleHandOver *shared, uint32_t kind, uint32_t count);

/// Waits for the answer to a request; false where there is none after so many nanoseconds.
bool AuricleHandOverAwaitAnswer(AuricleHandOver *shared, uint32_t number, uint64_t nanoseconds);

/// Waits for a request other than the one seen last; false where there is none after so many nanoseconds. The server's side.
bool AuricleHandOverAwaitRequest(AuricleHandOver *shared, uint32_t seen, uint64_t nanoseconds);

/// The number of the last request, with all that belongs to it.
uint32_t AuricleHandOverLast(const AuricleHandOver *shared);

/// Answers a request.
void AuricleHandOverAnswer(AuricleHandOver *shared, uint32_t number);

#pragma clang assume_nonnull end

#endif
