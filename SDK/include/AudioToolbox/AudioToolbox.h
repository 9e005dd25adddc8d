// All of the toolbox.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOTOOLBOX_H
#define AURICLE_AUDIOTOOLBOX_H

#include "../CoreFoundation/CoreFoundation.h"
#include "AUComponent.h"
#include "AUGraph.h"
#include "AudioCodec.h"
#include "AudioComponent.h"
#include "AudioComponentNotifications.h"
#include "AudioConverter.h"
#include "AudioFile.h"
#include "AudioFileStream.h"
#include "AudioFormat.h"
#include "AudioHardwareService.h"
#include "AudioOutputUnit.h"
#include "AudioQueue.h"
#include "AudioServices.h"
#include "AudioSession.h"
#include "AudioUnit.h"
#include "AudioUnitParameters.h"
#include "AudioUnitProperties.h"
#include "AudioUnitUtilities.h"
#include "CAFFile.h"
#include "CAShow.h"
#include "CoreAudioClock.h"
#include "ExtendedAudioFile.h"
#include "InterAppAudio.h"
#include "MusicDevice.h"
#include "MusicPlayer.h"

#endif
