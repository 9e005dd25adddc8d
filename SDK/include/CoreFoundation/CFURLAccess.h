// Reads, writes and removes the resource of a URL, as a whole.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFURLACCESS_H
#define AURICLE_CFURLACCESS_H

#include "CFArray.h"
#include "CFBase.h"
#include "CFData.h"
#include "CFDictionary.h"
#include "CFString.h"
#include "CFURL.h"

// The reason why a call did not succeed.
typedef CFIndex CFURLError;
AURICLE_ENUM(CFURLError) {
  kCFURLUnknownError = -10,
  kCFURLUnknownSchemeError = -11,
  kCFURLResourceNotFoundError = -12,
  kCFURLResourceAccessViolationError = -13,
  kCFURLRemoteHostUnavailableError = -14,
  kCFURLImproperArgumentsError = -15,
  kCFURLUnknownPropertyKeyError = -16,
  kCFURLPropertyKeyUnavailableError = -17,
  kCFURLTimeoutError = -18,
};

AURICLE_BEGIN_DECLS

// Properties to ask for.
extern const CFStringRef kCFURLFileExists AURICLE_SWIFT_CONSTANT;
extern const CFStringRef kCFURLFileDirectoryContents AURICLE_SWIFT_CONSTANT;
extern const CFStringRef kCFURLFileLength AURICLE_SWIFT_CONSTANT;
extern const CFStringRef kCFURLFileLastModificationTime AURICLE_SWIFT_CONSTANT;
extern const CFStringRef kCFURLFilePOSIXMode AURICLE_SWIFT_CONSTANT;
extern const CFStringRef kCFURLFileOwnerID AURICLE_SWIFT_CONSTANT;

extern Boolean CFURLCreateDataAndPropertiesFromResource(
    CFAllocatorRef allocator, CFURLRef url, CFDataRef *data, CFDictionaryRef *properties,
    CFArrayRef wantedProperties, SInt32 *error);
extern Boolean CFURLWriteDataAndPropertiesToResource(
    CFURLRef url, CFDataRef data, CFDictionaryRef properties, SInt32 *error);
extern Boolean CFURLDestroyResource(CFURLRef url, SInt32 *error);
extern CFTypeRef CFURLCreatePropertyFromResource(
    CFAllocatorRef allocator, CFURLRef url, CFStringRef property, SInt32 *error);

AURICLE_END_DECLS

#endif
