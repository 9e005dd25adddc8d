// Selectors of notes and of outputs by their effect: the sound of it, and the notifications.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox

extension Question {
  /// A row for every selector of notes and of outputs.
  static let deeds: [Question] =
    [
      deed("kMusicDeviceMIDIEventSelect") { test in
        let statuses = unsafe [
          MusicDeviceMIDIEvent(test.handle, 0x90, 60, 127, 10),
          MusicDeviceMIDIEvent(test.handle, 0x80, 60, 0, 30),
        ]
        return "\(statuses) \(delivered(test))"
      },
      deed("kMusicDeviceSysExSelect") { test in
        let half: [UInt8] = [0xF0, 0x7D, 0x3F, 0xF7]
        let status = unsafe MusicDeviceSysEx(test.handle, half, 4)
        _ = unsafe MusicDeviceMIDIEvent(test.handle, 0x90, 60, 127, 5)
        return "\(status) \(delivered(test))"
      },
      deed("kMusicDevicePrepareInstrumentSelect") { test in
        "\([0, 1, 99].map { unsafe MusicDevicePrepareInstrument(test.handle, $0) })"
      },
      deed("kMusicDeviceReleaseInstrumentSelect") { test in
        "\([0, 1, 99].map { unsafe MusicDeviceReleaseInstrument(test.handle, $0) })"
      },
      deed("kMusicDeviceStartNoteSelect") { test in
        let one = start(test, pitch: 60, velocity: 127, at: 7)
        let other = start(test, pitch: 60, velocity: 63.5, at: 20)
        return "\([one.status, other.status]) \(one.id != other.id) \(delivered(test))"
      },
      deed("kMusicDeviceStopNoteSelect") { test in
        let one = start(test, pitch: 60, velocity: 127, at: 0)
        _ = start(test, pitch: 64, velocity: 127, at: 10)
        let status = unsafe MusicDeviceStopNote(test.handle, 0, one.id, 40)
        return "\(status) \(delivered(test))"
      },
      deed("kMusicDeviceMIDIEventListSelect") { test in
        let statuses = [
          send(test, kMIDIProtocol_1_0, [0x2090_3C7F], at: 3),
          send(test, kMIDIProtocol_2_0, [0x4090_4000, 0xFFFF_0000], at: 9),
        ]
        return "\(statuses) \(delivered(test))"
      },
      deed("kAudioOutputUnitStartSelect") { test in "\(running(test, stops: false))" },
      deed("kAudioOutputUnitStopSelect") { test in "\(running(test, stops: true))" },
    ]

  /// A row that asks an initialised unit, if it answers the selector at all.
  private static func deed(
    _ name: String, _ ask: @escaping @Sendable (UnitUnderTest) -> String
  ) -> Question {
    let selector = HeaderConstant.named(name)?.value ?? -1
    return Question("selector \(selector): done", [name]) { test in
      guard unsafe AudioComponentInstanceCanDo(test.handle, Int16(selector)) else {
        return "not answered"
      }
      test.source = { _, _ in 0 }
      try test.start()
      return ask(test)
    }
  }

  /// Renders a slice, and lists the frames at which its first channel changes, from silence on.
  private static func delivered(_ test: UnitUnderTest) -> String {
    let status = test.render(64)
    var last: Float = 0
    var changes: [String] = []
    for (frame, sample) in test.output(0, 64).enumerated() where sample != last {
      changes.append("\(frame): \(sample)")
      last = sample
    }
    return ([String(status)] + changes).joined(separator: ", ")
  }

  private static func start(
    _ test: UnitUnderTest, pitch: Float, velocity: Float, at frame: UInt32
  ) -> (status: OSStatus, id: NoteInstanceID) {
    var note: NoteInstanceID = 0
    var parameters = MusicDeviceNoteParams()
    (parameters.argCount, parameters.mPitch, parameters.mVelocity) = (2, pitch, velocity)
    let status = unsafe MusicDeviceStartNote(
      test.handle, kMusicNoteEvent_UseGroupInstrument, 0, &note, frame, &parameters)
    return (status, note)
  }

  private static func send(
    _ test: UnitUnderTest, _ version: some BinaryInteger, _ words: [UInt32], at frame: UInt32
  ) -> OSStatus {
    var list = MIDIEventList()
    list.protocol = MIDIProtocolID(version)
    list.numPackets = 1
    list.packet.wordCount = UInt32(words.count)
    list.packet.words.0 = words[0]
    if words.count > 1 { list.packet.words.1 = words[1] }
    return unsafe MusicDeviceMIDIEventList(test.handle, frame, &list)
  }

  /// Starts an output, stops it on request; reports the codes, whether it runs, and the notifications.
  private static func running(_ test: UnitUnderTest, stops: Bool) -> String {
    let seen = Seen()
    let id = kAudioOutputUnitProperty_IsRunning
    let listen: AudioUnitPropertyListenerProc = { reference, _, id, _, _ in
      guard let reference = unsafe reference else { return }
      unsafe Unmanaged<Seen>.fromOpaque(reference).takeUnretainedValue().add(id)
    }
    let reference = unsafe Unmanaged.passUnretained(seen).toOpaque()
    _ = unsafe AudioUnitAddPropertyListener(test.handle, id, listen, reference)
    defer {
      _ = unsafe AudioUnitRemovePropertyListenerWithUserData(test.handle, id, listen, reference)
    }
    var codes = [unsafe AudioOutputUnitStart(test.handle)]
    if stops { codes.append(unsafe AudioOutputUnitStop(test.handle)) }
    let isRunning = test.get(id, UInt32.self).value ?? 99
    return "\(codes) running \(isRunning), told \(seen.all.count) times"
  }
}
