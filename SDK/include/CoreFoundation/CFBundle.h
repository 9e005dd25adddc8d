// Bundles: a folder with an Info.plist, code and resources.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFBUNDLE_H
#define AURICLE_CFBUNDLE_H

#include "CFArray.h"
#include "CFBase.h"
#include "CFDictionary.h"
#include "CFString.h"
#include "CFURL.h"

AURICLE_BEGIN_DECLS

extern const CFStringRef kCFBundleExecutableKey AURICLE_SWIFT_CONSTANT;
extern const CFStringRef kCFBundleIdentifierKey AURICLE_SWIFT_CONSTANT;
extern const CFStringRef kCFBundleNameKey AURICLE_SWIFT_CONSTANT;
extern const CFStringRef kCFBundleVersionKey AURICLE_SWIFT_CONSTANT;

extern CFTypeID CFBundleGetTypeID(void);
extern CFBundleRef CFBundleGetMainBundle(void);
extern CFBundleRef CFBundleGetBundleWithIdentifier(CFStringRef identifier);
extern CFBundleRef CFBundleCreate(CFAllocatorRef allocator, CFURLRef url);
extern CFStringRef CFBundleGetIdentifier(CFBundleRef bundle);
extern CFDictionaryRef CFBundleGetInfoDictionary(CFBundleRef bundle);
extern CFTypeRef CFBundleGetValueForInfoDictionaryKey(CFBundleRef bundle, CFStringRef key);
extern UInt32 CFBundleGetVersionNumber(CFBundleRef bundle);
extern CFURLRef CFBundleCopyBundleURL(CFBundleRef bundle);
extern CFURLRef CFBundleCopyExecutableURL(CFBundleRef bundle);
extern CFURLRef CFBundleCopyResourcesDirectoryURL(CFBundleRef bundle);
extern CFURLRef CFBundleCopyResourceURL(
    CFBundleRef bundle, CFStringRef name, CFStringRef type, CFStringRef subfolder);
extern CFArrayRef CFBundleCopyResourceURLsOfType(
    CFBundleRef bundle, CFStringRef type, CFStringRef subfolder);
extern CFStringRef CFBundleCopyLocalizedString(
    CFBundleRef bundle, CFStringRef key, CFStringRef value, CFStringRef table);
extern Boolean CFBundleLoadExecutable(CFBundleRef bundle);
extern void *CFBundleGetFunctionPointerForName(CFBundleRef bundle, CFStringRef name);
extern void *CFBundleGetDataPointerForName(CFBundleRef bundle, CFStringRef name);

AURICLE_END_DECLS

#endif
