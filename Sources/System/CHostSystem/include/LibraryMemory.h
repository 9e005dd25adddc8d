// Whether plug-ins' libraries have kept anything: their static memory beside what it was when they were loaded.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_LIBRARY_MEMORY_H
#define AURICLE_LIBRARY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/// Begins: libraries that are loaded by now are the program's own. Before it is called the other
/// functions do nothing. Context: control, one thread.
void AuricleLibraryMemoryBegin(void);

/// Notes what the writable memory of libraries that were loaded since holds; to be called when a
/// library was loaded and nothing of it is used yet. Context: control, one thread.
void AuricleLibraryMemoryNote(void);

/// Notes anew what the memory of all libraries holds: they have been used once, and may have made themselves at
/// home. Context: control, one thread.
void AuricleLibraryMemorySettle(void);

/// Leaves libraries out that the program has loaded for itself since. Context: control, one thread.
void AuricleLibraryMemoryLeaveOut(void);

/// Gives pages that are as their files have them back to the system: of the libraries that are the program's own, or of
/// all before `AuricleLibraryMemoryBegin`. They come back when they are needed. Context: control.
void AuricleLibraryMemoryGiveBack(void);

/// Bytes that are noted. Context: control, one thread.
size_t AuricleLibraryMemorySize(void);

/// Whether the static memory of all libraries, and what of it the calling thread has for itself, is as it was
/// noted; false, too, when libraries are there that were not noted. What libraries keep in memory that they
/// allocated is not seen, but for their first pointer to it. Reads all of it, about 1 ms for 8 MB.
/// Context: control, one thread.
bool AuricleLibraryMemoryIsUntouched(void);

#endif
