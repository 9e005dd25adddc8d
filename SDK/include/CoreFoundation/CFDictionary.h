// Dictionaries of objects, or of plain pointers when the callbacks are NULL.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFDICTIONARY_H
#define AURICLE_CFDICTIONARY_H

#include "CFBase.h"

typedef const void *(*CFDictionaryRetainCallBack)(CFAllocatorRef allocator, const void *value);
typedef void (*CFDictionaryReleaseCallBack)(CFAllocatorRef allocator, const void *value);
typedef CFStringRef (*CFDictionaryCopyDescriptionCallBack)(const void *value);
typedef Boolean (*CFDictionaryEqualCallBack)(const void *value1, const void *value2);
typedef CFHashCode (*CFDictionaryHashCallBack)(const void *value);
typedef void (*CFDictionaryApplierFunction)(const void *key, const void *value, void *context);

// The functions with which a dictionary manages its keys. Version 0.
typedef struct {
  CFIndex version;
  CFDictionaryRetainCallBack retain;
  CFDictionaryReleaseCallBack release;
  CFDictionaryCopyDescriptionCallBack copyDescription;
  CFDictionaryEqualCallBack equal;
  CFDictionaryHashCallBack hash;
} CFDictionaryKeyCallBacks;

// The functions with which a dictionary manages its values. Version 0.
typedef struct {
  CFIndex version;
  CFDictionaryRetainCallBack retain;
  CFDictionaryReleaseCallBack release;
  CFDictionaryCopyDescriptionCallBack copyDescription;
  CFDictionaryEqualCallBack equal;
} CFDictionaryValueCallBacks;

AURICLE_BEGIN_DECLS

extern const CFDictionaryKeyCallBacks kCFTypeDictionaryKeyCallBacks AURICLE_SWIFT_CONSTANT;
extern const CFDictionaryKeyCallBacks kCFCopyStringDictionaryKeyCallBacks AURICLE_SWIFT_CONSTANT;
extern const CFDictionaryValueCallBacks kCFTypeDictionaryValueCallBacks AURICLE_SWIFT_CONSTANT;

extern CFTypeID CFDictionaryGetTypeID(void);
extern CFDictionaryRef CFDictionaryCreate(
    CFAllocatorRef allocator, const void **keys, const void **values, CFIndex count,
    const CFDictionaryKeyCallBacks *keyCallBacks, const CFDictionaryValueCallBacks *valueCallBacks);
extern CFDictionaryRef CFDictionaryCreateCopy(
    CFAllocatorRef allocator, CFDictionaryRef dictionary);
extern CFIndex CFDictionaryGetCount(CFDictionaryRef dictionary);
extern CFIndex CFDictionaryGetCountOfKey(CFDictionaryRef dictionary, const void *key);
extern Boolean CFDictionaryContainsKey(CFDictionaryRef dictionary, const void *key);
extern Boolean CFDictionaryContainsValue(CFDictionaryRef dictionary, const void *value);
extern const void *CFDictionaryGetValue(CFDictionaryRef dictionary, const void *key);
extern Boolean CFDictionaryGetValueIfPresent(
    CFDictionaryRef dictionary, const void *key, const void **value);
extern void CFDictionaryGetKeysAndValues(
    CFDictionaryRef dictionary, const void **keys, const void **values);
extern void CFDictionaryApplyFunction(
    CFDictionaryRef dictionary, CFDictionaryApplierFunction applier, void *context);

extern CFMutableDictionaryRef CFDictionaryCreateMutable(
    CFAllocatorRef allocator, CFIndex capacity, const CFDictionaryKeyCallBacks *keyCallBacks,
    const CFDictionaryValueCallBacks *valueCallBacks);
extern CFMutableDictionaryRef CFDictionaryCreateMutableCopy(
    CFAllocatorRef allocator, CFIndex capacity, CFDictionaryRef dictionary);
extern void CFDictionaryAddValue(
    CFMutableDictionaryRef dictionary, const void *key, const void *value);
extern void CFDictionarySetValue(
    CFMutableDictionaryRef dictionary, const void *key, const void *value);
extern void CFDictionaryReplaceValue(
    CFMutableDictionaryRef dictionary, const void *key, const void *value);
extern void CFDictionaryRemoveValue(CFMutableDictionaryRef dictionary, const void *key);
extern void CFDictionaryRemoveAllValues(CFMutableDictionaryRef dictionary);

AURICLE_END_DECLS

#endif
