// Where the file is that this code was loaded from.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_LIBRARY_PLACE_H
#define AURICLE_LIBRARY_PLACE_H

#include <stdbool.h>
#include <stddef.h>

/// Writes the absolute path, without symbolic links, of the program or library that holds this
/// function, with its 0; false when it is unknown or does not fit into `capacity` bytes.
/// Hidden, so that each library calls its own copy.
__attribute__((visibility("hidden"))) bool AuricleOwnFile(char *path, size_t capacity);

#endif
