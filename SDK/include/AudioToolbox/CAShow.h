// Printing an object of the toolbox, for the search for a fault.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CASHOW_H
#define AURICLE_CASHOW_H

#include <stdio.h>

#include "../MacTypes.h"

AURICLE_BEGIN_DECLS

extern void CAShow(void *object);
extern void CAShowFile(void *object, FILE *file);

AURICLE_END_DECLS

#endif
