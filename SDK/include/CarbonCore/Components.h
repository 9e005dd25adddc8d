// The Component Manager: how audio units were found, opened and called before AudioComponent.h.
// SPDX-License-Identifier: Apache-2.0
//
// The same components under older names: a ComponentInstance is an AudioComponentInstance. A unit of
// that time is one function that receives every call; Auricle/ComponentEntry.h makes a factory of it.
#ifndef AURICLE_COMPONENTS_H
#define AURICLE_COMPONENTS_H

#include "../MacTypes.h"

typedef struct ComponentRecord *Component AURICLE_SWIFT_NAME("ComponentReference");
typedef struct ComponentInstanceRecord *ComponentInstance;
typedef SInt32 ComponentResult;

// The identity of a component, as AudioComponentDescription. In a search 0 means any.
typedef struct ComponentDescription {
  OSType componentType;
  OSType componentSubType;
  OSType componentManufacturer;
  UInt32 componentFlags;
  UInt32 componentFlagsMask;
} ComponentDescription;

AURICLE_ENUM(OSType) {
  kAnyComponentType = 0,
  kAnyComponentSubType = 0,
  kAnyComponentManufacturer = 0,
  kAnyComponentFlagsMask = 0,
};

AURICLE_ENUM(UInt32) { cmpThreadSafe = 0x10000000, cmpIsMissing = 0x20000000 };

// Calls that every component answers, beside those of its type.
AURICLE_ENUM(SInt16) {
  kComponentOpenSelect = -1,
  kComponentCloseSelect = -2,
  kComponentCanDoSelect = -3,
  kComponentVersionSelect = -4,
  kComponentRegisterSelect = -5,
  kComponentTargetSelect = -6,
  kComponentUnregisterSelect = -7,
};

AURICLE_ENUM(UInt32) {
  registerComponentGlobal = 1,
  registerComponentNoDuplicates = 2,
  registerComponentAfterExisting = 4,
  defaultComponentIdentical = 0,
  defaultComponentAnyFlags = 1,
  defaultComponentAnyManufacturer = 2,
  defaultComponentAnySubType = 4,
  defaultComponentAnyFlagsAnyManufacturer = 3,
  defaultComponentAnyFlagsAnyManufacturerAnySubType = 7,
};

AURICLE_ENUM(OSStatus) {
  invalidComponentID = -3000,
  validInstancesExist = -3001,
  componentNotCaptured = -3002,
  componentDontRegister = -3003,
  badComponentInstance = (OSStatus)0x80008001u,
  badComponentSelector = (OSStatus)0x80008002u,
};

#pragma pack(push, 2)

// One call. The first parameter is the instance, the others follow in the order of the function.
typedef struct ComponentParameters {
  UInt8 flags;
  UInt8 paramSize;  // bytes of the parameters
  SInt16 what;      // which call
  UInt32 padding;
  long params[1];
} ComponentParameters;

#pragma pack(pop)

// A component's one function: the call, and the value that the component stored for the instance.
typedef ComponentResult (*ComponentRoutineProcPtr)(ComponentParameters *call, Handle storage);
typedef ComponentRoutineProcPtr ComponentRoutineUPP;

AURICLE_BEGIN_DECLS

// As AudioComponentFindNext, AudioComponentCount, AudioComponentInstanceNew and -Dispose.
extern Component FindNextComponent(Component component, ComponentDescription *description);
extern long CountComponents(ComponentDescription *description);
extern ComponentInstance OpenComponent(Component component);
extern OSErr OpenAComponent(Component component, ComponentInstance *instance);
extern OSErr CloseComponent(ComponentInstance instance);

// For a component, or an instance passed in its place. Handles of texts stay unchanged:
// AudioComponentCopyName returns names.
extern OSErr GetComponentInfo(
    Component component, ComponentDescription *description, Handle name, Handle info, Handle icon);
extern ComponentResult GetComponentVersion(ComponentInstance instance);

// A component's storage for an instance; it is passed to the component's function with each call.
extern Handle GetComponentInstanceStorage(ComponentInstance instance);
extern void SetComponentInstanceStorage(ComponentInstance instance, Handle storage);

// For sources that name them. A program registers its own components by AudioComponentRegister: this
// answers NULL, and, as the order of searches is fixed, unimpErr.
extern Component RegisterComponent(
    ComponentDescription *description, ComponentRoutineUPP entry, SInt16 global, Handle name,
    Handle info, Handle icon);
extern OSErr SetDefaultComponent(Component component, SInt16 flags);

AURICLE_END_DECLS

#endif
