// Bytes with open files between processes, memory they share, and many files brought to the disk at once.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_DESCRIPTOR_PASSING_H
#define AURICLE_DESCRIPTOR_PASSING_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Sends bytes and descriptors over a Unix socket; the number of bytes sent, or -1 and errno.
/// Never raises SIGPIPE.
ssize_t AuricleSend(int socket, const void *bytes, size_t count, const int *descriptors,
                    size_t descriptorCount);

/// Receives bytes and at most `capacity` descriptors, which close on exec; as `recv`.
ssize_t AuricleReceive(int socket, void *bytes, size_t count, int *descriptors, size_t capacity,
                       size_t *descriptorCount);

/// Memory of a size as a file that cannot be made shorter; a descriptor, or -1 and errno.
int AuricleMakeSharedMemory(size_t size);

/// An empty file in memory, which grows as it is written; a descriptor, or -1 and errno.
int AuricleMakeMemoryFile(void);

/// Opens a path below a folder without leaving it through links or "..": a descriptor, or -1 and
/// errno; EXDEV or ELOOP when the path leads out. Where the kernel cannot, as `openat`.
int AuricleOpenBeneath(int folder, const char *path, int flags, mode_t mode);

/// Brings files to the disk, several at a time; `errors` gets an errno number each.
void AuricleSynchronizeAll(const int *descriptors, size_t count, int *errors);

#endif
