// Truth as a number: the kernel's interface and Core Foundation's sources say it so.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MACH_BOOLEAN_H
#define AURICLE_MACH_BOOLEAN_H

typedef int boolean_t;

#ifndef TRUE
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif

#endif
