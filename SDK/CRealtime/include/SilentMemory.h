// Memory for samples that is zero, and there before it is first written.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_SILENT_MEMORY_H
#define AURICLE_SILENT_MEMORY_H

#include <stddef.h>

#pragma clang assume_nonnull begin

/// Allocates zeros, aligned as `malloc` aligns; `free` frees them. The process ends where there is no memory.
///
/// All pages exist when it returns, so that no render thread waits for the kernel to make one. Requested together, they
/// cost half as much as one by one.
///
/// Context: control.
float *AuricleAllocateSilence(size_t count);

#pragma clang assume_nonnull end

#endif
