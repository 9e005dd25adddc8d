// Locales: the user's language and habits.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFLOCALE_H
#define AURICLE_CFLOCALE_H

#include "CFBase.h"

AURICLE_BEGIN_DECLS

extern CFTypeID CFLocaleGetTypeID(void);
extern CFLocaleRef CFLocaleCopyCurrent(void);
extern CFLocaleRef CFLocaleGetSystem(void);
extern CFLocaleRef CFLocaleCreate(CFAllocatorRef allocator, CFStringRef identifier);
extern CFStringRef CFLocaleGetIdentifier(CFLocaleRef locale);
extern CFTypeRef CFLocaleGetValue(CFLocaleRef locale, CFStringRef key);
extern CFArrayRef CFLocaleCopyPreferredLanguages(void);

AURICLE_END_DECLS

#endif
