// Unfinished files of this process, in a table that a signal handler may walk through.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_PART_FILES_H
#define AURICLE_PART_FILES_H

#include <stdbool.h>

/// Enters an absolute path; a slot number for `AuriclePartFileForget`, or -1 when the table is
/// full or the path too long.
int AuriclePartFileRemember(const char *path);

/// Removes an entry again; does not touch the file.
void AuriclePartFileForget(int slot);

/// Removes all files entered by this process, and the entries; returns how many were removed.
/// Calls only functions that POSIX allows in a signal handler.
int AuriclePartFilesRemoveAll(void);

/// Moves a file to another name, atomically: 0, or an error number; EEXIST when something has
/// that name and `replace` is false. Swift's module of the C library lacks `renameat2`.
int AuricleMoveFile(const char *from, const char *to, bool replace);

/// The same within a folder that is open.
int AuricleMoveFileAt(int folder, const char *from, const char *to, bool replace);

#endif
