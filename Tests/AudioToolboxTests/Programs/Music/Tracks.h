// Counting, measuring and comparing tracks.
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

static inline void checkSame(MusicTrack one, MusicTrack two) {
  MusicEventIterator first, second;
  OK(NewMusicEventIterator(one, &first));
  OK(NewMusicEventIterator(two, &second));
  for (int index = 0;; index++) {
    double time[2];
    MusicEventType type[2];
    const void *data[2];
    UInt32 size[2];
    const OSStatus a = MusicEventIteratorGetEventInfo(first, &time[0], &type[0], &data[0], &size[0]);
    const OSStatus b = MusicEventIteratorGetEventInfo(second, &time[1], &type[1], &data[1], &size[1]);
    TRUE_(a == b);
    if (a != noErr || b != noErr) break;
    // A tick apart is nothing: places before it are the same.
    const int isSame = fabs(time[0] - time[1]) < 1e-9 && type[0] == type[1] && size[0] == size[1] &&
        memcmp(data[0], data[1], size[0]) == 0;
    if (!isSame) {
      printf("event %d: %.9f type %u, %.9f type %u\n", index, time[0], type[0], time[1], type[1]);
      failures += 1;
      break;
    }
    OK(MusicEventIteratorNextEvent(first));
    OK(MusicEventIteratorNextEvent(second));
  }
  OK(DisposeMusicEventIterator(first));
  OK(DisposeMusicEventIterator(second));
  TRUE_(fabs(lengthOf(one) - lengthOf(two)) < 1e-6);
}

#endif
