// Notes: messages in every form that a host may send them in, and their level in a slice.
// SPDX-License-Identifier: Apache-2.0

#include "Notes.hpp"

#include <algorithm>

namespace calling {

static constexpr float kGreatestVelocity = 127;

Notes::Notes() {
  waiting.reserve(kMostNotes);
  voices.reserve(kMostNotes);
}

void Notes::reset() {
  waiting.clear();
  voices.clear();
}

OSStatus Notes::keep(const Event &event) {
  if (waiting.size() == kMostNotes) return kAudio_MemFullError;
  const auto place = std::upper_bound(
      waiting.begin(), waiting.end(), event,
      [](const Event &one, const Event &other) { return one.frame < other.frame; });
  waiting.insert(place, event);
  return noErr;
}

OSStatus Notes::voiceMessage(UInt32 status, UInt32 pitch, float velocity, UInt32 frame) {
  switch (status >> 4) {
    case kMIDICVStatusNoteOn: return keep({frame, 0, pitch & 0x7F, velocity});
    case kMIDICVStatusNoteOff: return keep({frame, 0, pitch & 0x7F, 0});
    default: return noErr;  // all else is ignored
  }
}

OSStatus Notes::message(UInt32 status, UInt32 first, UInt32 second, UInt32 frame) {
  if (status < 0x80 || status > 0xFF) return kAudio_ParamError;
  return voiceMessage(
      status, first, static_cast<float>(second & 0x7F) / kGreatestVelocity, frame);
}

// The level of all notes: F0 7D, a number up to 127, F7.
OSStatus Notes::systemExclusive(const UInt8 *bytes, UInt32 count) {
  if (!bytes || count < 2 || bytes[0] != 0xF0 || bytes[count - 1] != 0xF7) return kAudio_ParamError;
  if (count == 4 && bytes[1] == 0x7D) level = static_cast<float>(bytes[2]) / kGreatestVelocity;
  return noErr;
}

OSStatus Notes::packets(UInt32 frame, const MIDIEventList &list) {
  static constexpr UInt32 wordCounts[16] = {1, 1, 1, 2, 2, 4, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4};
  // The packets lie unaligned behind each other: their words are copied.
  const auto *packet = reinterpret_cast<const UInt8 *>(&list.packet[0]);
  for (UInt32 i = 0; i < list.numPackets; i++) {
    const auto &header = *reinterpret_cast<const MIDIEventPacket *>(packet);
    for (UInt32 at = 0; at < header.wordCount;) {
      const UInt32 word = header.words[at], kind = word >> 28;
      if (at + wordCounts[kind] > header.wordCount) return kAudio_ParamError;
      const UInt32 status = word >> 16 & 0xFF, pitch = word >> 8 & 0x7F;
      OSStatus result = noErr;
      if (kind == 2)
        result = voiceMessage(
            status, pitch, static_cast<float>(word & 0x7F) / kGreatestVelocity, frame);
      if (kind == 4)
        result = voiceMessage(
            status, pitch, static_cast<float>(header.words[at + 1] >> 16) / 65535, frame);
      if (result != noErr) return result;
      at += wordCounts[kind];
    }
    packet += offsetof(MIDIEventPacket, words) + header.wordCount * sizeof(UInt32);
  }
  return noErr;
}

OSStatus Notes::start(
    MusicDeviceInstrumentID instrument, MusicDeviceGroupID group, NoteInstanceID *note,
    UInt32 frame, const MusicDeviceNoteParams *parameters) {
  if (!note || !parameters || parameters->argCount < 2) return kAudio_ParamError;
  if (group >= kGroupCount) return kAudioUnitErr_InvalidElement;
  if (instrument != kMusicNoteEvent_UseGroupInstrument && instrument >= kInstrumentCount)
    return kAudioUnitErr_IllegalInstrument;
  const float pitch = parameters->mPitch, velocity = parameters->mVelocity;
  if (!(pitch >= 0 && pitch < 128) || !(velocity >= 0 && velocity <= kGreatestVelocity))
    return kAudio_ParamError;
  *note = ++lastNote;
  return keep({frame, *note, static_cast<UInt32>(pitch), velocity / kGreatestVelocity});
}

OSStatus Notes::stop(MusicDeviceGroupID group, NoteInstanceID note, UInt32 frame) {
  if (group >= kGroupCount) return kAudioUnitErr_InvalidElement;
  return note == 0 ? noErr : keep({frame, note, 0, 0});
}

void Notes::play(const Event &event) {
  const auto isIt = [&](const Voice &voice) {
    return voice.note == event.note && (event.note != 0 || voice.pitch == event.pitch);
  };
  voices.erase(std::remove_if(voices.begin(), voices.end(), isIt), voices.end());
  if (event.level > 0 && voices.size() < voices.capacity())
    voices.push_back({event.note, event.pitch, event.level});
}

float Notes::sum() const {
  float all = 0;
  for (const Voice &voice : voices) all += voice.level;
  return all * level;
}

void Notes::add(AudioBufferList &list, UInt32 frames) {
  size_t next = 0;
  float present = sum();
  for (UInt32 frame = 0; frame < frames; frame++) {
    for (; next < waiting.size() && waiting[next].frame <= frame; next++) {
      play(waiting[next]);
      present = sum();
    }
    for (UInt32 channel = 0; channel < list.mNumberBuffers; channel++)
      static_cast<float *>(list.mBuffers[channel].mData)[frame] += present;
  }
  waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(next));
  for (Event &event : waiting) event.frame -= frames;
}

}  // namespace calling
