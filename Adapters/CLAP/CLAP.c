// A unit as a CLAP plug-in: ports, parameters, notes, state, latency, tail, presets.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../Core/Internal.h"
#include "Tables.h"

enum { kBypassKey = 0x7FFFFFF0, kMaximumFeatures = 8 };

// A unit of the bundle as CLAP sees it.
struct Kind {
  struct Descriptor descriptor;
  char id[64], version[32];
  const char *features[kMaximumFeatures];
};

struct PlugIn {
  struct ClapPlugin table;
  const struct Host *host;
  const struct Entry *entry;
  struct Unit *unit;
  bool isActive, isOffline;
  atomic_bool wantsLatency;
  Float32 *meters;  // values of meters as the host has them
};

static struct Kind *kinds;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static struct PlugIn *of(const struct ClapPlugin *table) { return table->data; }

// ---- Descriptors.

// Adds the features of tags that CLAP knows.
static void addFeatures(struct Kind *kind, const struct Entry *entry) {
  static const struct {
    const char *tag, *feature;
  } known[] = {{"Filter", "filter"},         {"Equalizer", "equalizer"}, {"Compressor", "compressor"}, {"Limiter", "limiter"},
               {"Expander", "expander"},     {"Gate", "gate"},           {"Dynamics", "compressor"},   {"Delay", "delay"},
               {"Reverb", "reverb"},         {"Distortion", "distortion"}, {"Pitch", "pitch-shifter"}, {"Chorus", "chorus"},
               {"Flanger", "flanger"},       {"Phaser", "phaser"},       {"Tremolo", "tremolo"},       {"Restoration", "restoration"},
               {"Synthesizer", "synthesizer"}, {"Sampler", "sampler"},   {"Panner", "mixing"},         {"Utility", "utility"}};
  static const char *const ofTypes[][2] = {{"aumu", "instrument"}, {"augn", "instrument"}, {"aumi", "note-effect"}};
  const char *main = "audio-effect";
  for (size_t i = 0; i < 3; i++)
    if (strncmp(entry->identity, ofTypes[i][0], 4) == 0) main = ofTypes[i][1];
  size_t count = 0;
  kind->features[count++] = main;
  if (strstr(entry->tags, "Analy") != NULL || strstr(entry->tags, "Meter") != NULL) kind->features[count++] = "analyzer";
  if (strncmp(entry->identity, "augn", 4) == 0) kind->features[count++] = "synthesizer";
  for (size_t i = 0; i < sizeof known / sizeof *known && count + 2 < kMaximumFeatures; i++) {
    const size_t length = strlen(known[i].tag);
    bool isNew = true;
    for (size_t other = 0; other < count; other++) isNew &= strcmp(kind->features[other], known[i].feature) != 0;
    for (const char *tag = entry->tags; tag != NULL && *tag != 0 && isNew; tag = strchr(tag, ',') ? strchr(tag, ',') + 1 : NULL)
      if (strncasecmp(tag, known[i].tag, length) == 0 && (tag[length] == 0 || tag[length] == ',')) {
        kind->features[count++] = known[i].feature;
        break;
      }
  }
  if (strcmp(main, "note-effect") != 0) kind->features[count++] = "stereo";
}

static void makeKinds(void) {
  const struct Bundle *bundle = adapterBundle();
  struct Kind *made = bundle->problem[0] != 0 ? NULL : calloc(bundle->count, sizeof *made);
  for (UInt32 i = 0; i < bundle->count && made != NULL; i++) {
    const struct Entry *entry = &bundle->entries[i];
    struct Kind *kind = &made[i];
    int used = snprintf(kind->id, sizeof kind->id, "org.auricle.");
    for (const char *place = entry->identity; *place != 0 && used < (int)sizeof kind->id - 4; place++) {
      const unsigned char byte = (unsigned char)*place;
      const bool isPlain = byte > 0x20 && byte < 0x7F && byte != '%' && byte != '.';
      if (byte == ':') used += snprintf(kind->id + used, sizeof kind->id - (size_t)used, ".");
      else used += snprintf(kind->id + used, sizeof kind->id - (size_t)used, isPlain ? "%c" : "%%%02X", byte);
    }
    snprintf(kind->version, sizeof kind->version, "%u.%u.%u", entry->version >> 16, entry->version >> 8 & 0xFF, entry->version & 0xFF);
    addFeatures(kind, entry);
    kind->descriptor = (struct Descriptor){
        .version = {1, 2, 0}, .id = kind->id, .name = entry->title, .vendor = entry->maker, .url = "", .manualURL = "",
        .supportURL = "", .pluginVersion = kind->version, .description = entry->summary, .features = kind->features};
  }
  kinds = made;
}

static UInt32 kindCount(void) {
  pthread_once(&once, makeKinds);
  return kinds == NULL ? 0 : adapterBundle()->count;
}

// ---- Life.

static bool initialize(const struct ClapPlugin *table) {
  struct PlugIn *plugIn = of(table);
  char reason[1024];
  plugIn->unit = makeUnit(adapterBundle(), plugIn->entry, reason, sizeof reason);
  if (plugIn->unit == NULL) return false;
  plugIn->meters = calloc(plugIn->unit->parameterCount + 1, sizeof *plugIn->meters);
  return plugIn->meters != NULL;
}

static void destroy(const struct ClapPlugin *table) {
  struct PlugIn *plugIn = of(table);
  freeUnit(plugIn->unit);
  free(plugIn->meters);
  free(plugIn);
}

static bool activate(const struct ClapPlugin *table, double rate, uint32_t least, uint32_t most) {
  (void)least;
  struct PlugIn *plugIn = of(table);
  plugIn->isActive = startUnit(plugIn->unit, rate, most, plugIn->isOffline);
  return plugIn->isActive;
}

static void deactivate(const struct ClapPlugin *table) {
  of(table)->isActive = false;
  stopUnit(of(table)->unit);
}

static bool startProcessing(const struct ClapPlugin *table) { return of(table)->isActive; }
static void stopProcessing(const struct ClapPlugin *table) { (void)table; }
static void reset(const struct ClapPlugin *table) { resetUnit(of(table)->unit); }

// Compares the latency with the host's value: another one needs a restart.
static void onMainThread(const struct ClapPlugin *table) {
  struct PlugIn *plugIn = of(table);
  if (!atomic_exchange(&plugIn->wantsLatency, false) || !plugIn->isActive) return;
  const UInt32 before = atomic_load(&plugIn->unit->latencyFrames);
  if (readLatency(plugIn->unit) != before) plugIn->host->requestRestart(plugIn->host);
}

// ---- Events.

static void readValueEvent(struct PlugIn *plugIn, const struct ValueEvent *event, bool isRendering) {
  struct Unit *unit = plugIn->unit;
  // A value of one note is none of a unit's, whose parameters are those of all.
  if (event->noteID >= 0 || event->key >= 0 || event->channel >= 0) return;
  if (event->parameter == kBypassKey) {
    bypassUnit(unit, event->value >= 0.5);
    return;
  }
  const SInt32 place = placeOfKey(unit, event->parameter);
  if (place < 0 || !isfinite(event->value)) return;
  // A knob that is turned glides; automation is followed to the frame.
  const bool isLive = event->header.flags & 1;
  if (isRendering && !isLive) changeValue(unit, (UInt32)place, event->header.time, (Float32)event->value);
  else setValue(unit, (UInt32)place, (Float32)event->value);
  if (!atomic_exchange(&plugIn->wantsLatency, true)) plugIn->host->requestCallback(plugIn->host);
}

static void readNote(struct PlugIn *plugIn, const struct NoteEvent *event) {
  UInt8 bytes[3];
  const UInt32 channel = event->channel < 0 ? 0 : event->channel & 15;
  const double scaled = event->velocity * 127 + 0.5;
  const UInt8 velocity = scaled < 1 ? 1 : scaled > 127 ? 127 : (UInt8)scaled;
  if (event->header.type != kNoteOn && event->key < 0) {
    // All notes: of a channel, or of every channel.
    for (UInt32 each = 0; each < 16; each++)
      if (event->channel < 0 || each == channel) {
        const UInt8 all[3] = {(UInt8)(0xB0 | each), event->header.type == kNoteChoke ? 120 : 123, 0};
        sendMessage(plugIn->unit, event->header.time, all, 3);
      }
    return;
  }
  bytes[0] = (UInt8)((event->header.type == kNoteOn ? 0x90 : 0x80) | channel);
  bytes[1] = (UInt8)(event->key & 127);
  bytes[2] = event->header.type == kNoteOn ? velocity : (UInt8)(scaled < 0 ? 0 : scaled > 127 ? 127 : scaled);
  sendMessage(plugIn->unit, event->header.time, bytes, 3);
}

static void readTransport(struct Unit *unit, const struct TransportEvent *event) {
  struct Transport *transport = &unit->transport;
  const double scale = 1.0 / 2147483648.0;
  transport->isValid = event != NULL;
  if (event == NULL) return;
  const bool isPlaying = event->flags & kIsPlaying;
  transport->hasChanged = isPlaying != transport->isPlaying;
  transport->isPlaying = isPlaying;
  transport->isRecording = event->flags & kIsRecording;
  transport->isCycling = event->flags & kIsLooping;
  transport->tempo = event->flags & kHasTempo ? event->tempo : 120;
  transport->beat = event->flags & kHasBeats ? (double)event->beats * scale : 0;
  transport->sample = event->flags & kHasSeconds ? (double)event->seconds * scale * unit->sampleRate : 0;
  transport->barBeat = (double)event->barStart * scale;
  transport->cycleStart = (double)event->loopStartBeats * scale;
  transport->cycleEnd = (double)event->loopEndBeats * scale;
  transport->numerator = event->flags & kHasSignature ? event->numerator : 4;
  transport->denominator = event->flags & kHasSignature ? event->denominator : 4;
}

static void readEvents(struct PlugIn *plugIn, const struct InputEvents *events, bool isRendering) {
  const UInt32 count = events == NULL ? 0 : events->size(events);
  for (UInt32 i = 0; i < count; i++) {
    const struct EventHeader *header = events->get(events, i);
    if (header == NULL || header->space != 0) continue;
    if (header->type == kParameterValue) readValueEvent(plugIn, (const struct ValueEvent *)header, isRendering);
    if (!isRendering) continue;
    if (header->type <= kNoteChoke) readNote(plugIn, (const struct NoteEvent *)header);
    if (header->type == kTransportEvent) readTransport(plugIn->unit, (const struct TransportEvent *)header);
    if (header->type == kMIDIEvent) {
      const UInt8 *bytes = ((const struct ShortEvent *)header)->bytes;
      sendMessage(plugIn->unit, header->time, bytes, 3);
    }
    if (header->type == kExclusiveEvent) {
      const struct ExclusiveEvent *exclusive = (const struct ExclusiveEvent *)header;
      sendMessage(plugIn->unit, header->time, exclusive->bytes, exclusive->count);
    }
  }
}

// Sends the unit's messages, and the values of meters that changed.
static void writeEvents(struct PlugIn *plugIn, const struct OutputEvents *sink, UInt32 frames) {
  struct Unit *unit = plugIn->unit;
  if (sink == NULL || sink->tryPush == NULL) return;
  for (UInt32 i = 0; i < unit->sentCount; i++) {
    const struct SentMessage *sent = &unit->sent[i];
    const UInt32 time = sent->frame < frames ? sent->frame : frames - 1;
    if (sent->exclusive != NULL) {
      const struct ExclusiveEvent event = {{sizeof event, time, 0, kExclusiveEvent, 0}, 0, sent->exclusive, sent->count};
      sink->tryPush(sink, &event.header);
    } else {
      const struct ShortEvent event = {{sizeof event, time, 0, kMIDIEvent, 0}, 0, {sent->bytes[0], sent->bytes[1], sent->bytes[2]}};
      sink->tryPush(sink, &event.header);
    }
  }
  for (UInt32 i = 0; i < unit->parameterCount; i++) {
    if (!unit->parameters[i].isMeter) continue;
    const Float32 value = readValue(unit, i);
    if (value == plugIn->meters[i]) continue;
    plugIn->meters[i] = value;
    const struct ValueEvent event = {
        {sizeof event, frames - 1, 0, kParameterValue, 0}, unit->parameters[i].key, NULL, -1, -1, -1, -1, value};
    sink->tryPush(sink, &event.header);
  }
}

static int32_t process(const struct ClapPlugin *table, const struct Process *slice) {
  struct PlugIn *plugIn = of(table);
  struct Unit *unit = plugIn->unit;
  const Float32 *const *inputs[kMaximumBuses];
  Float32 *const *outputs[kMaximumBuses];
  if (!plugIn->isActive) return kProcessError;
  for (UInt32 bus = 0; bus < unit->busCounts[0]; bus++) {
    const bool isThere = bus < slice->inputCount && slice->inputs[bus].data32 != NULL &&
                         slice->inputs[bus].channelCount >= unit->buses[0][bus].channels;
    inputs[bus] = isThere ? (const Float32 *const *)slice->inputs[bus].data32 : NULL;
  }
  for (UInt32 bus = 0; bus < unit->busCounts[1]; bus++) {
    const bool isThere = bus < slice->outputCount && slice->outputs[bus].data32 != NULL &&
                         slice->outputs[bus].channelCount >= unit->buses[1][bus].channels;
    outputs[bus] = isThere ? (Float32 *const *)slice->outputs[bus].data32 : NULL;
    if (isThere) slice->outputs[bus].constantMask = 0;
  }
  if (slice->transport != NULL || !unit->transport.isValid) readTransport(unit, slice->transport);
  readEvents(plugIn, slice->events, true);
  if (slice->frames == 0) return kProcessContinue;
  if (!renderUnit(unit, slice->frames, inputs, outputs)) return kProcessError;
  writeEvents(plugIn, slice->sent, slice->frames);
  return kProcessContinue;
}

// ---- Ports.

static bool isNoteEffect(const struct Unit *unit) {
  return unit->entry->description.componentType == kAudioUnitType_MIDIProcessor;
}

static uint32_t countAudioPorts(const struct ClapPlugin *table, bool isInput) {
  const struct Unit *unit = of(table)->unit;
  return isNoteEffect(unit) ? 0 : unit->busCounts[!isInput];
}

static bool getAudioPort(const struct ClapPlugin *table, uint32_t index, bool isInput, struct AudioPortInfo *info) {
  const struct Unit *unit = of(table)->unit;
  if (index >= countAudioPorts(table, isInput)) return false;
  const struct Bus *bus = &unit->buses[!isInput][index];
  memset(info, 0, sizeof *info);
  info->id = index;
  snprintf(info->name, sizeof info->name, "%s", bus->name);
  info->flags = index == 0;
  info->channelCount = bus->channels;
  info->type = bus->channels == 1 ? "mono" : bus->channels == 2 ? "stereo" : NULL;
  // Input and output may share memory, since the input is copied.
  info->inPlacePair = index == 0 && unit->busCounts[0] > 0 && unit->buses[0][0].channels == unit->buses[1][0].channels ? 0 : UINT32_MAX;
  return true;
}

// Whether requests can be met; applies them where `applies`.
static bool arrange(const struct ClapPlugin *table, const struct PortRequest *requests, uint32_t count, bool applies) {
  struct PlugIn *plugIn = of(table);
  struct Unit *unit = plugIn->unit;
  UInt32 before[2][kMaximumBuses], wanted[2][kMaximumBuses];
  if (plugIn->isActive) return false;
  for (int side = 0; side < 2; side++)
    for (UInt32 bus = 0; bus < unit->busCounts[side]; bus++) before[side][bus] = wanted[side][bus] = unit->buses[side][bus].channels;
  for (uint32_t i = 0; i < count; i++) {
    if (requests[i].port >= countAudioPorts(table, requests[i].isInput)) return false;
    wanted[!requests[i].isInput][requests[i].port] = requests[i].channelCount;
  }
  const bool isDone = arrangeUnit(unit, wanted[0], wanted[1]);
  if (!isDone || !applies) arrangeUnit(unit, before[0], before[1]);
  return isDone;
}

static bool canApply(const struct ClapPlugin *table, const struct PortRequest *requests, uint32_t count) {
  return arrange(table, requests, count, false);
}
static bool apply(const struct ClapPlugin *table, const struct PortRequest *requests, uint32_t count) {
  return arrange(table, requests, count, true);
}

static uint32_t countNotePorts(const struct ClapPlugin *table, bool isInput) {
  return isInput ? of(table)->unit->takesMIDI : of(table)->unit->sendsMIDI;
}

static bool getNotePort(const struct ClapPlugin *table, uint32_t index, bool isInput, struct NotePortInfo *info) {
  if (index >= countNotePorts(table, isInput)) return false;
  memset(info, 0, sizeof *info);
  info->supported = isInput ? 3 : 2;
  info->preferred = 2;
  snprintf(info->name, sizeof info->name, isInput ? "MIDI In" : "MIDI Out");
  return true;
}

// ---- Parameters.

static uint32_t countParameters(const struct ClapPlugin *table) {
  return of(table)->unit->parameterCount + of(table)->unit->canBypass;
}

static bool getParameterInfo(const struct ClapPlugin *table, uint32_t index, struct ParameterInfo *info) {
  const struct Unit *unit = of(table)->unit;
  if (index >= countParameters(table)) return false;
  memset(info, 0, sizeof *info);
  if (index == unit->parameterCount) {
    info->id = kBypassKey;
    info->flags = kParameterStepped | kParameterBypass | kParameterAutomatable;
    snprintf(info->name, sizeof info->name, "Bypass");
    info->maximum = 1;
    return true;
  }
  const struct Parameter *parameter = &unit->parameters[index];
  info->id = parameter->key;
  info->flags = (parameter->isStepped ? kParameterStepped : 0) | (parameter->isHidden ? kParameterHidden : 0) |
                (parameter->isMeter ? kParameterReadOnly : 0) | (parameter->isAutomatable ? kParameterAutomatable : 0) |
                (parameter->isStepped && parameter->pointCount > 0 ? kParameterEnum : 0);
  snprintf(info->name, sizeof info->name, "%s", parameter->name);
  snprintf(info->module, sizeof info->module, "%s", parameter->group);
  info->minimum = parameter->minimum;
  info->maximum = parameter->maximum;
  info->initial = parameter->initial;
  return true;
}

static bool getParameterValue(const struct ClapPlugin *table, uint32_t id, double *value) {
  struct Unit *unit = of(table)->unit;
  if (id == kBypassKey && unit->canBypass) {
    *value = isBypassed(unit);
    return true;
  }
  const SInt32 place = placeOfKey(unit, id);
  if (place < 0) return false;
  // A meter measures sound; between activations it is at rest.
  const struct Parameter *parameter = &unit->parameters[place];
  const bool isAtRest = parameter->isMeter && !of(table)->isActive;
  *value = isAtRest ? parameter->initial : readValue(unit, (UInt32)place);
  return true;
}

static bool writeText(const struct ClapPlugin *table, uint32_t id, double value, char *text, uint32_t size) {
  struct Unit *unit = of(table)->unit;
  const SInt32 place = placeOfKey(unit, id);
  if (size == 0) return false;
  if (id == kBypassKey) snprintf(text, size, "%s", value >= 0.5 ? "on" : "off");
  else if (place >= 0) textOfValue(unit, (UInt32)place, (Float32)value, text, size);
  return id == kBypassKey || place >= 0;
}

static bool readText2(const struct ClapPlugin *table, uint32_t id, const char *text, double *value) {
  struct Unit *unit = of(table)->unit;
  const SInt32 place = placeOfKey(unit, id);
  Float32 found;
  if (id == kBypassKey) {
    *value = strcasecmp(text, "on") == 0 || strcmp(text, "1") == 0;
    return true;
  }
  if (place < 0 || !valueOfText(unit, (UInt32)place, text, &found)) return false;
  *value = found;
  return true;
}

static void flush(const struct ClapPlugin *table, const struct InputEvents *events, const struct OutputEvents *sent) {
  (void)sent;
  readEvents(of(table), events, false);
}

static void tellValues(struct PlugIn *plugIn) {
  const struct HostParameters *host = plugIn->host->getExtension == NULL ? NULL : plugIn->host->getExtension(plugIn->host, "clap.params");
  if (host != NULL && host->rescan != NULL) host->rescan(plugIn->host, 1);
  atomic_store(&plugIn->wantsLatency, true);
  onMainThread(&plugIn->table);
}

// ---- State and presets.

static bool save(const struct ClapPlugin *table, const struct WriteStream *stream) {
  size_t length = 0, done = 0;
  char *state = saveState(of(table)->unit, &length);
  while (state != NULL && done < length) {
    const int64_t count = stream->write(stream, state + done, length - done);
    if (count <= 0) break;
    done += (size_t)count;
  }
  free(state);
  return state != NULL && done == length;
}

static bool load(const struct ClapPlugin *table, const struct ReadStream *stream) {
  enum { kStep = 1 << 16, kMost = 1 << 28 };
  char *bytes = NULL;
  size_t length = 0;
  for (;;) {
    char *grown = length > kMost ? NULL : realloc(bytes, length + kStep);
    const int64_t count = grown == NULL ? -1 : stream->read(stream, grown + length, kStep);
    if (grown != NULL) bytes = grown;
    if (count < 0) {
      free(bytes);
      return false;
    }
    if (count == 0) break;
    length += (size_t)count;
  }
  const bool isLoaded = restoreState(of(table)->unit, bytes, length);
  free(bytes);
  if (isLoaded) tellValues(of(table));
  return isLoaded;
}

static bool loadPreset(const struct ClapPlugin *table, uint32_t kind, const char *location, const char *key) {
  struct PlugIn *plugIn = of(table);
  const struct HostPresetLoad *host =
      plugIn->host->getExtension == NULL ? NULL : plugIn->host->getExtension(plugIn->host, "clap.preset-load/2");
  // A key is the identity of the unit and the number of the preset.
  const char *slash = key == NULL ? NULL : strrchr(key, '/');
  const bool isDone = kind == 1 && slash != NULL && choosePreset(plugIn->unit, atoi(slash + 1));
  if (isDone) tellValues(plugIn);
  if (host != NULL && isDone) host->loaded(plugIn->host, kind, location, key);
  if (host != NULL && !isDone) host->onError(plugIn->host, kind, location, key, 0, "the unit has no such preset");
  return isDone;
}

// ---- Time.

static uint32_t getLatency(const struct ClapPlugin *table) { return readLatency(of(table)->unit); }

static uint32_t getTail(const struct ClapPlugin *table) {
  struct Unit *unit = of(table)->unit;
  const double frames = ceil(readTail(unit, NULL) * unit->sampleRate);
  return frames >= 2147483647.0 ? 2147483647 : (uint32_t)frames;
}

static bool hasHardRealtimeRequirement(const struct ClapPlugin *table) {
  (void)table;
  return false;
}

static bool setRenderMode(const struct ClapPlugin *table, int32_t mode) {
  const UInt32 isOffline = mode == 1;
  of(table)->isOffline = isOffline;
  setProperty(of(table)->unit, kAudioUnitProperty_OfflineRender, kAudioUnitScope_Global, 0, &isOffline, sizeof isOffline);
  return true;
}

static const void *getExtension(const struct ClapPlugin *table, const char *id) {
  static const struct AudioPorts audioPorts = {countAudioPorts, getAudioPort};
  static const struct ConfigurablePorts configurable = {canApply, apply};
  static const struct NotePorts notePorts = {countNotePorts, getNotePort};
  static const struct Parameters parameters = {countParameters, getParameterInfo, getParameterValue, writeText, readText2, flush};
  static const struct StateTable state = {save, load};
  static const struct Frames latency = {getLatency}, tail = {getTail};
  static const struct RenderTable render = {hasHardRealtimeRequirement, setRenderMode};
  static const struct PresetLoad presets = {loadPreset};
  const struct Unit *unit = of(table)->unit;
  if (unit == NULL) return NULL;
  if (strcmp(id, "clap.audio-ports") == 0) return &audioPorts;
  if (strcmp(id, "clap.configurable-audio-ports/1") == 0 && !isNoteEffect(unit)) return &configurable;
  if (strcmp(id, "clap.note-ports") == 0) return unit->takesMIDI || unit->sendsMIDI ? &notePorts : NULL;
  if (strcmp(id, "clap.params") == 0) return &parameters;
  if (strcmp(id, "clap.state") == 0) {
    UInt32 size;
    const bool isSaved = unit->chain != NULL || hasProperty(of(table)->unit, kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, &size);
    return isSaved ? &state : NULL;
  }
  if (strcmp(id, "clap.latency") == 0) return &latency;
  if (strcmp(id, "clap.tail") == 0) return &tail;
  if (strcmp(id, "clap.render") == 0) return &render;
  if (strcmp(id, "clap.preset-load/2") == 0 || strcmp(id, "clap.preset-load.draft/2") == 0) return unit->presetCount > 0 ? &presets : NULL;
  return NULL;
}

// ---- Factories.

static uint32_t countPlugIns(const struct Factory *factory) {
  (void)factory;
  return kindCount();
}

static const struct Descriptor *describe(const struct Factory *factory, uint32_t index) {
  (void)factory;
  return index < kindCount() ? &kinds[index].descriptor : NULL;
}

static const struct ClapPlugin *create(const struct Factory *factory, const struct Host *host, const char *id) {
  (void)factory;
  for (UInt32 i = 0; i < kindCount() && id != NULL && host != NULL; i++) {
    if (strcmp(kinds[i].id, id) != 0) continue;
    struct PlugIn *plugIn = calloc(1, sizeof *plugIn);
    if (plugIn == NULL) return NULL;
    plugIn->host = host;
    plugIn->entry = &adapterBundle()->entries[i];
    plugIn->table = (struct ClapPlugin){
        &kinds[i].descriptor, plugIn, initialize, destroy, activate, deactivate, startProcessing, stopProcessing, reset, process,
        getExtension, onMainThread};
    return &plugIn->table;
  }
  return NULL;
}

static const struct ProviderDescriptor providerDescriptor = {{1, 2, 0}, "org.auricle.presets", "Factory presets", "Auricle"};

static bool startProvider(const struct Provider *provider) {
  static const struct Location location = {1, "Factory presets", 1, NULL};
  const struct Indexer *indexer = provider->data;
  return indexer->declareLocation(indexer, &location);
}

static void destroyProvider(const struct Provider *provider) { free((void *)provider); }

static bool getMetadata(const struct Provider *provider, uint32_t kind, const char *location, const struct Receiver *receiver) {
  (void)provider, (void)location;
  char reason[1024], key[64];
  for (UInt32 i = 0; i < kindCount() && kind == 1; i++) {
    struct Unit *unit = makeUnit(adapterBundle(), &adapterBundle()->entries[i], reason, sizeof reason);
    const struct UniversalID id = {"clap", kinds[i].id};
    for (UInt32 preset = 0; unit != NULL && preset < unit->presetCount; preset++) {
      snprintf(key, sizeof key, "%s/%d", unit->entry->identity, unit->presets[preset].number);
      if (!receiver->beginPreset(receiver, unit->presets[preset].name, key)) break;
      receiver->addPluginID(receiver, &id);
      receiver->setFlags(receiver, 1);
    }
    freeUnit(unit);
  }
  return kind == 1;
}

static const void *getProviderExtension(const struct Provider *provider, const char *id) {
  (void)provider, (void)id;
  return NULL;
}

static uint32_t countProviders(const struct DiscoveryFactory *factory) {
  (void)factory;
  return 1;
}

static const struct ProviderDescriptor *describeProvider(const struct DiscoveryFactory *factory, uint32_t index) {
  (void)factory;
  return index == 0 ? &providerDescriptor : NULL;
}

static const struct Provider *createProvider(const struct DiscoveryFactory *factory, const struct Indexer *indexer, const char *id) {
  (void)factory;
  struct Provider *provider = strcmp(id, providerDescriptor.id) == 0 ? calloc(1, sizeof *provider) : NULL;
  if (provider == NULL) return NULL;
  *provider = (struct Provider){&providerDescriptor, (void *)indexer, startProvider, destroyProvider, getMetadata, getProviderExtension};
  return provider;
}

static bool enter(const char *path) {
  (void)path;
  return kindCount() > 0;
}
static void leave(void) {}

static const void *getFactory(const char *id) {
  static const struct Factory plugIns = {countPlugIns, describe, create};
  static const struct DiscoveryFactory presets = {countProviders, describeProvider, createProvider};
  if (strcmp(id, "clap.plugin-factory") == 0) return &plugIns;
  const bool isDiscovery = strcmp(id, "clap.preset-discovery-factory/2") == 0 || strcmp(id, "clap.preset-discovery-factory/draft-2") == 0;
  return isDiscovery ? &presets : NULL;
}

__attribute__((visibility("default"))) const struct ClapEntry clap_entry = {{1, 2, 0}, enter, leave, getFactory};

// Tries each unit. Exported for the program that makes bundles; hosts of CLAP read no files.
__attribute__((visibility("default"))) int auricle_describe(EmitFile emit, void *context, char *reason, size_t size) {
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
