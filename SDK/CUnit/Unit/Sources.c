// Where the input comes from, and the formats of the buses.
// SPDX-License-Identifier: Apache-2.0

// Puts a new source in force; the old one is freed when nothing can be rendering with it.
static void replaceSource(struct Unit *unit, struct Source *source) {
  struct Source *old = atomic_exchange(&unit->source, source);
  if (old == NULL) return;
  if (atomic_load(&unit->isInitialized)) {
    old->retired = unit->retired;
    unit->retired = old;
  } else {
    free(old);
  }
}

static OSStatus setSource(
    struct Unit *unit, const AURenderCallbackStruct *callback, AudioUnit source, UInt32 output) {
  if ((callback == NULL || callback->inputProc == NULL) && source == NULL) {
    replaceSource(unit, NULL);
    return kAudio_NoError;
  }
  struct Source *record = calloc(1, sizeof *record);
  if (record == NULL) return kAudio_MemFullError;
  if (callback != NULL) record->callback = *callback;
  record->unit = source;
  record->unitOutput = output;
  replaceSource(unit, record);
  return kAudio_NoError;
}

static OSStatus setFormat(
    struct Unit *unit, AudioUnitScope scope, const AudioStreamBasicDescription *format) {
  AudioStreamBasicDescription *present = &unit->formats[scope == kAudioUnitScope_Input ? 0 : 1];
  struct SampleLayout layout;
  if (!readLayout(format, &layout) || layout.channelCount > kMaximumChannels ||
      !(format->mSampleRate >= 1) || format->mSampleRate > 3072000)
    return kAudioUnitErr_FormatNotSupported;
  const AudioStreamBasicDescription wanted = formatOf(&layout, format->mSampleRate);
  const size_t meaning = offsetof(AudioStreamBasicDescription, mReserved);
  if (memcmp(present, &wanted, meaning) == 0) return kAudio_NoError;
  if (atomic_load(&unit->isInitialized)) return kAudioUnitErr_Initialized;
  *present = wanted;
  propertyChanged(unit, kAudioUnitProperty_StreamFormat, scope);
  return kAudio_NoError;
}

// Gives the input the format of the output that is to feed it, where that tells one.
static OSStatus followFormat(
    struct Unit *unit, const struct ComponentInstanceRecord *source, UInt32 output) {
  if (source->getProperty == NULL || source->plugIn == NULL) return kAudio_NoError;
  AudioStreamBasicDescription format;
  UInt32 size = sizeof format;
  memset(&format, 0, sizeof format);
  const OSStatus status = source->getProperty(
      source->plugIn, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, output, &format,
      &size);
  if (status != kAudio_NoError) return status;
  return setFormat(unit, kAudioUnitScope_Input, &format);
}

static OSStatus connectInput(struct Unit *unit, const AudioUnitConnection *connection) {
  if (connection->destInputNumber != 0) return kAudioUnitErr_InvalidElement;
  const struct ComponentInstanceRecord *record = connection->sourceAudioUnit;
  if (record != NULL) {
    if (record->magic != kAuricleInstanceMagic) return kAudio_ParamError;
    const OSStatus status = followFormat(unit, record, connection->sourceOutputNumber);
    if (status != kAudio_NoError) return status;
  }
  return setSource(unit, NULL, connection->sourceAudioUnit, connection->sourceOutputNumber);
}
