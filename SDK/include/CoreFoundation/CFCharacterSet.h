// Sets of characters.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFCHARACTERSET_H
#define AURICLE_CFCHARACTERSET_H

#include "CFBase.h"

typedef CFIndex CFCharacterSetPredefinedSet;
AURICLE_ENUM(CFCharacterSetPredefinedSet) {
  kCFCharacterSetControl = 1,
  kCFCharacterSetWhitespace = 2,
  kCFCharacterSetWhitespaceAndNewline = 3,
  kCFCharacterSetDecimalDigit = 4,
  kCFCharacterSetLetter = 5,
  kCFCharacterSetLowercaseLetter = 6,
  kCFCharacterSetUppercaseLetter = 7,
  kCFCharacterSetNonBase = 8,
  kCFCharacterSetDecomposable = 9,
  kCFCharacterSetAlphaNumeric = 10,
  kCFCharacterSetPunctuation = 11,
  kCFCharacterSetIllegal = 12,
};

AURICLE_BEGIN_DECLS

extern CFTypeID CFCharacterSetGetTypeID(void);
extern CFCharacterSetRef CFCharacterSetGetPredefined(CFCharacterSetPredefinedSet set);
extern CFCharacterSetRef CFCharacterSetCreateWithCharactersInString(
    CFAllocatorRef allocator, CFStringRef string);
extern CFCharacterSetRef CFCharacterSetCreateInvertedSet(
    CFAllocatorRef allocator, CFCharacterSetRef set);
extern Boolean CFCharacterSetIsCharacterMember(CFCharacterSetRef set, UniChar character);

AURICLE_END_DECLS

#endif
