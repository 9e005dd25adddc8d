// Live sound between the thread of a device and processes that render it: slices in shared memory.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_SOUND_LINK_H
#define AURICLE_SOUND_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "RealtimeMark.h"

/// The form of slices: interleaved 32-bit float.
typedef struct {
  /// The most frames of a slice.
  uint32_t frameCapacity;
  /// Channels from the device, and to it.
  uint32_t inputWidth, outputWidth;
} AuricleSliceForm;

/// The most bytes of events of a slice, with 4 for each event.
enum { AuricleMostEventBytes = 1 << 18 };

/// Bytes of the memory that both processes share.
size_t AuricleSharedSoundSize(AuricleSliceForm form);

/// The device's side of one process. The shared memory belongs to both: nothing in it is trusted.
typedef struct AuricleSoundLink AuricleSoundLink;

/// Makes the device's side over shared memory that is zero; NULL without memory.
AuricleSoundLink *AuricleSoundLinkMake(void *shared, AuricleSliceForm form);

/// Frees a link that no mixer has.
void AuricleSoundLinkFree(AuricleSoundLink *link);

/// Ends all waiting for the process. Any thread.
void AuricleSoundLinkAbandon(AuricleSoundLink *link);

/// Nanoseconds since the slice was sent that the process has not answered; 0 for none. Any thread.
uint64_t AuricleSoundLinkWaiting(const AuricleSoundLink *link);

/// Adds an event to the next slice; false where there is no room. Before the link is offered, or as the mixer does.
bool AuricleSoundLinkAddEvent(AuricleSoundLink *link, const void *bytes, uint32_t count) AURICLE_REALTIME;

/// Has the process return from `AuricleSharedSoundTake` with 0 frames. After the mixer is freed.
void AuricleSoundLinkEnd(AuricleSoundLink *link);

/// The mixer of a device: the present process, and the next one while that fades in.
typedef struct AuricleSoundMixer AuricleSoundMixer;

/// Makes a mixer; NULL without memory. A device waits `patience` nanoseconds for a slice, 0: until it is there or
/// the process is abandoned.
AuricleSoundMixer *AuricleSoundMixerMake(AuricleSliceForm form, uint32_t fadeFrames, uint64_t patience);

/// Frees a mixer that the device's thread does not use any more.
void AuricleSoundMixerFree(AuricleSoundMixer *mixer);

/// Has a link faded in; false while another still is. It stays valid until it is retired.
bool AuricleSoundMixerOffer(AuricleSoundMixer *mixer, AuricleSoundLink *link);

/// The link that was faded out since the last call; NULL for none.
AuricleSoundLink *AuricleSoundMixerTakeRetired(AuricleSoundMixer *mixer);

/// Slices that were silent because a process was late. Any thread.
uint64_t AuricleSoundMixerMissed(const AuricleSoundMixer *mixer);

/// Begins a slice. The device's thread.
void AuricleSoundMixerBegin(AuricleSoundMixer *mixer) AURICLE_REALTIME;

/// Adds an event to the slice; false where there is no room. The device's thread.
bool AuricleSoundMixerAddEvent(AuricleSoundMixer *mixer, const void *bytes, uint32_t count) AURICLE_REALTIME;

/// Has a slice rendered. Missing input is silent. The device's thread.
void AuricleSoundMixerRun(AuricleSoundMixer *mixer, const float *input, uint32_t inputFrames, float *output,
                          uint32_t frameCount) AURICLE_REALTIME;

// The process that renders.

/// Waits for a slice; its frames, 0 when there will be none. `number` is 0 before the first.
uint32_t AuricleSharedSoundTake(void *shared, AuricleSliceForm form, uint32_t *number);

/// The next event of the slice, and its size; NULL for none. `place` is 0 before the first.
const void *AuricleSharedSoundEvent(void *shared, AuricleSliceForm form, uint32_t *place, uint32_t *count) AURICLE_REALTIME;

/// The samples of the slice.
const float *AuricleSharedSoundInput(void *shared, AuricleSliceForm form) AURICLE_REALTIME;
float *AuricleSharedSoundOutput(void *shared, AuricleSliceForm form) AURICLE_REALTIME;

/// Answers the slice of a number.
void AuricleSharedSoundAnswer(void *shared, uint32_t number) AURICLE_REALTIME;

#endif
