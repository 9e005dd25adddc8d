// The local notification centre: functions of this process that are called with names, objects and dictionaries.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFNOTIFICATIONCENTER_H
#define AURICLE_CFNOTIFICATIONCENTER_H

#include "CFDictionary.h"
#include "CFString.h"

// The centre of this process. It may be retained and released, and never goes away.
typedef struct __CFNotificationCenter *CFNotificationCenterRef;

// Called on the thread that posts. `userInfo` lives as long as the call.
typedef void (*CFNotificationCallback)(
    CFNotificationCenterRef center, void *observer, CFStringRef name, const void *object, CFDictionaryRef userInfo);

// What happens while a program is suspended: programs here never are, and notifications are delivered at once.
typedef CFIndex CFNotificationSuspensionBehavior;
AURICLE_ENUM(CFIndex) {
  CFNotificationSuspensionBehaviorDrop = 1,
  CFNotificationSuspensionBehaviorCoalesce = 2,
  CFNotificationSuspensionBehaviorHold = 3,
  CFNotificationSuspensionBehaviorDeliverImmediately = 4,
};

AURICLE_ENUM(CFOptionFlags) {
  kCFNotificationDeliverImmediately = 1,
  kCFNotificationPostToAllSessions = 2,
};

AURICLE_BEGIN_DECLS

extern CFNotificationCenterRef CFNotificationCenterGetLocalCenter(void);

// Any thread. NULL as a name: every name; as an object: every object. A name and an object may not both be NULL.
extern void CFNotificationCenterAddObserver(
    CFNotificationCenterRef center, const void *observer, CFNotificationCallback callBack, CFStringRef name,
    const void *object, CFNotificationSuspensionBehavior suspensionBehavior);

// A call that has begun on another thread may end behind the removal.
extern void CFNotificationCenterRemoveObserver(
    CFNotificationCenterRef center, const void *observer, CFStringRef name, const void *object);
extern void CFNotificationCenterRemoveEveryObserver(CFNotificationCenterRef center, const void *observer);

extern void CFNotificationCenterPostNotification(
    CFNotificationCenterRef center, CFStringRef name, const void *object, CFDictionaryRef userInfo,
    Boolean deliverImmediately);
extern void CFNotificationCenterPostNotificationWithOptions(
    CFNotificationCenterRef center, CFStringRef name, const void *object, CFDictionaryRef userInfo, CFOptionFlags options);

AURICLE_END_DECLS

#endif
