// The list of contents of a bundle, and the binaries in it.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Chain.h"

static const char kListName[] = "auricle-export.txt";

static struct Bundle bundle;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t binaryLock = PTHREAD_MUTEX_INITIALIZER;

// Four characters of a code, where %XX is one that is not printable.
static bool readCode(const char *text, OSType *code) {
  UInt32 value = 0;
  for (int i = 0; i < 4; i++) {
    unsigned int byte = (unsigned char)*text;
    if (byte == '%' && sscanf(text + 1, "%2x", &byte) == 1) text += 2;
    if (byte == 0) return false;
    value = value << 8 | byte;
    text++;
  }
  *code = value;
  return *text == 0;
}

static void keepText(char *place, size_t size, const char *text) { snprintf(place, size, "%s", text); }

// "Maker: Title"; without a colon, all of it is the title.
static void splitName(struct Entry *entry) {
  const char *colon = strstr(entry->name, ": ");
  if (colon == NULL) {
    keepText(entry->title, sizeof entry->title, entry->name);
    return;
  }
  snprintf(entry->maker, sizeof entry->maker, "%.*s", (int)(colon - entry->name), entry->name);
  keepText(entry->title, sizeof entry->title, colon + 2);
}

static bool readCodes(struct Entry *entry, char *words) {
  char *rest, *type = strtok_r(words, " ", &rest), *subtype = strtok_r(NULL, " ", &rest), *maker = strtok_r(NULL, " ", &rest);
  if (maker == NULL || !readCode(type, &entry->description.componentType) ||
      !readCode(subtype, &entry->description.componentSubType) || !readCode(maker, &entry->description.componentManufacturer))
    return false;
  const UInt32 codes[] = {entry->description.componentType, entry->description.componentSubType, entry->description.componentManufacturer};
  for (int i = 0; i < 15; i++)
    entry->identity[i] = i == 4 || i == 9 || i == 14 ? ':' : (char)(codes[i / 5] >> (24 - 8 * (i % 5)));
  entry->identity[14] = 0;
  return true;
}

// A line "unit TYPE SUBTYPE MANUFACTURER" begins an entry.
static bool beginEntry(char *words) {
  struct Entry *grown = realloc(bundle.entries, (bundle.count + 1) * sizeof *grown);
  if (grown == NULL) return false;
  bundle.entries = grown;
  memset(&grown[bundle.count], 0, sizeof *grown);
  return readCodes(&grown[bundle.count++], words);
}

// A line "stage TYPE SUBTYPE MANUFACTURER" begins a stage of the last entry, which is a chain.
static bool beginStage(char *words) {
  struct Entry *chain = &bundle.entries[bundle.count - 1];
  struct Stage *grown = realloc(chain->stages, (chain->stageCount + 1) * sizeof *grown);
  if (grown == NULL) return false;
  chain->stages = grown;
  struct Stage *stage = &grown[chain->stageCount++];
  memset(stage, 0, sizeof *stage);
  stage->mix = 1;
  return readCodes(&stage->entry, words);
}

// The other lines of a stage.
static void readStageLine(struct Stage *stage, const char *key, const char *value) {
  if (strcmp(key, "label") == 0) keepText(stage->label, sizeof stage->label, value);
  if (strcmp(key, "state") == 0) keepText(stage->state, sizeof stage->state, value);
  // A whole number of millionths, which has no point.
  if (strcmp(key, "mix") == 0) stage->mix = (Float32)((double)strtoul(value, NULL, 10) / 1000000);
}

static bool readLine(char *line) {
  char *value = strchr(line, ' ');
  if (value == NULL) return true;
  *value++ = 0;
  if (strcmp(line, "base") == 0) keepText(bundle.base, sizeof bundle.base, value);
  if (strcmp(line, "unit") == 0) return beginEntry(value);
  if (bundle.count == 0) return true;
  if (strcmp(line, "stage") == 0) return beginStage(value);
  struct Entry *entry = &bundle.entries[bundle.count - 1];
  if (entry->stageCount > 0) {
    readStageLine(&entry->stages[entry->stageCount - 1], line, value);
    entry = &entry->stages[entry->stageCount - 1].entry;
  }
  if (strcmp(line, "name") == 0) {
    keepText(entry->name, sizeof entry->name, value);
    splitName(entry);
  } else if (strcmp(line, "version") == 0) {
    entry->version = (UInt32)strtoul(value, NULL, 10);
  } else if (strcmp(line, "binary") == 0) {
    keepText(entry->binary, sizeof entry->binary, value);
  } else if (strcmp(line, "factory") == 0) {
    keepText(entry->factory, sizeof entry->factory, value);
  } else if (strcmp(line, "tags") == 0) {
    keepText(entry->tags, sizeof entry->tags, value);
  } else if (strcmp(line, "description") == 0) {
    keepText(entry->summary, sizeof entry->summary, value);
  }
  return true;
}

static void readBundle(void) {
  Dl_info info;
  if (dladdr((void *)readBundle, &info) == 0 || info.dli_fname == NULL) return;
  char *path = realpath(info.dli_fname, NULL);
  if (path == NULL) return;
  char *slash = strrchr(path, '/');
  if (slash != NULL) *slash = 0;
  keepText(bundle.folder, sizeof bundle.folder, path);
  free(path);
  char name[5000], line[2048];
  snprintf(name, sizeof name, "%s/%s", bundle.folder, kListName);
  FILE *file = fopen(name, "re");
  if (file == NULL) {
    snprintf(bundle.problem, sizeof bundle.problem, "%s is missing beside the plug-in: export it again", kListName);
    return;
  }
  while (fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\r\n")] = 0;
    if (readLine(line)) continue;
    snprintf(bundle.problem, sizeof bundle.problem, "%s is damaged: export the plug-in again", kListName);
    break;
  }
  fclose(file);
}

const struct Bundle *adapterBundle(void) {
  pthread_once(&once, readBundle);
  return &bundle;
}

// Finds the functions that an open binary sees; the base library provides the ones that its libraries lack.
static bool findFoundation(void *binary, void *base, struct Foundation *cf) {
#define ENTRY(name) {#name, offsetof(struct Foundation, name)}
  static const struct {
    const char *name;
    size_t offset;
  } entries[] = {
      ENTRY(CFRetain), ENTRY(CFRelease), ENTRY(CFGetTypeID), ENTRY(CFStringGetTypeID), ENTRY(CFNumberGetTypeID),
      ENTRY(CFBooleanGetTypeID), ENTRY(CFDataGetTypeID), ENTRY(CFArrayGetTypeID), ENTRY(CFDictionaryGetTypeID),
      ENTRY(CFStringCreateWithBytes), ENTRY(CFStringGetLength), ENTRY(CFStringGetBytes), ENTRY(CFNumberCreate),
      ENTRY(CFNumberIsFloatType), ENTRY(CFNumberGetValue), ENTRY(CFBooleanGetValue), ENTRY(CFDataCreate),
      ENTRY(CFDataGetLength), ENTRY(CFDataGetBytePtr), ENTRY(CFArrayCreateMutable), ENTRY(CFArrayAppendValue),
      ENTRY(CFArrayGetCount), ENTRY(CFArrayGetValueAtIndex), ENTRY(CFDictionaryCreateMutable),
      ENTRY(CFDictionarySetValue), ENTRY(CFDictionaryGetCount), ENTRY(CFDictionaryGetKeysAndValues),
      ENTRY(kCFTypeArrayCallBacks), ENTRY(kCFTypeDictionaryKeyCallBacks),
      ENTRY(kCFTypeDictionaryValueCallBacks), ENTRY(kCFBooleanTrue), ENTRY(kCFBooleanFalse),
  };
#undef ENTRY
  bool isWhole = true;
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
    void *found = dlsym(binary, entries[i].name);
    if (found == NULL && base != NULL) found = dlsym(base, entries[i].name);
    memcpy((char *)cf + entries[i].offset, &found, sizeof found);
    isWhole &= found != NULL;
  }
  return isWhole;
}

// Opens a library of the bundle in a scope apart: its symbols are found in the bundle's libraries, independent of the
// host's. It is never closed.
static void *openLibrary(const char *name, char *reason, size_t size) {
  char path[6000];
  snprintf(path, sizeof path, "%s/%s", bundle.folder, name);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE | RTLD_DEEPBIND);
  if (library == NULL) snprintf(reason, size, "%s", dlerror());
  return library;
}

bool openBinary(
    const struct Bundle *opened, const struct Entry *entry, AudioComponentFactoryFunction *factory,
    const struct Foundation **foundation, char *reason, size_t size) {
  // A table for each binary, by its handle; a bundle has few.
  static struct Table {
    void *binary;
    struct Table *next;
    struct Foundation functions;
  } *tables;
  (void)opened;
  bool isOpen = false;
  pthread_mutex_lock(&binaryLock);
  void *binary = openLibrary(entry->binary, reason, size);
  struct Table *table = tables;
  while (table != NULL && table->binary != binary) table = table->next;
  if (binary != NULL) {
    void *symbol = dlsym(binary, entry->factory);
    memcpy(factory, &symbol, sizeof symbol);
    if (table == NULL && (table = calloc(1, sizeof *table)) != NULL) {
      char ignored[kTextSize];
      table->next = tables;
      const bool isFound = findFoundation(binary, NULL, &table->functions) ||
                           findFoundation(binary, openLibrary(bundle.base, ignored, sizeof ignored), &table->functions);
      table->binary = isFound ? binary : NULL;
      tables = table;
    }
    isOpen = symbol != NULL && table != NULL && table->binary == binary;
    if (isOpen) *foundation = &table->functions;
    if (symbol == NULL) snprintf(reason, size, "its binary has no function %s", entry->factory);
    else if (!isOpen) snprintf(reason, size, "its binary is there, but its base library is missing: export it again");
  }
  pthread_mutex_unlock(&binaryLock);
  return isOpen;
}
