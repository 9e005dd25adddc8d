// The effects of a player's events: messages, notes and parameters of units, messages to endpoints, callbacks.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import MusicSequences

/// A sink that sends the events of one slice. Context: the thread that plays.
@safe struct UnitSink: PlaySink {
  /// The host's time at the slice's start (ns).
  let hostTime: UInt64
  /// Nanoseconds a frame.
  let frameLength: Double
  /// Frames of the slice; 0 where nothing is rendered.
  let frameCount: Int
  let sequence: UInt
  let callback: MusicSequenceUserCallback?
  let callbackData: UnsafeMutableRawPointer?

  func perform(_ action: PlayAction) -> UInt32 {
    if let note = action.ending {
      end(note, action)
      return 0
    }
    guard let data = unsafe action.data else { return 0 }
    func byte(_ offset: Int) -> UInt8 { unsafe data.load(fromByteOffset: offset, as: UInt8.self) }
    func word(_ offset: Int) -> UInt32 { unsafe data.load(fromByteOffset: offset, as: UInt32.self) }
    switch action.type {
    case kMusicEventType_MIDINoteMessage: message(action, 0x90 | byte(0), byte(1), byte(2))
    case kMusicEventType_MIDIChannelMessage: message(action, byte(0), byte(1), byte(2))
    case kMusicEventType_MIDIRawData: unsafe raw(action, data + 4, Int(word(0)))
    case kMusicEventType_ExtendedNote: return unsafe begin(action, data)
    case kMusicEventType_ExtendedControl:
      set(action, word(4), kAudioUnitScope_Group, word(0), Float(bitPattern: word(8)))
    case kMusicEventType_Parameter:
      set(action, word(0), word(4), word(8), Float(bitPattern: word(12)))
    case kMusicEventType_AUPreset:
      var preset = unsafe data.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
      unsafe _ = AudioUnitSetProperty(
        AudioUnitHandle(bitPattern: action.destination.unit), kAudioUnitProperty_ClassInfo,
        word(0), word(4), &preset, 8)
    case kMusicEventType_User:
      unsafe callback?(
        callbackData, MusicSequence(bitPattern: sequence),
        MusicTrack(bitPattern: action.destination.track), action.beat,
        data.assumingMemoryBound(to: MusicEventUserData.self), action.slice.start, action.slice.end)
    default: break
    }
    return 0
  }

  /// The frame of the unit's slice.
  private func offset(_ action: PlayAction) -> UInt32 {
    let ratio = action.destination.frameRatio
    return ratio == 1 ? UInt32(action.offset) : UInt32(Double(action.offset) * ratio)
  }

  private func unit(_ action: PlayAction) -> AudioUnitHandle? {
    unsafe AudioUnitHandle(bitPattern: action.destination.unit)
  }

  private func time(_ action: PlayAction) -> UInt64 {
    hostTime &+ UInt64(Double(action.offset) * frameLength)
  }

  private func message(_ action: PlayAction, _ status: UInt8, _ first: UInt8, _ second: UInt8) {
    let endpoint = action.destination.endpoint
    if endpoint != 0 {
      var bytes = (status, first, second)
      let isShort = status & 0xE0 == 0xC0
      unsafe MIDISender.shared.put(endpoint, at: time(action), &bytes, count: isShort ? 2 : 3)
    } else {
      unsafe _ = MusicDeviceMIDIEvent(
        unit(action), UInt32(status), UInt32(first), UInt32(second), offset(action))
    }
  }

  private func raw(_ action: PlayAction, _ bytes: UnsafeRawPointer, _ count: Int) {
    let endpoint = action.destination.endpoint
    if endpoint != 0 {
      unsafe MIDISender.shared.put(endpoint, at: time(action), bytes, count: count)
    } else if unsafe bytes.load(as: UInt8.self) == 0xF0 {
      let bytes = unsafe bytes.assumingMemoryBound(to: UInt8.self)
      guard unsafe !ExclusivePackets.send(bytes, count, to: unit(action), offset(action)) else {
        return
      }
      unsafe _ = MusicDeviceSysEx(unit(action), bytes, UInt32(count))
    } else {
      func byte(_ place: Int) -> UInt8 {
        place < count ? unsafe bytes.load(fromByteOffset: place, as: UInt8.self) : 0
      }
      message(action, byte(0), byte(1), byte(2))
    }
  }

  /// Begins an extended note; as a plain one where notes have no numbers.
  private func begin(_ action: PlayAction, _ data: UnsafeRawPointer) -> UInt32 {
    let group = unsafe data.load(fromByteOffset: 4, as: UInt32.self)
    var id: UInt32 = 0
    if action.destination.endpoint == 0 {
      let status = unsafe MusicDeviceStartNote(
        unit(action), data.load(as: UInt32.self), group, &id, offset(action),
        (data + 12).assumingMemoryBound(to: MusicDeviceNoteParams.self))
      if status == noErr { return id }
    }
    let pitch = unsafe data.load(fromByteOffset: 16, as: Float.self)
    let velocity = unsafe data.load(fromByteOffset: 20, as: Float.self)
    message(
      action, 0x90 | UInt8(group & 15), UInt8(min(max(pitch.rounded(), 0), 127)),
      UInt8(min(max(velocity.rounded(), 1), 127)))
    return 0
  }

  private func end(_ note: SoundingNote, _ action: PlayAction) {
    if note.isExtended, note.id != 0 {
      unsafe _ = MusicDeviceStopNote(unit(action), note.group, note.id, offset(action))
    } else {
      message(action, 0x80 | UInt8(note.group & 15), note.note, note.release)
    }
  }

  private func set(
    _ action: PlayAction, _ id: UInt32, _ scope: UInt32, _ element: UInt32, _ value: Float
  ) {
    guard action.destination.unit != 0 else { return }
    unsafe _ = AudioUnitSetParameter(unit(action), id, scope, element, value, offset(action))
  }

  func move(_ ramp: PlayedRamp, sliceFrames: Int) {
    guard ramp.destination.unit != 0 else { return }
    let ratio = ramp.destination.frameRatio
    var event = AudioUnitParameterEvent()
    event.scope = ramp.parameter.scope
    event.element = ramp.parameter.element
    event.parameter = ramp.parameter.id
    event.eventType = AUParameterEventType(kParameterEvent_Ramped)
    unsafe event.eventValues.ramp.startBufferOffset = Int32(clamping: Int(ramp.start * ratio))
    unsafe event.eventValues.ramp.durationInFrames = UInt32(clamping: Int(ramp.frames * ratio))
    unsafe event.eventValues.ramp.startValue = ramp.values.from
    unsafe event.eventValues.ramp.endValue = ramp.values.to
    unsafe _ = AudioUnitScheduleParameters(
      AudioUnitHandle(bitPattern: ramp.destination.unit), &event, 1)
  }
}
