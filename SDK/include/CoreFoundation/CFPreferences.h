// Preferences of programs, kept between their runs.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFPREFERENCES_H
#define AURICLE_CFPREFERENCES_H

#include "CFArray.h"
#include "CFBase.h"

AURICLE_BEGIN_DECLS

extern const CFStringRef kCFPreferencesAnyApplication AURICLE_SWIFT_CONSTANT;
extern const CFStringRef kCFPreferencesCurrentApplication AURICLE_SWIFT_CONSTANT;
extern const CFStringRef kCFPreferencesAnyHost AURICLE_SWIFT_CONSTANT;
extern const CFStringRef kCFPreferencesCurrentHost AURICLE_SWIFT_CONSTANT;
extern const CFStringRef kCFPreferencesAnyUser AURICLE_SWIFT_CONSTANT;
extern const CFStringRef kCFPreferencesCurrentUser AURICLE_SWIFT_CONSTANT;

extern CFPropertyListRef CFPreferencesCopyAppValue(CFStringRef key, CFStringRef application);
extern Boolean CFPreferencesGetAppBooleanValue(
    CFStringRef key, CFStringRef application, Boolean *isValid);
extern CFIndex CFPreferencesGetAppIntegerValue(
    CFStringRef key, CFStringRef application, Boolean *isValid);
extern void CFPreferencesSetAppValue(
    CFStringRef key, CFPropertyListRef value, CFStringRef application);
extern Boolean CFPreferencesAppSynchronize(CFStringRef application);
extern CFPropertyListRef CFPreferencesCopyValue(
    CFStringRef key, CFStringRef application, CFStringRef user, CFStringRef host);
extern void CFPreferencesSetValue(
    CFStringRef key, CFPropertyListRef value, CFStringRef application, CFStringRef user,
    CFStringRef host);
extern Boolean CFPreferencesSynchronize(
    CFStringRef application, CFStringRef user, CFStringRef host);

AURICLE_END_DECLS

#endif
