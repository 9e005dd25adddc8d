// Components: finding, opening and registering them, and the parts of a plug-in.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOCOMPONENT_H
#define AURICLE_AUDIOCOMPONENT_H

#include "../CoreAudioTypes/CoreAudioTypes.h"
#include "../CoreFoundation/CoreFoundation.h"

struct OpaqueAudioComponent;
struct ComponentInstanceRecord;

// A component: something that can be opened, any number of times. It lives as long as the program.
typedef struct OpaqueAudioComponent *AudioComponent AURICLE_SWIFT_NAME("AudioComponentHandle");

// An opened component. Not for use by two threads at once, save where a function says so.
typedef struct ComponentInstanceRecord *AudioComponentInstance;

typedef UInt32 AudioComponentFlags;
typedef UInt32 AudioComponentInstantiationOptions;
typedef UInt32 AudioComponentValidationResult;

// Bits of componentFlags.
AURICLE_ENUM(AudioComponentFlags) {
  kAudioComponentFlag_Unsearchable = 0x1,  // found only when asked for by its whole triple
  kAudioComponentFlag_SandboxSafe = 0x2,  // runs in a sandbox
  kAudioComponentFlag_IsV3AudioUnit = 0x4,  // written for version 3
  kAudioComponentFlag_RequiresAsyncInstantiation = 0x8,  // only AudioComponentInstantiate opens it
  kAudioComponentFlag_CanLoadInProcess = 0x10,  // may run in the host's process
};

// The process in which an instance runs.
AURICLE_ENUM(AudioComponentInstantiationOptions) {
  kAudioComponentInstantiation_LoadOutOfProcess = 0x1,
  kAudioComponentInstantiation_LoadInProcess = 0x2,
};
#define kAudioComponentInstantiation_LoadedRemotely \
  ((AudioComponentInstantiationOptions)0x80000000u)

// The result of a validation.
AURICLE_ENUM(AudioComponentValidationResult) {
  kAudioComponentValidationResult_Unknown = 0x0,
  kAudioComponentValidationResult_Passed = 0x1,
  kAudioComponentValidationResult_Failed = 0x2,
  kAudioComponentValidationResult_TimedOut = 0x3,
  kAudioComponentValidationResult_UnauthorizedError_Open = 0x4,
  kAudioComponentValidationResult_UnauthorizedError_Init = 0x5,
};

#define kAudioComponentConfigurationInfo_ValidationResult "ValidationResult"
// A key of the parameters of a validation: number, time limit of the component in seconds.
#define kAudioComponentValidationParameter_TimeOut "TimeOut"

// The identity of a component. In a search, 0 for a code means any, and the flags under the mask
// must agree.
typedef struct AudioComponentDescription {
  OSType componentType;
  OSType componentSubType;
  OSType componentManufacturer;
  UInt32 componentFlags;
  UInt32 componentFlagsMask;
} AudioComponentDescription;

// A method of a plug-in. Cast it to the selector's own type (AudioUnitRenderProc, ...) before
// calling: a call through this type would pass the arguments the variadic way. (Swift cannot
// express "...".)
#if defined(__swift__)
typedef OSStatus (*AudioComponentMethod)(void *self);
#else
typedef OSStatus (*AudioComponentMethod)(void *self, ...);
#endif

// The result of a factory: the object, as far as the host may know it. `self` is this struct's
// address.
typedef struct AudioComponentPlugInInterface {
  // Called once, first. After an error the object has freed itself and is not touched again.
  OSStatus (*Open)(void *self, AudioComponentInstance instance);
  // Called once, last; frees the object.
  OSStatus (*Close)(void *self);
  // The method of a selector; NULL where the unit has none.
  AudioComponentMethod (*Lookup)(SInt16 selector);
  void *reserved;  // NULL
} AudioComponentPlugInInterface;

// The one symbol a plug-in exports for each component: one call, one object.
typedef AudioComponentPlugInInterface *(*AudioComponentFactoryFunction)(
    const AudioComponentDescription *description);

AURICLE_BEGIN_DECLS

// Returns the next component that matches, after the passed one (NULL: from the start); NULL
// without one.
extern AudioComponent AudioComponentFindNext(
    AudioComponent component, const AudioComponentDescription *description);
// Returns the number of components that match.
extern UInt32 AudioComponentCount(const AudioComponentDescription *description);
// The name, "Maker: Unit". The caller releases it.
extern OSStatus AudioComponentCopyName(AudioComponent component, CFStringRef *name);
extern OSStatus AudioComponentGetDescription(
    AudioComponent component, AudioComponentDescription *description);
// The version, 0xMMMMmmbb.
extern OSStatus AudioComponentGetVersion(AudioComponent component, UInt32 *version);
// Opens a component; AudioComponentInstanceDispose closes it.
extern OSStatus AudioComponentInstanceNew(
    AudioComponent component, AudioComponentInstance *instance);
extern OSStatus AudioComponentInstanceDispose(AudioComponentInstance instance);
extern AudioComponent AudioComponentInstanceGetComponent(AudioComponentInstance instance);
// Whether the instance answers a selector.
extern Boolean AudioComponentInstanceCanDo(AudioComponentInstance instance, SInt16 selector);
// Adds a component of this program's own, for this process.
extern AudioComponent AudioComponentRegister(
    const AudioComponentDescription *description, CFStringRef name, UInt32 version,
    AudioComponentFactoryFunction factory);
extern OSStatus AudioComponentCopyConfigurationInfo(
    AudioComponent component, CFDictionaryRef *configuration);
extern OSStatus AudioComponentValidate(
    AudioComponent component, CFDictionaryRef parameters, AudioComponentValidationResult *result);

#if defined(__BLOCKS__) && !defined(__swift__)
extern void AudioComponentInstantiate(
    AudioComponent component, AudioComponentInstantiationOptions options,
    void (^completion)(AudioComponentInstance instance, OSStatus status));
extern OSStatus AudioComponentValidateWithResults(
    AudioComponent component, CFDictionaryRef parameters,
    void (^completion)(AudioComponentValidationResult result, CFDictionaryRef details));
#endif

AURICLE_END_DECLS

#endif
