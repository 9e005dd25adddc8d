// A factory for units that are written for the Component Manager: one function, and a resource file.
// SPDX-License-Identifier: Apache-2.0
//
// For units on Apple's older base classes: compile with -include Auricle/ComponentEntry.h, and with the
// classes on the include path. COMPONENT_ENTRY(Name) of the source then makes NameFactory, the
// factoryFunction for Info.plist; nothing in the source changes.
//
// For a unit without them, whose function is NameEntry, one line in a separate source:
//
//   #include <Auricle/ComponentEntry.h>
//   AURICLE_COMPONENT_FACTORY(Name)
#ifndef AURICLE_COMPONENTENTRY_H
#define AURICLE_COMPONENTENTRY_H

#include "../AudioToolbox/AudioUnit.h"
#include "ComponentEntryCalls.h"

#if defined(__cplusplus)
#define AURICLE_C_FUNCTION extern "C"
#else
#define AURICLE_C_FUNCTION extern
#endif
#define AURICLE_EXPORTED AURICLE_C_FUNCTION __attribute__((visibility("default")))

// Makes NameFactory of NameEntry, which is declared with Component Manager's types.
#define AURICLE_COMPONENT_FACTORY(Name)                                            \
  AURICLE_C_FUNCTION ComponentResult Name##Entry(ComponentParameters *, Handle);   \
  AURICLE_FACTORY_OF_ENTRY(Name, Name##Entry)

#define AURICLE_FACTORY_OF_ENTRY(Name, entry)                                      \
  static OSType Name##AuricleType;                                                 \
  static AudioComponentMethod Name##AuricleLookup(SInt16 selector) {               \
    return AuricleEntryMethod(Name##AuricleType, selector);                        \
  }                                                                                \
  AURICLE_EXPORTED AudioComponentPlugInInterface *Name##Factory(                   \
      const AudioComponentDescription *);                                          \
  AURICLE_EXPORTED AudioComponentPlugInInterface *Name##Factory(                   \
      const AudioComponentDescription *description) {                              \
    if (description) Name##AuricleType = description->componentType;               \
    return AuricleEntryUnitMake((ComponentRoutineProcPtr)(entry), Name##AuricleLookup); \
  }

// ---- Apple's older base classes.

#if defined(__cplusplus) && defined(__has_include)
#if __has_include("ComponentBase.h") && __has_include("AUBase.h")

#include "AUBase.h"
#include "ComponentBase.h"

#undef COMPONENT_ENTRY

#if defined(AUDIOCOMPONENT_ENTRY)

// Classes of 2010 and later have factories, one for each family of units.
#include <type_traits>

class AUMIDIBase;
class AUOutputBase;
class MusicDeviceBase;

template <class Unit, bool isInstrument, bool isMIDI, bool isOutput>
struct AuricleFactoryOfFamily : AUBaseFactory<Unit> {};
template <class Unit, bool isMIDI, bool isOutput>
struct AuricleFactoryOfFamily<Unit, true, isMIDI, isOutput> : AUMusicDeviceFactory<Unit> {};
template <class Unit, bool isOutput>
struct AuricleFactoryOfFamily<Unit, false, true, isOutput> : AUMIDIEffectFactory<Unit> {};
template <class Unit>
struct AuricleFactoryOfFamily<Unit, false, false, true> : AUOutputBaseFactory<Unit> {};

template <class Unit>
struct AuricleFactory
    : AuricleFactoryOfFamily<
          Unit, std::is_base_of<MusicDeviceBase, Unit>::value,
          std::is_base_of<AUMIDIBase, Unit>::value, std::is_base_of<AUOutputBase, Unit>::value> {};

#define COMPONENT_ENTRY(Class) AUDIOCOMPONENT_ENTRY(AuricleFactory, Class)

#else

// Older ones have the entry alone.
#define COMPONENT_ENTRY(Class)                                                              \
  AURICLE_EXPORTED ComponentResult Class##Entry(ComponentParameters *call, Class *object);  \
  AURICLE_EXPORTED ComponentResult Class##Entry(ComponentParameters *call, Class *object) { \
    return ComponentEntryPoint<Class>::Dispatch(call, object);                              \
  }                                                                                         \
  AURICLE_FACTORY_OF_ENTRY(Class, Class##Entry)

#endif
#endif
#endif

#endif
