// Devices and lists of MIDIDriver.h, by a program that is no driver.
// SPDX-License-Identifier: Apache-2.0
#include <CoreMIDI/MIDIDriver.h>
#include <stdio.h>

#include "Wanted.h"

int main(void) {
  MIDIDeviceRef device = 0;
  MIDIEntityRef entity = 0;
  void *first = NULL, *second = NULL;
  IS(MIDIDeviceCreate(NULL, CFSTR("Desk"), CFSTR("Maker"), NULL, &device), -50);
  IS(MIDIDeviceCreate(NULL, CFSTR("Desk"), CFSTR("Maker"), CFSTR("Model"), &device), 0);
  IS(MIDIDeviceAddEntity(device, CFSTR("Keys"), false, 1, 1, &entity), 0);
  MIDIDeviceListRef list = MIDIGetDriverDeviceList(NULL);
  IS(list != 0, 1);
  IS(MIDIDeviceListGetNumberOfDevices(list), 0);
  IS(MIDIDeviceListAddDevice(list, device), 0);
  IS(MIDIDeviceListAddDevice(list, 0), kMIDIObjectNotFound);
  IS(MIDIDeviceListAddDevice(list + 1, device), kMIDIObjectNotFound);
  IS(MIDIDeviceListGetNumberOfDevices(list), 1);
  IS(MIDIDeviceListGetDevice(list, 0), device);
  IS(MIDIDeviceListGetDevice(list, 1), 0);
  IS(MIDIDeviceListDispose(list), 0);
  IS(MIDIDeviceListDispose(list), kMIDIObjectNotFound);
  MIDIEndpointRef source = MIDIEntityGetSource(entity, 0);
  IS(MIDIEndpointGetRefCons(source, &first, &second), 0);
  IS(first == NULL && second == NULL, 1);
  IS(MIDIEndpointSetRefCons(source, &device, &entity), 0);
  IS(MIDIEndpointGetRefCons(source, &first, &second), 0);
  IS(first == &device && second == &entity, 1);
  IS(MIDIEndpointSetRefCons(0, NULL, NULL), kMIDIUnknownEndpoint);
  IS(MIDIGetDriverIORunLoop() == CFRunLoopGetMain(), 1);
  IS(MIDIDriverEnableMonitoring(NULL, true), -50);
  IS(MIDIDeviceDispose(device), 0);
  IS(MIDIDeviceDispose(device), kMIDIObjectNotFound);
  return failures != 0;
}
