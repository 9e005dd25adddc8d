// The state of a written unit: a dictionary with its parameter in the usual binary layout.
// SPDX-License-Identifier: Apache-2.0

#include <math.h>
#include <string.h>

#include "Unit.h"

Object copyText(const char *text) { return CFStringCreateWithCString(NULL, text, kUTF8); }

bool readText(Object object, char text[128]) {
  return object && CFGetTypeID(object) == CFStringGetTypeID() &&
         CFStringGetCString(object, text, 128, kUTF8);
}

// Becomes the owner of the value.
static void put(Object state, const char *key, Object value) {
  Object name = copyText(key);
  CFDictionarySetValue(state, name, value);
  CFRelease(name);
  CFRelease(value);
}

static Object copyNumber(uint32_t value) { return CFNumberCreate(NULL, kInt32Number, &value); }

static Object find(Object state, const char *key) {
  Object name = copyText(key);
  Object value = CFDictionaryGetValue(state, name);
  CFRelease(name);
  return value;
}

static bool isNumber(Object state, const char *key, uint32_t wanted) {
  Object value = find(state, key);
  uint32_t number = 0;
  return value && CFGetTypeID(value) == CFNumberGetTypeID() &&
         CFNumberGetValue(value, kInt32Number, &number) && number == wanted;
}

Object copyState(Unit *unit) {
  Object state = CFDictionaryCreateMutable(
      NULL, 0, kCFTypeDictionaryKeyCallBacks, kCFTypeDictionaryValueCallBacks);
  uint32_t bits = 0;
  memcpy(&bits, &unit->gain, sizeof bits);
  // Scope, element, one pair: all words big-endian.
  uint8_t data[20] = {0};
  data[11] = 1;
  for (int i = 0; i < 4; i++) data[16 + i] = (uint8_t)(bits >> (24 - 8 * i));
  put(state, "version", copyNumber(0));
  put(state, "type", copyNumber(unit->description.type));
  put(state, "subtype", copyNumber(unit->description.subtype));
  put(state, "manufacturer", copyNumber(unit->description.manufacturer));
  put(state, "name", copyText(unit->presetName));
  put(state, "data", CFDataCreate(NULL, data, sizeof data));
  return state;
}

Status restoreState(Unit *unit, Object state) {
  if (!state || CFGetTypeID(state) != CFDictionaryGetTypeID()) return kInvalidValue;
  if (!isNumber(state, "version", 0) || !isNumber(state, "type", unit->description.type) ||
      !isNumber(state, "subtype", unit->description.subtype) ||
      !isNumber(state, "manufacturer", unit->description.manufacturer) || find(state, "part"))
    return kInvalidValue;
  Object data = find(state, "data");
  if (data) {
    if (CFGetTypeID(data) != CFDataGetTypeID()) return kInvalidValue;
    const uint8_t *bytes = CFDataGetBytePtr(data);
    if (CFDataGetLength(data) < 20) return kInvalidValue;
    uint32_t bits = 0;
    float value = 0;
    for (int i = 0; i < 4; i++) bits = bits << 8 | bytes[16 + i];
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value)) return kInvalidValue;
    unit->gain = value;
  }
  if (!readText(find(state, "name"), unit->presetName)) strcpy(unit->presetName, "Untitled");
  return 0;
}
