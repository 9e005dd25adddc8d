// ClassInfo: the unit's state as a dictionary, with the parameters in the usual binary layout.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <cstring>

#include "CallingUnit.hpp"

namespace calling {

static void put(CFMutableDictionaryRef state, const char *key, CFTypeRef value) {
  CFStringRef name = CFStringCreateWithCString(nullptr, key, kCFStringEncodingUTF8);
  CFDictionarySetValue(state, name, value);
  CFRelease(name);
}

static void putNumber(CFMutableDictionaryRef state, const char *key, SInt32 value) {
  CFNumberRef number = CFNumberCreate(nullptr, kCFNumberSInt32Type, &value);
  put(state, key, number);
  CFRelease(number);
}

static CFTypeRef find(CFDictionaryRef state, const char *key) {
  CFStringRef name = CFStringCreateWithCString(nullptr, key, kCFStringEncodingUTF8);
  CFTypeRef value = CFDictionaryGetValue(state, name);
  CFRelease(name);
  return value;
}

static bool isNumber(CFDictionaryRef state, const char *key, SInt32 wanted) {
  CFTypeRef value = find(state, key);
  SInt32 number = 0;
  return value && CFGetTypeID(value) == CFNumberGetTypeID() &&
         CFNumberGetValue(static_cast<CFNumberRef>(value), kCFNumberSInt32Type, &number) &&
         number == wanted;
}

static void append(std::vector<UInt8> &bytes, UInt32 word) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<UInt8>(word >> shift));
}

CFDictionaryRef Unit::saveState() {
  CFMutableDictionaryRef state = CFDictionaryCreateMutable(
      nullptr, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
  putNumber(state, "version", 0);
  putNumber(state, "type", static_cast<SInt32>(description.componentType));
  putNumber(state, "subtype", static_cast<SInt32>(description.componentSubType));
  putNumber(state, "manufacturer", static_cast<SInt32>(description.componentManufacturer));
  put(state, "name", preset.presetName);
  if (preset.presetNumber >= 0) putNumber(state, "preset-number", preset.presetNumber);
  std::vector<UInt8> bytes;
  append(bytes, kAudioUnitScope_Global);
  append(bytes, 0);
  append(bytes, kParameterCount);
  for (UInt32 id = 0; id < kParameterCount; id++) {
    float value = values[id];
    UInt32 bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    append(bytes, id);
    append(bytes, bits);
  }
  CFDataRef data = CFDataCreate(nullptr, bytes.data(), static_cast<CFIndex>(bytes.size()));
  put(state, "data", data);
  CFRelease(data);
  return state;
}

OSStatus Unit::restoreState(CFDictionaryRef state) {
  if (!state || CFGetTypeID(state) != CFDictionaryGetTypeID())
    return kAudioUnitErr_InvalidPropertyValue;
  if (!isNumber(state, "version", 0) ||
      !isNumber(state, "subtype", static_cast<SInt32>(description.componentSubType)) ||
      !isNumber(state, "manufacturer", static_cast<SInt32>(description.componentManufacturer)))
    return kAudioUnitErr_InvalidPropertyValue;
  if (find(state, "part")) return kAudioUnitErr_InvalidPropertyValue;  // a part's, not the whole's
  CFTypeRef data = find(state, "data");
  if (data && CFGetTypeID(data) == CFDataGetTypeID()) {
    const UInt8 *bytes = CFDataGetBytePtr(static_cast<CFDataRef>(data));
    const CFIndex length = CFDataGetLength(static_cast<CFDataRef>(data));
    auto word = [&](CFIndex at) {
      return UInt32(bytes[at]) << 24 | UInt32(bytes[at + 1]) << 16 | UInt32(bytes[at + 2]) << 8 |
             UInt32(bytes[at + 3]);
    };
    CFIndex at = 0;
    while (length - at >= 12) {
      const UInt32 scope = word(at), element = word(at + 4), count = word(at + 8);
      at += 12;
      for (UInt32 i = 0; i < count && length - at >= 8; i++, at += 8) {
        const UInt32 id = word(at), bits = word(at + 4);
        float value = 0;
        std::memcpy(&value, &bits, sizeof value);
        if (scope == kAudioUnitScope_Global && element == 0)
          setParameter(id, scope, element, value);
      }
    }
  }
  CFTypeRef name = find(state, "name");
  if (name && CFGetTypeID(name) == CFStringGetTypeID()) {
    CFRetain(name);
    CFRelease(preset.presetName);
    preset = {-1, static_cast<CFStringRef>(name)};
  }
  return noErr;
}

}  // namespace calling
