// All of MIDI that is declared here.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_COREMIDI_H
#define AURICLE_COREMIDI_H

#include "../CoreFoundation/CoreFoundation.h"
#include "MIDIDriver.h"
#include "MIDIMessages.h"
#include "MIDINetworkSession.h"
#include "MIDIServices.h"
#include "MIDISetup.h"
#include "MIDIThruConnection.h"

#endif
