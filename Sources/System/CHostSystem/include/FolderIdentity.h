// Distinguishes a folder from another one of its name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

/// The number of a folder in its file system, when it was made in nanoseconds since 1970 (0 where that is not
/// kept), and the number of its file system (0 where it has none); 0, or an errno number: ENOTDIR for no folder.
int AuricleFolderIdentity(const char *path, uint64_t *number, int64_t *born, uint64_t *fileSystem);
