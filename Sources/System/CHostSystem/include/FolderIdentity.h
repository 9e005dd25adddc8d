// Distinguishes a folder from another one of its name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

/// Finds a folder's number in its file system, its birth in nanoseconds since 1970, and its file system's number.
/// Birth and file system are 0 where the system keeps none. Returns 0, or an errno number: ENOTDIR for no folder.
int AuricleFolderIdentity(const char *path, uint64_t *number, int64_t *born, uint64_t *fileSystem);
