// The short names of the basic types, and the few macros every other header is written with.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MACTYPES_H
#define AURICLE_MACTYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
// std::exchange and std::swap: sources for macOS have them from other headers of its C++ library.
extern "C++" {
#include <utility>
}
#endif

#include "AvailabilityMacros.h"
#include "TargetConditionals.h"

// A group of constants of one type. C++ and Swift assign them that type; C before C23 cannot
// express it, and there they are int. A value above INT_MAX is a macro with a cast instead, in all
// languages.
#if defined(__cplusplus) || defined(__swift__)
#define AURICLE_ENUM(type) enum : type
#else
#define AURICLE_ENUM(type) enum
#endif

// The name of a declaration in Swift, if it is not the C name.
#if defined(__swift__)
#define AURICLE_SWIFT_NAME(name) __attribute__((swift_name(name)))
#define AURICLE_SWIFT_CONSTANT __attribute__((swift_attr("nonisolated(unsafe)")))
#else
#define AURICLE_SWIFT_NAME(name)
#define AURICLE_SWIFT_CONSTANT
#endif

#if defined(__cplusplus)
#define AURICLE_BEGIN_DECLS extern "C" {
#define AURICLE_END_DECLS }
#else
#define AURICLE_BEGIN_DECLS
#define AURICLE_END_DECLS
#endif

// Pointers carry no nullability: every function behind these headers accepts NULL and answers it
// with an error, and a plug-in's answer may always be NULL. Swift sees them as optional.

typedef uint8_t UInt8;
typedef int8_t SInt8;
typedef uint16_t UInt16;
typedef int16_t SInt16;
typedef uint32_t UInt32;
typedef int32_t SInt32;
// The type of stdint.h's 64-bit numbers; for macOS sources (AsMac.h) they are long long, as there: some declare
// the names again, and print them with %llu.
#if defined(AURICLE_LONG_LONG) && !defined(__swift__)
typedef unsigned long long UInt64;
typedef long long SInt64;
#else
typedef uint64_t UInt64;
typedef int64_t SInt64;
#endif
typedef float Float32;
typedef double Float64;
typedef bool Boolean;
typedef UInt8 Byte;
typedef SInt8 SignedByte;
typedef long Size;
typedef unsigned long ByteCount;
typedef unsigned long ItemCount;

typedef SInt16 OSErr;
typedef SInt32 OSStatus;
typedef UInt32 FourCharCode;
typedef FourCharCode OSType;

typedef UInt16 UniChar;
typedef UInt32 UTF32Char;
typedef UInt16 UTF16Char;
typedef UInt8 UTF8Char;
typedef unsigned char *StringPtr;
typedef const unsigned char *ConstStringPtr;
typedef unsigned char Str255[256];
typedef const unsigned char *ConstStr255Param;
typedef unsigned char Str15[16];
typedef unsigned char Str31[32];
typedef unsigned char Str63[64];
typedef char *Ptr;
typedef Ptr *Handle AURICLE_SWIFT_NAME("MemoryHandle");
typedef SInt32 Fixed;
#if !defined(__swift__)
typedef OSStatus (*ProcPtr)(void);
#endif
typedef void *SRefCon;
typedef UInt32 OptionBits;
typedef FourCharCode ResType;
typedef SInt16 ResID;
typedef OSType *OSTypePtr;
typedef SInt16 RegionCode;
typedef SInt16 LangCode;
typedef SInt16 ScriptCode;

// A version: 1.2.3 is 1, 0x23.
typedef struct NumVersion {
  UInt8 nonRelRev;
  UInt8 stage;
  UInt8 minorAndBugRev;
  UInt8 majorRev;
} NumVersion;

AURICLE_ENUM(OSStatus) {
  noErr = 0,
  unimpErr = -4,      // not there
  ioErr = -36,        // reading or writing failed
  eofErr = -39,       // end of file
  fnfErr = -43,       // file not found
  paramErr = -50,     // an argument is wrong
  permErr = -54,      // not allowed
  memFullErr = -108,  // out of memory
};

AURICLE_ENUM(UInt32) { kNilOptions = 0 };

#ifndef nil
#define nil NULL
#endif

#if !defined(__swift__)
#include "Auricle/DarwinLibrary.h"
#endif

#endif
