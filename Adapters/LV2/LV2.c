// A unit as an LV2 plug-in: ports, events, state.
// SPDX-License-Identifier: Apache-2.0
#include <lv2/atom/atom.h>
#include <lv2/atom/util.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/core/lv2.h>
#include <lv2/midi/midi.h>
#include <lv2/options/options.h>
#include <lv2/state/state.h>
#include <lv2/time/time.h>
#include <lv2/urid/urid.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../Core/Internal.h"
#include "Ports.h"

enum URIDs {
  kSequence, kMIDIEvent, kObject, kBlank, kPosition, kBar, kBarBeat, kBeatUnit, kBeatsPerBar, kBeatsPerMinute, kTimeFrame, kSpeed, kFloat,
  kDouble, kLong, kInt, kString, kState, kMaxBlockLength, kNominalBlockLength, kURIDCount
};

static const char *const kURIs[kURIDCount] = {
    LV2_ATOM__Sequence, LV2_MIDI__MidiEvent,   LV2_ATOM__Object,          LV2_ATOM__Blank,  LV2_TIME__Position, LV2_TIME__bar,
    LV2_TIME__barBeat,  LV2_TIME__beatUnit,    LV2_TIME__beatsPerBar,     LV2_TIME__beatsPerMinute, LV2_TIME__frame, LV2_TIME__speed,
    LV2_ATOM__Float,    LV2_ATOM__Double,      LV2_ATOM__Long,            LV2_ATOM__Int,    LV2_ATOM__String,   kStateKey,
    LV2_BUF_SIZE__maxBlockLength, LV2_BUF_SIZE__nominalBlockLength};

struct PlugIn {
  struct Unit *unit;
  struct Port *ports;
  UInt32 portCount, maximumFrames;
  UInt32 usualFrames;  // of a run, as the host says; 0 where it does not
  double sampleRate;
  LV2_URID urids[kURIDCount];
  void **memory;    // the connected memory, by port
  Float32 *values;  // of control ports, as they were last
  bool hasValues, isOffline;
  bool isCut;  // whether the last run was shorter than usual: the host cuts its cycles where values change
  Float32 *channels[2][kMaximumBuses][kMaximumChannels];
  Float32 **buses[2][kMaximumBuses];
};

static struct LV2_Descriptor *descriptors;

static const struct Entry *entryOf(const LV2_Descriptor *descriptor) {
  return &adapterBundle()->entries[descriptor - descriptors];
}

static void cleanUp(LV2_Handle handle) {
  struct PlugIn *plugIn = handle;
  freeUnit(plugIn->unit);
  free(plugIn->ports);
  free(plugIn->memory);
  free(plugIn->values);
  free(plugIn);
}

static void readFeatures(struct PlugIn *plugIn, const LV2_Feature *const *features) {
  const LV2_URID_Map *map = NULL;
  const LV2_Options_Option *option = NULL;
  for (; features != NULL && *features != NULL; features++) {
    if (strcmp((*features)->URI, LV2_URID__map) == 0) map = (*features)->data;
    if (strcmp((*features)->URI, LV2_OPTIONS__options) == 0) option = (*features)->data;
  }
  for (int i = 0; i < kURIDCount && map != NULL; i++) plugIn->urids[i] = map->map(map->handle, kURIs[i]);
  for (; option != NULL && option->key != 0; option++) {
    const bool isLength = option->type == plugIn->urids[kInt] && option->value != NULL && *(const int32_t *)option->value > 0;
    if (isLength && option->key == plugIn->urids[kMaxBlockLength]) plugIn->maximumFrames = (UInt32) * (const int32_t *)option->value;
    if (isLength && option->key == plugIn->urids[kNominalBlockLength]) plugIn->usualFrames = (UInt32) * (const int32_t *)option->value;
  }
}

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double sampleRate, const char *path, const LV2_Feature *const *features) {
  (void)path;
  char reason[1024];
  struct PlugIn *plugIn = calloc(1, sizeof *plugIn);
  if (plugIn == NULL) return NULL;
  plugIn->sampleRate = sampleRate;
  plugIn->maximumFrames = kPieceFrames;
  readFeatures(plugIn, features);
  plugIn->unit = makeUnit(adapterBundle(), entryOf(descriptor), reason, sizeof reason);
  if (plugIn->unit != NULL) plugIn->ports = makePorts(plugIn->unit, &plugIn->portCount);
  plugIn->memory = calloc(plugIn->portCount + 1, sizeof *plugIn->memory);
  plugIn->values = calloc(plugIn->portCount + 1, sizeof *plugIn->values);
  if (plugIn->ports != NULL && plugIn->memory != NULL && plugIn->values != NULL && plugIn->urids[kString] != 0) return plugIn;
  cleanUp(plugIn);
  return NULL;
}

static void connectPort(LV2_Handle handle, uint32_t index, void *memory) {
  struct PlugIn *plugIn = handle;
  if (index < plugIn->portCount) plugIn->memory[index] = memory;
}

// Brings the values of ports to the unit, those that changed or all. A knob that is turned glides; automation is followed.
static void applyControls(struct PlugIn *plugIn, bool all, bool isAutomation) {
  struct Unit *unit = plugIn->unit;
  for (UInt32 i = 0; i < plugIn->portCount; i++) {
    const struct Port *port = &plugIn->ports[i];
    if (port->isOutput || plugIn->memory[i] == NULL || port->kind < kEnabledPort) continue;
    const Float32 value = *(const Float32 *)plugIn->memory[i];
    if (!all && value == plugIn->values[i]) continue;
    plugIn->values[i] = value;
    if (port->kind == kEnabledPort) bypassUnit(unit, value <= 0);
    if (port->kind == kFreePort) {
      const UInt32 isOffline = value > 0;
      plugIn->isOffline = isOffline;
      setProperty(unit, kAudioUnitProperty_OfflineRender, kAudioUnitScope_Global, 0, &isOffline, sizeof isOffline);
    }
    if (port->kind == kControlPort && (!all || boundedValue(&unit->parameters[port->parameter], value) != readValue(unit, port->parameter)))
      isAutomation ? changeValue(unit, port->parameter, 0, value) : setValue(unit, port->parameter, value);
  }
  plugIn->hasValues = true;
}

static void activate(LV2_Handle handle) {
  struct PlugIn *plugIn = handle;
  applyControls(plugIn, true, false);
  startUnit(plugIn->unit, plugIn->sampleRate, plugIn->maximumFrames, plugIn->isOffline);
}

static void deactivate(LV2_Handle handle) { stopUnit(((struct PlugIn *)handle)->unit); }

// ---- Events.

// A number of any type; the one before for another value.
static double numberOf(const struct PlugIn *plugIn, const LV2_Atom *atom, double before) {
  if (atom == NULL) return before;
  if (atom->type == plugIn->urids[kFloat]) return ((const LV2_Atom_Float *)atom)->body;
  if (atom->type == plugIn->urids[kDouble]) return ((const LV2_Atom_Double *)atom)->body;
  if (atom->type == plugIn->urids[kInt]) return ((const LV2_Atom_Int *)atom)->body;
  if (atom->type == plugIn->urids[kLong]) return (double)((const LV2_Atom_Long *)atom)->body;
  return before;
}

static void readPosition(struct PlugIn *plugIn, const LV2_Atom_Object *position) {
  struct Transport *transport = &plugIn->unit->transport;
  const LV2_Atom *bar = NULL, *barBeat = NULL, *beatUnit = NULL, *beats = NULL, *tempo = NULL, *frame = NULL, *speed = NULL;
  const LV2_URID *urids = plugIn->urids;
  lv2_atom_object_get(
      position, urids[kBar], &bar, urids[kBarBeat], &barBeat, urids[kBeatUnit], &beatUnit, urids[kBeatsPerBar], &beats,
      urids[kBeatsPerMinute], &tempo, urids[kTimeFrame], &frame, urids[kSpeed], &speed, 0);
  transport->isValid = true;
  transport->tempo = numberOf(plugIn, tempo, transport->tempo > 0 ? transport->tempo : 120);
  transport->sample = numberOf(plugIn, frame, transport->sample);
  transport->numerator = numberOf(plugIn, beats, transport->numerator > 0 ? transport->numerator : 4);
  transport->denominator = (UInt32)numberOf(plugIn, beatUnit, transport->denominator > 0 ? transport->denominator : 4);
  const bool isPlaying = numberOf(plugIn, speed, transport->isPlaying) != 0;
  transport->hasChanged = isPlaying != transport->isPlaying;
  transport->isPlaying = isPlaying;
  if (barBeat == NULL) return;
  // Beats of the host are those of its time signature; of a unit they are quarter notes.
  const double quarter = 4.0 / (transport->denominator > 0 ? transport->denominator : 4);
  transport->barBeat = numberOf(plugIn, bar, 0) * transport->numerator * quarter;
  transport->beat = transport->barBeat + numberOf(plugIn, barBeat, 0) * quarter;
}

static void readEvents(struct PlugIn *plugIn, const LV2_Atom_Sequence *sequence, UInt32 frames) {
  if (sequence->atom.type != plugIn->urids[kSequence]) return;
  LV2_ATOM_SEQUENCE_FOREACH (sequence, event) {
    const UInt8 *bytes = (const UInt8 *)(event + 1);
    const UInt32 frame = event->time.frames < 0 ? 0 : event->time.frames < frames ? (UInt32)event->time.frames : frames - (frames > 0);
    if (event->body.type == plugIn->urids[kMIDIEvent]) sendMessage(plugIn->unit, frame, bytes, event->body.size);
    const LV2_Atom_Object *object = (const LV2_Atom_Object *)&event->body;
    const bool isObject = event->body.type == plugIn->urids[kObject] || event->body.type == plugIn->urids[kBlank];
    if (isObject && object->body.otype == plugIn->urids[kPosition]) readPosition(plugIn, object);
  }
}

// Moves the host's place on by a slice.
static void advance(struct Unit *unit, UInt32 frames) {
  struct Transport *transport = &unit->transport;
  transport->hasChanged = false;
  if (!transport->isPlaying) return;
  transport->sample += frames;
  transport->beat += frames * transport->tempo / 60 / unit->sampleRate;
}

static void writeEvents(struct PlugIn *plugIn, LV2_Atom_Sequence *sequence) {
  const UInt32 capacity = sequence->atom.size;
  sequence->atom.type = plugIn->urids[kSequence];
  sequence->atom.size = sizeof sequence->body;
  sequence->body.unit = sequence->body.pad = 0;
  for (UInt32 i = 0; i < plugIn->unit->sentCount; i++) {
    const struct SentMessage *sent = &plugIn->unit->sent[i];
    const UInt32 size = lv2_atom_pad_size((UInt32)sizeof(LV2_Atom_Event) + sent->count);
    if (sequence->atom.size + size > capacity) return;
    LV2_Atom_Event *event = (LV2_Atom_Event *)((UInt8 *)&sequence->body + sequence->atom.size);
    event->time.frames = sent->frame;
    event->body.type = plugIn->urids[kMIDIEvent];
    event->body.size = sent->count;
    memcpy(event + 1, sent->exclusive != NULL ? sent->exclusive : sent->bytes, sent->count);
    sequence->atom.size += size;
  }
}

// ---- Running.

static void gatherBuses(struct PlugIn *plugIn) {
  memset(plugIn->buses, 0, sizeof plugIn->buses);
  for (UInt32 i = 0; i < plugIn->portCount; i++) {
    const struct Port *port = &plugIn->ports[i];
    if (port->kind != kAudioPort) continue;
    plugIn->channels[port->isOutput][port->bus][port->channel] = plugIn->memory[i];
    if (plugIn->memory[i] != NULL) plugIn->buses[port->isOutput][port->bus] = plugIn->channels[port->isOutput][port->bus];
  }
}

static void run(LV2_Handle handle, uint32_t frames) {
  struct PlugIn *plugIn = handle;
  struct Unit *unit = plugIn->unit;
  for (UInt32 i = 0; i < plugIn->portCount; i++)
    if (plugIn->ports[i].kind == kEventsIn && plugIn->memory[i] != NULL) readEvents(plugIn, plugIn->memory[i], frames);
  applyControls(plugIn, !plugIn->hasValues, frames > 0 && plugIn->isCut);
  plugIn->isCut = frames < plugIn->usualFrames;
  gatherBuses(plugIn);
  if (frames > 0)
    renderUnit(unit, frames, (const Float32 *const *const *)plugIn->buses[0], (Float32 *const *const *)plugIn->buses[1]);
  advance(unit, frames);
  // A unit waits for no lock but in the slice that follows the report of another latency.
  if (hasNewLatency(unit)) readLatency(unit);
  for (UInt32 i = 0; i < plugIn->portCount; i++) {
    const struct Port *port = &plugIn->ports[i];
    if (!port->isOutput || plugIn->memory[i] == NULL) continue;
    if (port->kind == kEventsOut) writeEvents(plugIn, plugIn->memory[i]);
    if (port->kind == kLatencyPort) *(Float32 *)plugIn->memory[i] = (Float32)atomic_load(&unit->latencyFrames);
    if (port->kind == kControlPort) *(Float32 *)plugIn->memory[i] = readValue(unit, port->parameter);
  }
}

// ---- State.

static LV2_State_Status save(
    LV2_Handle handle, LV2_State_Store_Function store, LV2_State_Handle state, uint32_t flags, const LV2_Feature *const *features) {
  (void)flags, (void)features;
  struct PlugIn *plugIn = handle;
  size_t length = 0;
  char *text = saveState(plugIn->unit, &length);
  if (text == NULL) return LV2_STATE_ERR_UNKNOWN;
  const LV2_State_Status status =
      store(state, plugIn->urids[kState], text, length + 1, plugIn->urids[kString], LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE);
  free(text);
  return status;
}

static LV2_State_Status restore(
    LV2_Handle handle, LV2_State_Retrieve_Function retrieve, LV2_State_Handle state, uint32_t flags, const LV2_Feature *const *features) {
  (void)flags, (void)features;
  struct PlugIn *plugIn = handle;
  size_t size = 0;
  uint32_t type = 0, valueFlags = 0;
  const char *text = retrieve(state, plugIn->urids[kState], &size, &type, &valueFlags);
  if (text == NULL) return LV2_STATE_SUCCESS;  // a state of ports alone
  if (type != plugIn->urids[kString]) return LV2_STATE_ERR_BAD_TYPE;
  // Ports set parameters, independent of the state: the next run applies them all.
  plugIn->hasValues = false;
  return restoreState(plugIn->unit, text, strnlen(text, size)) ? LV2_STATE_SUCCESS : LV2_STATE_ERR_UNKNOWN;
}

static const void *extensionData(const char *uri) {
  static const LV2_State_Interface state = {save, restore};
  return strcmp(uri, LV2_STATE__interface) == 0 ? &state : NULL;
}

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  static char (*uris)[kTextSize];
  const struct Bundle *bundle = adapterBundle();
  if (index >= bundle->count || bundle->problem[0] != 0) return NULL;
  // Hosts ask from one thread before they make anything.
  if (descriptors == NULL) {
    uris = calloc(bundle->count, sizeof *uris);
    LV2_Descriptor *made = uris == NULL ? NULL : calloc(bundle->count, sizeof *made);
    for (UInt32 i = 0; i < bundle->count && made != NULL; i++) {
      writeURI(&bundle->entries[i], uris[i], sizeof *uris);
      made[i] = (LV2_Descriptor){uris[i], instantiate, connectPort, activate, run, deactivate, cleanUp, extensionData};
    }
    descriptors = made;
  }
  return descriptors == NULL ? NULL : &descriptors[index];
}
