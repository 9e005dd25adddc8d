// Sequences in files: a saved sequence is loaded unchanged, and anything but a file is refused.
// SPDX-License-Identifier: Apache-2.0
//
// usage: SequenceFiles FOLDER SEED
#include "Tracks.h"

static unsigned state;
static unsigned next(unsigned below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

static void fill(MusicTrack track, int number) {
  double ends[16][128] = {{0}};
  for (int index = 0; index < 200; index++) {
    const double time = next(4000) / 480.0;
    const int channel = (int)next(2) + 2 * number, key = (int)next(128);
    struct { UInt32 length; UInt8 data[8]; } raw = {6, {0xF0, 0x7D, 1, 2, 3, 0xF7}};
    struct { MIDIMetaEvent event; UInt8 more[8]; } meta = {{5, 0, 0, 0, 3, {0}}, {0}};
    UInt8 *text = meta.event.data;
    const MIDIChannelMessage control = {(UInt8)(0xB0 | channel), 7, (UInt8)next(128), 0};
    const MIDIChannelMessage program = {(UInt8)(0xC0 | channel), (UInt8)next(128), 0, 0};
    switch (next(8)) {
      case 0: OK(MusicTrackNewMIDIChannelEvent(track, time, &control)); break;
      case 1: OK(MusicTrackNewMIDIChannelEvent(track, time, &program)); break;
      case 2: OK(MusicTrackNewMIDIRawDataEvent(track, time, (const MIDIRawData *)(void *)&raw)); break;
      case 3:
        memcpy(text, "la!", 3);
        OK(MusicTrackNewMetaEvent(track, time, &meta.event));
        break;
      default: {
        // Notes of one key do not overlap: a file cannot say which end belongs to which note.
        if (time < ends[channel][key]) break;
        const double duration = next(960) / 480.0;
        const MIDINoteMessage note = {(UInt8)channel, (UInt8)key, (UInt8)(1 + next(127)), (UInt8)next(128), (Float32)duration};
        MusicEventIterator iterator;
        Boolean has = false;
        int isFree = 1;
        OK(NewMusicEventIterator(track, &iterator));
        while (MusicEventIteratorHasCurrentEvent(iterator, &has) == noErr && has) {
          double start;
          MusicEventType type;
          const void *data;
          OK(MusicEventIteratorGetEventInfo(iterator, &start, &type, &data, NULL));
          const MIDINoteMessage *old = (const MIDINoteMessage *)data;
          if (type == kMusicEventType_MIDINoteMessage && old->channel == channel && old->note == key &&
              start <= time + duration && start + old->duration >= time) isFree = 0;
          OK(MusicEventIteratorNextEvent(iterator));
        }
        OK(DisposeMusicEventIterator(iterator));
        if (isFree) OK(MusicTrackNewMIDINoteEvent(track, time, &note));
      }
    }
  }
}

static CFURLRef urlOf(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)path, (CFIndex)strlen(path), false);
}

static void checkFiles(const char *folder) {
  MusicSequence sequence, loaded;
  MusicTrack track[3], tempo[2], found;
  UInt32 count;
  OK(NewMusicSequence(&sequence));
  OK(NewMusicSequence(&loaded));
  for (int index = 0; index < 3; index++) {
    OK(MusicSequenceNewTrack(sequence, &track[index]));
    fill(track[index], index);
  }
  Float64 length = 40;
  OK(MusicTrackSetProperty(track[1], kSequenceTrackProperty_TrackLength, &length, sizeof length));
  OK(MusicSequenceGetTempoTrack(sequence, &tempo[0]));
  OK(MusicSequenceGetTempoTrack(loaded, &tempo[1]));
  for (int index = 0; index < 9; index++) {
    OK(MusicTrackNewExtendedTempoEvent(tempo[0], index * 2, 60e6 / (200000 + next(800000))));
  }
  struct { MIDIMetaEvent event; UInt8 more[4]; } meter = {{0x58, 0, 0, 0, 4, {6}}, {0}};
  UInt8 *bytes = meter.event.data;
  memcpy(bytes, "\3\2\30\10", 4);
  OK(MusicTrackNewMetaEvent(tempo[0], 24, &meter.event));
  struct { MIDIMetaEvent event; UInt8 more[4]; } title = {{3, 0, 0, 0, 4, {0}}, {0}};
  bytes = title.event.data;
  memcpy(bytes, "Song", 4);
  OK(MusicTrackNewMetaEvent(tempo[0], 24, &title.event));

  CFURLRef url = urlOf(folder, "song.mid");
  OK(MusicSequenceFileCreate(sequence, url, kMusicSequenceFile_MIDIType, 0, 480));
  STATUS(MusicSequenceFileCreate(sequence, url, kMusicSequenceFile_MIDIType, 0, 480), kAudio_FilePermissionError);
  OK(MusicSequenceFileCreate(sequence, url, kMusicSequenceFile_MIDIType, kMusicSequenceFileFlags_EraseFile, 480));
  OK(MusicSequenceFileLoad(loaded, url, kMusicSequenceFile_AnyType, 0));
  OK(MusicSequenceGetTrackCount(loaded, &count));
  TRUE_(count == 3);
  checkSame(tempo[0], tempo[1]);
  for (UInt32 index = 0; index < 3; index++) {
    OK(MusicSequenceGetIndTrack(loaded, index, &found));
    checkSame(track[index], found);
  }
  CFDictionaryRef info = MusicSequenceGetInfoDictionary(loaded);
  TRUE_(info != NULL && CFDictionaryGetValue(info, CFSTR(kAFInfoDictionary_Title)) != NULL &&
      CFEqual(CFDictionaryGetValue(info, CFSTR(kAFInfoDictionary_Title)), CFSTR("Song")));
  CFRelease(info);
  OK(DisposeMusicSequence(loaded));

  // A track for each channel, and one for the rest.
  CFDataRef data = NULL;
  OK(MusicSequenceFileCreateData(sequence, kMusicSequenceFile_MIDIType, 0, 0, &data));
  OK(NewMusicSequence(&loaded));
  OK(MusicSequenceFileLoadData(loaded, data, kMusicSequenceFile_MIDIType, kMusicSequenceLoadSMF_ChannelsToTracks));
  OK(MusicSequenceGetTrackCount(loaded, &count));
  TRUE_(count == 7);
  UInt32 all = 0, wanted = 0;
  for (UInt32 index = 0; index < count; index++) {
    OK(MusicSequenceGetIndTrack(loaded, index, &found));
    all += countEvents(found);
  }
  for (int index = 0; index < 3; index++) wanted += countEvents(track[index]);
  TRUE_(all == wanted);
  OK(DisposeMusicSequence(loaded));
  CFRelease(data);
  CFRelease(url);

  OK(NewMusicSequence(&loaded));
  url = urlOf(folder, "missing.mid");
  STATUS(MusicSequenceFileLoad(loaded, url, 0, 0), kAudio_FileNotFoundError);
  CFRelease(url);
  data = CFDataCreate(NULL, (const UInt8 *)"no song", 7);
  STATUS(MusicSequenceFileLoadData(loaded, data, 0, 0), kAudioFileInvalidFileError);
  STATUS(MusicSequenceFileLoadData(loaded, data, kMusicSequenceFile_iMelodyType, 0), kAudioFileUnsupportedFileTypeError);
  CFRelease(data);
  OK(DisposeMusicSequence(loaded));
  OK(DisposeMusicSequence(sequence));
}

int main(int argc, char **argv) {
  if (argc < 3) return 64;
  state = (unsigned)atoi(argv[2]);
  checkFiles(argv[1]);
  printf("failures %d\n", failures);
  return failures > 0;
}
