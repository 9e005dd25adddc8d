// Results that sources from before 64-bit systems return and check.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MACERRORS_H
#define AURICLE_MACERRORS_H

#include "../MacTypes.h"

AURICLE_ENUM(OSStatus) {
  controlErr = -17,
  statusErr = -18,
  readErr = -19,
  writErr = -20,
  openErr = -23,
  notOpenErr = -28,
  dskFulErr = -34,   // the disk is full
  nsvErr = -35,      // no such volume
  bdNamErr = -37,    // a name is wrong
  fnOpnErr = -38,    // the file is not open
  posErr = -40,      // before the start of the file
  tmfoErr = -42,     // too many files are open
  wPrErr = -44,      // the disk is write-protected
  fLckdErr = -45,    // the file is locked
  fBsyErr = -47,     // the file is busy
  dupFNErr = -48,    // there is one of that name
  opWrErr = -49,     // it is open for writing
  rfNumErr = -51,    // a reference number is wrong
  dirNFErr = -120,   // the folder is not there
  userCanceledErr = -128,
  resNotFound = -192,
  nilHandleErr = -109,
  memWZErr = -111,
  siUnknownInfoType = -231,  // no such property
  noSynthFound = -240,       // nothing that speaks is installed
  synthOpenFailed = -241,
  synthNotReady = -242,      // it speaks
  bufTooSmall = -243,
  voiceNotFound = -244,
  incompatibleVoice = -245,
  badDictFormat = -246,
  badInputText = -247,
  errFSNotSameFile = -1301,
  kernelUnsupportedErr = -2402,
  coreFoundationUnknownErr = -4960,
};

#endif
