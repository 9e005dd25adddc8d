// Errors as objects: a domain, a code, and words.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFERROR_H
#define AURICLE_CFERROR_H

#include "CFBase.h"
#include "CFDictionary.h"
#include "CFString.h"

AURICLE_BEGIN_DECLS

extern const CFStringRef kCFErrorDomainPOSIX AURICLE_SWIFT_CONSTANT;
extern const CFStringRef kCFErrorDomainOSStatus AURICLE_SWIFT_CONSTANT;
extern const CFStringRef kCFErrorLocalizedDescriptionKey AURICLE_SWIFT_CONSTANT;

extern CFTypeID CFErrorGetTypeID(void);
extern CFErrorRef CFErrorCreate(
    CFAllocatorRef allocator, CFStringRef domain, CFIndex code, CFDictionaryRef userInfo);
extern CFStringRef CFErrorGetDomain(CFErrorRef error);
extern CFIndex CFErrorGetCode(CFErrorRef error);
extern CFDictionaryRef CFErrorCopyUserInfo(CFErrorRef error);
extern CFStringRef CFErrorCopyDescription(CFErrorRef error);
extern CFStringRef CFErrorCopyFailureReason(CFErrorRef error);

AURICLE_END_DECLS

#endif
