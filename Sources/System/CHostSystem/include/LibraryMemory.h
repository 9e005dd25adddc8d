// Whether plug-ins' libraries have kept anything: compares their static memory with that at loading.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_LIBRARY_MEMORY_H
#define AURICLE_LIBRARY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/// Begins: libraries that are loaded by now are the program's own. Before it is called the other
/// functions do nothing. Context: control, one thread.
void AuricleLibraryMemoryBegin(void);

/// Records the writable memory of libraries that were loaded since the last call; to be called
/// after a library was loaded and before it is used. Context: control, one thread.
void AuricleLibraryMemoryNote(void);

/// Records the memory of all libraries again, after their first use, in which they may have initialised
/// themselves. Context: control, one thread.
void AuricleLibraryMemorySettle(void);

/// Leaves libraries out that the program has loaded for itself since. Context: control, one thread.
void AuricleLibraryMemoryLeaveOut(void);

/// Returns pages that equal their files to the system: of the program's own libraries, or of all before
/// `AuricleLibraryMemoryBegin`. They are loaded again on use. Context: control.
void AuricleLibraryMemoryGiveBack(void);

/// Bytes that are noted. Context: control, one thread.
size_t AuricleLibraryMemorySize(void);

/// Whether the static memory of all libraries, with the calling thread's part of it, is as it was recorded.
/// False, too, when a loaded library was not recorded. Memory that libraries allocated is not compared,
/// except for their first pointer to it. Reads all of it, about 1 ms for 8 MB. Context: control, one thread.
bool AuricleLibraryMemoryIsUntouched(void);

#endif
