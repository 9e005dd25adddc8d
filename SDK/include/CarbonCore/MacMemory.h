// Memory behind handles, in which older functions return values of variable length.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MACMEMORY_H
#define AURICLE_MACMEMORY_H

#include "../MacTypes.h"

AURICLE_BEGIN_DECLS

extern Handle NewHandle(Size byteCount);
extern Handle NewHandleClear(Size byteCount);
extern void DisposeHandle(Handle handle);
extern Size GetHandleSize(Handle handle);
extern void SetHandleSize(Handle handle, Size newSize);
extern void HLock(Handle handle);
extern void HUnlock(Handle handle);
extern OSErr MemError(void);

AURICLE_END_DECLS

#endif
