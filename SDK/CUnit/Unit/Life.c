// Making a unit, its methods, and its life between Initialize and Uninitialize.
// SPDX-License-Identifier: Apache-2.0

static OSStatus uninitializeUnit(void *self) {
  struct Unit *unit = self;
  atomic_store(&unit->isInitialized, false);
  if (unit->isStarted && unit->definition->stop != NULL) unit->definition->stop(unit->state);
  unit->isStarted = false;
  free(unit->memory);
  unit->memory = NULL;
  freeRetired(unit);
  return kAudio_NoError;
}

static OSStatus openUnit(void *self, AudioComponentInstance handle) {
  ((struct Unit *)self)->handle = handle;
  return kAudio_NoError;
}

static OSStatus closeUnit(void *self) {
  struct Unit *unit = self;
  uninitializeUnit(unit);
  free(atomic_load(&unit->source));
  for (int i = 0; i < kMaximumHooks; i++) {
    free(atomic_load(&unit->observers[i]));
    free(atomic_load(&unit->listeners[i]));
  }
  keepName(&unit->contextName, NULL);
  keepName(&unit->presetName, NULL);
  for (UInt32 i = 0; unit->presets != NULL && i < unit->definition->presetCount; i++)
    if (unit->presets[i].presetName != NULL) CFRelease(unit->presets[i].presetName);
  free(unit->presets);
  free(unit->state);
  free((void *)unit->values);
  free(unit->sliceValues);
  free(unit->ramps);
  free(unit->notes);
  free(unit);
  return kAudio_NoError;
}

// Returns whether a rule of a table of channels allows these numbers: -1 and -1 mean any equal numbers, -1
// and -2 any, another number itself.
static bool allowsChannels(AUChannelInfo rule, UInt32 inputs, UInt32 outputs) {
  if (rule.inChannels == -1 && rule.outChannels == -1) return inputs == outputs;
  return (rule.inChannels < 0 || (UInt32)rule.inChannels == inputs) &&
         (rule.outChannels < 0 || (UInt32)rule.outChannels == outputs);
}

static bool supportsChannels(const AuricleUnitDefinition *definition, UInt32 inputs, UInt32 outputs) {
  if (definition->channels == NULL) return definition->isGenerator || inputs == outputs;
  for (UInt32 i = 0; i < definition->channelCount; i++)
    if (allowsChannels(definition->channels[i], inputs, outputs)) return true;
  return false;
}

// Channels of a side before a host sets a format: stereo where that is allowed.
static UInt32 firstChannels(const AuricleUnitDefinition *definition, int side) {
  if (supportsChannels(definition, definition->isGenerator ? 0 : 2, 2) || definition->channelCount == 0) return 2;
  const SInt16 first = side == 0 ? definition->channels[0].inChannels : definition->channels[0].outChannels;
  return first > 0 ? (UInt32)first : 2;
}

// Forgets the past.
static void forgetPast(struct Unit *unit) {
  if (unit->definition->reset != NULL) unit->definition->reset(unit->state);
  unit->hasRendered = false;
  unit->eventCount = 0;
  unit->silentFrames = 0;
  forgetMessages(unit);
}

static OSStatus resetUnit(void *self, AudioUnitScope scope, AudioUnitElement element) {
  struct Unit *unit = self;
  if (scope > kAudioUnitScope_Output) return kAudioUnitErr_InvalidScope;
  if (element != 0) return kAudioUnitErr_InvalidElement;
  if (atomic_load(&unit->isInitialized)) forgetPast(unit);
  return kAudio_NoError;
}

// Memory of whole lines: outputs for callers that bring none, inputs that are not processed in place, the dry
// signal.
static bool allocateMemory(struct Unit *unit) {
  enum { kLine = 16 };
  unit->stride = (unit->maximumFrames + kLine - 1) / kLine * kLine;
  const size_t apart = isInPlace(unit) ? 0 : unit->input.count;
  unit->memory = calloc(2 * unit->output.count + apart, unit->stride * sizeof(Float32));
  if (unit->memory != NULL) unit->dry = unit->memory + (unit->output.count + apart) * unit->stride;
  return unit->memory != NULL;
}

static OSStatus startState(struct Unit *unit) {
  const AuricleRenderFormat format = {
      .sampleRate = unit->formats[1].mSampleRate,
      .inputCount = unit->input.count,
      .outputCount = unit->output.count,
      .maximumFrames = unit->maximumFrames};
  unit->isStarted = true;
  return unit->definition->start == NULL ? kAudio_NoError : unit->definition->start(unit->state, &format);
}

static OSStatus initializeUnit(void *self) {
  struct Unit *unit = self;
  if (atomic_load(&unit->isInitialized)) return kAudio_NoError;
  const UInt32 outputs = unit->formats[1].mChannelsPerFrame;
  const UInt32 inputs = hasInput(unit) ? unit->formats[0].mChannelsPerFrame : 0;
  const Float64 sampleRate = unit->formats[1].mSampleRate;
  if (!supportsChannels(unit->definition, inputs, outputs) ||
      (hasInput(unit) && unit->formats[0].mSampleRate != sampleRate))
    return kAudioUnitErr_FormatNotSupported;
  // Sizes of buffers have 32 bits.
  if ((UInt64)unit->maximumFrames * (inputs > outputs ? inputs : outputs) > 1u << 28) return kAudio_MemFullError;
  // The rate may have become lower since values were set, and with it their range.
  for (UInt32 i = 0; i < unit->definition->parameterCount; i++)
    setValue(unit, i, bounded(unit, i, valueAt(unit, i)));
  unit->input.count = inputs;
  unit->output.count = outputs;
  unit->dryPart = atomic_load(&unit->isBypassed);
  const Float64 rest = unit->definition->restSeconds * sampleRate;
  unit->restFrames = rest > 0 && rest < 4e9 ? (UInt32)ceil(rest) : UINT32_MAX;
  const OSStatus status = allocateMemory(unit) ? startState(unit) : kAudio_MemFullError;
  if (status != kAudio_NoError) {
    uninitializeUnit(unit);
    return status;
  }
  forgetPast(unit);
  atomic_store(&unit->isInitialized, true);
  return kAudio_NoError;
}

// The units that have a method: all; the ones that receive MIDI; the ones that receive MIDI and
// have no input.
enum { kUnit, kPlayed, kPlayedAlone };

static AudioComponentMethod methodOf(SInt16 selector, int kind) {
  static const struct {
    SInt16 selector;
    int least;
    AudioComponentMethod method;
  } methods[] = {
#define METHOD(name, least, function) {k##name##Select, least, (AudioComponentMethod)function}
      METHOD(AudioUnitInitialize, kUnit, initializeUnit),
      METHOD(AudioUnitUninitialize, kUnit, uninitializeUnit),
      METHOD(AudioUnitGetPropertyInfo, kUnit, getPropertyInfo),
      METHOD(AudioUnitGetProperty, kUnit, getProperty),
      METHOD(AudioUnitSetProperty, kUnit, setProperty),
      METHOD(AudioUnitGetParameter, kUnit, getParameter),
      METHOD(AudioUnitSetParameter, kUnit, setParameter),
      METHOD(AudioUnitReset, kUnit, resetUnit),
      METHOD(AudioUnitAddPropertyListener, kUnit, addPropertyListener),
      METHOD(AudioUnitRemovePropertyListener, kUnit, removePropertyListener),
      METHOD(AudioUnitRemovePropertyListenerWithUserData, kUnit, removePropertyListenerWithUserData),
      METHOD(AudioUnitRender, kUnit, renderUnit),
      METHOD(AudioUnitAddRenderNotify, kUnit, addRenderNotify),
      METHOD(AudioUnitRemoveRenderNotify, kUnit, removeRenderNotify),
      METHOD(AudioUnitScheduleParameters, kUnit, scheduleParameters),
      METHOD(AudioUnitProcess, kUnit, processUnit),
      METHOD(MusicDeviceMIDIEvent, kPlayed, playMIDI),
      METHOD(MusicDeviceSysEx, kPlayed, playSysEx),
      METHOD(MusicDeviceStartNote, kPlayedAlone, startNote),
      METHOD(MusicDeviceStopNote, kPlayedAlone, stopNote),
      METHOD(MusicDevicePrepareInstrument, kPlayedAlone, prepareInstrument),
      METHOD(MusicDeviceReleaseInstrument, kPlayedAlone, prepareInstrument),
#undef METHOD
  };
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (methods[i].selector == selector && methods[i].least <= kind) return methods[i].method;
  return NULL;
}

static AudioComponentMethod lookUpMethod(SInt16 selector) { return methodOf(selector, kUnit); }
static AudioComponentMethod lookUpPlayed(SInt16 selector) { return methodOf(selector, kPlayed); }
static AudioComponentMethod lookUpPlayedAlone(SInt16 selector) { return methodOf(selector, kPlayedAlone); }

AudioComponentPlugInInterface *AuricleMakeUnit(
    const AuricleUnitDefinition *definition, const AudioComponentDescription *description) {
  const UInt32 count = definition->parameterCount;
  struct Unit *unit = calloc(1, sizeof *unit);
  if (unit == NULL) return NULL;
  unit->definition = definition;
  unit->state = calloc(1, definition->stateSize + 1);
  unit->values = calloc(count + 1, sizeof *unit->values);
  unit->sliceValues = calloc(count + 1, sizeof *unit->sliceValues);
  unit->ramps = calloc(count + 1, sizeof *unit->ramps);
  unit->notes = definition->receivesMIDI ? makeNotes() : NULL;
  if (unit->state == NULL || unit->values == NULL || unit->sliceValues == NULL ||
      unit->ramps == NULL || (definition->receivesMIDI && unit->notes == NULL)) {
    closeUnit(unit);
    return NULL;
  }
  if (description != NULL) unit->description = *description;
  unit->interface = (AudioComponentPlugInInterface){
      .Open = openUnit,
      .Close = closeUnit,
      .Lookup = !definition->receivesMIDI ? lookUpMethod
                : hasInput(unit)          ? lookUpPlayed
                                          : lookUpPlayedAlone};
  unit->maximumFrames = 1156;
  unit->presetNumber = -1;
  for (int side = 0; side < 2; side++)
    unit->formats[side] = planarFormat(44100, firstChannels(definition, side));
  for (UInt32 i = 0; i < count; i++)
    setValue(unit, i, bounded(unit, i, definition->parameters[i].initial));
  return &unit->interface;
}
