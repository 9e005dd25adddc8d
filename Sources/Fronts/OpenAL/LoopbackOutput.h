// OpenAL Soft's loopback device, played by the default output unit.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_LOOPBACK_OUTPUT_H
#define AURICLE_LOOPBACK_OUTPUT_H

#include <OpenAL/OpenAL.h>

#pragma GCC visibility push(hidden)

/// Opens a loopback device and an output unit for it; null where either is missing.
ALCdevice *AuricleLoopbackOpen(void *openALSoft);
/// Whether a device is one of these.
int AuricleLoopbackHas(const ALCdevice *device);
/// Adds the format of the unit to the attributes of a context, which end with a zero; how many there are then.
int AuricleLoopbackAttributes(ALCint *attributes, int count);
/// Plays a device from now on, at the rate that its context got (Hz).
void AuricleLoopbackPlay(ALCdevice *device, ALCint rate);
/// Stops the unit of a device.
void AuricleLoopbackClose(const ALCdevice *device);

#pragma GCC visibility pop

#endif
