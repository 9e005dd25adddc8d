// How a folder takes names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>

/// Whether names that differ only in upper and lower case are one name in a folder, as far as its file system,
/// its flags and what is in it tell; false when they cannot be asked.
bool AuricleFolderFoldsNames(const char *path);
