// Drivers of MIDI devices: the functions that programs call too. No driver is loaded here.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MIDIDRIVER_H
#define AURICLE_MIDIDRIVER_H

#include "../CoreFoundation/CFRunLoop.h"
#include "../CoreFoundation/CFUUID.h"
#include "MIDIServices.h"
#include "MIDISetup.h"

#define kMIDIDriverPropertyUsesSerial CFSTR("MIDIDriverUsesSerial")

typedef struct MIDIDriverInterface MIDIDriverInterface;
typedef MIDIDriverInterface **MIDIDriverRef;

// The functions of a driver, behind those of a COM interface.
struct MIDIDriverInterface {
  void *_reserved;
  SInt32 (*QueryInterface)(void *self, CFUUIDBytes identifier, void **outInterface);
  UInt32 (*AddRef)(void *self);
  UInt32 (*Release)(void *self);
  OSStatus (*FindDevices)(MIDIDriverRef self, MIDIDeviceListRef devices);
  OSStatus (*Start)(MIDIDriverRef self, MIDIDeviceListRef devices);
  OSStatus (*Stop)(MIDIDriverRef self);
  OSStatus (*Configure)(MIDIDriverRef self, MIDIDeviceRef device);
  OSStatus (*Send)(
      MIDIDriverRef self, const MIDIPacketList *packets, void *refCon1, void *refCon2);
  OSStatus (*EnableSource)(MIDIDriverRef self, MIDIEndpointRef source, Boolean isEnabled);
  OSStatus (*Flush)(MIDIDriverRef self, MIDIEndpointRef destination, void *refCon1, void *refCon2);
  OSStatus (*Monitor)(
      MIDIDriverRef self, MIDIEndpointRef destination, const MIDIPacketList *packets);
  OSStatus (*SendPackets)(
      MIDIDriverRef self, const MIDIEventList *packets, void *refCon1, void *refCon2);
  OSStatus (*MonitorEvents)(
      MIDIDriverRef self, MIDIEndpointRef destination, const MIDIEventList *packets);
};

AURICLE_BEGIN_DECLS

// A device, with or without a driver. It belongs to this process until it is added to the setup.
extern OSStatus MIDIDeviceCreate(
    MIDIDriverRef owner, CFStringRef name, CFStringRef manufacturer, CFStringRef model,
    MIDIDeviceRef *outDevice);
// -10842 for a number that is no device, and for one that was added to the setup.
extern OSStatus MIDIDeviceDispose(MIDIDeviceRef device);

// Lists of devices. Those of MIDIGetDriverDeviceList are empty: there are no drivers.
extern MIDIDeviceListRef MIDIGetDriverDeviceList(MIDIDriverRef driver);
extern ItemCount MIDIDeviceListGetNumberOfDevices(MIDIDeviceListRef list);
extern MIDIDeviceRef MIDIDeviceListGetDevice(MIDIDeviceListRef list, ItemCount index);
extern OSStatus MIDIDeviceListAddDevice(MIDIDeviceListRef list, MIDIDeviceRef device);
extern OSStatus MIDIDeviceListDispose(MIDIDeviceListRef list);

// Two pointers of this process with an endpoint.
extern OSStatus MIDIEndpointSetRefCons(MIDIEndpointRef endpoint, void *refCon1, void *refCon2);
extern OSStatus MIDIEndpointGetRefCons(MIDIEndpointRef endpoint, void **refCon1, void **refCon2);

// The main run loop.
extern CFRunLoopRef MIDIGetDriverIORunLoop(void);
// -10844: nothing is monitored by drivers here.
extern OSStatus MIDIDriverEnableMonitoring(MIDIDriverRef driver, Boolean enabled);

AURICLE_END_DECLS

#endif
