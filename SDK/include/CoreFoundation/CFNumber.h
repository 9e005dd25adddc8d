// Numbers and truth values as objects.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFNUMBER_H
#define AURICLE_CFNUMBER_H

#include "CFBase.h"

typedef CFIndex CFNumberType;
AURICLE_ENUM(CFNumberType) {
  kCFNumberSInt8Type = 1,
  kCFNumberSInt16Type = 2,
  kCFNumberSInt32Type = 3,
  kCFNumberSInt64Type = 4,
  kCFNumberFloat32Type = 5,
  kCFNumberFloat64Type = 6,
  kCFNumberCharType = 7,
  kCFNumberShortType = 8,
  kCFNumberIntType = 9,
  kCFNumberLongType = 10,
  kCFNumberLongLongType = 11,
  kCFNumberFloatType = 12,
  kCFNumberDoubleType = 13,
  kCFNumberCFIndexType = 14,
};

AURICLE_BEGIN_DECLS

extern const CFBooleanRef kCFBooleanTrue AURICLE_SWIFT_CONSTANT;
extern const CFBooleanRef kCFBooleanFalse AURICLE_SWIFT_CONSTANT;
extern CFTypeID CFBooleanGetTypeID(void);
extern Boolean CFBooleanGetValue(CFBooleanRef boolean);

extern CFTypeID CFNumberGetTypeID(void);
extern CFNumberRef CFNumberCreate(CFAllocatorRef allocator, CFNumberType type, const void *value);
extern CFNumberType CFNumberGetType(CFNumberRef number);
extern CFIndex CFNumberGetByteSize(CFNumberRef number);
extern Boolean CFNumberIsFloatType(CFNumberRef number);
// False when the value does not fit the requested type; the nearest value is stored all the same.
extern Boolean CFNumberGetValue(CFNumberRef number, CFNumberType type, void *value);
extern CFComparisonResult CFNumberCompare(
    CFNumberRef number1, CFNumberRef number2, void *context);

AURICLE_END_DECLS

#endif
