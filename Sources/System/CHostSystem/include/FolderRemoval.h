// Removes folders with their entire content, even as foreign code left it.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_FOLDER_REMOVAL_H
#define AURICLE_FOLDER_REMOVAL_H

#include <stdbool.h>

/// Removes a folder with all it holds, or a file or link of that name; whether nothing is left of it.
///
/// Links are removed, not followed; folders without rights receive them; no depth is too deep.
bool AuricleRemoveFolder(const char *path);

#endif
