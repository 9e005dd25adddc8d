// The unit's state as a dictionary, the way presets are saved, and its presets.
// SPDX-License-Identifier: Apache-2.0

static void appendWord(CFMutableDataRef data, UInt32 word) {
  const UInt8 bytes[] = {(UInt8)(word >> 24), (UInt8)(word >> 16), (UInt8)(word >> 8), (UInt8)word};
  CFDataAppendBytes(data, bytes, sizeof bytes);
}

static UInt32 wordAt(const UInt8 *bytes) {
  return (UInt32)bytes[0] << 24 | (UInt32)bytes[1] << 16 | (UInt32)bytes[2] << 8 | bytes[3];
}

// Stores a value and gives up the caller's reference.
static void putNew(CFMutableDictionaryRef state, CFStringRef key, CFTypeRef value) {
  if (value == NULL) return;
  CFDictionarySetValue(state, key, value);
  CFRelease(value);
}

static void putNumber(CFMutableDictionaryRef state, CFStringRef key, UInt32 value) {
  putNew(state, key, CFNumberCreate(NULL, kCFNumberSInt32Type, &value));
}

static bool isSaved(const AuricleParameter *parameter) {
  return !isMeter(parameter) && !(parameter->flags & kAudioUnitParameterFlag_OmitFromPresets);
}

// The values: scope, element and count, then id and value of each.
static CFDataRef copyValues(const struct Unit *unit) {
  const AuricleUnitDefinition *definition = unit->definition;
  CFMutableDataRef data = CFDataCreateMutable(NULL, 0);
  UInt32 count = 0;
  for (UInt32 i = 0; i < definition->parameterCount; i++) count += isSaved(&definition->parameters[i]);
  if (data == NULL) return NULL;
  appendWord(data, kAudioUnitScope_Global);
  appendWord(data, 0);
  appendWord(data, count);
  for (UInt32 i = 0; i < definition->parameterCount; i++) {
    const Float32 value = valueAt(unit, i);
    UInt32 bits;
    memcpy(&bits, &value, sizeof bits);
    if (!isSaved(&definition->parameters[i])) continue;
    appendWord(data, definition->parameters[i].id);
    appendWord(data, bits);
  }
  return data;
}

// Sets the parameters of a blob, or only checks that the blob is whole; unknown parameters are skipped.
static bool restoreValues(struct Unit *unit, CFDataRef data, bool onlyChecks) {
  const UInt8 *bytes = CFDataGetBytePtr(data), *end = bytes + CFDataGetLength(data);
  while (bytes < end) {
    if (end - bytes < 12) return false;
    const UInt32 scope = wordAt(bytes), element = wordAt(bytes + 4), count = wordAt(bytes + 8);
    bytes += 12;
    if ((end - bytes) / 8 < (ptrdiff_t)count) return false;
    for (UInt32 i = 0; i < count; i++, bytes += 8) {
      const UInt32 bits = wordAt(bytes + 4);
      Float32 value;
      memcpy(&value, &bits, sizeof value);
      if (!onlyChecks) setParameter(unit, wordAt(bytes), scope, element, value, 0);
    }
  }
  return true;
}

// Stores a copy of a name at its place; NULL removes it.
static OSStatus keepName(CFStringRef *place, CFStringRef name) {
  CFStringRef kept = name == NULL ? NULL : CFStringCreateCopy(NULL, name);
  if (name != NULL && kept == NULL) return kAudio_MemFullError;
  if (*place != NULL) CFRelease(*place);
  *place = kept;
  return kAudio_NoError;
}

static CFStringRef copyPresetName(const struct Unit *unit) {
  const CFStringRef name = unit->presetName;
  return name == NULL ? makeText("Untitled") : (CFStringRef)CFRetain(name);
}

static CFDictionaryRef copyClassInfo(struct Unit *unit) {
  CFMutableDictionaryRef state = CFDictionaryCreateMutable(
      NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
  if (state == NULL) return NULL;
  // The author's first: the keys of the interface are not theirs to set.
  if (unit->definition->save != NULL) unit->definition->save(unit->state, state);
  putNumber(state, CFSTR("version"), 0);
  putNumber(state, CFSTR("type"), unit->description.componentType);
  putNumber(state, CFSTR("subtype"), unit->description.componentSubType);
  putNumber(state, CFSTR("manufacturer"), unit->description.componentManufacturer);
  putNew(state, CFSTR("name"), copyPresetName(unit));
  putNew(state, CFSTR("data"), copyValues(unit));
  return state;
}

static bool hasNumber(CFDictionaryRef state, CFStringRef key, UInt32 wanted) {
  const void *value = CFDictionaryGetValue(state, key);
  UInt32 found;
  return value != NULL && CFGetTypeID(value) == CFNumberGetTypeID() &&
         CFNumberGetValue(value, kCFNumberSInt32Type, &found) && found == wanted;
}

// The type is not compared: an effect and an offline effect may be the same unit.
static OSStatus restoreClassInfo(struct Unit *unit, CFDictionaryRef state) {
  if (state == NULL || CFGetTypeID(state) != CFDictionaryGetTypeID() ||
      !hasNumber(state, CFSTR("version"), 0) ||
      !hasNumber(state, CFSTR("subtype"), unit->description.componentSubType) ||
      !hasNumber(state, CFSTR("manufacturer"), unit->description.componentManufacturer) ||
      CFDictionaryGetValue(state, CFSTR("part")) != NULL)
    return kAudioUnitErr_InvalidPropertyValue;
  const void *data = CFDictionaryGetValue(state, CFSTR("data"));
  // One that is cut off changes nothing.
  if (data != NULL && (CFGetTypeID(data) != CFDataGetTypeID() || !restoreValues(unit, data, true)))
    return kAudioUnitErr_InvalidPropertyValue;
  if (data != NULL) restoreValues(unit, data, false);
  if (unit->definition->restore != NULL) unit->definition->restore(unit->state, state);
  const void *name = CFDictionaryGetValue(state, CFSTR("name"));
  if (name != NULL && CFGetTypeID(name) == CFStringGetTypeID()) {
    unit->presetNumber = -1;
    keepName(&unit->presetName, name);
  }
  propertyChanged(unit, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global);
  return kAudio_NoError;
}

// Chooses one of the unit's presets, or names the present settings.
static OSStatus setPresentPreset(struct Unit *unit, const AUPreset *given) {
  const AuricleUnitDefinition *definition = unit->definition;
  const SInt32 number = given->presetNumber;
  if (number >= 0 ? (UInt32)number >= definition->presetCount : given->presetName == NULL)
    return kAudioUnitErr_InvalidPropertyValue;
  unit->presetNumber = number < 0 ? -1 : number;
  if (number < 0) return keepName(&unit->presetName, given->presetName);
  const AuricleFactoryPreset *preset = &definition->presets[number];
  for (UInt32 i = 0; i < definition->parameterCount; i++)
    if (isSaved(&definition->parameters[i])) setValue(unit, i, bounded(unit, i, preset->values[i]));
  if (unit->presetName != NULL) CFRelease(unit->presetName);
  unit->presetName = makeText(preset->name);
  return kAudio_NoError;
}

// The presets of the unit's own, as an array of AUPreset that stay the unit's.
static CFArrayRef copyFactoryPresets(struct Unit *unit) {
  const UInt32 count = unit->definition->presetCount;
  CFMutableArrayRef presets = CFArrayCreateMutable(NULL, 0, NULL);
  if (unit->presets == NULL) unit->presets = calloc(count, sizeof *unit->presets);
  for (UInt32 i = 0; i < count && presets != NULL && unit->presets != NULL; i++) {
    AUPreset *preset = &unit->presets[i];
    preset->presetNumber = (SInt32)i;
    if (preset->presetName == NULL) preset->presetName = makeText(unit->definition->presets[i].name);
    CFArrayAppendValue(presets, preset);
  }
  return presets;
}
