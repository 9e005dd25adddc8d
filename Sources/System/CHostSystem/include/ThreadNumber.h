// The system's number of the calling thread.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_THREAD_NUMBER_H
#define AURICLE_THREAD_NUMBER_H

#include <stdint.h>

/// The number by which the system knows the calling thread.
int32_t AuricleSystemThread(void);

#endif
