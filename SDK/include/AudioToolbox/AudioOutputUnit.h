// Units with a clock of their own: starting and stopping them.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOOUTPUTUNIT_H
#define AURICLE_AUDIOOUTPUTUNIT_H

#include "AUComponent.h"

AURICLE_ENUM(SInt16) {
  kAudioOutputUnitStartSelect = 0x0201,
  kAudioOutputUnitStopSelect = 0x0202,
};

typedef OSStatus (*AudioOutputUnitStartProc)(void *self);
typedef OSStatus (*AudioOutputUnitStopProc)(void *self);

AURICLE_BEGIN_DECLS

extern OSStatus AudioOutputUnitStart(AudioUnit unit);
extern OSStatus AudioOutputUnitStop(AudioUnit unit);

AURICLE_END_DECLS

#endif
