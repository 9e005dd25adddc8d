// The values of properties as bytes: numbers as they are, objects and names written out.
// SPDX-License-Identifier: Apache-2.0
#include "PropertyValues.h"

#include <Auricle/AuricleProperties.h>
#include <AudioToolbox/MusicDevice.h>
#include <CoreFoundation/CoreFoundation.h>
#include <stdlib.h>
#include <string.h>

enum { mostBytes = 1 << 26, mostDepth = 32, mostElements = 1 << 20 };

void AuricleLinkBytesAdd(AuricleLinkBytes *bytes, const void *data, size_t count) {
  if (bytes->hasFailed || count > mostBytes || bytes->count > mostBytes - count) {
    bytes->hasFailed = true;
    return;
  }
  if (bytes->count + count > bytes->capacity) {
    const size_t wanted = (bytes->count + count) * 2 + 256;
    uint8_t *grown = realloc(bytes->bytes, wanted);
    if (!grown) {
      bytes->hasFailed = true;
      return;
    }
    bytes->bytes = grown;
    bytes->capacity = wanted;
  }
  if (count && data) memcpy(bytes->bytes + bytes->count, data, count);
  if (count && !data) memset(bytes->bytes + bytes->count, 0, count);
  bytes->count += count;
}

void AuricleLinkBytesFree(AuricleLinkBytes *bytes) {
  free(bytes->bytes);
  *bytes = (AuricleLinkBytes){0};
}

void AuricleReadBytes(ByteReader *reader, void *value, size_t count) {
  if (reader->hasFailed || reader->left < count) {
    reader->hasFailed = true;
    memset(value, 0, count);
    return;
  }
  memcpy(value, reader->bytes, count);
  reader->bytes += count;
  reader->left -= count;
}

uint32_t AuricleReadCount(ByteReader *reader) {
  uint32_t count = 0;
  AuricleReadBytes(reader, &count, sizeof count);
  if (count > reader->left) reader->hasFailed = true;
  return reader->hasFailed ? 0 : count;
}

static void addCount(AuricleLinkBytes *bytes, size_t count) {
  const uint32_t number = (uint32_t)count;
  AuricleLinkBytesAdd(bytes, &number, sizeof number);
}

static void addTag(AuricleLinkBytes *bytes, char tag) { AuricleLinkBytesAdd(bytes, &tag, 1); }

// Objects.

static void writeString(AuricleLinkBytes *bytes, CFStringRef string) {
  const CFRange all = {0, CFStringGetLength(string)};
  CFIndex size = 0;
  CFStringGetBytes(string, all, kCFStringEncodingUTF8, '?', false, NULL, 0, &size);
  addCount(bytes, (size_t)size);
  const size_t place = bytes->count;
  AuricleLinkBytesAdd(bytes, NULL, (size_t)size);
  if (!bytes->hasFailed)
    CFStringGetBytes(string, all, kCFStringEncodingUTF8, '?', false, bytes->bytes + place, size, &size);
}

static void writeNumber(AuricleLinkBytes *bytes, CFNumberRef number) {
  if (CFNumberIsFloatType(number)) {
    double value = 0;
    CFNumberGetValue(number, kCFNumberFloat64Type, &value);
    addTag(bytes, 'f');
    AuricleLinkBytesAdd(bytes, &value, sizeof value);
    return;
  }
  int64_t value = 0;
  CFNumberGetValue(number, kCFNumberSInt64Type, &value);
  addTag(bytes, CFNumberGetByteSize(number) <= 4 ? 'i' : 'l');
  AuricleLinkBytesAdd(bytes, &value, sizeof value);
}

static void writeArray(AuricleLinkBytes *bytes, CFArrayRef array, int depth) {
  const CFIndex count = CFArrayGetCount(array);
  addTag(bytes, 'a');
  addCount(bytes, (size_t)count);
  for (CFIndex index = 0; index < count; index++)
    AuricleWriteObject(bytes, CFArrayGetValueAtIndex(array, index), depth + 1);
}

static void writeDictionary(AuricleLinkBytes *bytes, CFDictionaryRef dictionary, int depth) {
  const CFIndex count = CFDictionaryGetCount(dictionary);
  const void **keys = calloc((size_t)count + 1, sizeof *keys), **values = calloc((size_t)count + 1, sizeof *values);
  if (keys && values) CFDictionaryGetKeysAndValues(dictionary, keys, values);
  addTag(bytes, 'd');
  addCount(bytes, keys && values ? (size_t)count : 0);
  for (CFIndex index = 0; keys && values && index < count; index++) {
    AuricleWriteObject(bytes, keys[index], depth + 1);
    AuricleWriteObject(bytes, values[index], depth + 1);
  }
  free(keys);
  free(values);
}

static void writeURL(AuricleLinkBytes *bytes, CFURLRef url) {
  CFURLRef whole = CFURLCopyAbsoluteURL(url);
  addTag(bytes, 'u');
  writeString(bytes, CFURLGetString(whole ? whole : url));
  if (whole) CFRelease(whole);
}

void AuricleWriteObject(AuricleLinkBytes *bytes, CFTypeRef object, int depth) {
  if (!object || depth > mostDepth) return addTag(bytes, '0');
  const CFTypeID type = CFGetTypeID(object);
  if (type == CFStringGetTypeID()) {
    addTag(bytes, 's');
    writeString(bytes, object);
  } else if (type == CFBooleanGetTypeID()) {
    addTag(bytes, CFBooleanGetValue(object) ? 'T' : 'F');
  } else if (type == CFNumberGetTypeID()) {
    writeNumber(bytes, object);
  } else if (type == CFDataGetTypeID()) {
    addTag(bytes, 'b');
    addCount(bytes, (size_t)CFDataGetLength(object));
    AuricleLinkBytesAdd(bytes, CFDataGetBytePtr(object), (size_t)CFDataGetLength(object));
  } else if (type == CFDateGetTypeID()) {
    const double time = CFDateGetAbsoluteTime(object);
    addTag(bytes, 't');
    AuricleLinkBytesAdd(bytes, &time, sizeof time);
  } else if (type == CFArrayGetTypeID()) {
    writeArray(bytes, object, depth);
  } else if (type == CFDictionaryGetTypeID()) {
    writeDictionary(bytes, object, depth);
  } else if (type == CFURLGetTypeID()) {
    writeURL(bytes, object);
  } else {
    addTag(bytes, '0');
  }
}

static CFStringRef readString(ByteReader *reader) {
  const uint32_t count = AuricleReadCount(reader);
  if (reader->hasFailed) return NULL;
  CFStringRef string = CFStringCreateWithBytes(NULL, reader->bytes, count, kCFStringEncodingUTF8, false);
  reader->bytes += count;
  reader->left -= count;
  return string;
}

static CFTypeRef readArray(ByteReader *reader, int depth) {
  const uint32_t count = AuricleReadCount(reader);
  CFMutableArrayRef array = CFArrayCreateMutable(NULL, 0, &kCFTypeArrayCallBacks);
  for (uint32_t index = 0; array && index < count && !reader->hasFailed; index++) {
    CFTypeRef element = AuricleReadObject(reader, depth + 1);
    if (!element) continue;
    CFArrayAppendValue(array, element);
    CFRelease(element);
  }
  return array;
}

static CFTypeRef readDictionary(ByteReader *reader, int depth) {
  const uint32_t count = AuricleReadCount(reader);
  CFMutableDictionaryRef dictionary =
      CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
  for (uint32_t index = 0; dictionary && index < count && !reader->hasFailed; index++) {
    CFTypeRef key = AuricleReadObject(reader, depth + 1), value = AuricleReadObject(reader, depth + 1);
    if (key && value) CFDictionarySetValue(dictionary, key, value);
    if (key) CFRelease(key);
    if (value) CFRelease(value);
  }
  return dictionary;
}

static CFTypeRef readNumber(ByteReader *reader, char tag) {
  if (tag == 'f') {
    double value = 0;
    AuricleReadBytes(reader, &value, sizeof value);
    return CFNumberCreate(NULL, kCFNumberFloat64Type, &value);
  }
  int64_t value = 0;
  AuricleReadBytes(reader, &value, sizeof value);
  const int32_t small = (int32_t)value;
  return tag == 'i' ? CFNumberCreate(NULL, kCFNumberSInt32Type, &small)
                    : CFNumberCreate(NULL, kCFNumberSInt64Type, &value);
}

CFTypeRef AuricleReadObject(ByteReader *reader, int depth) {
  char tag = '0';
  AuricleReadBytes(reader, &tag, 1);
  if (reader->hasFailed || depth > mostDepth) return NULL;
  switch (tag) {
    case 's': return readString(reader);
    case 'T': return CFRetain(kCFBooleanTrue);
    case 'F': return CFRetain(kCFBooleanFalse);
    case 'f':
    case 'i':
    case 'l': return readNumber(reader, tag);
    case 'a': return readArray(reader, depth);
    case 'd': return readDictionary(reader, depth);
    case 't': {
      double time = 0;
      AuricleReadBytes(reader, &time, sizeof time);
      return CFDateCreate(NULL, time);
    }
    case 'b': {
      const uint32_t count = AuricleReadCount(reader);
      if (reader->hasFailed) return NULL;
      CFDataRef data = CFDataCreate(NULL, reader->bytes, count);
      reader->bytes += count;
      reader->left -= count;
      return data;
    }
    case 'u': {
      CFStringRef text = readString(reader);
      CFURLRef url = text ? CFURLCreateWithString(NULL, text, NULL) : NULL;
      if (text) CFRelease(text);
      return url;
    }
    default: return NULL;
  }
}

// Properties.

PropertyShape AuricleShapeOf(AudioUnitPropertyID property) {
  switch (property) {
    case kAudioUnitProperty_ClassInfo:
    case kAudioUnitProperty_ParameterValueStrings:
    case kAudioUnitProperty_ContextName:
    case kAudioUnitProperty_ElementName:
    case kAudioUnitProperty_IconLocation:
    case kAudioUnitProperty_MIDIOutputCallbackInfo:
    case kAudioUnitProperty_ClassInfoFromDocument:
    case kAudioUnitProperty_NickName:
    case kMusicDeviceProperty_InstrumentName:
    case kMusicDeviceProperty_MIDIXMLNames:
    case kMusicDeviceProperty_BankName:
    case kMusicDeviceProperty_SoundBankURL:
    case kAudioUnitOfflineProperty_PreflightName:
    case kAuricleProperty_ParameterSymbol:
    case kAuricleProperty_FailureReason:
    case kAuricleProperty_ComponentIdentifier:
    case kAuricleProperty_PresetURI:
    case kAuricleProperty_PresetURIs:
    case kAuricleProperty_LoadNotes:
    case kAuricleProperty_TextProperties:
    case kAuricleProperty_TextPropertyList:
    case kAuricleProperty_SavePreset:
    case kAuricleProperty_Options:
    case kAuricleProperty_ComponentEntry:
    case kAuricleProperty_SpeechVoices:
    case kAuricleProperty_SpeechPhonemes:
    case kAuricleProperty_SpeechSynthesizer: return shapeObject;
    case kAudioUnitProperty_ParameterInfo: return shapeParameterInfo;
    case kAudioUnitProperty_CurrentPreset:
    case kAudioUnitProperty_PresentPreset: return shapePreset;
    case kAudioUnitProperty_FactoryPresets: return shapePresets;
    case kAudioUnitProperty_ParameterIDName:
    case kAudioUnitProperty_ParameterClumpName: return shapeName;
    case kAudioUnitProperty_ParameterStringFromValue: return shapeStringFromValue;
    case kAudioUnitProperty_ParameterValueFromString: return shapeValueFromString;
    case kAudioUnitProperty_AUHostIdentifier: return shapeHost;
    case kAuricleProperty_ParameterValuePoints: return shapePoints;
    case kAudioUnitProperty_FastDispatch:
    case kAudioUnitProperty_SetExternalBuffer:
    case kAudioUnitProperty_CocoaUI:
    case kAudioUnitProperty_InputSamplesInOutput:
    case kAudioUnitProperty_RequestViewController:
    case kAudioUnitProperty_RenderContextObserver:
    case kAudioUnitProperty_MIDIOutputEventListCallback:
    case kAudioUnitProperty_RemoteControlEventListener:
    case kMusicDeviceProperty_SoundBankFSSpec:
    case kMusicDeviceProperty_SoundBankFSRef:
    case kMusicDeviceProperty_SoundBankData:
    case kAuricleProperty_DenormalsAreOff:
    case kAuricleProperty_DirectRender: return shapeRefused;
    // Devices, files and functions of this process.
    default:
      return (property >= 2000 && property < 2200) || (property >= 3300 && property < 3312) ||
                     (property >= 3330 && property < 3340)
                 ? shapeRefused
                 : shapeRaw;
  }
}

bool AuricleIsolatedPropertyIsState(uint32_t property) {
  return property == kAudioUnitProperty_ClassInfo || property == kAudioUnitProperty_ClassInfoFromDocument ||
         property == kAudioUnitProperty_PresentPreset || property == kAudioUnitProperty_CurrentPreset ||
         property == kAuricleProperty_PresetURI;
}

/// Writes an object, and gives it up where the writer owns it.
static void writeOwned(AuricleLinkBytes *bytes, CFTypeRef object, bool releases) {
  AuricleWriteObject(bytes, object, 0);
  if (releases && object) CFRelease(object);
}

static void writeInfo(AuricleLinkBytes *bytes, const AudioUnitParameterInfo *info, bool releases) {
  AuricleLinkBytesAdd(bytes, info, sizeof *info);
  const bool owns = releases && info->flags & kAudioUnitParameterFlag_CFNameRelease;
  const bool hasName = info->flags & kAudioUnitParameterFlag_HasCFNameString;
  writeOwned(bytes, hasName ? info->cfNameString : NULL, owns);
  const bool hasUnit = info->unit == kAudioUnitParameterUnit_CustomUnit;
  writeOwned(bytes, hasUnit ? info->unitName : NULL, owns);
}

static void writePresets(AuricleLinkBytes *bytes, CFArrayRef array, bool releases) {
  const CFIndex count = array ? CFArrayGetCount(array) : 0;
  addCount(bytes, (size_t)count);
  for (CFIndex index = 0; index < count; index++) {
    const AUPreset *preset = CFArrayGetValueAtIndex(array, index);
    AuricleLinkBytesAdd(bytes, &preset->presetNumber, sizeof preset->presetNumber);
    AuricleWriteObject(bytes, preset->presetName, 0);
  }
  if (releases && array) CFRelease(array);
}

void AuricleWriteValue(AuricleLinkBytes *bytes, AudioUnitPropertyID property, const void *data, uint32_t size,
                       bool releases) {
  const PropertyShape shape = AuricleShapeOf(property);
  static const uint32_t least[] = {
      [shapeObject] = sizeof(CFTypeRef),
      [shapeParameterInfo] = sizeof(AudioUnitParameterInfo),
      [shapePreset] = sizeof(AUPreset),
      [shapePresets] = sizeof(CFArrayRef),
      [shapeName] = sizeof(AudioUnitParameterNameInfo),
      [shapeStringFromValue] = sizeof(AudioUnitParameterStringFromValue),
      [shapeValueFromString] = sizeof(AudioUnitParameterValueFromString),
      [shapeHost] = sizeof(AUHostVersionIdentifier),
      [shapePoints] = 0,
      [shapeRefused] = 0,
  };
  const bool isThere = data && (shape == shapeRaw || size >= least[shape]);
  addTag(bytes, isThere ? 1 : 0);
  if (!isThere) return;
  switch (shape) {
    case shapeObject: writeOwned(bytes, *(const CFTypeRef *)data, releases); break;
    case shapeParameterInfo: writeInfo(bytes, data, releases); break;
    case shapePreset: {
      const AUPreset *preset = data;
      AuricleLinkBytesAdd(bytes, &preset->presetNumber, sizeof preset->presetNumber);
      writeOwned(bytes, preset->presetName, releases && property == kAudioUnitProperty_PresentPreset);
      break;
    }
    case shapePresets: writePresets(bytes, *(const CFArrayRef *)data, releases); break;
    case shapeName: writeOwned(bytes, ((const AudioUnitParameterNameInfo *)data)->outName, releases); break;
    case shapeStringFromValue:
      writeOwned(bytes, ((const AudioUnitParameterStringFromValue *)data)->outString, releases);
      break;
    case shapeValueFromString:
      AuricleLinkBytesAdd(bytes, &((const AudioUnitParameterValueFromString *)data)->outValue, sizeof(Float32));
      break;
    case shapeHost: {
      const AUHostVersionIdentifier *host = data;
      AuricleLinkBytesAdd(bytes, &host->hostVersion, sizeof host->hostVersion);
      AuricleWriteObject(bytes, host->hostName, 0);
      break;
    }
    case shapePoints: {
      const AuricleValuePoint *points = data;
      const uint32_t count = (uint32_t)(size / sizeof *points);
      addCount(bytes, count);
      for (uint32_t index = 0; index < count; index++) {
        AuricleLinkBytesAdd(bytes, &points[index].value, sizeof points[index].value);
        writeOwned(bytes, points[index].name, releases);
      }
      break;
    }
    case shapeRaw:
      addCount(bytes, size);
      AuricleLinkBytesAdd(bytes, data, size);
      break;
    case shapeRefused: break;
  }
}

void AuricleWriteQuestion(AuricleLinkBytes *bytes, AudioUnitPropertyID property, const void *data, uint32_t size) {
  addCount(bytes, size);
  const PropertyShape shape = AuricleShapeOf(property);
  if (shape == shapeName && size >= sizeof(AudioUnitParameterNameInfo)) {
    AuricleLinkBytesAdd(bytes, data, 8);
  } else if (shape == shapeStringFromValue && size >= sizeof(AudioUnitParameterStringFromValue)) {
    const AudioUnitParameterStringFromValue *question = data;
    const Float32 value = question->inValue ? *question->inValue : 0;
    AuricleLinkBytesAdd(bytes, &question->inParamID, 4);
    addTag(bytes, question->inValue ? 1 : 0);
    AuricleLinkBytesAdd(bytes, &value, 4);
  } else if (shape == shapeValueFromString && size >= sizeof(AudioUnitParameterValueFromString)) {
    const AudioUnitParameterValueFromString *question = data;
    AuricleLinkBytesAdd(bytes, &question->inParamID, 4);
    AuricleWriteObject(bytes, question->inString, 0);
  } else if (shape == shapeRaw) {
    AuricleLinkBytesAdd(bytes, data, size);
  }
}
