// Strings: making, reading, comparing and changing them, and the literal CFSTR.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFSTRING_H
#define AURICLE_CFSTRING_H

#include <stdarg.h>

#include "CFArray.h"
#include "CFBase.h"
#include "CFData.h"
#include "CFDictionary.h"

typedef UInt32 CFStringEncoding;
AURICLE_ENUM(CFStringEncoding) {
  kCFStringEncodingMacRoman = 0,
  kCFStringEncodingUnicode = 0x0100,
  kCFStringEncodingUTF16 = 0x0100,
  kCFStringEncodingISOLatin1 = 0x0201,
  kCFStringEncodingWindowsLatin1 = 0x0500,
  kCFStringEncodingASCII = 0x0600,
  kCFStringEncodingUTF8 = 0x08000100,
  kCFStringEncodingNonLossyASCII = 0x0BFF,
  kCFStringEncodingUTF32 = 0x0c000100,
  kCFStringEncodingUTF16BE = 0x10000100,
  kCFStringEncodingUTF16LE = 0x14000100,
  kCFStringEncodingUTF32BE = 0x18000100,
  kCFStringEncodingUTF32LE = 0x1c000100,
};
#define kCFStringEncodingInvalidId ((CFStringEncoding)0xffffffffu)

typedef CFOptionFlags CFStringCompareFlags;
AURICLE_ENUM(CFStringCompareFlags) {
  kCFCompareCaseInsensitive = 1,
  kCFCompareBackwards = 4,
  kCFCompareAnchored = 8,
  kCFCompareNonliteral = 16,
  kCFCompareLocalized = 32,
  kCFCompareNumerically = 64,
};

AURICLE_BEGIN_DECLS

extern CFTypeID CFStringGetTypeID(void);

extern CFStringRef CFStringCreateWithCString(
    CFAllocatorRef allocator, const char *text, CFStringEncoding encoding);
extern CFStringRef CFStringCreateWithCStringNoCopy(
    CFAllocatorRef allocator, const char *text, CFStringEncoding encoding,
    CFAllocatorRef contentsDeallocator);
extern CFStringRef CFStringCreateWithPascalString(
    CFAllocatorRef allocator, ConstStr255Param text, CFStringEncoding encoding);
extern CFStringRef CFStringCreateWithCharacters(
    CFAllocatorRef allocator, const UniChar *characters, CFIndex count);
extern CFStringRef CFStringCreateWithBytes(
    CFAllocatorRef allocator, const UInt8 *bytes, CFIndex byteCount, CFStringEncoding encoding,
    Boolean isExternalRepresentation);
extern CFStringRef CFStringCreateWithSubstring(
    CFAllocatorRef allocator, CFStringRef string, CFRange range);
extern CFStringRef CFStringCreateCopy(CFAllocatorRef allocator, CFStringRef string);
extern CFStringRef CFStringCreateWithFormat(
    CFAllocatorRef allocator, CFDictionaryRef options, CFStringRef format, ...);
extern CFStringRef CFStringCreateWithFormatAndArguments(
    CFAllocatorRef allocator, CFDictionaryRef options, CFStringRef format, va_list arguments);
extern CFStringRef CFStringCreateFromExternalRepresentation(
    CFAllocatorRef allocator, CFDataRef data, CFStringEncoding encoding);
extern CFDataRef CFStringCreateExternalRepresentation(
    CFAllocatorRef allocator, CFStringRef string, CFStringEncoding encoding, UInt8 lossByte);
extern CFStringRef CFStringCreateWithFileSystemRepresentation(
    CFAllocatorRef allocator, const char *path);
extern CFStringRef CFStringCreateByCombiningStrings(
    CFAllocatorRef allocator, CFArrayRef strings, CFStringRef separator);
extern CFArrayRef CFStringCreateArrayBySeparatingStrings(
    CFAllocatorRef allocator, CFStringRef string, CFStringRef separator);

extern CFIndex CFStringGetLength(CFStringRef string);
extern UniChar CFStringGetCharacterAtIndex(CFStringRef string, CFIndex index);
extern void CFStringGetCharacters(CFStringRef string, CFRange range, UniChar *buffer);
extern Boolean CFStringGetCString(
    CFStringRef string, char *buffer, CFIndex bufferSize, CFStringEncoding encoding);
extern Boolean CFStringGetPascalString(
    CFStringRef string, StringPtr buffer, CFIndex bufferSize, CFStringEncoding encoding);
extern const char *CFStringGetCStringPtr(CFStringRef string, CFStringEncoding encoding);
extern const UniChar *CFStringGetCharactersPtr(CFStringRef string);
extern CFIndex CFStringGetBytes(
    CFStringRef string, CFRange range, CFStringEncoding encoding, UInt8 lossByte,
    Boolean isExternalRepresentation, UInt8 *buffer, CFIndex bufferSize, CFIndex *usedByteCount);
extern CFIndex CFStringGetMaximumSizeForEncoding(CFIndex length, CFStringEncoding encoding);
extern Boolean CFStringGetFileSystemRepresentation(
    CFStringRef string, char *buffer, CFIndex bufferSize);
extern CFStringEncoding CFStringGetSystemEncoding(void);
extern CFStringEncoding CFStringGetFastestEncoding(CFStringRef string);
extern SInt32 CFStringGetIntValue(CFStringRef string);
extern double CFStringGetDoubleValue(CFStringRef string);

extern CFComparisonResult CFStringCompare(
    CFStringRef string1, CFStringRef string2, CFStringCompareFlags options);
extern CFRange CFStringFind(
    CFStringRef string, CFStringRef wanted, CFStringCompareFlags options);
extern CFComparisonResult CFStringCompareWithOptions(
    CFStringRef string1, CFStringRef string2, CFRange range, CFStringCompareFlags options);
extern Boolean CFStringFindWithOptions(
    CFStringRef string, CFStringRef wanted, CFRange range, CFStringCompareFlags options,
    CFRange *found);
extern Boolean CFStringHasPrefix(CFStringRef string, CFStringRef prefix);
extern Boolean CFStringHasSuffix(CFStringRef string, CFStringRef suffix);

extern CFMutableStringRef CFStringCreateMutable(CFAllocatorRef allocator, CFIndex maximumLength);
extern CFMutableStringRef CFStringCreateMutableCopy(
    CFAllocatorRef allocator, CFIndex maximumLength, CFStringRef string);
extern void CFStringAppend(CFMutableStringRef string, CFStringRef added);
extern void CFStringAppendCString(
    CFMutableStringRef string, const char *added, CFStringEncoding encoding);
extern void CFStringAppendCharacters(
    CFMutableStringRef string, const UniChar *characters, CFIndex count);
extern void CFStringAppendFormat(
    CFMutableStringRef string, CFDictionaryRef options, CFStringRef format, ...);
extern void CFStringInsert(CFMutableStringRef string, CFIndex index, CFStringRef added);
extern void CFStringDelete(CFMutableStringRef string, CFRange range);
extern void CFStringReplace(CFMutableStringRef string, CFRange range, CFStringRef replacement);
extern void CFStringReplaceAll(CFMutableStringRef string, CFStringRef replacement);
extern CFIndex CFStringFindAndReplace(
    CFMutableStringRef string, CFStringRef wanted, CFStringRef replacement, CFRange range,
    CFStringCompareFlags options);
extern void CFStringTrim(CFMutableStringRef string, CFStringRef trimmed);
extern void CFStringPad(
    CFMutableStringRef string, CFStringRef padding, CFIndex length, CFIndex indexIntoPadding);
extern void CFStringCapitalize(CFMutableStringRef string, CFLocaleRef locale);
extern void CFStringTrimWhitespace(CFMutableStringRef string);
extern void CFStringLowercase(CFMutableStringRef string, CFLocaleRef locale);
extern void CFStringUppercase(CFMutableStringRef string, CFLocaleRef locale);

// Prints an object's description on standard error.
extern void CFShow(CFTypeRef object);

AURICLE_END_DECLS

// CFSTR("text"): a string that lives as long as the program, and that retain and release leave
// alone.
//
// The object is laid out in the program's data the way the Swift runtime lays out its own constant
// strings: class, a reference count that says "immortal", Core Foundation's info word, the text,
// length. ASCII is kept in bytes, any other text in UTF-16, which compilers make of it from C11 and
// C++11 on. In C++ the macro is allowed anywhere, also at file scope; in C only inside a function,
// for neither compiler has a C expression that makes a static object at any scope.
#if !defined(__swift__)

struct __AuricleConstantString {
  const void *isa;
  uintptr_t referenceCount;
  uint64_t info;
  const void *text;
  uint32_t length;
};

#define AURICLE_IMMORTAL_COUNT ((uintptr_t)0x80000004ffffffffu)

// Text that is no ASCII has fewer units in UTF-16 than in UTF-8.
#if (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L) || \
    (defined(__cplusplus) && __cplusplus >= 201103L)
#define AURICLE_IS_ASCII(text) (sizeof(u"" text) == 2 * sizeof("" text))
#define AURICLE_CONSTANT_STRING(text)                                                         \
  {__AuricleConstantStringClass, AURICLE_IMMORTAL_COUNT,                                      \
   (uint64_t)(AURICLE_IS_ASCII(text) ? 0x07c8 : 0x07d0),                                      \
   AURICLE_IS_ASCII(text) ? (const void *)("" text) : (const void *)(u"" text),               \
   (uint32_t)(sizeof(u"" text) / 2 - 1)}
#else
#define AURICLE_CONSTANT_STRING(text)                                                         \
  {__AuricleConstantStringClass, AURICLE_IMMORTAL_COUNT, (uint64_t)0x07c8, "" text,           \
   (uint32_t)(sizeof(text) - 1)}
#endif

AURICLE_BEGIN_DECLS
extern int __AuricleConstantStringClass[] __asm__("$s10Foundation19_NSCFConstantStringCN");
AURICLE_END_DECLS

#if defined(__cplusplus)
#define CFSTR(text)                                                                           \
  ([]() -> CFStringRef {                                                                      \
    static struct __AuricleConstantString object = AURICLE_CONSTANT_STRING(text);             \
    return (CFStringRef)(const void *)&object;                                                \
  }())
#else
#define CFSTR(text)                                                                           \
  (__extension__({                                                                            \
    static struct __AuricleConstantString object = AURICLE_CONSTANT_STRING(text);             \
    (CFStringRef)(const void *)&object;                                                       \
  }))
#endif

#endif

#endif
