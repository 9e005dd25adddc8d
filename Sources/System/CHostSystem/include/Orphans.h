// Processes whose parents have ended: they come to this process instead of the system's first.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_ORPHANS_H
#define AURICLE_ORPHANS_H

#include <stdbool.h>

/// Whether descendants of this process become its children when their parents end; returns the
/// former setting.
bool AuricleAdoptOrphans(bool adopts);

#endif
