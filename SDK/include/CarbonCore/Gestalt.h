// The identity of this system, for sources from before 10.8.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CARBONCORE_GESTALT_H
#define AURICLE_CARBONCORE_GESTALT_H

#include "../MacTypes.h"

enum {
  gestaltSystemVersion = 0x73797376,        // 'sysv', 0x10n0
  gestaltSystemVersionMajor = 0x73797331,   // 'sys1'
  gestaltSystemVersionMinor = 0x73797332,   // 'sys2'
  gestaltSystemVersionBugFix = 0x73797333,  // 'sys3'
  gestaltUndefSelectorErr = -5551,
};

#if !defined(__swift__)
// Answers the version that the other headers are for (MAC_OS_X_VERSION_MIN_REQUIRED), which the short
// number, of one digit a part, ends before. gestaltUndefSelectorErr for other questions.
static inline OSErr Gestalt(OSType selector, SInt32 *response) {
  if (!response) return paramErr;
  switch (selector) {
    case gestaltSystemVersion: *response = 0x1090; break;
    case gestaltSystemVersionMajor: *response = MAC_OS_X_VERSION_MIN_REQUIRED / 10000; break;
    case gestaltSystemVersionMinor: *response = MAC_OS_X_VERSION_MIN_REQUIRED / 100 % 100; break;
    case gestaltSystemVersionBugFix: *response = MAC_OS_X_VERSION_MIN_REQUIRED % 100; break;
    default: return gestaltUndefSelectorErr;
  }
  return noErr;
}
#endif

#endif
