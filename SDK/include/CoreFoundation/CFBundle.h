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
extern CFDictionaryRef CFBundleGetLocalInfoDictionary(CFBundleRef bundle);
extern CFStringRef CFBundleGetDevelopmentRegion(CFBundleRef bundle);
extern CFArrayRef CFBundleCopyBundleLocalizations(CFBundleRef bundle);
extern CFURLRef CFBundleCopyBuiltInPlugInsURL(CFBundleRef bundle);
extern Boolean CFBundleIsExecutableLoaded(CFBundleRef bundle);
extern void CFBundleUnloadExecutable(CFBundleRef bundle);
extern CFArrayRef CFBundleGetAllBundles(void);

AURICLE_END_DECLS

// A text in the user's language, from a table of a bundle; the key itself where there is none. The
// comment is for authors of the tables.
#define CFCopyLocalizedString(key, comment) \
  CFBundleCopyLocalizedString(CFBundleGetMainBundle(), (key), (key), NULL)
#define CFCopyLocalizedStringFromTable(key, table, comment) \
  CFBundleCopyLocalizedString(CFBundleGetMainBundle(), (key), (key), (table))
#define CFCopyLocalizedStringFromTableInBundle(key, table, bundle, comment) \
  CFBundleCopyLocalizedString((bundle), (key), (key), (table))
#define CFCopyLocalizedStringWithDefaultValue(key, table, bundle, value, comment) \
  CFBundleCopyLocalizedString((bundle), (key), (value), (table))

#endif
