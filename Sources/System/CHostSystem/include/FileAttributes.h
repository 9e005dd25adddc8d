// Extended attributes of files.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_FILE_ATTRIBUTES_H
#define AURICLE_FILE_ATTRIBUTES_H

#include <stddef.h>

/// Copies the extended attributes of an open file to another, access control lists among them.
///
/// `lost` gets the names of attributes that cannot be set, with commas between, as far as they fit; ended by 0.
/// Context: control.
void AuricleCopyAttributes(int source, int target, char *lost, size_t capacity);

#endif
