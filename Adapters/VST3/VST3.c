// The module: its factory, class ids, and the object of a plug-in.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "PlugIn.h"

// ---- Class ids: version 5 of UUIDs, SHA-1 of a name in a namespace.

static UInt32 rotated(UInt32 word, int bits) { return word << bits | word >> (32 - bits); }

// SHA-1 of at most 55 bytes.
static void sumOf(const UInt8 *bytes, size_t count, UInt8 *sum) {
  UInt32 state[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0}, words[80] = {0};
  UInt8 block[64] = {0};
  memcpy(block, bytes, count);
  block[count] = 0x80;
  block[62] = (UInt8)(count * 8 >> 8);
  block[63] = (UInt8)(count * 8);
  for (int i = 0; i < 16; i++) words[i] = (UInt32)block[4 * i] << 24 | (UInt32)block[4 * i + 1] << 16 | (UInt32)block[4 * i + 2] << 8 | block[4 * i + 3];
  for (int i = 16; i < 80; i++) words[i] = rotated(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  UInt32 a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
  for (int i = 0; i < 80; i++) {
    const UInt32 mixed = i < 20 ? (b & c) | (~b & d) : i < 40 || i >= 60 ? b ^ c ^ d : (b & c) | (b & d) | (c & d);
    static const UInt32 constants[] = {0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6};
    const UInt32 next = rotated(a, 5) + mixed + e + constants[i / 20] + words[i];
    e = d, d = c, c = rotated(b, 30), b = a, a = next;
  }
  const UInt32 added[5] = {a, b, c, d, e};
  for (int i = 0; i < 20; i++) sum[i] = (UInt8)((state[i / 4] + added[i / 4]) >> (24 - 8 * (i % 4)));
}

// The id of a unit: the same for ever.
static void writeClassID(const struct Entry *entry, char *cid) {
  // The namespace of units: a UUID that was drawn once.
  static const UInt8 space[16] = {0x5b, 0x0e, 0x1f, 0x6c, 0x8d, 0x3a, 0x4e, 0x57, 0x9c, 0x21, 0x6f, 0x0b, 0xd4, 0x7a, 0xe9, 0x38};
  UInt8 name[16 + 14], sum[20];
  memcpy(name, space, 16);
  memcpy(name + 16, entry->identity, 14);
  sumOf(name, sizeof name, sum);
  sum[6] = (sum[6] & 0x0F) | 0x50;
  sum[8] = (sum[8] & 0x3F) | 0x80;
  memcpy(cid, sum, 16);
}

// ---- Texts and interfaces.

bool isInterface(const char *iid, const char *digits) {
  for (int i = 0; i < 16; i++) {
    unsigned int byte;
    sscanf(digits + 2 * i, "%2x", &byte);
    if ((unsigned char)iid[i] != byte) return false;
  }
  return true;
}

void writeWide(UInt16 *wide, size_t size, const char *text) {
  size_t length = 0;
  const unsigned char *place = (const unsigned char *)text;
  while (*place != 0 && length + 2 < size) {
    const int count = *place < 0x80 ? 1 : *place < 0xE0 ? 2 : *place < 0xF0 ? 3 : 4;
    UInt32 character = count == 1 ? *place : *place & (0xFF >> (count + 1));
    place++;
    for (int i = 1; i < count && (*place & 0xC0) == 0x80; i++) character = character << 6 | (*place++ & 0x3F);
    if (character >= 0x10000) wide[length++] = (UInt16)(0xD800 + ((character - 0x10000) >> 10)), character = 0xDC00 + ((character - 0x10000) & 0x3FF);
    wide[length++] = (UInt16)character;
  }
  wide[length] = 0;
}

void readWide(const UInt16 *wide, char *text, size_t size) {
  size_t length = 0;
  for (int i = 0; i < 128 && wide[i] != 0 && length + 5 < size; i++) {
    UInt32 character = wide[i];
    if (character >= 0xD800 && character < 0xDC00 && i < 127) character = 0x10000 + ((character - 0xD800) << 10) + (wide[++i] - 0xDC00u);
    const int count = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    UInt32 rest = character;
    for (int byte = count - 1; byte > 0; byte--, rest >>= 6) text[length + (size_t)byte] = (char)(0x80 | (rest & 0x3F));
    text[length] = (char)(count == 1 ? character : (0xF00u >> count) | rest);
    length += (size_t)count;
  }
  text[length] = 0;
}

double normalized(const struct Parameter *parameter, double plain) {
  const double least = parameter->minimum, greatest = parameter->maximum;
  if (!(plain > least)) return 0;
  if (plain >= greatest) return 1;
  if (parameter->isStepped) return floor(plain - least + 0.5) / floor(greatest - least + 0.5);
  return parameter->isLogarithmic ? log(plain / least) / log(greatest / least) : (plain - least) / (greatest - least);
}

double plainValue(const struct Parameter *parameter, double place) {
  const double least = parameter->minimum, greatest = parameter->maximum;
  if (!(place > 0)) return least;
  if (place >= 1) return greatest;
  if (parameter->isStepped) {
    const double steps = floor(greatest - least + 0.5), step = floor(place * (steps + 1));
    return least + (step > steps ? steps : step);
  }
  return parameter->isLogarithmic ? least * pow(greatest / least, place) : least + place * (greatest - least);
}

Result askInterface(struct PlugIn *plugIn, const char *iid, void **object) {
  static const char unknown[] = "0000000000000000C000000000000046", base[] = "22888DDB156E45AE8358B34808190625";
  *object = NULL;
  if (isInterface(iid, unknown) || isInterface(iid, base) || isInterface(iid, "E831FF31F2D54301928EBBEE25697802")) *object = &plugIn->component;
  else if (isInterface(iid, "42043F99B7DA453CA569E79D9AAEC33D")) *object = &plugIn->processor;
  else if (isInterface(iid, "DCD7BBE37742448DA874AACC979C759E")) *object = &plugIn->controller;
  else if (isInterface(iid, "3D4BD6B5913A4FD2A886E768A5EB92C1")) *object = &plugIn->units;
  else if (isInterface(iid, "2A654303EF764E3D95B5FE83730EF6D0")) *object = &plugIn->requirements;
  else if (isInterface(iid, "DF0FF9F749B74669B63AB7327ADBF5E5")) *object = &plugIn->mapping;
  if (*object == NULL) return kNoInterface;
  atomic_fetch_add(&plugIn->references, 1);
  return kOk;
}

UInt32 releasePlugIn(struct PlugIn *plugIn) {
  const UInt32 left = atomic_fetch_sub(&plugIn->references, 1) - 1;
  if (left > 0) return left;
  freeUnit(plugIn->unit);
  free(plugIn->shown);
  free(plugIn->processed);
  free(plugIn->meters);
  free(plugIn);
  return 0;
}

// ---- The factory.

static Result factoryQuery(void *self, const char *iid, void **object) {
  const bool isKnown = isInterface(iid, "0000000000000000C000000000000046") || isInterface(iid, "7A4D811C52114A1FAED9D2EE0B43BF9F") ||
                       isInterface(iid, "0007B650F24B4C0BA464EDB9F00B2ABB") || isInterface(iid, "4555A2ABC1234E579B12291036878931");
  *object = isKnown ? self : NULL;
  return isKnown ? kOk : kNoInterface;
}

// It lives as long as the module.
static UInt32 factoryCount(void *self) {
  (void)self;
  return 1;
}

static int32_t countClasses(void *self) {
  (void)self;
  return adapterBundle()->problem[0] != 0 ? 0 : (int32_t)adapterBundle()->count;
}

static Result getFactoryInfo(void *self, struct FactoryInfo *info) {
  (void)self;
  memset(info, 0, sizeof *info);
  if (countClasses(NULL) > 0) snprintf(info->vendor, sizeof info->vendor, "%.63s", adapterBundle()->entries[0].maker);
  info->flags = 16;
  return kOk;
}

// The sub-categories of a unit's type and tags, with bars between.
static void writeSubCategories(const struct Entry *entry, char *text, size_t size) {
  static const char *const known[][2] = {
      {"Delay", "Delay"},       {"Distortion", "Distortion"}, {"Dynamics", "Dynamics"}, {"Equalizer", "EQ"},       {"Filter", "Filter"},
      {"Pitch", "Pitch Shift"}, {"Restoration", "Restoration"}, {"Reverb", "Reverb"},   {"Analyzer", "Analyzer"}, {"Meter", "Analyzer"},
      {"Panner", "Spatial"},    {"Modulation", "Modulation"}, {"Synthesizer", "Synth"}, {"Sampler", "Sampler"}};
  const OSType type = entry->description.componentType;
  const bool isInstrument = type == kAudioUnitType_MusicDevice;
  int used = snprintf(text, size, "%s", isInstrument ? "Instrument" : type == kAudioUnitType_Generator ? "Instrument|Generator" : "Fx");
  for (size_t i = 0; i < sizeof known / sizeof *known && used > 0 && (size_t)used + 24 < size; i++)
    if (strstr(entry->tags, known[i][0]) != NULL && strstr(text, known[i][1]) == NULL)
      used += snprintf(text + used, size - (size_t)used, "|%s", known[i][1]);
}

static Result getClassInfo2(void *self, int32_t index, struct ClassInfo2 *info) {
  (void)self;
  if (index < 0 || index >= countClasses(NULL)) return kInvalidArgument;
  const struct Entry *entry = &adapterBundle()->entries[index];
  memset(info, 0, sizeof *info);
  writeClassID(entry, info->cid);
  info->cardinality = 0x7FFFFFFF;
  snprintf(info->category, sizeof info->category, "Audio Module Class");
  snprintf(info->name, sizeof info->name, "%.63s", entry->title);
  snprintf(info->vendor, sizeof info->vendor, "%.63s", entry->maker);
  snprintf(info->version, sizeof info->version, "%u.%u.%u", entry->version >> 16, entry->version >> 8 & 0xFF, entry->version & 0xFF);
  snprintf(info->sdkVersion, sizeof info->sdkVersion, "VST 3.7");
  writeSubCategories(entry, info->subCategories, sizeof info->subCategories);
  return kOk;
}

static Result getClassInfo(void *self, int32_t index, struct ClassInfo *info) {
  struct ClassInfo2 whole;
  const Result result = getClassInfo2(self, index, &whole);
  if (result == kOk) memcpy(info, &whole, sizeof *info);
  return result;
}

static Result getClassInfoUnicode(void *self, int32_t index, struct ClassInfoW *info) {
  struct ClassInfo2 whole;
  const Result result = getClassInfo2(self, index, &whole);
  if (result != kOk) return result;
  memset(info, 0, sizeof *info);
  memcpy(info->cid, whole.cid, sizeof info->cid);
  info->cardinality = whole.cardinality;
  memcpy(info->category, whole.category, sizeof info->category);
  memcpy(info->subCategories, whole.subCategories, sizeof info->subCategories);
  writeWide(info->name, 64, whole.name);
  writeWide(info->vendor, 64, whole.vendor);
  writeWide(info->version, 64, whole.version);
  writeWide(info->sdkVersion, 64, whole.sdkVersion);
  return kOk;
}

static Result createInstance(void *self, const char *cid, const char *iid, void **object) {
  (void)self;
  *object = NULL;
  for (int32_t i = 0; i < countClasses(NULL); i++) {
    char known[16];
    writeClassID(&adapterBundle()->entries[i], known);
    if (memcmp(known, cid, sizeof known) != 0) continue;
    struct PlugIn *plugIn = calloc(1, sizeof *plugIn);
    if (plugIn == NULL) return kInternalError;
    *plugIn = (struct PlugIn){
        .component = &componentTable, .processor = &processorTable, .controller = &controllerTable, .units = &unitsTable,
        .requirements = &requirementsTable, .mapping = &mappingTable, .references = 1, .entry = &adapterBundle()->entries[i],
        .setup = {0, 0, 1024, 44100}};
    const Result result = askInterface(plugIn, iid, object);
    releasePlugIn(plugIn);
    return result;
  }
  return kInvalidArgument;
}

static Result setHostContext(void *self, void *context) {
  (void)self, (void)context;
  return kOk;
}

static const struct FactoryTable factoryTable = {factoryQuery,  factoryCount,  factoryCount,        getFactoryInfo, countClasses, getClassInfo, createInstance,
                                                 getClassInfo2, getClassInfoUnicode, setHostContext};
static const struct FactoryTable *factory = &factoryTable;

#define EXPORT __attribute__((visibility("default")))
EXPORT bool ModuleEntry(void *handle) {
  (void)handle;
  return countClasses(NULL) > 0;
}
EXPORT bool ModuleExit(void) { return true; }
EXPORT void *GetPluginFactory(void) { return &factory; }

// Tries each unit. Exported for the program that makes bundles; hosts of VST3 ask the factory.
EXPORT int auricle_describe(EmitFile emit, void *context, char *reason, size_t size) {
  (void)emit, (void)context;
  const struct Bundle *bundle = adapterBundle();
  bool isDone = bundle->problem[0] == 0;
  if (!isDone) snprintf(reason, size, "%s", bundle->problem);
  for (UInt32 i = 0; i < bundle->count && isDone; i++) {
    struct Unit *unit = makeUnit(bundle, &bundle->entries[i], reason, size);
    isDone = unit != NULL;
    freeUnit(unit);
  }
  return isDone ? 0 : 1;
}
