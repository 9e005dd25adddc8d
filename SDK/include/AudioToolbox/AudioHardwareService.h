// Properties of audio objects, with one fader and one balance for the whole of a device.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOHARDWARESERVICE_H
#define AURICLE_AUDIOHARDWARESERVICE_H

#include "../CoreAudio/CoreAudio.h"

AURICLE_ENUM(AudioObjectPropertySelector) {
  kAudioHardwareServiceProperty_ServiceRestarted = 0x73727374,  // 'srst', UInt32, listen
  kAudioHardwareServiceDeviceProperty_VirtualMainVolume = 0x766d7663,  // 'vmvc', Float32
  kAudioHardwareServiceDeviceProperty_VirtualMasterVolume = 0x766d7663,
  kAudioHardwareServiceDeviceProperty_VirtualMainBalance = 0x766d6263,  // 'vmbc', Float32
  kAudioHardwareServiceDeviceProperty_VirtualMasterBalance = 0x766d6263,
};

AURICLE_BEGIN_DECLS

// As the functions AudioObject… of CoreAudio/AudioHardware.h.
extern Boolean AudioHardwareServiceHasProperty(
    AudioObjectID object, const AudioObjectPropertyAddress *address);
extern OSStatus AudioHardwareServiceIsPropertySettable(
    AudioObjectID object, const AudioObjectPropertyAddress *address, Boolean *outIsSettable);
extern OSStatus AudioHardwareServiceGetPropertyDataSize(
    AudioObjectID object, const AudioObjectPropertyAddress *address, UInt32 qualifierSize,
    const void *qualifier, UInt32 *outSize);
extern OSStatus AudioHardwareServiceGetPropertyData(
    AudioObjectID object, const AudioObjectPropertyAddress *address, UInt32 qualifierSize,
    const void *qualifier, UInt32 *ioSize, void *outData);
extern OSStatus AudioHardwareServiceSetPropertyData(
    AudioObjectID object, const AudioObjectPropertyAddress *address, UInt32 qualifierSize,
    const void *qualifier, UInt32 size, const void *data);
extern OSStatus AudioHardwareServiceAddPropertyListener(
    AudioObjectID object, const AudioObjectPropertyAddress *address,
    AudioObjectPropertyListenerProc listener, void *clientData);
extern OSStatus AudioHardwareServiceRemovePropertyListener(
    AudioObjectID object, const AudioObjectPropertyAddress *address,
    AudioObjectPropertyListenerProc listener, void *clientData);

AURICLE_END_DECLS

#endif
