// Arrays of objects, or of plain pointers when the callbacks are NULL.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFARRAY_H
#define AURICLE_CFARRAY_H

#include "CFBase.h"

typedef const void *(*CFArrayRetainCallBack)(CFAllocatorRef allocator, const void *value);
typedef void (*CFArrayReleaseCallBack)(CFAllocatorRef allocator, const void *value);
typedef CFStringRef (*CFArrayCopyDescriptionCallBack)(const void *value);
typedef Boolean (*CFArrayEqualCallBack)(const void *value1, const void *value2);
typedef void (*CFArrayApplierFunction)(const void *value, void *context);

// The functions with which an array manages its values. Version 0.
typedef struct {
  CFIndex version;
  CFArrayRetainCallBack retain;
  CFArrayReleaseCallBack release;
  CFArrayCopyDescriptionCallBack copyDescription;
  CFArrayEqualCallBack equal;
} CFArrayCallBacks;

AURICLE_BEGIN_DECLS

extern const CFArrayCallBacks kCFTypeArrayCallBacks AURICLE_SWIFT_CONSTANT;

extern CFTypeID CFArrayGetTypeID(void);
extern CFArrayRef CFArrayCreate(
    CFAllocatorRef allocator, const void **values, CFIndex count,
    const CFArrayCallBacks *callBacks);
extern CFArrayRef CFArrayCreateCopy(CFAllocatorRef allocator, CFArrayRef array);
extern CFIndex CFArrayGetCount(CFArrayRef array);
extern CFIndex CFArrayGetCountOfValue(CFArrayRef array, CFRange range, const void *value);
extern Boolean CFArrayContainsValue(CFArrayRef array, CFRange range, const void *value);
extern const void *CFArrayGetValueAtIndex(CFArrayRef array, CFIndex index);
extern void CFArrayGetValues(CFArrayRef array, CFRange range, const void **values);
extern void CFArrayApplyFunction(
    CFArrayRef array, CFRange range, CFArrayApplierFunction applier, void *context);
extern CFIndex CFArrayGetFirstIndexOfValue(CFArrayRef array, CFRange range, const void *value);
extern CFIndex CFArrayGetLastIndexOfValue(CFArrayRef array, CFRange range, const void *value);

extern CFMutableArrayRef CFArrayCreateMutable(
    CFAllocatorRef allocator, CFIndex capacity, const CFArrayCallBacks *callBacks);
extern CFMutableArrayRef CFArrayCreateMutableCopy(
    CFAllocatorRef allocator, CFIndex capacity, CFArrayRef array);
extern void CFArrayAppendValue(CFMutableArrayRef array, const void *value);
extern void CFArrayInsertValueAtIndex(CFMutableArrayRef array, CFIndex index, const void *value);
extern void CFArraySetValueAtIndex(CFMutableArrayRef array, CFIndex index, const void *value);
extern void CFArrayRemoveValueAtIndex(CFMutableArrayRef array, CFIndex index);
extern void CFArrayRemoveAllValues(CFMutableArrayRef array);
extern void CFArrayAppendArray(CFMutableArrayRef array, CFArrayRef added, CFRange range);
extern void CFArraySortValues(
    CFMutableArrayRef array, CFRange range, CFComparatorFunction comparator, void *context);

AURICLE_END_DECLS

#endif
