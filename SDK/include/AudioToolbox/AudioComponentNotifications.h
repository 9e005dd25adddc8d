// Notifications about component instances, by the local notification centre.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOCOMPONENTNOTIFICATIONS_H
#define AURICLE_AUDIOCOMPONENTNOTIFICATIONS_H

#include "../CoreFoundation/CFNotificationCenter.h"
#include "AudioComponent.h"

// The process of a unit that was loaded out of process has ended: from here on all calls of the instance return
// kAudioComponentErr_InstanceInvalidated, until it is disposed of. The object is the AudioUnit. Posted on a thread of the
// library, not on one that renders. Keys of the user info: "Service PID", "Host PID" (CFNumber), "Executable Path" (CFString,
// the program of the process).
#define kAudioComponentInstanceInvalidationNotification CFSTR("kAudioComponentInstanceInvalidationNotification")

#endif
