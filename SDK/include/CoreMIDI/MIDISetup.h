// Devices that programs describe: equipment at a cable that cannot identify itself. They are kept from run to run.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MIDISETUP_H
#define AURICLE_MIDISETUP_H

#include "../CoreFoundation/CFArray.h"
#include "MIDIServices.h"

AURICLE_BEGIN_DECLS

// A device with a name, a maker and a model. It belongs to this process until it is added to the setup.
extern OSStatus MIDIExternalDeviceCreate(
    CFStringRef name, CFStringRef manufacturer, CFStringRef model, MIDIDeviceRef *outDevice);
// Entities of a device, each with so many sources and destinations.
extern OSStatus MIDIDeviceAddEntity(
    MIDIDeviceRef device, CFStringRef name, Boolean embedded, ItemCount sources,
    ItemCount destinations, MIDIEntityRef *outEntity);
extern OSStatus MIDIDeviceNewEntity(
    MIDIDeviceRef device, CFStringRef name, MIDIProtocolID protocol, Boolean embedded,
    ItemCount sources, ItemCount destinations, MIDIEntityRef *outEntity);
extern OSStatus MIDIDeviceRemoveEntity(MIDIDeviceRef device, MIDIEntityRef entity);
// Adds endpoints to an entity, or removes the last ones, until it has so many.
extern OSStatus MIDIEntityAddOrRemoveEndpoints(
    MIDIEntityRef entity, ItemCount sources, ItemCount destinations);

// Adds a device to the lists of all programs, and removes it.
extern OSStatus MIDISetupAddDevice(MIDIDeviceRef device);
extern OSStatus MIDISetupRemoveDevice(MIDIDeviceRef device);
extern OSStatus MIDISetupAddExternalDevice(MIDIDeviceRef device);
extern OSStatus MIDISetupRemoveExternalDevice(MIDIDeviceRef device);

// Setups as a whole, from before there was one that is always there.
extern OSStatus MIDISetupCreate(MIDISetupRef *outSetup);
extern OSStatus MIDISetupDispose(MIDISetupRef setup);
extern OSStatus MIDISetupInstall(MIDISetupRef setup);
extern OSStatus MIDISetupGetCurrent(MIDISetupRef *outSetup);
extern OSStatus MIDISetupToData(MIDISetupRef setup, CFDataRef *outData);
extern OSStatus MIDISetupFromData(CFDataRef data, MIDISetupRef *outSetup);

// Serial ports belong to no driver here.
extern OSStatus MIDIGetSerialPortOwner(CFStringRef portName, CFStringRef *outDriverName);
extern OSStatus MIDISetSerialPortOwner(CFStringRef portName, CFStringRef driverName);
extern OSStatus MIDIGetSerialPortDrivers(CFArrayRef *outDriverNames);

AURICLE_END_DECLS

#endif
