// Encodings of text that other systems and older files have.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFSTRINGENCODINGEXT_H
#define AURICLE_CFSTRINGENCODINGEXT_H

#include "CFString.h"

AURICLE_ENUM(CFStringEncoding) {
  kCFStringEncodingMacJapanese = 1,
  kCFStringEncodingMacCyrillic = 7,
  kCFStringEncodingISOLatin2 = 0x0202,
  kCFStringEncodingISOLatinCyrillic = 0x0205,
  kCFStringEncodingISOLatin9 = 0x020F,
  kCFStringEncodingDOSLatinUS = 0x0400,
  kCFStringEncodingDOSLatin1 = 0x0410,
  kCFStringEncodingDOSJapanese = 0x0420,
  kCFStringEncodingWindowsLatin2 = 0x0501,
  kCFStringEncodingWindowsCyrillic = 0x0502,
  kCFStringEncodingShiftJIS = 0x0A01,
  kCFStringEncodingKOI8_R = 0x0A02,
  kCFStringEncodingEUC_JP = 0x0920,
  kCFStringEncodingUTF7 = 0x04000100,
};

#endif
