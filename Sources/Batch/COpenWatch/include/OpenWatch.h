// Notes which files the sandbox refuses to units, in the signs of life of this process.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_OPEN_WATCH_H
#define AURICLE_OPEN_WATCH_H

/// From now on a file or folder that the sandbox keeps a unit from reading is noted with
/// `AuricleHeartbeatNoteRefusal`. Call it once the sandbox is entered.
///
/// The program that links this module defines `open`, `fopen`, `opendir` and their relatives, in front of
/// those of the C library. Files that are opened by the C library itself, by the loader or by
/// system calls are refused as well, but not noted.
void AuricleOpenWatchBegin(void);

#endif
