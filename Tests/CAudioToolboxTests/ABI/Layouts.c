// Sizes and alignments of the structs, and where their fields lie.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioToolbox.h>
#include <Auricle/AuricleInstance.h>
#include <Auricle/AuricleProperties.h>
#include <CoreAudio/CoreAudio.h>
#include <CoreMIDI/CoreMIDI.h>
#include <mach/mach_time.h>

#include "Assertions.h"

ABI_STRUCT(AudioComponentDescription, 20, 4);
ABI_FIELD(AudioComponentDescription, componentType, 0);
ABI_FIELD(AudioComponentDescription, componentSubType, 4);
ABI_FIELD(AudioComponentDescription, componentManufacturer, 8);
ABI_FIELD(AudioComponentDescription, componentFlags, 12);
ABI_FIELD(AudioComponentDescription, componentFlagsMask, 16);

ABI_STRUCT(AudioComponentPlugInInterface, 32, 8);
ABI_FIELD(AudioComponentPlugInInterface, Open, 0);
ABI_FIELD(AudioComponentPlugInInterface, Close, 8);
ABI_FIELD(AudioComponentPlugInInterface, Lookup, 16);
ABI_FIELD(AudioComponentPlugInInterface, reserved, 24);

ABI_STRUCT(AudioStreamBasicDescription, 40, 8);
ABI_FIELD(AudioStreamBasicDescription, mSampleRate, 0);
ABI_FIELD(AudioStreamBasicDescription, mFormatID, 8);
ABI_FIELD(AudioStreamBasicDescription, mFormatFlags, 12);
ABI_FIELD(AudioStreamBasicDescription, mBytesPerPacket, 16);
ABI_FIELD(AudioStreamBasicDescription, mFramesPerPacket, 20);
ABI_FIELD(AudioStreamBasicDescription, mBytesPerFrame, 24);
ABI_FIELD(AudioStreamBasicDescription, mChannelsPerFrame, 28);
ABI_FIELD(AudioStreamBasicDescription, mBitsPerChannel, 32);
ABI_FIELD(AudioStreamBasicDescription, mReserved, 36);

ABI_STRUCT(AudioStreamPacketDescription, 16, 8);
ABI_FIELD(AudioStreamPacketDescription, mStartOffset, 0);
ABI_FIELD(AudioStreamPacketDescription, mVariableFramesInPacket, 8);
ABI_FIELD(AudioStreamPacketDescription, mDataByteSize, 12);

ABI_STRUCT(AudioBuffer, 16, 8);
ABI_FIELD(AudioBuffer, mNumberChannels, 0);
ABI_FIELD(AudioBuffer, mDataByteSize, 4);
ABI_FIELD(AudioBuffer, mData, 8);

ABI_STRUCT(AudioBufferList, 24, 8);
ABI_FIELD(AudioBufferList, mNumberBuffers, 0);
ABI_FIELD(AudioBufferList, mBuffers, 8);

ABI_STRUCT(AudioTimeStamp, 64, 8);
ABI_FIELD(AudioTimeStamp, mSampleTime, 0);
ABI_FIELD(AudioTimeStamp, mHostTime, 8);
ABI_FIELD(AudioTimeStamp, mRateScalar, 16);
ABI_FIELD(AudioTimeStamp, mWordClockTime, 24);
ABI_FIELD(AudioTimeStamp, mSMPTETime, 32);
ABI_FIELD(AudioTimeStamp, mFlags, 56);
ABI_FIELD(AudioTimeStamp, mReserved, 60);

ABI_STRUCT(SMPTETime, 24, 4);
ABI_FIELD(SMPTETime, mSubframes, 0);
ABI_FIELD(SMPTETime, mSubframeDivisor, 2);
ABI_FIELD(SMPTETime, mCounter, 4);
ABI_FIELD(SMPTETime, mType, 8);
ABI_FIELD(SMPTETime, mFlags, 12);
ABI_FIELD(SMPTETime, mHours, 16);
ABI_FIELD(SMPTETime, mMinutes, 18);
ABI_FIELD(SMPTETime, mSeconds, 20);
ABI_FIELD(SMPTETime, mFrames, 22);

ABI_STRUCT(AudioChannelDescription, 20, 4);
ABI_FIELD(AudioChannelDescription, mChannelLabel, 0);
ABI_FIELD(AudioChannelDescription, mChannelFlags, 4);
ABI_FIELD(AudioChannelDescription, mCoordinates, 8);

ABI_STRUCT(AudioChannelLayout, 32, 4);
ABI_FIELD(AudioChannelLayout, mChannelLayoutTag, 0);
ABI_FIELD(AudioChannelLayout, mChannelBitmap, 4);
ABI_FIELD(AudioChannelLayout, mNumberChannelDescriptions, 8);
ABI_FIELD(AudioChannelLayout, mChannelDescriptions, 12);

ABI_STRUCT(AudioValueRange, 16, 8);
ABI_FIELD(AudioValueRange, mMinimum, 0);
ABI_FIELD(AudioValueRange, mMaximum, 8);

ABI_STRUCT(AudioUnitParameterEvent, 32, 4);
ABI_FIELD(AudioUnitParameterEvent, scope, 0);
ABI_FIELD(AudioUnitParameterEvent, element, 4);
ABI_FIELD(AudioUnitParameterEvent, parameter, 8);
ABI_FIELD(AudioUnitParameterEvent, eventType, 12);
ABI_FIELD(AudioUnitParameterEvent, eventValues, 16);
ABI_FIELD(AudioUnitParameterEvent, eventValues.ramp.startBufferOffset, 16);
ABI_FIELD(AudioUnitParameterEvent, eventValues.ramp.durationInFrames, 20);
ABI_FIELD(AudioUnitParameterEvent, eventValues.ramp.startValue, 24);
ABI_FIELD(AudioUnitParameterEvent, eventValues.ramp.endValue, 28);
ABI_FIELD(AudioUnitParameterEvent, eventValues.immediate.bufferOffset, 16);
ABI_FIELD(AudioUnitParameterEvent, eventValues.immediate.value, 20);

ABI_STRUCT(AudioUnitParameter, 24, 8);
ABI_FIELD(AudioUnitParameter, mAudioUnit, 0);
ABI_FIELD(AudioUnitParameter, mParameterID, 8);
ABI_FIELD(AudioUnitParameter, mScope, 12);
ABI_FIELD(AudioUnitParameter, mElement, 16);

ABI_STRUCT(AudioUnitProperty, 24, 8);
ABI_FIELD(AudioUnitProperty, mAudioUnit, 0);
ABI_FIELD(AudioUnitProperty, mPropertyID, 8);
ABI_FIELD(AudioUnitProperty, mScope, 12);
ABI_FIELD(AudioUnitProperty, mElement, 16);

ABI_STRUCT(AudioUnitEvent, 32, 8);
ABI_FIELD(AudioUnitEvent, mEventType, 0);
ABI_FIELD(AudioUnitEvent, mArgument, 8);
ABI_FIELD(AudioUnitEvent, mArgument.mParameter, 8);
ABI_FIELD(AudioUnitEvent, mArgument.mProperty, 8);

ABI_STRUCT(AudioUnitConnection, 16, 8);
ABI_FIELD(AudioUnitConnection, sourceAudioUnit, 0);
ABI_FIELD(AudioUnitConnection, sourceOutputNumber, 8);
ABI_FIELD(AudioUnitConnection, destInputNumber, 12);

ABI_STRUCT(AUChannelInfo, 4, 2);
ABI_FIELD(AUChannelInfo, inChannels, 0);
ABI_FIELD(AUChannelInfo, outChannels, 2);

ABI_STRUCT(AudioUnitExternalBuffer, 16, 8);
ABI_FIELD(AudioUnitExternalBuffer, buffer, 0);
ABI_FIELD(AudioUnitExternalBuffer, size, 8);

ABI_STRUCT(AURenderCallbackStruct, 16, 8);
ABI_FIELD(AURenderCallbackStruct, inputProc, 0);
ABI_FIELD(AURenderCallbackStruct, inputProcRefCon, 8);

ABI_STRUCT(AUPreset, 16, 8);
ABI_FIELD(AUPreset, presetNumber, 0);
ABI_FIELD(AUPreset, presetName, 8);

ABI_STRUCT(AudioUnitFrequencyResponseBin, 16, 8);
ABI_FIELD(AudioUnitFrequencyResponseBin, mFrequency, 0);
ABI_FIELD(AudioUnitFrequencyResponseBin, mMagnitude, 8);

ABI_STRUCT(HostCallbackInfo, 40, 8);
ABI_FIELD(HostCallbackInfo, hostUserData, 0);
ABI_FIELD(HostCallbackInfo, beatAndTempoProc, 8);
ABI_FIELD(HostCallbackInfo, musicalTimeLocationProc, 16);
ABI_FIELD(HostCallbackInfo, transportStateProc, 24);
ABI_FIELD(HostCallbackInfo, transportStateProc2, 32);

ABI_STRUCT(AUDependentParameter, 8, 4);
ABI_FIELD(AUDependentParameter, mScope, 0);
ABI_FIELD(AUDependentParameter, mParameterID, 4);

ABI_STRUCT(AudioUnitCocoaViewInfo, 16, 8);
ABI_FIELD(AudioUnitCocoaViewInfo, mCocoaAUViewBundleLocation, 0);
ABI_FIELD(AudioUnitCocoaViewInfo, mCocoaAUViewClass, 8);

ABI_STRUCT(AUHostVersionIdentifier, 16, 8);
ABI_FIELD(AUHostVersionIdentifier, hostName, 0);
ABI_FIELD(AUHostVersionIdentifier, hostVersion, 8);

ABI_STRUCT(AUMIDIOutputCallbackStruct, 16, 8);
ABI_FIELD(AUMIDIOutputCallbackStruct, midiOutputCallback, 0);
ABI_FIELD(AUMIDIOutputCallbackStruct, userData, 8);

ABI_STRUCT(AUInputSamplesInOutputCallbackStruct, 16, 8);
ABI_FIELD(AUInputSamplesInOutputCallbackStruct, inputToOutputCallback, 0);
ABI_FIELD(AUInputSamplesInOutputCallbackStruct, userData, 8);

ABI_STRUCT(AudioUnitParameterHistoryInfo, 8, 4);
ABI_FIELD(AudioUnitParameterHistoryInfo, updatesPerSecond, 0);
ABI_FIELD(AudioUnitParameterHistoryInfo, historyDurationInSeconds, 4);

ABI_STRUCT(AudioUnitParameterInfo, 104, 8);
ABI_FIELD(AudioUnitParameterInfo, name, 0);
ABI_FIELD(AudioUnitParameterInfo, unitName, 56);
ABI_FIELD(AudioUnitParameterInfo, clumpID, 64);
ABI_FIELD(AudioUnitParameterInfo, cfNameString, 72);
ABI_FIELD(AudioUnitParameterInfo, unit, 80);
ABI_FIELD(AudioUnitParameterInfo, minValue, 84);
ABI_FIELD(AudioUnitParameterInfo, maxValue, 88);
ABI_FIELD(AudioUnitParameterInfo, defaultValue, 92);
ABI_FIELD(AudioUnitParameterInfo, flags, 96);

ABI_STRUCT(AudioUnitParameterNameInfo, 16, 8);
ABI_FIELD(AudioUnitParameterNameInfo, inID, 0);
ABI_FIELD(AudioUnitParameterNameInfo, inDesiredLength, 4);
ABI_FIELD(AudioUnitParameterNameInfo, outName, 8);

ABI_STRUCT(AudioUnitParameterStringFromValue, 24, 8);
ABI_FIELD(AudioUnitParameterStringFromValue, inParamID, 0);
ABI_FIELD(AudioUnitParameterStringFromValue, inValue, 8);
ABI_FIELD(AudioUnitParameterStringFromValue, outString, 16);

ABI_STRUCT(AudioUnitParameterValueFromString, 24, 8);
ABI_FIELD(AudioUnitParameterValueFromString, inParamID, 0);
ABI_FIELD(AudioUnitParameterValueFromString, inString, 8);
ABI_FIELD(AudioUnitParameterValueFromString, outValue, 16);

ABI_STRUCT(AudioOutputUnitMIDICallbacks, 24, 8);
ABI_FIELD(AudioOutputUnitMIDICallbacks, userData, 0);
ABI_FIELD(AudioOutputUnitMIDICallbacks, MIDIEventProc, 8);
ABI_FIELD(AudioOutputUnitMIDICallbacks, MIDISysExProc, 16);

ABI_STRUCT(AudioOutputUnitStartAtTimeParams, 72, 8);
ABI_FIELD(AudioOutputUnitStartAtTimeParams, mTimestamp, 0);
ABI_FIELD(AudioOutputUnitStartAtTimeParams, mFlags, 64);

ABI_STRUCT(AUParameterMIDIMapping, 32, 4);
ABI_FIELD(AUParameterMIDIMapping, mScope, 0);
ABI_FIELD(AUParameterMIDIMapping, mElement, 4);
ABI_FIELD(AUParameterMIDIMapping, mParameterID, 8);
ABI_FIELD(AUParameterMIDIMapping, mFlags, 12);
ABI_FIELD(AUParameterMIDIMapping, mSubRangeMin, 16);
ABI_FIELD(AUParameterMIDIMapping, mSubRangeMax, 20);
ABI_FIELD(AUParameterMIDIMapping, mStatus, 24);
ABI_FIELD(AUParameterMIDIMapping, mData1, 25);
ABI_FIELD(AUParameterMIDIMapping, reserved1, 26);
ABI_FIELD(AUParameterMIDIMapping, reserved2, 27);
ABI_FIELD(AUParameterMIDIMapping, reserved3, 28);

ABI_STRUCT(AudioUnitMeterClipping, 8, 4);
ABI_FIELD(AudioUnitMeterClipping, peakValueSinceLastCall, 0);
ABI_FIELD(AudioUnitMeterClipping, sawInfinity, 4);
ABI_FIELD(AudioUnitMeterClipping, sawNotANumber, 5);

ABI_STRUCT(ScheduledAudioSlice, 112, 8);
ABI_FIELD(ScheduledAudioSlice, mTimeStamp, 0);
ABI_FIELD(ScheduledAudioSlice, mCompletionProc, 64);
ABI_FIELD(ScheduledAudioSlice, mCompletionProcUserData, 72);
ABI_FIELD(ScheduledAudioSlice, mFlags, 80);
ABI_FIELD(ScheduledAudioSlice, mReserved, 84);
ABI_FIELD(ScheduledAudioSlice, mReserved2, 88);
ABI_FIELD(ScheduledAudioSlice, mNumberFrames, 96);
ABI_FIELD(ScheduledAudioSlice, mBufferList, 104);

ABI_STRUCT(ScheduledAudioFileRegion, 112, 8);
ABI_FIELD(ScheduledAudioFileRegion, mTimeStamp, 0);
ABI_FIELD(ScheduledAudioFileRegion, mCompletionProc, 64);
ABI_FIELD(ScheduledAudioFileRegion, mCompletionProcUserData, 72);
ABI_FIELD(ScheduledAudioFileRegion, mAudioFile, 80);
ABI_FIELD(ScheduledAudioFileRegion, mLoopCount, 88);
ABI_FIELD(ScheduledAudioFileRegion, mStartFrame, 96);
ABI_FIELD(ScheduledAudioFileRegion, mFramesToPlay, 104);

ABI_STRUCT(AUSamplerInstrumentData, 16, 8);
ABI_FIELD(AUSamplerInstrumentData, fileURL, 0);
ABI_FIELD(AUSamplerInstrumentData, instrumentType, 8);
ABI_FIELD(AUSamplerInstrumentData, bankMSB, 9);
ABI_FIELD(AUSamplerInstrumentData, bankLSB, 10);
ABI_FIELD(AUSamplerInstrumentData, presetID, 11);

ABI_STRUCT(AUSamplerBankPresetData, 16, 8);
ABI_FIELD(AUSamplerBankPresetData, bankURL, 0);
ABI_FIELD(AUSamplerBankPresetData, bankMSB, 8);
ABI_FIELD(AUSamplerBankPresetData, bankLSB, 9);
ABI_FIELD(AUSamplerBankPresetData, presetID, 10);
ABI_FIELD(AUSamplerBankPresetData, reserved, 11);

ABI_STRUCT(AUDistanceAttenuationData, 12, 4);
ABI_FIELD(AUDistanceAttenuationData, inNumberOfPairs, 0);
ABI_FIELD(AUDistanceAttenuationData, pairs, 4);
ABI_FIELD(AUDistanceAttenuationData, pairs[0].inDistance, 4);
ABI_FIELD(AUDistanceAttenuationData, pairs[0].outGain, 8);

ABI_STRUCT(MixerDistanceParams, 12, 4);
ABI_FIELD(MixerDistanceParams, mReferenceDistance, 0);
ABI_FIELD(MixerDistanceParams, mMaxDistance, 4);
ABI_FIELD(MixerDistanceParams, mMaxAttenuation, 8);

ABI_STRUCT(MusicDeviceStdNoteParams, 12, 4);
ABI_FIELD(MusicDeviceStdNoteParams, argCount, 0);
ABI_FIELD(MusicDeviceStdNoteParams, mPitch, 4);
ABI_FIELD(MusicDeviceStdNoteParams, mVelocity, 8);

ABI_STRUCT(MusicDeviceNoteParams, 20, 4);
ABI_FIELD(MusicDeviceNoteParams, argCount, 0);
ABI_FIELD(MusicDeviceNoteParams, mPitch, 4);
ABI_FIELD(MusicDeviceNoteParams, mVelocity, 8);
ABI_FIELD(MusicDeviceNoteParams, mControls, 12);

ABI_STRUCT(NoteParamsControlValue, 8, 4);
ABI_FIELD(NoteParamsControlValue, mID, 0);
ABI_FIELD(NoteParamsControlValue, mValue, 4);

ABI_STRUCT(AudioUnitNodeConnection, 16, 4);
ABI_FIELD(AudioUnitNodeConnection, sourceNode, 0);
ABI_FIELD(AudioUnitNodeConnection, sourceOutputNumber, 4);
ABI_FIELD(AudioUnitNodeConnection, destNode, 8);
ABI_FIELD(AudioUnitNodeConnection, destInputNumber, 12);

ABI_STRUCT(AUNodeRenderCallback, 24, 8);
ABI_FIELD(AUNodeRenderCallback, destNode, 0);
ABI_FIELD(AUNodeRenderCallback, destInputNumber, 4);
ABI_FIELD(AUNodeRenderCallback, cback, 8);

ABI_STRUCT(AudioClassDescription, 12, 4);
ABI_FIELD(AudioClassDescription, mType, 0);
ABI_FIELD(AudioClassDescription, mSubType, 4);
ABI_FIELD(AudioClassDescription, mManufacturer, 8);

ABI_STRUCT(AUNodeInteraction, 32, 8);
ABI_FIELD(AUNodeInteraction, nodeInteractionType, 0);
ABI_FIELD(AUNodeInteraction, nodeInteraction, 8);
ABI_FIELD(AUNodeInteraction, nodeInteraction.connection, 8);
ABI_FIELD(AUNodeInteraction, nodeInteraction.inputCallback, 8);

ABI_STRUCT(MIDIPacket, 268, 4);
ABI_FIELD(MIDIPacket, timeStamp, 0);
ABI_FIELD(MIDIPacket, length, 8);
ABI_FIELD(MIDIPacket, data, 10);

ABI_STRUCT(MIDIPacketList, 272, 4);
ABI_FIELD(MIDIPacketList, numPackets, 0);
ABI_FIELD(MIDIPacketList, packet, 4);

ABI_STRUCT(MIDIEventPacket, 268, 4);
ABI_FIELD(MIDIEventPacket, timeStamp, 0);
ABI_FIELD(MIDIEventPacket, wordCount, 8);
ABI_FIELD(MIDIEventPacket, words, 12);

ABI_STRUCT(MIDIEventList, 276, 4);
ABI_FIELD(MIDIEventList, protocol, 0);
ABI_FIELD(MIDIEventList, numPackets, 4);
ABI_FIELD(MIDIEventList, packet, 8);

ABI_STRUCT(AudioObjectPropertyAddress, 12, 4);
ABI_FIELD(AudioObjectPropertyAddress, mSelector, 0);
ABI_FIELD(AudioObjectPropertyAddress, mScope, 4);
ABI_FIELD(AudioObjectPropertyAddress, mElement, 8);

ABI_STRUCT(AuricleValuePoint, 16, 8);
ABI_FIELD(AuricleValuePoint, value, 0);
ABI_FIELD(AuricleValuePoint, name, 8);

ABI_STRUCT(struct mach_timebase_info, 8, 4);
ABI_FIELD(struct mach_timebase_info, numer, 0);
ABI_FIELD(struct mach_timebase_info, denom, 4);

ABI_STRUCT(struct OpaqueAudioComponent, 48, 8);
ABI_FIELD(struct OpaqueAudioComponent, magic, 0);
ABI_FIELD(struct OpaqueAudioComponent, recordSize, 4);
ABI_FIELD(struct OpaqueAudioComponent, description, 8);
ABI_FIELD(struct OpaqueAudioComponent, version, 28);
ABI_FIELD(struct OpaqueAudioComponent, name, 32);
ABI_FIELD(struct OpaqueAudioComponent, host, 40);

ABI_STRUCT(struct ComponentInstanceRecord, 104, 8);
ABI_FIELD(struct ComponentInstanceRecord, magic, 0);
ABI_FIELD(struct ComponentInstanceRecord, recordSize, 4);
ABI_FIELD(struct ComponentInstanceRecord, component, 8);
ABI_FIELD(struct ComponentInstanceRecord, plugIn, 16);
ABI_FIELD(struct ComponentInstanceRecord, host, 24);
ABI_FIELD(struct ComponentInstanceRecord, render, 32);
ABI_FIELD(struct ComponentInstanceRecord, getProperty, 40);
ABI_FIELD(struct ComponentInstanceRecord, setProperty, 48);
ABI_FIELD(struct ComponentInstanceRecord, getPropertyInfo, 56);
ABI_FIELD(struct ComponentInstanceRecord, getParameter, 64);
ABI_FIELD(struct ComponentInstanceRecord, setParameter, 72);
ABI_FIELD(struct ComponentInstanceRecord, reset, 80);
ABI_FIELD(struct ComponentInstanceRecord, process, 88);
ABI_FIELD(struct ComponentInstanceRecord, scheduleParameters, 96);

// Variable lengths: the size of a struct with n items at its end.
ABI_ASSERT(offsetof(AudioBufferList, mBuffers) + 3 * sizeof(AudioBuffer) == 8 + 16 * 3);
ABI_ASSERT(
    offsetof(AudioChannelLayout, mChannelDescriptions) + 3 * sizeof(AudioChannelDescription)
    == 12 + 20 * 3);

// Basic types.
ABI_ASSERT(sizeof(Boolean) == 1);
ABI_ASSERT(sizeof(OSStatus) == 4 && (OSStatus)-1 < 0);
ABI_ASSERT(sizeof(OSType) == 4 && (OSType)-1 > 0);
ABI_ASSERT(sizeof(Float32) == 4 && sizeof(Float64) == 8);
ABI_ASSERT(sizeof(AUNode) == 4 && (AUNode)-1 < 0);
ABI_ASSERT(sizeof(AudioUnitPropertyID) == 4 && (AudioUnitPropertyID)-1 > 0);
ABI_ASSERT(sizeof(AudioUnitScope) == 4 && sizeof(AudioUnitElement) == 4);
ABI_ASSERT(sizeof(AudioUnitParameterID) == 4 && sizeof(AudioUnitParameterValue) == 4);
ABI_ASSERT(sizeof(AudioUnitRenderActionFlags) == 4);
ABI_ASSERT(sizeof(AudioUnit) == sizeof(void *) && sizeof(AudioComponent) == sizeof(void *));
ABI_ASSERT(sizeof(CFIndex) == 8 && sizeof(CFTypeID) == 8 && sizeof(CFOptionFlags) == 8);
ABI_ASSERT(sizeof(CFRange) == 16);
