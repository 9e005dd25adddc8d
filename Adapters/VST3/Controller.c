// The controller: parameters with their texts, programs, groups as units, and controllers of MIDI.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "PlugIn.h"

UNKNOWN_FUNCTIONS(controller)
UNKNOWN_FUNCTIONS(units)
UNKNOWN_FUNCTIONS(mapping)

void showValues(struct PlugIn *plugIn) {
  struct Unit *unit = plugIn->unit;
  for (UInt32 i = 0; i < unit->parameterCount; i++) plugIn->shown[i] = plugIn->processed[i] = normalized(&unit->parameters[i], readValue(unit, i));
  plugIn->shownBypass = unit->canBypass && isBypassed(unit);
}

void restart(struct PlugIn *plugIn, SInt32 flags) {
  if (plugIn->handler != NULL) (*(const struct HandlerTable **)plugIn->handler)->restartComponent(plugIn->handler, flags);
}

void checkLatency(struct PlugIn *plugIn) {
  if (plugIn->unit == NULL || !plugIn->isActive || !atomic_exchange(&plugIn->wantsLatency, false)) return;
  const UInt32 before = atomic_load(&plugIn->unit->latencyFrames);
  if (readLatency(plugIn->unit) != before) restart(plugIn, 8);
}

// The component has done it, since it is the same object.
static Result initializeController(void *self, void *context) {
  (void)context;
  return SELF(controller, self)->unit != NULL ? kOk : componentTable.initialize(&SELF(controller, self)->component, context);
}
static Result terminateController(void *self) {
  (void)self;
  return kOk;
}

static Result setComponentState(void *self, void *stream) {
  (void)self, (void)stream;
  return kOk;
}

// All state is the component's.
static Result setControllerState(void *self, void *stream) {
  (void)self, (void)stream;
  return kOk;
}
static Result getControllerState(void *self, void *stream) {
  (void)self, (void)stream;
  return kOk;
}

static int32_t getParameterCount(void *self) {
  const struct Unit *unit = SELF(controller, self)->unit;
  if (unit == NULL) return 0;
  return (int32_t)(unit->parameterCount + unit->canBypass + (unit->presetCount > 0) + (unit->takesMIDI ? kControllers * kChannels : 0));
}

// The number of the VST3 unit of a group, from 1; 0 for the root.
static int32_t unitOfGroup(const struct Unit *unit, UInt32 index) {
  int32_t number = 0;
  for (UInt32 i = 0; i <= index; i++) {
    const char *group = unit->parameters[i].group;
    bool isFirst = group[0] != 0;
    for (UInt32 other = 0; other < i && isFirst; other++) isFirst = strcmp(unit->parameters[other].group, group) != 0;
    number += isFirst;
    if (group[0] != 0 && strcmp(group, unit->parameters[index].group) == 0) return number;
  }
  return 0;
}

static void describeParameter(const struct Unit *unit, UInt32 index, struct ParameterInfo *info) {
  const struct Parameter *parameter = &unit->parameters[index];
  info->id = parameter->key;
  writeWide(info->title, 128, parameter->name);
  writeWide(info->shortTitle, 128, parameter->name);
  writeWide(info->units, 128, parameter->isStepped ? "" : parameter->unitName);
  info->stepCount = parameter->isStepped ? (int32_t)floor((double)parameter->maximum - parameter->minimum + 0.5) : 0;
  info->initial = normalized(parameter, parameter->initial);
  info->unit = unitOfGroup(unit, index);
  info->flags = (parameter->isMeter ? kIsReadOnly : 0) | (parameter->isAutomatable ? kCanAutomate : 0) | (parameter->isHidden ? kIsHidden : 0) |
                (parameter->isStepped && parameter->pointCount > 0 ? kIsList : 0);
}

static Result getParameterInfo(void *self, int32_t index, struct ParameterInfo *info) {
  const struct Unit *unit = SELF(controller, self)->unit;
  if (index < 0 || index >= getParameterCount(self)) return kInvalidArgument;
  UInt32 place = (UInt32)index;
  memset(info, 0, sizeof *info);
  if (place < unit->parameterCount) {
    describeParameter(unit, place, info);
    return kOk;
  }
  place -= unit->parameterCount;
  if (unit->canBypass && place-- == 0) {
    info->id = kBypassID;
    info->stepCount = 1;
    info->flags = kCanAutomate | kIsBypass;
    writeWide(info->title, 128, "Bypass");
    return kOk;
  }
  if (unit->presetCount > 0 && place-- == 0) {
    info->id = kProgramID;
    info->stepCount = (int32_t)unit->presetCount;
    info->flags = kIsProgramChange | kIsList;
    writeWide(info->title, 128, "Preset");
    return kOk;
  }
  char title[64];
  snprintf(title, sizeof title, "MIDI %u, %u", place / kControllers + 1, place % kControllers);
  info->id = kFirstControllerID + place;
  // A wheel rests in the middle.
  info->initial = place % kControllers == 129 ? 0.5 : 0;
  info->flags = kIsHidden | kCanAutomate;
  writeWide(info->title, 128, title);
  return kOk;
}

static const char *programName(const struct Unit *unit, SInt32 program) {
  return program <= 0 || program > (SInt32)unit->presetCount ? "Default" : unit->presets[program - 1].name;
}

static Result getParamStringByValue(void *self, uint32_t id, double value, uint16_t *text) {
  struct Unit *unit = SELF(controller, self)->unit;
  const SInt32 place = placeOfKey(unit, id);
  char written[kTextSize];
  if (place >= 0) textOfValue(unit, (UInt32)place, (Float32)plainValue(&unit->parameters[place], value), written, sizeof written);
  else if (id == kBypassID) snprintf(written, sizeof written, "%s", value >= 0.5 ? "on" : "off");
  else if (id == kProgramID) snprintf(written, sizeof written, "%s", programName(unit, (SInt32)(value * unit->presetCount + 0.5)));
  else snprintf(written, sizeof written, "%d", (int)(value * 127 + 0.5));
  writeWide(text, 128, written);
  return kOk;
}

static Result getParamValueByString(void *self, uint32_t id, const uint16_t *text, double *value) {
  struct Unit *unit = SELF(controller, self)->unit;
  const SInt32 place = placeOfKey(unit, id);
  char written[600];
  Float32 plain;
  readWide(text, written, sizeof written);
  if (id == kBypassID) {
    *value = strcasecmp(written, "on") == 0 || strcmp(written, "1") == 0;
    return kOk;
  }
  for (SInt32 i = 0; id == kProgramID && i <= (SInt32)unit->presetCount; i++)
    if (strcasecmp(programName(unit, i), written) == 0) {
      *value = unit->presetCount > 0 ? (double)i / unit->presetCount : 0;
      return kOk;
    }
  if (place < 0 || !valueOfText(unit, (UInt32)place, written, &plain)) return kFalse;
  *value = normalized(&unit->parameters[place], plain);
  return kOk;
}

static double normalizedParamToPlain(void *self, uint32_t id, double value) {
  const struct Unit *unit = SELF(controller, self)->unit;
  const SInt32 place = placeOfKey(unit, id);
  if (id == kProgramID) return floor(value * unit->presetCount + 0.5);
  return place < 0 ? value : plainValue(&unit->parameters[place], value);
}

static double plainParamToNormalized(void *self, uint32_t id, double value) {
  const struct Unit *unit = SELF(controller, self)->unit;
  const SInt32 place = placeOfKey(unit, id);
  if (id == kProgramID) return unit->presetCount > 0 ? value / unit->presetCount : 0;
  return place < 0 ? value : normalized(&unit->parameters[place], value);
}

static double getParamNormalized(void *self, uint32_t id) {
  struct PlugIn *plugIn = SELF(controller, self);
  const SInt32 place = placeOfKey(plugIn->unit, id);
  checkLatency(plugIn);
  if (id == kBypassID) return plugIn->shownBypass;
  if (id == kProgramID) return plugIn->shownProgram;
  return place < 0 ? 0 : plugIn->shown[place];
}

// Shows a value. The processor gets it in a slice; while there are none, at once.
static Result setParamNormalized(void *self, uint32_t id, double value) {
  struct PlugIn *plugIn = SELF(controller, self);
  struct Unit *unit = plugIn->unit;
  const SInt32 place = placeOfKey(unit, id);
  if (!isfinite(value)) return kInvalidArgument;
  value = value < 0 ? 0 : value > 1 ? 1 : value;
  if (id == kBypassID) {
    plugIn->shownBypass = value;
    if (!plugIn->isActive) bypassUnit(unit, value >= 0.5);
  } else if (id == kProgramID && unit->presetCount > 0) {
    const SInt32 program = (SInt32)(value * unit->presetCount + 0.5);
    const bool isOther = value != plugIn->shownProgram;
    plugIn->shownProgram = value;
    if (isOther && program > 0 && choosePreset(unit, unit->presets[program - 1].number)) {
      showValues(plugIn);
      restart(plugIn, 4);
    }
  } else if (place >= 0) {
    plugIn->shown[place] = value;
    if (!plugIn->isActive && !unit->parameters[place].isMeter) {
      plugIn->processed[place] = value;
      setValue(unit, (UInt32)place, (Float32)plainValue(&unit->parameters[place], value));
    }
  }
  checkLatency(plugIn);
  return kOk;
}

static Result setComponentHandler(void *self, void *handler) {
  struct PlugIn *plugIn = SELF(controller, self);
  void *former = plugIn->handler;
  if (handler != NULL) (*(const struct UnknownTable **)handler)->addRef(handler);
  plugIn->handler = handler;
  if (former != NULL) (*(const struct UnknownTable **)former)->release(former);
  return kOk;
}

static void *createView(void *self, const char *name) {
  (void)self, (void)name;
  return NULL;
}

// ---- Units of VST3: the groups of parameters; the list of presets is the root's.

static int32_t countGroups(const struct Unit *unit) {
  int32_t most = 0;
  for (UInt32 i = 0; i < unit->parameterCount; i++) {
    const int32_t number = unitOfGroup(unit, i);
    if (number > most) most = number;
  }
  return most;
}

static int32_t getUnitCount(void *self) { return 1 + countGroups(SELF(units, self)->unit); }

static Result getUnitInfo(void *self, int32_t index, struct UnitInfo *info) {
  const struct Unit *unit = SELF(units, self)->unit;
  if (index < 0 || index >= getUnitCount(self)) return kInvalidArgument;
  memset(info, 0, sizeof *info);
  info->id = index;
  info->parent = index == 0 ? -1 : 0;
  info->programList = index == 0 && unit->presetCount > 0 ? kProgramList : -1;
  writeWide(info->name, 128, "Root");
  for (UInt32 i = 0; i < unit->parameterCount && index > 0; i++)
    if (unitOfGroup(unit, i) == index) {
      writeWide(info->name, 128, unit->parameters[i].group);
      break;
    }
  return kOk;
}

static int32_t getProgramListCount(void *self) { return SELF(units, self)->unit->presetCount > 0; }

static Result getProgramListInfo(void *self, int32_t index, struct ProgramListInfo *info) {
  const struct Unit *unit = SELF(units, self)->unit;
  if (index != 0 || unit->presetCount == 0) return kInvalidArgument;
  memset(info, 0, sizeof *info);
  info->id = kProgramList;
  info->count = (int32_t)unit->presetCount + 1;
  writeWide(info->name, 128, "Presets");
  return kOk;
}

static Result getProgramName(void *self, int32_t list, int32_t program, uint16_t *name) {
  const struct Unit *unit = SELF(units, self)->unit;
  if (list != kProgramList || program < 0 || program > (int32_t)unit->presetCount) return kInvalidArgument;
  writeWide(name, 128, programName(unit, program));
  return kOk;
}

static Result getProgramInfo(void *self, int32_t list, int32_t program, const char *attribute, uint16_t *value) {
  (void)self, (void)list, (void)program, (void)attribute;
  value[0] = 0;
  return kNotImplemented;
}
static Result hasProgramPitchNames(void *self, int32_t list, int32_t program) {
  (void)self, (void)list, (void)program;
  return kFalse;
}
static Result getProgramPitchName(void *self, int32_t list, int32_t program, int16_t pitch, uint16_t *name) {
  (void)self, (void)list, (void)program, (void)pitch;
  name[0] = 0;
  return kFalse;
}
static int32_t getSelectedUnit(void *self) {
  (void)self;
  return 0;
}
static Result selectUnit(void *self, int32_t unit) {
  (void)self, (void)unit;
  return kOk;
}
static Result getUnitByBus(void *self, int32_t media, int32_t direction, int32_t bus, int32_t channel, int32_t *unit) {
  (void)self, (void)media, (void)direction, (void)bus, (void)channel;
  *unit = 0;
  return kOk;
}
static Result setUnitProgramData(void *self, int32_t listOrUnit, int32_t program, void *stream) {
  (void)self, (void)listOrUnit, (void)program, (void)stream;
  return kNotImplemented;
}

static Result getMidiControllerAssignment(void *self, int32_t bus, int16_t channel, int16_t controller, uint32_t *id) {
  const struct PlugIn *plugIn = SELF(mapping, self);
  if (plugIn->unit == NULL || !plugIn->unit->takesMIDI || bus != 0 || channel < 0 || channel >= kChannels || controller < 0 || controller >= kControllers)
    return kFalse;
  *id = kFirstControllerID + (UInt32)channel * kControllers + (UInt32)controller;
  return kOk;
}

const struct ControllerTable controllerTable = {
    controllerQuery, controllerAddRef, controllerRelease, initializeController, terminateController, setComponentState, setControllerState,
    getControllerState, getParameterCount, getParameterInfo, getParamStringByValue, getParamValueByString, normalizedParamToPlain,
    plainParamToNormalized, getParamNormalized, setParamNormalized, setComponentHandler, createView};
const struct UnitsTable unitsTable = {
    unitsQuery, unitsAddRef, unitsRelease, getUnitCount, getUnitInfo, getProgramListCount, getProgramListInfo, getProgramName, getProgramInfo,
    hasProgramPitchNames, getProgramPitchName, getSelectedUnit, selectUnit, getUnitByBus, setUnitProgramData};
const struct MappingTable mappingTable = {mappingQuery, mappingAddRef, mappingRelease, getMidiControllerAssignment};
