// Files by reference: older sources pass them in place of paths and URLs.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_FILES_H
#define AURICLE_FILES_H

#include "../CoreFoundation/CFURL.h"
#include "../MacTypes.h"

// Names a file or folder that was there when the reference was made. It means something in this process
// alone, and names the path, not the file: a file that is renamed is not followed.
typedef struct FSRef {
  UInt8 hidden[80];
} FSRef;
typedef FSRef *FSRefPtr;

AURICLE_BEGIN_DECLS

// -43 (fnfErr) for a missing file; -50 (paramErr) for a null pointer or an empty path.
extern OSStatus FSPathMakeRef(const UInt8 *path, FSRef *reference, Boolean *isDirectory);
// The path in UTF-8, with its 0. -50 for a reference that was not made here, or too few bytes.
extern OSStatus FSRefMakePath(const FSRef *reference, UInt8 *path, UInt32 size);
// False for a URL of no file, or of a missing one.
extern Boolean CFURLGetFSRef(CFURLRef url, FSRef *reference);
// To be released; NULL for a reference that was not made here.
extern CFURLRef CFURLCreateFromFSRef(CFAllocatorRef allocator, const FSRef *reference);
// 0 if both name the same, -1301 for two files, -50 for a reference that was not made here.
extern OSErr FSCompareFSRefs(const FSRef *reference1, const FSRef *reference2);

AURICLE_END_DECLS

#endif
