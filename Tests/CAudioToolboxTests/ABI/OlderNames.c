// Names in sources older than AudioComponent.h: the Component Manager, older types, macros and numbers.
// SPDX-License-Identifier: Apache-2.0

// This header alone must bring all that follows, as it did when those sources were written.
#include <AudioUnit/AudioUnit.h>

#include "Assertions.h"

// The branches that such sources choose by macros.
#if !TARGET_OS_MAC || !TARGET_OS_OSX || !TARGET_API_MAC_OSX || TARGET_OS_WIN32 || TARGET_OS_IPHONE
#error "a source for Core Audio must take its Core Audio branch"
#endif
#if MAC_OS_X_VERSION_MAX_ALLOWED <= MAC_OS_X_VERSION_10_5 || COREAUDIOTYPES_VERSION < 1051
#error "the names are those of a release after 10.5"
#endif
#if MAC_OS_X_VERSION_MIN_REQUIRED > MAC_OS_X_VERSION_MAX_ALLOWED
#error "more is required than allowed"
#endif
ABI_VALUE(MAC_OS_X_VERSION_10_4, 1040);
ABI_VALUE(MAC_OS_X_VERSION_10_9, 1090);
ABI_VALUE(MAC_OS_X_VERSION_10_10, 101000);
ABI_VALUE(__MAC_10_15, 101500);

// Types.
ABI_ASSERT(sizeof(AudioSampleType) == 4);
ABI_ASSERT(sizeof(AudioUnitSampleType) == 4);
ABI_ASSERT(sizeof(ComponentResult) == sizeof(OSStatus));
ABI_ASSERT(sizeof(Handle) == sizeof(void *));
ABI_ASSERT(sizeof(ByteCount) == sizeof(long));
ABI_STRUCT(AUNumVersion, 4, 1);
ABI_FIELD(AUNumVersion, majorRev, 3);
ABI_STRUCT(AUHostIdentifier, 16, 8);
ABI_FIELD(AUHostIdentifier, hostVersion, 8);
ABI_ASSERT(sizeof(struct MIDIPacketList) == 272);

// The Component Manager.
ABI_STRUCT(struct ComponentDescription, 20, 4);
ABI_FIELD(ComponentDescription, componentManufacturer, 8);
ABI_FIELD(ComponentDescription, componentFlagsMask, 16);
ABI_FIELD(ComponentParameters, paramSize, 1);
ABI_FIELD(ComponentParameters, what, 2);
ABI_FIELD(ComponentParameters, params, 8);
ABI_VALUE(kComponentOpenSelect, -1);
ABI_VALUE(kComponentCloseSelect, -2);
ABI_VALUE(kComponentCanDoSelect, -3);
ABI_VALUE(kComponentVersionSelect, -4);
ABI_VALUE(invalidComponentID, -3000);
ABI_ASSERT((OSStatus)badComponentInstance == (OSStatus)0x80008001);
ABI_ASSERT((OSStatus)badComponentSelector == (OSStatus)0x80008002);
ABI_VALUE(unimpErr, -4);
ABI_VALUE(paramErr, -50);
ABI_VALUE(memFullErr, -108);
#if defined(__cplusplus)
extern "C" {
#endif
ABI_FUNCTION(Component, FindNextComponent, (Component, ComponentDescription *));
ABI_FUNCTION(long, CountComponents, (ComponentDescription *));
ABI_FUNCTION(ComponentInstance, OpenComponent, (Component));
ABI_FUNCTION(OSErr, OpenAComponent, (Component, ComponentInstance *));
ABI_FUNCTION(OSErr, CloseComponent, (ComponentInstance));
ABI_FUNCTION(OSErr, GetComponentInfo, (Component, ComponentDescription *, Handle, Handle, Handle));
ABI_FUNCTION(ComponentResult, GetComponentVersion, (ComponentInstance));
ABI_FUNCTION(Handle, GetComponentInstanceStorage, (ComponentInstance));
ABI_FUNCTION(void, SetComponentInstanceStorage, (ComponentInstance, Handle));
ABI_FUNCTION(Component, RegisterComponent, (
    ComponentDescription *, ComponentRoutineUPP, SInt16, Handle, Handle, Handle));
ABI_FUNCTION(OSErr, SetDefaultComponent, (Component, SInt16));
ABI_FUNCTION(UInt64, AudioGetCurrentHostTime, (void));
ABI_FUNCTION(Float64, AudioGetHostClockFrequency, (void));
ABI_FUNCTION(UInt32, AudioGetHostClockMinimumTimeDelta, (void));
ABI_FUNCTION(UInt64, AudioConvertHostTimeToNanos, (UInt64));
ABI_FUNCTION(UInt64, AudioConvertNanosToHostTime, (UInt64));
ABI_FUNCTION(MIDIPacket *, MIDIPacketListInit, (MIDIPacketList *));
ABI_FUNCTION(MIDIPacket *, MIDIPacketListAdd, (
    MIDIPacketList *, ByteCount, MIDIPacket *, MIDITimeStamp, ByteCount, const Byte *));
#if defined(__cplusplus)
}
#endif

// Flags, and a parameter's curve in them.
ABI_VALUE(kAudioUnitParameterFlag_Global, 1);
ABI_VALUE(kAudioUnitParameterFlag_Input, 2);
ABI_VALUE(kAudioUnitParameterFlag_Output, 4);
ABI_VALUE(kAudioUnitParameterFlag_Group, 8);
ABI_ASSERT(AudioUnitDisplayTypeIsLogarithmic(0x00400000 | 0x40000000));
ABI_ASSERT(AudioUnitDisplayTypeIsSquareRoot(0x00010000));
ABI_ASSERT(AudioUnitDisplayTypeIsSquared(0x00020000));
ABI_ASSERT(AudioUnitDisplayTypeIsCubed(0x00030000) && !AudioUnitDisplayTypeIsSquared(0x00030000));
ABI_ASSERT(AudioUnitDisplayTypeIsCubeRoot(0x00040000));
ABI_ASSERT(AudioUnitDisplayTypeIsExponential(0x00050000));
ABI_ASSERT(GetAudioUnitParameterDisplayType(0x40030010) == 0x00030000);
ABI_ASSERT(SetAudioUnitParameterDisplayType(0x40400010u, 0x00010000) == 0x40010010u);

// Byte order.
ABI_VALUE(OSSwapHostToBigInt16(0x1234), 0x3412);
ABI_VALUE(OSSwapBigToHostInt32(0x12345678), 0x78563412);
ABI_VALUE(OSSwapHostToLittleInt32(0x12345678), 0x12345678);
ABI_VALUE(EndianU16_NtoB(0x1234), 0x3412);
ABI_VALUE(EndianU32_BtoN(0x12345678), 0x78563412);
ABI_VALUE(EndianU32_LtoN(0x12345678), 0x12345678);
ABI_VALUE(EndianS16_NtoL(-2), -2);
