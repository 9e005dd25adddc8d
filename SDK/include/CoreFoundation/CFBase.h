// Core Foundation's base: its basic types, allocators, and functions of every object.
// SPDX-License-Identifier: Apache-2.0
//
// The functions are those of the Swift runtime's libFoundation.so. References are pointers to
// structs that are never defined. Swift would see `CFStringRef` as a managed class, which no C
// function written in Swift may carry in its signature; so Swift is shown pointers of another name,
// under the same one.
#ifndef AURICLE_CFBASE_H
#define AURICLE_CFBASE_H

#include "../AvailabilityMacros.h"
#include "../MacTypes.h"
#include "../mach/boolean.h"

#if defined(__cplusplus)
#define CF_EXTERN_C_BEGIN extern "C" {
#define CF_EXTERN_C_END }
#else
#define CF_EXTERN_C_BEGIN
#define CF_EXTERN_C_END
#endif
#define CF_EXPORT extern
#define CF_INLINE static inline

// A type of numbers and its constants, as headers in the style of Core Foundation's declare them.
#if defined(__cplusplus)
#define CF_ENUM(type, name) type name; enum : type
#define CF_OPTIONS(type, name) type name; enum : type
#else
#define CF_ENUM(type, name) type name; enum
#define CF_OPTIONS(type, name) type name; enum
#endif

// Marks for other compilers' checks; nothing here reads them.
#define CF_ASSUME_NONNULL_BEGIN
#define CF_ASSUME_NONNULL_END
#define CF_IMPLICIT_BRIDGING_ENABLED
#define CF_IMPLICIT_BRIDGING_DISABLED
#define CF_RETURNS_RETAINED
#define CF_RETURNS_NOT_RETAINED
#define CF_CONSUMED
#define CF_NOESCAPE
#define CF_AVAILABLE(...)
#define CF_AVAILABLE_MAC(...)
#define CF_DEPRECATED(...)
#define CF_DEPRECATED_MAC(...)

#if defined(__swift__)
#define CFTypeRef AuricleCFTypeRef
#define CFAllocatorRef AuricleCFAllocatorRef
#define CFArrayRef AuricleCFArrayRef
#define CFMutableArrayRef AuricleCFMutableArrayRef
#define CFBooleanRef AuricleCFBooleanRef
#define CFBundleRef AuricleCFBundleRef
#define CFCharacterSetRef AuricleCFCharacterSetRef
#define CFDataRef AuricleCFDataRef
#define CFMutableDataRef AuricleCFMutableDataRef
#define CFDateRef AuricleCFDateRef
#define CFDictionaryRef AuricleCFDictionaryRef
#define CFMutableDictionaryRef AuricleCFMutableDictionaryRef
#define CFErrorRef AuricleCFErrorRef
#define CFLocaleRef AuricleCFLocaleRef
#define CFNullRef AuricleCFNullRef
#define CFPropertyListRef AuricleCFPropertyListRef
#define CFNumberRef AuricleCFNumberRef
#define CFRunLoopRef AuricleCFRunLoopRef
#define CFRunLoopObserverRef AuricleCFRunLoopObserverRef
#define CFRunLoopSourceRef AuricleCFRunLoopSourceRef
#define CFRunLoopTimerRef AuricleCFRunLoopTimerRef
#define CFStringRef AuricleCFStringRef
#define CFMutableStringRef AuricleCFMutableStringRef
#define CFURLRef AuricleCFURLRef
#define CFUUIDRef AuricleCFUUIDRef
#endif

typedef const void *CFTypeRef AURICLE_SWIFT_NAME("CFTypeRef");
typedef CFTypeRef CFPropertyListRef AURICLE_SWIFT_NAME("CFPropertyListRef");
typedef const struct __CFAllocator *CFAllocatorRef AURICLE_SWIFT_NAME("CFAllocatorRef");
typedef const struct __CFArray *CFArrayRef AURICLE_SWIFT_NAME("CFArrayRef");
typedef struct __CFArray *CFMutableArrayRef AURICLE_SWIFT_NAME("CFMutableArrayRef");
typedef const struct __CFBoolean *CFBooleanRef AURICLE_SWIFT_NAME("CFBooleanRef");
typedef struct __CFBundle *CFBundleRef AURICLE_SWIFT_NAME("CFBundleRef");
typedef const struct __CFCharacterSet *CFCharacterSetRef AURICLE_SWIFT_NAME("CFCharacterSetRef");
typedef const struct __CFData *CFDataRef AURICLE_SWIFT_NAME("CFDataRef");
typedef struct __CFData *CFMutableDataRef AURICLE_SWIFT_NAME("CFMutableDataRef");
typedef const struct __CFDate *CFDateRef AURICLE_SWIFT_NAME("CFDateRef");
typedef const struct __CFDictionary *CFDictionaryRef AURICLE_SWIFT_NAME("CFDictionaryRef");
typedef struct __CFDictionary *CFMutableDictionaryRef
    AURICLE_SWIFT_NAME("CFMutableDictionaryRef");
typedef struct __CFError *CFErrorRef AURICLE_SWIFT_NAME("CFErrorRef");
typedef const struct __CFLocale *CFLocaleRef AURICLE_SWIFT_NAME("CFLocaleRef");
typedef const struct __CFNull *CFNullRef AURICLE_SWIFT_NAME("CFNullRef");
typedef const struct __CFNumber *CFNumberRef AURICLE_SWIFT_NAME("CFNumberRef");
typedef struct __CFRunLoop *CFRunLoopRef AURICLE_SWIFT_NAME("CFRunLoopRef");
typedef struct __CFRunLoopObserver *CFRunLoopObserverRef
    AURICLE_SWIFT_NAME("CFRunLoopObserverRef");
typedef struct __CFRunLoopSource *CFRunLoopSourceRef AURICLE_SWIFT_NAME("CFRunLoopSourceRef");
typedef struct __CFRunLoopTimer *CFRunLoopTimerRef AURICLE_SWIFT_NAME("CFRunLoopTimerRef");
typedef const struct __CFString *CFStringRef AURICLE_SWIFT_NAME("CFStringRef");
typedef struct __CFString *CFMutableStringRef AURICLE_SWIFT_NAME("CFMutableStringRef");
typedef const struct __CFURL *CFURLRef AURICLE_SWIFT_NAME("CFURLRef");
typedef const struct __CFUUID *CFUUIDRef AURICLE_SWIFT_NAME("CFUUIDRef");

typedef unsigned long CFTypeID;
typedef unsigned long CFOptionFlags;
typedef unsigned long CFHashCode;
typedef long CFIndex;
typedef double CFTimeInterval;
typedef CFTimeInterval CFAbsoluteTime;

// The result of comparing two values.
typedef CFIndex CFComparisonResult;
AURICLE_ENUM(CFComparisonResult) {
  kCFCompareLessThan = -1,
  kCFCompareEqualTo = 0,
  kCFCompareGreaterThan = 1,
};
typedef CFComparisonResult (*CFComparatorFunction)(
    const void *value1, const void *value2, void *context);

AURICLE_ENUM(CFIndex) { kCFNotFound = -1 };

// A run of items: where it starts, and how many.
typedef struct {
  CFIndex location;
  CFIndex length;
} CFRange;

CF_INLINE CFRange CFRangeMake(CFIndex location, CFIndex length) {
  CFRange range;
  range.location = location;
  range.length = length;
  return range;
}

AURICLE_BEGIN_DECLS

// Allocators. NULL means the default one wherever an allocator is a parameter.
extern const CFAllocatorRef kCFAllocatorDefault AURICLE_SWIFT_CONSTANT;
extern const CFAllocatorRef kCFAllocatorSystemDefault AURICLE_SWIFT_CONSTANT;
extern const CFAllocatorRef kCFAllocatorMalloc AURICLE_SWIFT_CONSTANT;
extern const CFAllocatorRef kCFAllocatorNull AURICLE_SWIFT_CONSTANT;
extern CFTypeID CFAllocatorGetTypeID(void);
extern CFAllocatorRef CFAllocatorGetDefault(void);
extern void *CFAllocatorAllocate(CFAllocatorRef allocator, CFIndex size, CFOptionFlags hint);
extern void *CFAllocatorReallocate(
    CFAllocatorRef allocator, void *memory, CFIndex size, CFOptionFlags hint);
extern void CFAllocatorDeallocate(CFAllocatorRef allocator, void *memory);

// Functions of every object. "Copy" and "Create" in a name return a reference to release; "Get"
// lends.
extern CFTypeRef CFRetain(CFTypeRef object);
extern void CFRelease(CFTypeRef object);
extern CFTypeID CFGetTypeID(CFTypeRef object);
extern CFAllocatorRef CFGetAllocator(CFTypeRef object);
extern Boolean CFEqual(CFTypeRef object1, CFTypeRef object2);
extern CFHashCode CFHash(CFTypeRef object);
extern CFStringRef CFCopyDescription(CFTypeRef object);
extern CFStringRef CFCopyTypeIDDescription(CFTypeID type);

extern const CFNullRef kCFNull AURICLE_SWIFT_CONSTANT;
extern CFTypeID CFNullGetTypeID(void);

AURICLE_END_DECLS

#endif
