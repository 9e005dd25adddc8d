// Parameters: their descriptions, values, and texts of values.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "Chain.h"
#include "Internal.h"

// Keys of parameters that are not of the global scope, or whose id is too large: by place.
enum { kFirstPlacedKey = 0x60000000 };

static const char *nameOfUnit(AudioUnitParameterUnit unit) {
  switch (unit) {
    case kAudioUnitParameterUnit_Percent: return "%";
    case kAudioUnitParameterUnit_Seconds: return "s";
    case kAudioUnitParameterUnit_SampleFrames: return "frames";
    case kAudioUnitParameterUnit_Phase: case kAudioUnitParameterUnit_Degrees: return "°";
    case kAudioUnitParameterUnit_Rate: return "x";
    case kAudioUnitParameterUnit_Hertz: return "Hz";
    case kAudioUnitParameterUnit_Cents: case kAudioUnitParameterUnit_AbsoluteCents: return "cents";
    case kAudioUnitParameterUnit_RelativeSemiTones: return "semitones";
    case kAudioUnitParameterUnit_MIDINoteNumber: return "note";
    case kAudioUnitParameterUnit_Decibels: return "dB";
    case kAudioUnitParameterUnit_Meters: return "m";
    case kAudioUnitParameterUnit_Octaves: return "octaves";
    case kAudioUnitParameterUnit_BPM: return "bpm";
    case kAudioUnitParameterUnit_Beats: return "beats";
    case kAudioUnitParameterUnit_Milliseconds: return "ms";
    case kAudioUnitParameterUnit_Ratio: return ":1";
    default: return "";
  }
}

static bool addPoint(struct Parameter *parameter, Float32 value, const char *name) {
  struct Point *grown = realloc(parameter->points, (parameter->pointCount + 1) * sizeof *grown);
  if (grown == NULL) return false;
  parameter->points = grown;
  UInt32 place = parameter->pointCount;
  for (; place > 0 && grown[place - 1].value > value; place--) grown[place] = grown[place - 1];
  grown[place] = (struct Point){value, strdup(name)};
  parameter->pointCount += 1;
  return grown[place].name != NULL;
}

// The names of the values minimum, minimum + 1 …
static void readValueNames(struct Unit *unit, struct Parameter *parameter) {
  CFArrayRef names = NULL;
  UInt32 size = sizeof names;
  char text[kTextSize];
  if (getProperty(unit, kAudioUnitProperty_ParameterValueStrings, parameter->scope, parameter->id, &names, &size) != kAudio_NoError || names == NULL)
    return;
  const CFIndex count = unit->cf->CFArrayGetCount(names);
  for (CFIndex i = 0; i < count; i++) {
    copyText(unit->cf, unit->cf->CFArrayGetValueAtIndex(names, i), text, sizeof text);
    if (parameter->minimum + (Float32)i <= parameter->maximum) addPoint(parameter, parameter->minimum + (Float32)i, text);
  }
  unit->cf->CFRelease(names);
}

// Values with names of their own choice.
static void readValuePoints(struct Unit *unit, struct Parameter *parameter) {
  UInt32 size;
  char text[kTextSize];
  if (!hasProperty(unit, kAuricleProperty_ParameterValuePoints, parameter->scope, parameter->id, &size) || size == 0) return;
  AuricleValuePoint *points = calloc(1, size);
  if (points != NULL && getProperty(unit, kAuricleProperty_ParameterValuePoints, parameter->scope, parameter->id, points, &size) == kAudio_NoError)
    for (UInt32 i = 0; i < size / sizeof *points; i++) {
      copyText(unit->cf, points[i].name, text, sizeof text);
      if (points[i].name != NULL) unit->cf->CFRelease(points[i].name);
      addPoint(parameter, points[i].value, text);
    }
  free(points);
}

static void readGroup(struct Unit *unit, struct Parameter *parameter, UInt32 clump) {
  AudioUnitParameterNameInfo request = {.inID = clump, .inDesiredLength = kAudioUnitParameterName_Full};
  UInt32 size = sizeof request;
  if (getProperty(unit, kAudioUnitProperty_ParameterClumpName, parameter->scope, 0, &request, &size) != kAudio_NoError) return;
  copyText(unit->cf, request.outName, parameter->group, sizeof parameter->group);
  if (request.outName != NULL) unit->cf->CFRelease(request.outName);
}

// A symbol of letters, digits and underscores.
static void makeSymbol(struct Unit *unit, struct Parameter *parameter) {
  char text[kTextSize];
  if (!readText(unit, kAuricleProperty_ParameterSymbol, parameter->scope, parameter->id, text, sizeof text))
    snprintf(text, sizeof text, "%s", parameter->name);
  size_t length = 0;
  for (const char *place = text; *place != 0 && length < sizeof parameter->symbol - 12; place++) {
    const bool isPlain = (unsigned char)*place < 0x80 && isalnum((unsigned char)*place);
    if (isPlain) parameter->symbol[length++] = (char)tolower((unsigned char)*place);
    else if (length > 0 && parameter->symbol[length - 1] != '_') parameter->symbol[length++] = '_';
  }
  while (length > 0 && parameter->symbol[length - 1] == '_') length--;
  parameter->symbol[length] = 0;
  if (length == 0 || isdigit((unsigned char)parameter->symbol[0])) {
    memmove(parameter->symbol + 1, parameter->symbol, length + 1);
    parameter->symbol[0] = 'p';
  }
}

static void readKind(struct Parameter *parameter, const AudioUnitParameterInfo *info) {
  const AudioUnitParameterUnit unit = info->unit;
  parameter->unit = unit;
  parameter->flags = info->flags;
  parameter->isMeter = (info->flags & kAudioUnitParameterFlag_MeterReadOnly) != 0 || (info->flags & kAudioUnitParameterFlag_IsWritable) == 0;
  parameter->isSwitch = unit == kAudioUnitParameterUnit_Boolean;
  parameter->isStepped = parameter->isSwitch || unit == kAudioUnitParameterUnit_Indexed;
  parameter->isLogarithmic =
      (info->flags & kAudioUnitParameterFlag_DisplayMask) == kAudioUnitParameterFlag_DisplayLogarithmic && info->minValue > 0;
  parameter->isHidden = (info->flags & kAudioUnitParameterFlag_ExpertMode) != 0;
  parameter->isAutomatable = !parameter->isMeter && (info->flags & kAudioUnitParameterFlag_NonRealTime) == 0;
  parameter->isMeta = (info->flags & (kAudioUnitParameterFlag_IsGlobalMeta | kAudioUnitParameterFlag_IsElementMeta)) != 0;
}

// The names that come with the description; released where the flags say so.
static void readNames(struct Unit *unit, struct Parameter *parameter, const AudioUnitParameterInfo *info) {
  const bool isOwned = (info->flags & kAudioUnitParameterFlag_CFNameRelease) != 0;
  if (info->flags & kAudioUnitParameterFlag_HasCFNameString) {
    copyText(unit->cf, info->cfNameString, parameter->name, sizeof parameter->name);
    if (isOwned && info->cfNameString != NULL) unit->cf->CFRelease(info->cfNameString);
  }
  if (parameter->name[0] == 0) snprintf(parameter->name, sizeof parameter->name, "%.51s", info->name);
  if (parameter->name[0] == 0) snprintf(parameter->name, sizeof parameter->name, "parameter %u", parameter->id);
  snprintf(parameter->unitName, sizeof parameter->unitName, "%s", nameOfUnit(info->unit));
  if (info->unit != kAudioUnitParameterUnit_CustomUnit || info->unitName == NULL) return;
  copyText(unit->cf, info->unitName, parameter->unitName, sizeof parameter->unitName);
  if (isOwned) unit->cf->CFRelease(info->unitName);
}

// One parameter; false with the reason where no host could use it.
static bool describe(struct Unit *unit, struct Parameter *parameter, char *reason, size_t size) {
  AudioUnitParameterInfo info;
  UInt32 length = sizeof info;
  memset(&info, 0, sizeof info);
  if (getProperty(unit, kAudioUnitProperty_ParameterInfo, parameter->scope, parameter->id, &info, &length) != kAudio_NoError) {
    snprintf(reason, size, "it lists parameter %u, and does not describe it", parameter->id);
    return false;
  }
  readKind(parameter, &info);
  readNames(unit, parameter, &info);
  parameter->minimum = info.minValue;
  parameter->maximum = info.maxValue;
  if (!isfinite(info.minValue) || !isfinite(info.maxValue) || info.minValue >= info.maxValue) {
    snprintf(reason, size, "the range of its parameter %u, \"%s\", is empty: %g to %g", parameter->id, parameter->name, info.minValue, info.maxValue);
    return false;
  }
  parameter->initial = isfinite(info.defaultValue) ? boundedValue(parameter, info.defaultValue) : info.minValue;
  if (info.flags & kAudioUnitParameterFlag_HasClump) readGroup(unit, parameter, info.clumpID);
  readValuePoints(unit, parameter);
  if (parameter->pointCount == 0 && (info.unit == kAudioUnitParameterUnit_Indexed || (info.flags & kAudioUnitParameterFlag_ValuesHaveStrings)))
    readValueNames(unit, parameter);
  if (parameter->scope != kAudioUnitScope_Global) {
    const size_t used = strlen(parameter->name);
    const char *side = parameter->scope == kAudioUnitScope_Input ? "input" : "output";
    snprintf(parameter->name + used, sizeof parameter->name - used, ", %s %u", side, parameter->element + 1);
  }
  makeSymbol(unit, parameter);
  return true;
}

// Adds the parameters of an element.
static bool describeElement(struct Unit *unit, AudioUnitScope scope, AudioUnitElement element, char *reason, size_t size) {
  UInt32 length;
  if (!hasProperty(unit, kAudioUnitProperty_ParameterList, scope, element, &length) || length < sizeof(AudioUnitParameterID)) return true;
  AudioUnitParameterID *ids = malloc(length);
  bool isDone = ids != NULL && getProperty(unit, kAudioUnitProperty_ParameterList, scope, element, ids, &length) == kAudio_NoError;
  const UInt32 count = isDone ? length / (UInt32)sizeof *ids : 0;
  struct Parameter *grown = realloc(unit->parameters, (unit->parameterCount + count + 1) * sizeof *grown);
  if (grown != NULL) unit->parameters = grown;
  for (UInt32 i = 0; i < count && grown != NULL && isDone; i++) {
    struct Parameter *parameter = &grown[unit->parameterCount];
    memset(parameter, 0, sizeof *parameter);
    parameter->scope = scope;
    parameter->element = element;
    parameter->id = ids[i];
    parameter->key = scope == kAudioUnitScope_Global && ids[i] < kFirstPlacedKey ? ids[i] : kFirstPlacedKey + unit->parameterCount;
    isDone = describe(unit, parameter, reason, size);
    if (isDone || parameter->points != NULL) unit->parameterCount += 1;
  }
  free(ids);
  return isDone && grown != NULL;
}

// Makes symbols that occur twice differ.
static void separateSymbols(struct Unit *unit) {
  for (UInt32 i = 1; i < unit->parameterCount; i++)
    for (UInt32 other = 0; other < i; other++) {
      if (strcmp(unit->parameters[i].symbol, unit->parameters[other].symbol) != 0) continue;
      const size_t length = strnlen(unit->parameters[i].symbol, sizeof unit->parameters[i].symbol - 12);
      snprintf(unit->parameters[i].symbol + length, 12, "_%u", i);
      break;
    }
}

bool describeParameters(struct Unit *unit, char *reason, size_t size) {
  if (!describeElement(unit, kAudioUnitScope_Global, 0, reason, size)) return false;
  for (int side = 0; side < 2; side++)
    for (UInt32 bus = 0; bus < unit->busCounts[side]; bus++)
      if (!describeElement(unit, side ? kAudioUnitScope_Output : kAudioUnitScope_Input, bus, reason, size)) return false;
  separateSymbols(unit);
  return true;
}

void freeParameters(struct Unit *unit) {
  for (UInt32 i = 0; i < unit->parameterCount; i++) {
    for (UInt32 point = 0; point < unit->parameters[i].pointCount; point++) free(unit->parameters[i].points[point].name);
    free(unit->parameters[i].points);
  }
  free(unit->parameters);
}

// ---- Values.

Float32 boundedValue(const struct Parameter *parameter, double value) {
  if (isnan(value)) return parameter->initial;
  if (value < parameter->minimum) return parameter->minimum;
  if (value > parameter->maximum) return parameter->maximum;
  return parameter->isStepped ? (Float32)floor(value + 0.5) : (Float32)value;
}

Float32 readValue(struct Unit *unit, UInt32 index) {
  unit = ownerOf(unit, &index);
  const struct Parameter *parameter = &unit->parameters[index];
  Float32 value = parameter->initial;
  if (unit->record.getParameter == NULL ||
      unit->record.getParameter(unit->plugIn, parameter->id, parameter->scope, parameter->element, &value) != kAudio_NoError)
    return parameter->initial;
  return isfinite(value) ? value : parameter->initial;
}

void setValue(struct Unit *unit, UInt32 index, Float32 value) {
  unit = ownerOf(unit, &index);
  const struct Parameter *parameter = &unit->parameters[index];
  if (unit->record.setParameter == NULL || parameter->isMeter) return;
  unit->record.setParameter(unit->plugIn, parameter->id, parameter->scope, parameter->element, boundedValue(parameter, value), 0);
}

SInt32 placeOfKey(const struct Unit *unit, UInt32 key) {
  for (UInt32 i = 0; i < unit->parameterCount; i++)
    if (unit->parameters[i].key == key) return (SInt32)i;
  return -1;
}

static locale_t plainLocale;
static pthread_once_t plainOnce = PTHREAD_ONCE_INIT;
static void makeLocale(void) { plainLocale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

double readNumber(const char *text, char **end) {
  pthread_once(&plainOnce, makeLocale);
  return plainLocale == (locale_t)0 ? strtod(text, end) : strtod_l(text, end, plainLocale);
}

// Prints the shortest digits that read back as the same value, with a point, in any locale.
void printNumber(Float32 value, char *text, size_t size) {
  for (int digits = 1; digits <= 9; digits++) {
    snprintf(text, size, "%.*g", digits, (double)value);
    for (char *place = text; *place != 0; place++)
      if (*place == ',') *place = '.';
    if ((Float32)readNumber(text, NULL) == value) return;
  }
}

void textOfValue(struct Unit *unit, UInt32 index, Float32 value, char *text, size_t size) {
  unit = ownerOf(unit, &index);
  const struct Parameter *parameter = &unit->parameters[index];
  AudioUnitParameterStringFromValue request = {.inParamID = parameter->id, .inValue = &value};
  UInt32 length = sizeof request;
  // Between two steps there is no value.
  value = boundedValue(parameter, value);
  text[0] = 0;
  for (UInt32 i = 0; i < parameter->pointCount && text[0] == 0; i++)
    if (parameter->points[i].value == value) snprintf(text, size, "%s", parameter->points[i].name);
  if (text[0] != 0) return;
  if (getProperty(unit, kAudioUnitProperty_ParameterStringFromValue, parameter->scope, parameter->element, &request, &length) == kAudio_NoError) {
    copyText(unit->cf, request.outString, text, size);
    if (request.outString != NULL) unit->cf->CFRelease(request.outString);
  }
  if (text[0] == 0 && parameter->isSwitch) snprintf(text, size, "%s", value >= 0.5f ? "on" : "off");
  if (text[0] == 0) printNumber(value, text, size);
  // A number alone gets its unit.
  char *end;
  readNumber(text, &end);
  const size_t used = strlen(text);
  if (end != text && *end == 0 && parameter->unitName[0] != 0 && !parameter->isSwitch && used + 1 < size)
    snprintf(text + used, size - used, " %s", parameter->unitName);
}

bool valueOfText(struct Unit *unit, UInt32 index, const char *text, Float32 *value) {
  unit = ownerOf(unit, &index);
  const struct Parameter *parameter = &unit->parameters[index];
  while (isspace((unsigned char)*text)) text++;
  for (UInt32 i = 0; i < parameter->pointCount; i++)
    if (strcasecmp(parameter->points[i].name, text) == 0) {
      *value = parameter->points[i].value;
      return true;
    }
  AudioUnitParameterValueFromString request = {.inParamID = parameter->id, .inString = makeText(unit->cf, text)};
  UInt32 length = sizeof request;
  const bool isRead = request.inString != NULL && getProperty(unit, kAudioUnitProperty_ParameterValueFromString, parameter->scope, parameter->element, &request, &length) == kAudio_NoError;
  if (request.inString != NULL) unit->cf->CFRelease(request.inString);
  char *end = NULL;
  *value = isRead ? request.outValue : (Float32)readNumber(text, &end);
  if (!isRead && parameter->isSwitch && strcasecmp(text, "on") == 0) *value = 1;
  else if (!isRead && parameter->isSwitch && strcasecmp(text, "off") == 0) *value = 0;
  else if (!isRead && end == text) return false;
  *value = boundedValue(parameter, *value);
  return isfinite(*value);
}
