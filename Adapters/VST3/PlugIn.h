// A unit as VST3's component, processor and controller in one object: its tables, and how values are normalized.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../Core/Internal.h"
#include "Tables.h"

enum {
  kBypassID = 0x7FFFFFF0, kProgramID = 0x7FFFFFF1, kFirstControllerID = 0x70000000,
  kControllers = 130, kChannels = 16,  // those of MIDI, pressure of a channel, and the wheel
  kProgramList = 1
};

struct PlugIn {
  // Each is an interface; an object of the host points at one of them.
  const struct ComponentTable *component;
  const struct ProcessorTable *processor;
  const struct ControllerTable *controller;
  const struct UnitsTable *units;
  const struct RequirementsTable *requirements;
  const struct MappingTable *mapping;
  _Atomic(UInt32) references;
  const struct Entry *entry;
  struct Unit *unit;
  void *handler;
  struct ProcessSetup setup;
  bool isActive, isBusActive[2][kMaximumBuses];
  uint64_t arrangements[2][kMaximumBuses];  // those that the host asked for last; 0 for none
  atomic_bool wantsLatency;
  double *shown;       // normalized values, as the controller shows them
  double shownBypass, shownProgram;
  double *processed;   // the processor's last ones
  Float32 *meters;
};

#define SELF(interface, pointer) ((struct PlugIn *)((char *)(pointer)-offsetof(struct PlugIn, interface)))

extern const struct ComponentTable componentTable;
extern const struct ProcessorTable processorTable;
extern const struct ControllerTable controllerTable;
extern const struct UnitsTable unitsTable;
extern const struct RequirementsTable requirementsTable;
extern const struct MappingTable mappingTable;

bool isInterface(const char *iid, const char *digits);
Result askInterface(struct PlugIn *plugIn, const char *iid, void **object);
UInt32 releasePlugIn(struct PlugIn *plugIn);

// The functions of FUnknown of a table.
#define UNKNOWN_FUNCTIONS(interface)                                                                                 \
  static Result interface##Query(void *self, const char *iid, void **object) {                                        \
    return askInterface(SELF(interface, self), iid, object);                                                          \
  }                                                                                                                    \
  static UInt32 interface##AddRef(void *self) { return atomic_fetch_add(&SELF(interface, self)->references, 1) + 1; } \
  static UInt32 interface##Release(void *self) { return releasePlugIn(SELF(interface, self)); }

// Between a value and its place in 0 to 1: steps by number, logarithmic ranges by ratio, others straight.
double normalized(const struct Parameter *parameter, double plain);
double plainValue(const struct Parameter *parameter, double normalized);

void writeWide(UInt16 *wide, size_t size, const char *text);
void readWide(const UInt16 *wide, char *text, size_t size);

// The values of the unit, as the controller shows them from now on.
void showValues(struct PlugIn *plugIn);
// Asks the host to read changes: 4 values, 8 the latency. Context: control.
void restart(struct PlugIn *plugIn, SInt32 flags);
// Compares the latency with the host's value. Context: control.
void checkLatency(struct PlugIn *plugIn);
