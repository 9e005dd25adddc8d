// Addresses of files and other resources.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFURL_H
#define AURICLE_CFURL_H

#include "CFBase.h"
#include "CFString.h"

typedef CFIndex CFURLPathStyle;
AURICLE_ENUM(CFURLPathStyle) {
  kCFURLPOSIXPathStyle = 0,
  kCFURLWindowsPathStyle = 2,
};

AURICLE_BEGIN_DECLS

extern CFTypeID CFURLGetTypeID(void);
extern CFURLRef CFURLCreateWithBytes(
    CFAllocatorRef allocator, const UInt8 *bytes, CFIndex length, CFStringEncoding encoding,
    CFURLRef base);
extern CFURLRef CFURLCreateWithString(CFAllocatorRef allocator, CFStringRef string, CFURLRef base);
extern CFURLRef CFURLCreateWithFileSystemPath(
    CFAllocatorRef allocator, CFStringRef path, CFURLPathStyle style, Boolean isDirectory);
extern CFURLRef CFURLCreateWithFileSystemPathRelativeToBase(
    CFAllocatorRef allocator, CFStringRef path, CFURLPathStyle style, Boolean isDirectory,
    CFURLRef base);
extern CFURLRef CFURLCreateFromFileSystemRepresentation(
    CFAllocatorRef allocator, const UInt8 *path, CFIndex length, Boolean isDirectory);
extern Boolean CFURLGetFileSystemRepresentation(
    CFURLRef url, Boolean resolvesAgainstBase, UInt8 *buffer, CFIndex bufferSize);
extern CFURLRef CFURLCopyAbsoluteURL(CFURLRef url);
extern CFStringRef CFURLGetString(CFURLRef url);
extern CFURLRef CFURLGetBaseURL(CFURLRef url);
extern CFStringRef CFURLCopyFileSystemPath(CFURLRef url, CFURLPathStyle style);
extern CFStringRef CFURLCopyPath(CFURLRef url);
extern CFStringRef CFURLCopyScheme(CFURLRef url);
extern CFStringRef CFURLCopyHostName(CFURLRef url);
extern CFStringRef CFURLCopyLastPathComponent(CFURLRef url);
extern CFStringRef CFURLCopyPathExtension(CFURLRef url);
extern Boolean CFURLHasDirectoryPath(CFURLRef url);
extern CFURLRef CFURLCreateCopyAppendingPathComponent(
    CFAllocatorRef allocator, CFURLRef url, CFStringRef component, Boolean isDirectory);
extern CFURLRef CFURLCreateCopyDeletingLastPathComponent(CFAllocatorRef allocator, CFURLRef url);
extern CFURLRef CFURLCreateCopyAppendingPathExtension(
    CFAllocatorRef allocator, CFURLRef url, CFStringRef extension);
extern CFURLRef CFURLCreateCopyDeletingPathExtension(CFAllocatorRef allocator, CFURLRef url);

AURICLE_END_DECLS

#endif
