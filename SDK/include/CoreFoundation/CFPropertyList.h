// Property lists: data to objects and back.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFPROPERTYLIST_H
#define AURICLE_CFPROPERTYLIST_H

#include "CFBase.h"
#include "CFData.h"
#include "CFError.h"

typedef CFOptionFlags CFPropertyListMutabilityOptions;
AURICLE_ENUM(CFPropertyListMutabilityOptions) {
  kCFPropertyListImmutable = 0,
  kCFPropertyListMutableContainers = 1,
  kCFPropertyListMutableContainersAndLeaves = 2,
};

typedef CFIndex CFPropertyListFormat;
AURICLE_ENUM(CFPropertyListFormat) {
  kCFPropertyListOpenStepFormat = 1,
  kCFPropertyListXMLFormat_v1_0 = 100,
  kCFPropertyListBinaryFormat_v1_0 = 200,
};

AURICLE_BEGIN_DECLS

extern CFPropertyListRef CFPropertyListCreateWithData(
    CFAllocatorRef allocator, CFDataRef data, CFOptionFlags options, CFPropertyListFormat *format,
    CFErrorRef *error);
extern CFDataRef CFPropertyListCreateData(
    CFAllocatorRef allocator, CFPropertyListRef list, CFPropertyListFormat format,
    CFOptionFlags options, CFErrorRef *error);
extern CFPropertyListRef CFPropertyListCreateDeepCopy(
    CFAllocatorRef allocator, CFPropertyListRef list, CFOptionFlags options);
extern Boolean CFPropertyListIsValid(CFPropertyListRef list, CFPropertyListFormat format);

AURICLE_END_DECLS

#endif
