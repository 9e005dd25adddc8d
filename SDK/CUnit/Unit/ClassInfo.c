// The unit's state as a dictionary, the way presets are saved, and its presets.
// SPDX-License-Identifier: Apache-2.0

static void putWord(UInt8 *bytes, UInt32 word) {
  for (int i = 0; i < 4; i++) bytes[i] = (UInt8)(word >> (24 - 8 * i));
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

static CFTypeRef makeNumber(SInt32 value) {
  return CFNumberCreate(NULL, kCFNumberSInt32Type, &value);
}

static CFMutableDictionaryRef makeDictionary(void) {
  return CFDictionaryCreateMutable(
      NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
}

static CFStringRef scopeKey(int scope) {
  return scope == 0 ? CFSTR("0") : scope == 1 ? CFSTR("1") : CFSTR("2");
}

// The names that a host gave to elements, by scope and element in decimal.
static void putElementNames(const struct Unit *unit, CFMutableDictionaryRef state) {
  CFMutableDictionaryRef names = makeDictionary();
  if (names == NULL) return;
  for (int scope = 0; scope < 3; scope++) {
    CFMutableDictionaryRef elements = unit->elementNames[scope][0] == 0 ? NULL : makeDictionary();
    if (elements == NULL) continue;
    putNew(elements, CFSTR("0"),
        makeText(unit->elementNames[scope]));
    putNew(names, scopeKey(scope), elements);
  }
  if (CFDictionaryGetCount(names) > 0) CFDictionarySetValue(state, CFSTR("element-name"), names);
  CFRelease(names);
}

// Gives the elements the names of a state; the others get their own back.
static void restoreElementNames(struct Unit *unit, CFDictionaryRef state) {
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

static CFStringRef copyPresetName(struct Unit *unit) {
  return makeText(unit->presetName[0] == 0 ? "Untitled" : unit->presetName);
}

static void setPresetName(struct Unit *unit, CFStringRef name) {
  char text[sizeof unit->presetName];
  unit->presetNumber = -1;
  if (name != NULL && CFStringGetCString(name, text, sizeof text, kCFStringEncodingUTF8))
    memcpy(unit->presetName, text, sizeof text);
}

static bool isSaved(const AuricleParameter *parameter) {
  return !isMeter(parameter) && !(parameter->flags & kAudioUnitParameterFlag_OmitFromPresets);
}

// The values: scope, element and count, then id and value of each.
static CFDataRef copyValues(struct Unit *unit) {
  CFMutableDataRef data = CFDataCreateMutable(NULL, 0);
  if (data == NULL) return NULL;
  UInt32 count = 0;
  for (UInt32 i = 0; i < unit->definition->parameterCount; i++)
    count += isSaved(&unit->definition->parameters[i]);
  const UInt32 head[] = {kAudioUnitScope_Global, 0, count};
  UInt8 bytes[4];
  for (int i = 0; i < 3; i++) {
    putWord(bytes, head[i]);
    CFDataAppendBytes(data, bytes, 4);
  }
  for (UInt32 i = 0; i < unit->definition->parameterCount; i++) {
    const AuricleParameter *parameter = &unit->definition->parameters[i];
    if (!isSaved(parameter)) continue;
    const Float32 value = valueAt(unit, i);
    UInt32 bits;
    memcpy(&bits, &value, sizeof bits);
    putWord(bytes, parameter->id);
    CFDataAppendBytes(data, bytes, 4);
    putWord(bytes, bits);
    CFDataAppendBytes(data, bytes, 4);
  }
  return data;
}

static CFDictionaryRef copyClassInfo(struct Unit *unit) {
  CFMutableDictionaryRef state = makeDictionary();
  if (state == NULL) return NULL;
  // The author's first: the keys of the interface are not theirs to set.
  if (unit->definition->save != NULL) unit->definition->save(unit->state, state);
  putNew(state, CFSTR("version"), makeNumber(0));
  putNew(state, CFSTR("type"), makeNumber((SInt32)unit->description.componentType));
  putNew(state, CFSTR("subtype"), makeNumber((SInt32)unit->description.componentSubType));
  putNew(state, CFSTR("manufacturer"), makeNumber((SInt32)unit->description.componentManufacturer));
  putNew(state, CFSTR("name"), copyPresetName(unit));
  putNew(state, CFSTR("render-quality"), makeNumber((SInt32)unit->renderQuality));
  putElementNames(unit, state);
  putNew(state, CFSTR("data"), copyValues(unit));
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

// Sets the parameters of a blob, or only checks that the blob is whole; what it does not know it skips.
static bool restoreValues(struct Unit *unit, const UInt8 *bytes, CFIndex size, bool onlyChecks) {
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
      if (!onlyChecks) setParameter(unit, wordAt(bytes + place), scope, element, value, 0);
    }
  }
  return true;
}

// The type is not compared: an effect and an offline effect may be the same unit.
static OSStatus restoreClassInfo(struct Unit *unit, CFDictionaryRef state) {
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
    if (!restoreValues(unit, CFDataGetBytePtr(data), CFDataGetLength(data), true))
      return kAudioUnitErr_InvalidPropertyValue;
    restoreValues(unit, CFDataGetBytePtr(data), CFDataGetLength(data), false);
  }
  if (unit->definition->restore != NULL) unit->definition->restore(unit->state, state);
  SInt32 quality;
  if (integer(state, CFSTR("render-quality"), &quality) && quality >= 0 &&
      quality <= (SInt32)kRenderQuality_Max)
    unit->renderQuality = (UInt32)quality;
  restoreElementNames(unit, state);
  const void *name = CFDictionaryGetValue(state, CFSTR("name"));
  if (name != NULL && CFGetTypeID(name) == CFStringGetTypeID()) setPresetName(unit, name);
  propertyChanged(unit, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global);
  return kAudio_NoError;
}

// Sets the parameters as a preset of the unit's own has them.
static OSStatus selectFactoryPreset(struct Unit *unit, SInt32 number) {
  const AuricleUnitDefinition *definition = unit->definition;
  if (number < 0 || (UInt32)number >= definition->presetCount)
    return kAudioUnitErr_InvalidPropertyValue;
  const AuricleFactoryPreset *preset = &definition->presets[number];
  for (UInt32 i = 0; i < definition->parameterCount; i++)
    if (isSaved(&definition->parameters[i]))
      setValue(unit, i, bounded(unit, i, preset->values[i]));
  snprintf(unit->presetName, sizeof unit->presetName, "%s", preset->name);
  unit->presetNumber = number;
  return kAudio_NoError;
}

// The presets of the unit's own, as an array of AUPreset that stay the unit's.
static CFArrayRef copyFactoryPresets(struct Unit *unit) {
  const UInt32 count = unit->definition->presetCount;
  if (unit->factoryPresets == NULL) {
    unit->factoryPresets = calloc(count, sizeof *unit->factoryPresets);
    if (unit->factoryPresets == NULL) return NULL;
    for (UInt32 i = 0; i < count; i++)
      unit->factoryPresets[i] = (AUPreset){
          .presetNumber = (SInt32)i, .presetName = makeText(unit->definition->presets[i].name)};
  }
  CFMutableArrayRef presets = CFArrayCreateMutable(NULL, 0, NULL);
  if (presets == NULL) return NULL;
  for (UInt32 i = 0; i < count; i++) CFArrayAppendValue(presets, &unit->factoryPresets[i]);
  return presets;
}
