// The sample delay's state as a dictionary, the way presets are saved, and its present preset.
// SPDX-License-Identifier: Apache-2.0

#include <CoreFoundation/CoreFoundation.h>
#include <math.h>
#include <string.h>

#include "SampleDelayUnit.h"

enum { kBlobSize = 20 };  // scope, element, count, then one parameter: id and value

static void putWord(UInt8 *bytes, UInt32 word) {
  for (int i = 0; i < 4; i++) bytes[i] = (UInt8)(word >> (24 - 8 * i));
}

static UInt32 wordAt(const UInt8 *bytes) {
  return (UInt32)bytes[0] << 24 | (UInt32)bytes[1] << 16 | (UInt32)bytes[2] << 8 | bytes[3];
}

// Stores a value and gives up the caller's reference.
static void put(CFMutableDictionaryRef state, CFStringRef key, CFTypeRef value) {
  if (value == NULL) return;
  CFDictionarySetValue(state, key, value);
  CFRelease(value);
}

static CFTypeRef number(SInt32 value) {
  return CFNumberCreate(NULL, kCFNumberSInt32Type, &value);
}

static CFMutableDictionaryRef dictionary(void) {
  return CFDictionaryCreateMutable(
      NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
}

static CFStringRef scopeKey(int scope) {
  return scope == 0 ? CFSTR("0") : scope == 1 ? CFSTR("1") : CFSTR("2");
}

// The names that a host gave to elements, by scope and element in decimal.
static void putElementNames(const struct Unit *unit, CFMutableDictionaryRef state) {
  CFMutableDictionaryRef names = dictionary();
  if (names == NULL) return;
  for (int scope = 0; scope < 3; scope++) {
    CFMutableDictionaryRef elements = unit->elementNames[scope][0] == 0 ? NULL : dictionary();
    if (elements == NULL) continue;
    put(elements, CFSTR("0"),
        CFStringCreateWithCString(NULL, unit->elementNames[scope], kCFStringEncodingUTF8));
    put(names, scopeKey(scope), elements);
  }
  if (CFDictionaryGetCount(names) > 0) CFDictionarySetValue(state, CFSTR("element-name"), names);
  CFRelease(names);
}

// Gives the elements the names of a state; the others get their own back.
static void takeElementNames(struct Unit *unit, CFDictionaryRef state) {
  const void *names = CFDictionaryGetValue(state, CFSTR("element-name"));
  const bool isThere = names != NULL && CFGetTypeID(names) == CFDictionaryGetTypeID();
  for (int scope = 0; scope < 3; scope++) {
    char *name = unit->elementNames[scope];
    const void *elements = isThere ? CFDictionaryGetValue(names, scopeKey(scope)) : NULL;
    name[0] = 0;
    if (elements == NULL || CFGetTypeID(elements) != CFDictionaryGetTypeID()) continue;
    const void *given = CFDictionaryGetValue(elements, CFSTR("0"));
    if (given == NULL || CFGetTypeID(given) != CFStringGetTypeID() ||
        !CFStringGetCString(given, name, kNameSize, kCFStringEncodingUTF8))
      name[0] = 0;
  }
}

CFDictionaryRef copyClassInfo(struct Unit *unit) {
  CFMutableDictionaryRef state = dictionary();
  if (state == NULL) return NULL;
  put(state, CFSTR("version"), number(0));
  put(state, CFSTR("type"), number((SInt32)unit->description.componentType));
  put(state, CFSTR("subtype"), number((SInt32)unit->description.componentSubType));
  put(state, CFSTR("manufacturer"), number((SInt32)unit->description.componentManufacturer));
  put(state, CFSTR("name"), copyPresetName(unit));
  put(state, CFSTR("render-quality"), number((SInt32)unit->renderQuality));
  putElementNames(unit, state);
  const Float32 value = atomic_load(&unit->delayFrames);
  UInt32 bits;
  memcpy(&bits, &value, sizeof bits);
  const UInt32 words[] = {kAudioUnitScope_Global, 0, 1, kSampleDelayParam_DelayFrames, bits};
  UInt8 blob[kBlobSize];
  for (int i = 0; i < 5; i++) putWord(blob + 4 * i, words[i]);
  put(state, CFSTR("data"), CFDataCreate(NULL, blob, kBlobSize));
  return state;
}

static bool integer(CFDictionaryRef state, CFStringRef key, SInt32 *found) {
  const void *value = CFDictionaryGetValue(state, key);
  return value != NULL && CFGetTypeID(value) == CFNumberGetTypeID() &&
         CFNumberGetValue(value, kCFNumberSInt32Type, found);
}

static bool hasInteger(CFDictionaryRef state, CFStringRef key, SInt32 wanted) {
  SInt32 found;
  return integer(state, key, &found) && found == wanted;
}

// Takes the parameter out of a blob, or only looks whether the blob is whole; what it does not know
// it skips.
static bool restore(struct Unit *unit, const UInt8 *bytes, CFIndex size, bool onlyLooks) {
  CFIndex place = 0;
  while (place < size) {
    if (size - place < 12) return false;
    const UInt32 scope = wordAt(bytes + place), element = wordAt(bytes + place + 4);
    const UInt32 count = wordAt(bytes + place + 8);
    place += 12;
    if ((size - place) / 8 < (CFIndex)count) return false;
    for (UInt32 i = 0; i < count; i++, place += 8) {
      const UInt32 bits = wordAt(bytes + place + 4);
      Float32 value;
      memcpy(&value, &bits, sizeof value);
      if (!onlyLooks) setParameter(unit, wordAt(bytes + place), scope, element, value, 0);
    }
  }
  return true;
}

// The type is not compared: an effect and an offline effect may be the same unit.
OSStatus restoreClassInfo(struct Unit *unit, CFDictionaryRef state) {
  if (state == NULL || CFGetTypeID(state) != CFDictionaryGetTypeID() ||
      !hasInteger(state, CFSTR("version"), 0) ||
      !hasInteger(state, CFSTR("subtype"), (SInt32)unit->description.componentSubType) ||
      !hasInteger(state, CFSTR("manufacturer"), (SInt32)unit->description.componentManufacturer) ||
      CFDictionaryGetValue(state, CFSTR("part")) != NULL)
    return kAudioUnitErr_InvalidPropertyValue;
  const void *data = CFDictionaryGetValue(state, CFSTR("data"));
  if (data != NULL) {
    if (CFGetTypeID(data) != CFDataGetTypeID()) return kAudioUnitErr_InvalidPropertyValue;
    // One that is cut off changes nothing.
    if (!restore(unit, CFDataGetBytePtr(data), CFDataGetLength(data), true))
      return kAudioUnitErr_InvalidPropertyValue;
    restore(unit, CFDataGetBytePtr(data), CFDataGetLength(data), false);
  }
  SInt32 quality;
  if (integer(state, CFSTR("render-quality"), &quality) && quality >= 0 &&
      quality <= (SInt32)kRenderQuality_Max)
    unit->renderQuality = (UInt32)quality;
  takeElementNames(unit, state);
  const void *name = CFDictionaryGetValue(state, CFSTR("name"));
  if (name != NULL && CFGetTypeID(name) == CFStringGetTypeID()) setPresetName(unit, name);
  propertyChanged(unit, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global);
  return kAudio_NoError;
}

CFStringRef copyPresetName(struct Unit *unit) {
  const char *name = unit->presetName[0] == 0 ? "Untitled" : unit->presetName;
  return CFStringCreateWithCString(NULL, name, kCFStringEncodingUTF8);
}

void setPresetName(struct Unit *unit, CFStringRef name) {
  char text[sizeof unit->presetName];
  if (name != NULL && CFStringGetCString(name, text, sizeof text, kCFStringEncodingUTF8))
    memcpy(unit->presetName, text, sizeof text);
}
