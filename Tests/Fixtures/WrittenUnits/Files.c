// Files that hold the level of an instrument: a line `level=` and a number, in a file that ends in .level.
// SPDX-License-Identifier: Apache-2.0

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "Unit.h"

static Status statusOf(int error) {
  switch (error) {
    case ENOENT: return kFileNotFound;
    case EACCES:
    case EPERM: return kFilePermission;
    case EMFILE:
    case ENFILE: return kTooManyFiles;
    default: return kBadFilePath;  // too long, a loop, a file where a folder should be
  }
}

static Status read(const char *path, float *level) {
  struct stat found;
  char line[64] = "";
  float value = 0;
  const size_t length = strlen(path);
  if (length < 6 || strcmp(path + length - 6, ".level") != 0) return kUnknownFileType;
  if (stat(path, &found) != 0) return statusOf(errno);
  if (!(found.st_mode & 0444)) return kFilePermission;  // nobody may, not even a superuser
  FILE *file = fopen(path, "r");
  if (file == NULL) return statusOf(errno);
  const bool isRead = fgets(line, sizeof line, file) != NULL;
  fclose(file);
  if (!isRead) return kInvalidFile;
  if (strncmp(line, "level=", 6) != 0) return kMissingKey;
  if (sscanf(line + 6, "%f", &value) != 1 || !isfinite(value)) return kInvalidFile;
  *level = value;
  return 0;
}

Status loadFile(Unit *unit, Object url, uint32_t instrument) {
  char path[8192];
  if (url == NULL) return kFileNotSpecified;
  if (CFGetTypeID(url) != CFURLGetTypeID()) return kInvalidValue;
  if (!CFURLGetFileSystemRepresentation(url, true, (uint8_t *)path, sizeof path))
    return kInvalidFilePath;
  return read(path, &unit->instrumentLevels[instrument]);
}

Status loadFiles(Unit *unit, Object urls) {
  if (urls == NULL || CFGetTypeID(urls) != CFArrayGetTypeID()) return kInvalidValue;
  const long count = CFArrayGetCount(urls);
  if (count > kInstrumentCount) return kTooManyFiles;
  for (long i = 0; i < count; i++) {
    const Status status = loadFile(unit, CFArrayGetValueAtIndex(urls, i), (uint32_t)i);
    if (status != 0) return status;
  }
  return 0;
}

Status loadInstrument(Unit *unit, const InstrumentFile *wanted) {
  enum { kAudioFile = 3 };
  if (wanted->type != kAudioFile) return kInstrumentTypeNotFound;
  if (wanted->preset >= kInstrumentCount) return kIllegalInstrument;
  return loadFile(unit, wanted->file, wanted->preset);
}
