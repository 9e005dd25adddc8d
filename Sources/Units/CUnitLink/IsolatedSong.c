// The host's song for a unit in another process, and the notes that come from the unit.
// SPDX-License-Identifier: Apache-2.0
#include <CoreMIDI/CoreMIDI.h>
#include <string.h>

#include "IsolatedParts.h"

void AuricleIsolatedReadSong(AuricleIsolated *unit, AuricleLinkSong *song) {
  if (!atomic_load(&unit->hasSong)) return;
  const HostCallbackInfo *host = &unit->song;
  void *context = host->hostUserData;
  if (host->beatAndTempoProc && host->beatAndTempoProc(context, &song->beat, &song->tempo) == 0) song->flags |= 16;
  if (host->musicalTimeLocationProc &&
      host->musicalTimeLocationProc(context, &song->deltaToNextBeat, &song->signatureNumerator,
                                    &song->signatureDenominator, &song->measureDownBeat) == 0)
    song->flags |= 32;
  Boolean isPlaying = 0, isRecording = 0, isChanged = 0, isCycling = 0;
  int32_t status = -1;
  if (host->transportStateProc2)
    status = host->transportStateProc2(context, &isPlaying, &isRecording, &isChanged, &song->sampleInTimeline,
                                       &isCycling, &song->cycleStartBeat, &song->cycleEndBeat);
  else if (host->transportStateProc)
    status = host->transportStateProc(context, &isPlaying, &isChanged, &song->sampleInTimeline, &isCycling,
                                      &song->cycleStartBeat, &song->cycleEndBeat);
  if (status == 0)
    song->flags |= (isPlaying ? 1u : 0) | (isChanged ? 2u : 0) | (isCycling ? 4u : 0) | (isRecording ? 8u : 0) | 64u;
}

void AuricleIsolatedPassEvents(AuricleIsolated *unit, AuricleLink *link, const AudioTimeStamp *stamp) {
  AUMIDIOutputCallback callback = (AUMIDIOutputCallback)atomic_load(&unit->midiOutput);
  AuricleLinkEvent event;
  const uint8_t *bytes;
  while (AuricleLinkNextEvent(link, true, &event, &bytes)) {
    const bool isShort = event.kind == kAuricleLinkEvent_MIDI;
    if (!callback || (!isShort && event.kind != kAuricleLinkEvent_SysEx)) continue;
    MIDIPacketList list = {.numPackets = 1};
    list.packet[0].timeStamp = event.frame < unit->form.maximumFrames ? event.frame : 0;
    const uint32_t count = isShort ? event.message[3] & 3 : event.byteCount;
    if (!count || count > sizeof list.packet[0].data) continue;
    list.packet[0].length = (UInt16)count;
    memcpy(list.packet[0].data, isShort ? event.message : bytes, count);
    callback(atomic_load(&unit->midiContext), stamp, 0, &list);
  }
}
