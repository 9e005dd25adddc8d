// The C interface of the library for clients in Swift; Headers/ is written by client-headers.
// SPDX-License-Identifier: Apache-2.0
#include "Headers/AudioToolbox/AUAudioUnitImplementation.h"
#include "Headers/AudioToolbox/AudioToolbox.h"
#include "Headers/Auricle/AuricleMusicPlayer.h"
#include "Headers/ApplicationServices/SpeechSynthesis.h"
#include "Headers/CoreAudio/CoreAudio.h"
#include "Headers/CoreFoundation/CoreFoundation.h"
#include "Headers/CoreMIDI/CoreMIDI.h"
#include "Headers/mach/mach_time.h"
