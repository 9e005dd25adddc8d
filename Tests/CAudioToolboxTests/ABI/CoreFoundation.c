// Numbers, macros and functions of Core Foundation that sources for Core Audio use.
// SPDX-License-Identifier: Apache-2.0
#include <AvailabilityVersions.h>
#include <CoreFoundation/CoreFoundation.h>
#include <TargetConditionals.h>

#include "Assertions.h"

ABI_VALUE(kCFStringEncodingASCII, 1536);
ABI_VALUE(kCFStringEncodingUTF8, 134217984);
ABI_VALUE(kCFNumberSInt32Type, 3);
ABI_VALUE(kCFNumberSInt64Type, 4);
ABI_VALUE(kCFNumberFloat32Type, 5);
ABI_VALUE(kCFNumberFloat64Type, 6);
ABI_VALUE(kCFURLPOSIXPathStyle, 0);
ABI_VALUE(kCFPropertyListImmutable, 0);
ABI_VALUE(kCFPropertyListXMLFormat_v1_0, 100);
ABI_VALUE(kCFPropertyListBinaryFormat_v1_0, 200);
ABI_VALUE(kCFCompareLessThan, -1);
ABI_VALUE(kCFNotFound, -1);
ABI_VALUE(TRUE, 1);
ABI_VALUE(FALSE, 0);

#if !defined(__MAC_12_0) || !defined(__IPHONE_15_0) || !defined(MAC_OS_X_VERSION_10_7)
#error "a version number is missing"
#endif
#if !defined(TARGET_OS_MAC) || !defined(TARGET_OS_OSX) || !defined(TARGET_OS_IPHONE)           \
    || !defined(TARGET_OS_WIN32) || !defined(TARGET_CPU_X86) || !defined(TARGET_CPU_X86_64)
#error "a condition is missing"
#endif
#if !defined(nil)
#error "nil is missing"
#endif

ABI_STRUCT(CFArrayCallBacks, 40, 8);
ABI_STRUCT(CFDictionaryKeyCallBacks, 48, 8);
ABI_STRUCT(CFDictionaryValueCallBacks, 40, 8);
ABI_STRUCT(CFUUIDBytes, 16, 1);

typedef const struct __CFString *CFStringRef;
typedef const struct __CFArray *CFArrayRef;
typedef const struct __CFData *CFDataRef;
typedef struct __CFData *CFMutableDataRef;
typedef const struct __CFDictionary *CFDictionaryRef;
typedef struct __CFDictionary *CFMutableDictionaryRef;
typedef struct __CFError *CFErrorRef;
typedef const struct __CFURL *CFURLRef;
typedef const void *CFTypeRef;
typedef CFTypeRef CFPropertyListRef;

AURICLE_BEGIN_DECLS
ABI_FUNCTION(CFTypeRef, CFRetain, (CFTypeRef));
ABI_FUNCTION(void, CFRelease, (CFTypeRef));
ABI_FUNCTION(CFTypeID, CFGetTypeID, (CFTypeRef));
ABI_FUNCTION(void, CFShow, (CFTypeRef));
ABI_FUNCTION(void, CFDataAppendBytes, (CFMutableDataRef, const UInt8 *, CFIndex));
ABI_FUNCTION(CFMutableDataRef, CFDataCreateMutable, (CFAllocatorRef, CFIndex));
ABI_FUNCTION(const UInt8 *, CFDataGetBytePtr, (CFDataRef));
ABI_FUNCTION(CFIndex, CFDataGetLength, (CFDataRef));
ABI_FUNCTION(UInt8 *, CFDataGetMutableBytePtr, (CFMutableDataRef));
ABI_FUNCTION(CFTypeID, CFDataGetTypeID, (void));
ABI_FUNCTION(Boolean, CFDictionaryContainsKey, (CFDictionaryRef, const void *));
ABI_FUNCTION(
    CFMutableDictionaryRef, CFDictionaryCreateMutable,
    (CFAllocatorRef, CFIndex, const CFDictionaryKeyCallBacks *, const CFDictionaryValueCallBacks *));
ABI_FUNCTION(CFIndex, CFDictionaryGetCount, (CFDictionaryRef));
ABI_FUNCTION(
    void, CFDictionaryGetKeysAndValues, (CFDictionaryRef, const void **, const void **));
ABI_FUNCTION(CFTypeID, CFDictionaryGetTypeID, (void));
ABI_FUNCTION(const void *, CFDictionaryGetValue, (CFDictionaryRef, const void *));
ABI_FUNCTION(void, CFDictionarySetValue, (CFMutableDictionaryRef, const void *, const void *));
ABI_FUNCTION(CFNumberRef, CFNumberCreate, (CFAllocatorRef, CFNumberType, const void *));
ABI_FUNCTION(CFTypeID, CFNumberGetTypeID, (void));
ABI_FUNCTION(Boolean, CFNumberGetValue, (CFNumberRef, CFNumberType, void *));
ABI_FUNCTION(
    CFStringRef, CFStringCreateWithFormat, (CFAllocatorRef, CFDictionaryRef, CFStringRef, ...));
ABI_FUNCTION(Boolean, CFStringGetCString, (CFStringRef, char *, CFIndex, CFStringEncoding));
ABI_FUNCTION(CFTypeID, CFStringGetTypeID, (void));
ABI_FUNCTION(CFAbsoluteTime, CFAbsoluteTimeGetCurrent, (void));
ABI_FUNCTION(
    CFPropertyListRef, CFPropertyListCreateWithData,
    (CFAllocatorRef, CFDataRef, CFOptionFlags, CFPropertyListFormat *, CFErrorRef *));
ABI_FUNCTION(void, CFRunLoopRun, (void));
ABI_FUNCTION(CFRunLoopRunResult, CFRunLoopRunInMode, (CFRunLoopMode, CFTimeInterval, Boolean));
ABI_FUNCTION(
    CFURLRef, CFURLCreateFromFileSystemRepresentation,
    (CFAllocatorRef, const UInt8 *, CFIndex, Boolean));
ABI_FUNCTION(
    CFURLRef, CFURLCreateWithFileSystemPath,
    (CFAllocatorRef, CFStringRef, CFURLPathStyle, Boolean));
AURICLE_END_DECLS
