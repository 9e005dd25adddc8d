// Kinds of sound files and formats that Core Audio has no numbers for.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AURICLEFILES_H
#define AURICLE_AURICLEFILES_H

#include "../AudioToolbox/AudioFileTypes.h"

// Ogg, with Opus, Vorbis or FLAC.
AURICLE_ENUM(AudioFileTypeID) { kAuricleAudioFileOggType = 0x4F676753 };  // 'OggS'

// Vorbis. Its cookie is the three headers behind each other, as Matroska keeps them: the number 2, the lengths of
// the first two in bytes of 255 and a rest, the headers. Packets have differing numbers of frames; the first has none.
AURICLE_ENUM(AudioFormatID) { kAuricleAudioFormatVorbis = 0x766F7262 };  // 'vorb'

// Microsoft's ADPCM, by its number in WAVE files.
AURICLE_ENUM(AudioFormatID) { kAuricleAudioFormatMicrosoftADPCM = 0x6D730002 };

// The cookie of kAudioFormatOpus is the first header of an Ogg file, 'OpusHead' and on, in every container.

#endif
