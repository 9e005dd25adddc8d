// Properties of the written units: accepted and refused values of each.
// SPDX-License-Identifier: Apache-2.0

#include <math.h>
#include <string.h>

#include "Properties.h"

static Status setFormat(Unit *unit, uint32_t scope, const Format *wanted) {
  Format *format = &unit->formats[scope == kInput ? 0 : 1];
  if (memcmp(format, wanted, 36) == 0) return 0;
  if (unit->isInitialized) return kInitialized;
  Format planar = *format;
  planar.rate = wanted->rate;
  if (memcmp(&planar, wanted, 36) != 0 || !(wanted->rate > 0) || !isfinite(wanted->rate))
    return kFormatNotSupported;
  *format = planar;
  tellListeners(unit, kStreamFormat, scope);
  return 0;
}

static Status setNumber(Unit *unit, uint32_t id, uint32_t value) {
  switch (id) {
    case kMaximumFrames:
      if (value == unit->maximumFrames) return 0;
      if (unit->isInitialized) return kInitialized;
      if (value == 0 || value > kMostFrames) return kInvalidValue;
      unit->maximumFrames = value;
      return 0;
    case kBypass: return unit->isBypassed = value != 0, 0;
    case kOfflineRender: return unit->isOffline = value != 0, 0;
    case kMIDIBufferSize: return unit->midiBufferSize = value > kMostMIDI ? kMostMIDI : value, 0;
    default:  // the host's protocol
      if (value != 1 && value != 2) return kInvalidValue;
      return unit->hostProtocol = (int32_t)value, 0;
  }
}

static Status setObject(Unit *unit, uint32_t id, uint32_t scope, Object value) {
  switch (id) {
    case kClassInfo: return restoreState(unit, value);
    case kContextName: return readText(value, unit->contextName) ? 0 : kInvalidValue;
    case kElementName: return readText(value, unit->elementNames[scope - 1]) ? 0 : kInvalidValue;
    case kSoundBank: {
      const Status status = loadFile(unit, value, 0);
      if (status != 0) return status;
      if (unit->soundBank != NULL) CFRelease(unit->soundBank);
      unit->soundBank = CFRetain(value);
      return 0;
    }
    default: return loadFiles(unit, value);
  }
}

// A record that has its full size.
static Status setRecord(Unit *unit, uint32_t id, uint32_t scope, const void *data) {
  switch (id) {
    case kSampleRate: {
      Format format = unit->formats[scope == kInput ? 0 : 1];
      memcpy(&format.rate, data, sizeof format.rate);
      return format.rate > 0 && isfinite(format.rate) ? setFormat(unit, scope, &format)
                                                      : kInvalidValue;
    }
    case kRenderCallback:
      memcpy(&unit->input, data, sizeof unit->input);
      unit->connection = (Connection){0};
      return 0;
    case kMakeConnection:
      if (((const Connection *)data)->input != 0) return kInvalidElement;
      memcpy(&unit->connection, data, sizeof unit->connection);
      if (unit->connection.source != NULL) unit->input = (Callback){0};
      return 0;
    case kMIDIOutput: memcpy(&unit->midiOutput, data, sizeof unit->midiOutput); return 0;
    case kLoadInstrument: return loadInstrument(unit, data);
    default: {  // the present preset: a name of the user's
      const Preset *preset = data;
      if (preset->number >= 0) return kInvalidValue;
      return readText(preset->name, unit->presetName) ? 0 : kInvalidValue;
    }
  }
}

Status setProperty(
    void *self, uint32_t id, uint32_t scope, uint32_t element, const void *data, uint32_t size) {
  Unit *unit = self;
  const Fact *fact = NULL;
  Status status = findProperty(unit, id, scope, element, &fact);
  if (status != 0) return status;
  if (!(fact->access & kWritable)) return kNotWritable;
  if ((data == NULL) != (size == 0)) return kBadParameter;
  if (data == NULL) {  // removes the value, if that is possible
    if (id == kContextName) unit->contextName[0] = 0;
    else if (id == kElementName) nameElement(unit, scope);
    else return kInvalidValue;
  } else if (id == kStreamFormat) {
    Format format = {0};
    if (size < 36) return kInvalidValue;
    memcpy(&format, data, 36);
    return setFormat(unit, scope, &format);
  } else if (size != fact->size) {
    return kInvalidValue;
  } else if (id == kClassInfo || id == kContextName || id == kElementName || id == kSoundBank ||
             id == kLoadFiles) {
    Object value = NULL;
    memcpy(&value, data, sizeof value);
    status = setObject(unit, id, scope, value);
  } else if (size == 4) {
    uint32_t value = 0;
    memcpy(&value, data, sizeof value);
    status = setNumber(unit, id, value);
  } else {
    status = setRecord(unit, id, scope, data);
  }
  if (status == 0) tellListeners(unit, id, scope);
  return status;
}
