// Every selector of the headers: answered or not, called as it should be, and called wrongly.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox

extension Question {
  /// Three rows for every selector, one for each number that none has.
  static let selectors: [Question] = {
    let known = HeaderConstant.family { $0.hasSuffix("Select") }.sorted { $0.value < $1.value }
    var rows = known.flatMap { constant in
      [
        Question("selector \(constant.value): answered", [constant.name]) { test in
          unsafe AudioComponentInstanceCanDo(test.handle, Int16(constant.value)) ? "yes" : "no"
        },
        Question("selector \(constant.value): called", [constant.name]) { test in
          guard let row = SelectorRow.all.first(where: { $0.value == Int(constant.value) }) else {
            return "the test has no call for it"
          }
          if let call = row.call { return String(call(test)) }
          return try bareCall(Int(constant.value), test)
        },
        Question("selector \(constant.value): misused", [constant.name]) { test in
          misuses(Int(constant.value), test).map(String.init).joined(separator: " ")
        },
      ]
    }
    for range in ["kAudioUnitRange", "kMusicDeviceRange", "kAudioOutputUnitRange"] {
      let first = HeaderConstant.named(range)?.value ?? -1
      let used = Set(known.map(\.value))
      rows.append(
        Question("selectors without a name from \(first)", [range]) { test in
          (first..<first + 0x100).filter {
            guard !used.contains($0) else { return false }
            return unsafe AudioComponentInstanceCanDo(test.handle, Int16($0))
          }.map(String.init).joined(separator: " ")
        })
    }
    return rows
  }()

  /// Selectors that no function of the toolbox calls: through the method itself, where a unit hands
  /// its methods out.
  private static func bareCall(_ selector: Int, _ test: UnitUnderTest) throws -> String {
    let found = test.get(kAudioUnitProperty_FastDispatch, UInt.self, 0, UInt32(selector))
    guard let address = found.value, let method = unsafe UnsafeRawPointer(bitPattern: address)
    else {
      return "no method, \(found.status)"
    }
    let plugIn = unsafe UnsafeMutableRawPointer(test.handle.pointee.plugIn)
    switch selector {
    case Int(kAudioUnitRemovePropertyListenerSelect):
      let remove = unsafe unsafeBitCast(method, to: AudioUnitRemovePropertyListenerProc.self)
      return unsafe String(remove(plugIn, 14, { _, _, _, _, _ in }))
    case Int(kAudioUnitComplexRenderSelect):
      let render = unsafe unsafeBitCast(method, to: AudioUnitComplexRenderProc.self)
      try test.start()
      test.buffers.setFrameCount(64)
      var flags: AudioUnitRenderActionFlags = 0
      var stamp = AudioTimeStamp(sampleTime: 0)
      var made: UInt32 = 0
      let status = unsafe render(
        plugIn, &flags, &stamp, 0, 64, &made, nil, test.buffers.list, nil, nil)
      return "\(status), \(made) packets"
    case Int(kAudioUnitProcessMultipleSelect):
      let counts = [kAudioUnitScope_Input, kAudioUnitScope_Output].map {
        Int(test.get(kAudioUnitProperty_ElementCount, UInt32.self, $0).value ?? 0)
      }
      return String(processMultiple(test, inputs: counts[0], outputs: counts[1]))
    default: return "the test has no call for it"
    }
  }

  /// ProcessMultiple with as many lists as asked for.
  private static func processMultiple(
    _ test: UnitUnderTest, inputs inputCount: Int, outputs outputCount: Int
  ) -> OSStatus {
    _ = unsafe AudioUnitInitialize(test.handle)
    test.buffers.setFrameCount(64)
    let other = AudioBuffers(channelCount: 2, frameCapacity: 64)
    other.setFrameCount(64)
    var inputs = unsafe [UnsafePointer<AudioBufferList>?](
      repeating: UnsafePointer(other.list), count: inputCount)
    var outputs = unsafe [UnsafeMutablePointer<AudioBufferList>?](
      repeating: test.buffers.list, count: outputCount)
    var flags: AudioUnitRenderActionFlags = 0
    var stamp = AudioTimeStamp(sampleTime: 0)
    defer { withExtendedLifetime(other) {} }
    return unsafe AudioUnitProcessMultiple(
      test.handle, &flags, &stamp, 64, UInt32(inputCount), &inputs, UInt32(outputCount), &outputs)
  }

  /// The codes of wrong calls, in the order written here.
  private static func misuses(_ selector: Int, _ test: UnitUnderTest) -> [OSStatus] {
    let unit = unsafe test.handle
    var flags: AudioUnitRenderActionFlags = 0
    var stamp = AudioTimeStamp(sampleTime: 0)
    var value: Float = 0
    test.buffers.setFrameCount(64)
    let list = unsafe test.buffers.list
    switch selector {
    case 1: return [AudioUnitInitialize(nil)]
    case 2: return unsafe [AudioUnitUninitialize(nil), AudioUnitUninitialize(unit)]
    case 3:
      return unsafe [
        AudioUnitGetPropertyInfo(nil, 14, 0, 0, nil, nil),
        AudioUnitGetPropertyInfo(unit, 14, 0, 0, nil, nil),
        AudioUnitGetPropertyInfo(unit, 14, 99, 0, nil, nil),
      ]
    case 4:
      return unsafe [
        AudioUnitGetProperty(nil, 14, 0, 0, &value, nil),
        AudioUnitGetProperty(unit, 14, 0, 0, &value, nil),
      ]
    case 5:
      return unsafe [
        AudioUnitSetProperty(nil, 14, 0, 0, &value, 4),
        AudioUnitSetProperty(unit, 14, 0, 0, nil, 4),
        AudioUnitSetProperty(unit, 14, 0, 0, &value, 0),
        AudioUnitSetProperty(unit, 14, 99, 0, &value, 4),
      ]
    case 6:
      return unsafe [
        AudioUnitGetParameter(nil, 0, 0, 0, &value), AudioUnitGetParameter(unit, 0, 0, 0, nil),
        AudioUnitGetParameter(unit, 4_000_000, 0, 0, &value),
        AudioUnitGetParameter(unit, 0, 99, 0, &value),
      ]
    case 7:
      return unsafe [
        AudioUnitSetParameter(nil, 0, 0, 0, 0, 0),
        AudioUnitSetParameter(unit, 4_000_000, 0, 0, 0, 0),
        AudioUnitSetParameter(unit, 0, 99, 0, 0, 0),
      ]
    case 9:
      return unsafe [
        AudioUnitReset(nil, 0, 0), AudioUnitReset(unit, 99, 0), AudioUnitReset(unit, 0, 1),
      ]
    case 10:
      return unsafe [
        AudioUnitAddPropertyListener(nil, 14, { _, _, _, _, _ in }, nil),
        AudioUnitAddPropertyListener(unit, 14, nil, nil),
      ]
    case 11, 18:
      return unsafe [
        AudioUnitRemovePropertyListenerWithUserData(nil, 14, { _, _, _, _, _ in }, nil),
        AudioUnitRemovePropertyListenerWithUserData(unit, 14, nil, nil),
        AudioUnitRemovePropertyListenerWithUserData(unit, 14, { _, _, _, _, _ in }, nil),
      ]
    case 14:
      return unsafe [
        AudioUnitRender(nil, &flags, &stamp, 0, 64, list),
        AudioUnitRender(unit, &flags, &stamp, 0, 64, list),
        AudioUnitRender(unit, &flags, nil, 0, 64, list),
      ]
    case 15:
      return unsafe [
        AudioUnitAddRenderNotify(nil, { _, _, _, _, _, _ in 0 }, nil),
        AudioUnitAddRenderNotify(unit, nil, nil),
      ]
    case 16:
      return unsafe [
        AudioUnitRemoveRenderNotify(nil, { _, _, _, _, _, _ in 0 }, nil),
        AudioUnitRemoveRenderNotify(unit, nil, nil),
        AudioUnitRemoveRenderNotify(unit, { _, _, _, _, _, _ in 0 }, nil),
      ]
    case 17:
      return unsafe [
        AudioUnitScheduleParameters(nil, nil, 0), AudioUnitScheduleParameters(unit, nil, 1),
        AudioUnitScheduleParameters(unit, nil, 0),
      ]
    case 20:
      let before = unsafe AudioUnitProcess(unit, &flags, &stamp, 64, list)
      _ = unsafe AudioUnitInitialize(unit)
      return unsafe [
        AudioUnitProcess(nil, &flags, &stamp, 64, list), before,
        AudioUnitProcess(unit, &flags, nil, 64, list),
        AudioUnitProcess(unit, &flags, &stamp, 64, nil),
        AudioUnitProcess(unit, &flags, &stamp, 100_000, list),
        AudioUnitProcess(unit, &flags, &stamp, 65, list),
      ]
    case 21:
      let before = unsafe AudioUnitProcessMultiple(unit, &flags, &stamp, 64, 0, nil, 0, nil)
      return [
        before, processMultiple(test, inputs: 0, outputs: 1),
        processMultiple(test, inputs: 1, outputs: 0), processMultiple(test, inputs: 9, outputs: 9),
      ]
    default: return unsafe noteMisuses(selector, unit)
    }
  }

  private static func noteMisuses(_ selector: Int, _ unit: AudioUnitHandle) -> [OSStatus] {
    var note: NoteInstanceID = 0
    var parameters = MusicDeviceNoteParams()
    parameters.argCount = 2
    var list = MIDIEventList()
    switch selector {
    case 0x101:
      let before = unsafe MusicDeviceMIDIEvent(unit, 0x90, 60, 100, 0)
      _ = unsafe AudioUnitInitialize(unit)
      return unsafe [
        MusicDeviceMIDIEvent(nil, 0x90, 60, 100, 0), before,
        MusicDeviceMIDIEvent(unit, 0x1FF, 60, 100, 0), MusicDeviceMIDIEvent(unit, 0x10, 60, 100, 0),
      ]
    case 0x102: return unsafe [MusicDeviceSysEx(nil, nil, 0), MusicDeviceSysEx(unit, nil, 4)]
    case 0x103:
      return unsafe [
        MusicDevicePrepareInstrument(nil, 0), MusicDevicePrepareInstrument(unit, 4_000_000),
      ]
    case 0x104:
      return unsafe [
        MusicDeviceReleaseInstrument(nil, 0), MusicDeviceReleaseInstrument(unit, 4_000_000),
      ]
    case 0x105:
      let before = unsafe MusicDeviceStartNote(unit, 0, 0, &note, 0, &parameters)
      _ = unsafe AudioUnitInitialize(unit)
      return unsafe [
        MusicDeviceStartNote(nil, 0, 0, &note, 0, &parameters), before,
        MusicDeviceStartNote(unit, 0, 0, nil, 0, nil),
        MusicDeviceStartNote(unit, 0, 99, &note, 0, &parameters),
      ]
    case 0x106:
      let before = unsafe MusicDeviceStopNote(unit, 0, 0, 0)
      _ = unsafe AudioUnitInitialize(unit)
      return unsafe [
        MusicDeviceStopNote(nil, 0, 0, 0), before, MusicDeviceStopNote(unit, 99, 0, 0),
      ]
    case 0x107:
      return unsafe [
        MusicDeviceMIDIEventList(nil, 0, &list), MusicDeviceMIDIEventList(unit, 0, nil),
      ]
    case 0x201: return unsafe [AudioOutputUnitStart(nil), AudioOutputUnitStart(unit)]
    case 0x202: return unsafe [AudioOutputUnitStop(nil), AudioOutputUnitStop(unit)]
    default: return []
    }
  }
}
