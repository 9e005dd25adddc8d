// What is counted and measured of a track.
// SPDX-License-Identifier: Apache-2.0
#ifndef TRACKS_H
#define TRACKS_H

#include "Expect.h"

static inline UInt32 countEvents(MusicTrack track) {
  MusicEventIterator iterator;
  Boolean has = false;
  UInt32 count = 0;
  OK(NewMusicEventIterator(track, &iterator));
  while (MusicEventIteratorHasCurrentEvent(iterator, &has) == noErr && has) {
    count += 1;
    OK(MusicEventIteratorNextEvent(iterator));
  }
  OK(DisposeMusicEventIterator(iterator));
  return count;
}

static inline double lengthOf(MusicTrack track) {
  MusicTimeStamp length = -1;
  UInt32 size = sizeof length;
  OK(MusicTrackGetProperty(track, kSequenceTrackProperty_TrackLength, &length, &size));
  return length;
}

#endif
