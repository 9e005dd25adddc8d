// Sets: values without order, each at most once.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFSET_H
#define AURICLE_CFSET_H

#include "CFBase.h"

#if defined(__swift__)
#define CFSetRef AuricleCFSetRef
#define CFMutableSetRef AuricleCFMutableSetRef
#endif
typedef const struct __CFSet *CFSetRef AURICLE_SWIFT_NAME("CFSetRef");
typedef struct __CFSet *CFMutableSetRef AURICLE_SWIFT_NAME("CFMutableSetRef");

typedef const void *(*CFSetRetainCallBack)(CFAllocatorRef allocator, const void *value);
typedef void (*CFSetReleaseCallBack)(CFAllocatorRef allocator, const void *value);
typedef CFStringRef (*CFSetCopyDescriptionCallBack)(const void *value);
typedef Boolean (*CFSetEqualCallBack)(const void *value1, const void *value2);
typedef CFHashCode (*CFSetHashCallBack)(const void *value);
typedef void (*CFSetApplierFunction)(const void *value, void *context);

// The functions with which a set manages and compares its values.
typedef struct {
  CFIndex version;
  CFSetRetainCallBack retain;
  CFSetReleaseCallBack release;
  CFSetCopyDescriptionCallBack copyDescription;
  CFSetEqualCallBack equal;
  CFSetHashCallBack hash;
} CFSetCallBacks;

AURICLE_BEGIN_DECLS

extern const CFSetCallBacks kCFTypeSetCallBacks AURICLE_SWIFT_CONSTANT;

extern CFTypeID CFSetGetTypeID(void);
extern CFSetRef CFSetCreate(
    CFAllocatorRef allocator, const void **values, CFIndex count, const CFSetCallBacks *callBacks);
extern CFMutableSetRef CFSetCreateMutable(
    CFAllocatorRef allocator, CFIndex capacity, const CFSetCallBacks *callBacks);
extern CFIndex CFSetGetCount(CFSetRef set);
extern Boolean CFSetContainsValue(CFSetRef set, const void *value);
extern const void *CFSetGetValue(CFSetRef set, const void *value);
extern void CFSetGetValues(CFSetRef set, const void **values);
extern void CFSetApplyFunction(CFSetRef set, CFSetApplierFunction applier, void *context);
extern void CFSetAddValue(CFMutableSetRef set, const void *value);
extern void CFSetSetValue(CFMutableSetRef set, const void *value);
extern void CFSetRemoveValue(CFMutableSetRef set, const void *value);
extern void CFSetRemoveAllValues(CFMutableSetRef set);

AURICLE_END_DECLS

#endif
