// Equality of names in a folder.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>

/// Whether names that differ only in upper and lower case are one name in a folder. Decided by its file
/// system, its flags and its content; false when none of them can be read.
bool AuricleFolderFoldsNames(const char *path);
