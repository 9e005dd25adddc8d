// Texts for the results of the kernel's calls.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MACH_ERROR_H
#define AURICLE_MACH_ERROR_H

#include "../MacTypes.h"
#include "kern_return.h"

AURICLE_BEGIN_DECLS

// The text lives as long as the program; one that says so for a number that means nothing.
extern char *mach_error_string(mach_error_t number);
// Writes "CALLER: text of the number" on standard error.
extern void mach_error(const char *caller, mach_error_t number);

AURICLE_END_DECLS

#endif
