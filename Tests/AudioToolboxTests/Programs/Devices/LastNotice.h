// A notice after all others of a device: notices come in the order of the changes.
// SPDX-License-Identifier: Apache-2.0
#ifndef LAST_NOTICE_H
#define LAST_NOTICE_H
#include <CoreAudio/CoreAudio.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "../Await.h"
#include "Check.h"

static _Atomic int hasLastNotice;

static inline OSStatus lastNotice(
    AudioObjectID object, UInt32 count, const AudioObjectPropertyAddress *addresses, void *data) {
  (void)object, (void)count, (void)addresses, (void)data;
  atomic_store(&hasLastNotice, 1);
  post();
  return noErr;
}

// Changes a property, and waits for its notice.
static inline void awaitLastNotice(
    AudioObjectID device, AudioObjectPropertySelector selector, AudioObjectPropertyScope scope, Float32 value) {
  const AudioObjectPropertyAddress address = {selector, scope, 0};
  atomic_store(&hasLastNotice, 0);
  CHECK(AudioObjectAddPropertyListener(device, &address, lastNotice, NULL));
  CHECK(AudioObjectSetPropertyData(device, &address, 0, NULL, sizeof value, &value));
  AWAIT(atomic_load(&hasLastNotice));
  CHECK(AudioObjectRemovePropertyListener(device, &address, lastNotice, NULL));
}

#endif
