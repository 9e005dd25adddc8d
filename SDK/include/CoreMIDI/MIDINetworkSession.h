// The hosts that a MIDI session on a network accepts. The session itself is an object of Objective-C, which is not here.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_COREMIDI_MIDINETWORKSESSION_H
#define AURICLE_COREMIDI_MIDINETWORKSESSION_H

#include "../CoreFoundation/CoreFoundation.h"

typedef unsigned long MIDINetworkConnectionPolicy;
enum {
  MIDINetworkConnectionPolicy_NoOne = 0,
  MIDINetworkConnectionPolicy_HostsInContactList = 1,
  MIDINetworkConnectionPolicy_Anyone = 2,
};

#endif
