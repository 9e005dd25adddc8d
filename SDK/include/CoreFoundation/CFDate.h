// Points in time, in seconds since 1 January 2001, 0 h UTC.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFDATE_H
#define AURICLE_CFDATE_H

#include "CFBase.h"

AURICLE_BEGIN_DECLS

extern CFAbsoluteTime CFAbsoluteTimeGetCurrent(void);

extern CFTypeID CFDateGetTypeID(void);
extern CFDateRef CFDateCreate(CFAllocatorRef allocator, CFAbsoluteTime time);
extern CFAbsoluteTime CFDateGetAbsoluteTime(CFDateRef date);
extern CFTimeInterval CFDateGetTimeIntervalSinceDate(CFDateRef date, CFDateRef other);
extern CFComparisonResult CFDateCompare(CFDateRef date, CFDateRef other, void *context);

AURICLE_END_DECLS

#endif
