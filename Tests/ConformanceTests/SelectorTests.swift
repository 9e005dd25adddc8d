// Every selector: the kinds that answer it, and the functions' codes if none does.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox
import Testing

/// One selector of the interface.
struct SelectorRow: Sendable {
  var value: Int
  var name: String
  /// Which kinds must answer it.
  var answeredBy: @Sendable (Subject) -> Bool?
  /// Calls the function of the selector harmlessly; nil where there is none.
  var call: (@Sendable (UnitUnderTest) -> OSStatus)?

  static let all: [SelectorRow] = everyUnit + processing + notes + outputs

  private static let everyUnit: [SelectorRow] = [
    .init(value: 1, name: "Initialize", answeredBy: { _ in true }) {
      unsafe AudioUnitInitialize($0.handle)
    },
    .init(value: 2, name: "Uninitialize", answeredBy: { _ in true }) {
      unsafe AudioUnitUninitialize($0.handle)
    },
    .init(value: 3, name: "GetPropertyInfo", answeredBy: { _ in true }) { $0.info(14).status },
    .init(value: 4, name: "GetProperty", answeredBy: { _ in true }) {
      $0.get(14, UInt32.self).status
    },
    .init(value: 5, name: "SetProperty", answeredBy: { _ in true }) { $0.set(14, UInt32(256)) },
    .init(value: 6, name: "GetParameter", answeredBy: { _ in true }) { test in
      guard let parameter = try? test.firstParameter() else { return 0 }
      var value: Float = 0
      return unsafe AudioUnitGetParameter(
        test.handle, parameter.id, parameter.scope, parameter.element, &value)
    },
    .init(value: 7, name: "SetParameter", answeredBy: { _ in true }) { test in
      guard let parameter = try? test.firstParameter() else { return 0 }
      return unsafe AudioUnitSetParameter(
        test.handle, parameter.id, parameter.scope, parameter.element, parameter.minimum, 0)
    },
    .init(value: 8, name: "(unassigned)", answeredBy: { _ in false }, call: nil),
    .init(value: 9, name: "Reset", answeredBy: { _ in true }) {
      unsafe AudioUnitReset($0.handle, kAudioUnitScope_Global, 0)
    },
    .init(value: 10, name: "AddPropertyListener", answeredBy: { _ in true }) {
      unsafe AudioUnitAddPropertyListener($0.handle, 14, { _, _, _, _, _ in }, nil)
    },
    .init(value: 11, name: "RemovePropertyListener", answeredBy: { _ in true }, call: nil),
    .init(value: 12, name: "(unassigned)", answeredBy: { _ in false }, call: nil),
    .init(value: 13, name: "(unassigned)", answeredBy: { _ in false }, call: nil),
    .init(value: 14, name: "Render", answeredBy: { _ in true }) { test in
      guard (try? test.start()) != nil else { return -1 }
      defer { _ = unsafe AudioUnitUninitialize(test.handle) }
      return test.render(64)
    },
    .init(value: 15, name: "AddRenderNotify", answeredBy: { _ in true }) {
      unsafe AudioUnitAddRenderNotify($0.handle, { _, _, _, _, _, _ in 0 }, nil)
    },
    .init(value: 16, name: "RemoveRenderNotify", answeredBy: { _ in true }) {
      unsafe AudioUnitRemoveRenderNotify($0.handle, { _, _, _, _, _, _ in 0 }, nil)
    },
    .init(value: 17, name: "ScheduleParameters", answeredBy: { _ in true }) { test in
      guard let parameter = try? test.firstParameter() else { return 0 }
      var event = AudioUnitParameterEvent()
      event.scope = parameter.scope
      event.element = parameter.element
      event.parameter = parameter.id
      event.eventType = kParameterEvent_Immediate
      unsafe event.eventValues.immediate.bufferOffset = 0
      unsafe event.eventValues.immediate.value = parameter.minimum
      return unsafe AudioUnitScheduleParameters(test.handle, &event, 1)
    },
    .init(value: 18, name: "RemovePropertyListenerWithUserData", answeredBy: { _ in true }) {
      unsafe AudioUnitRemovePropertyListenerWithUserData($0.handle, 14, { _, _, _, _, _ in }, nil)
    },
  ]

  private static let processing: [SelectorRow] = [
    .init(value: 19, name: "ComplexRender", answeredBy: { _ in nil }, call: nil),
    .init(
      value: 20, name: "Process",
      answeredBy: { $0 == .mixer ? nil : !$0.isInstrument && !$0.isOutput }
    ) { test in
      guard unsafe AudioUnitInitialize(test.handle) == 0 else { return -1 }
      defer { _ = unsafe AudioUnitUninitialize(test.handle) }
      test.buffers.setFrameCount(64)
      var flags: AudioUnitRenderActionFlags = 0
      var stamp = AudioTimeStamp(sampleTime: 0)
      return unsafe AudioUnitProcess(test.handle, &flags, &stamp, 64, test.buffers.list)
    },
    .init(value: 21, name: "ProcessMultiple", answeredBy: { _ in nil }, call: nil),
  ]

  /// Notes are for music devices and music effects; an effect must not accept them.
  private static let notes: [SelectorRow] = [
    .init(value: 0x101, name: "MIDIEvent", answeredBy: \.acceptsNotes) {
      ready($0)
      return unsafe MusicDeviceMIDIEvent($0.handle, 0x90, 60, 100, 0)
    },
    .init(value: 0x102, name: "SysEx", answeredBy: \.acceptsNotes) { test in
      ready(test)
      let bytes: [UInt8] = [0xF0, 0x7E, 0xF7]
      return unsafe MusicDeviceSysEx(test.handle, bytes, 3)
    },
    .init(value: 0x103, name: "PrepareInstrument", answeredBy: \.startsNotes) {
      unsafe MusicDevicePrepareInstrument($0.handle, 0)
    },
    .init(value: 0x104, name: "ReleaseInstrument", answeredBy: \.startsNotes) {
      unsafe MusicDeviceReleaseInstrument($0.handle, 0)
    },
    .init(value: 0x105, name: "StartNote", answeredBy: \.startsNotes) { test in
      ready(test)
      var note: NoteInstanceID = 0
      var parameters = MusicDeviceNoteParams()
      parameters.argCount = 2
      return unsafe MusicDeviceStartNote(test.handle, 0, 0, &note, 0, &parameters)
    },
    .init(value: 0x106, name: "StopNote", answeredBy: \.startsNotes) {
      ready($0)
      return unsafe MusicDeviceStopNote($0.handle, 0, 0, 0)
    },
    .init(value: 0x107, name: "MIDIEventList", answeredBy: \.acceptsNotes) { test in
      ready(test)
      var list = MIDIEventList()
      list.protocol = MIDIProtocolID(kMIDIProtocol_1_0)
      return unsafe MusicDeviceMIDIEventList(test.handle, 0, &list)
    },
  ]

  /// Initialises a unit for notes: it accepts no MIDI before.
  private static func ready(_ test: UnitUnderTest) {
    if test.subject.acceptsNotes { same(unsafe AudioUnitInitialize(test.handle), 0) }
  }

  private static let outputs: [SelectorRow] = [
    .init(value: 0x201, name: "Start", answeredBy: \.isOutput) {
      if $0.subject.isOutput { same(unsafe AudioUnitInitialize($0.handle), 0) }
      return unsafe AudioOutputUnitStart($0.handle)
    },
    .init(value: 0x202, name: "Stop", answeredBy: \.isOutput) {
      unsafe AudioOutputUnitStop($0.handle)
    },
  ]
}

@Suite("Contract: selectors")
struct SelectorConformanceTests {
  @Test(
    "each selector works, or returns that it is not implemented",
    arguments: Subject.everyKind)
  func everySelector(_ subject: Subject) throws {
    for row in SelectorRow.all {
      let test = try UnitUnderTest(subject)
      let place = "\(subject.rawValue), selector \(row.value) \(row.name)"
      let answers = unsafe AudioComponentInstanceCanDo(test.handle, Int16(row.value))
      if let expected = row.answeredBy(subject) { same(answers, expected, place) }
      guard let call = row.call else { continue }
      same(call(test), answers ? 0 : kAudio_UnimplementedError, "\(place), called")
    }
  }

  @Test("numbers that no selector has", arguments: Subject.everyKind)
  func noSelector(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    for value: Int16 in [0, -1, 22, 100, 0x100, 0x108, 0x200, 0x203, .max, .min] {
      #expect(unsafe !AudioComponentInstanceCanDo(test.handle, value), "selector \(value)")
    }
  }

  @Test("a null handle is an error of every function, not a crash")
  func nullHandle() {
    same(AudioUnitInitialize(nil), kAudio_ParamError)
    same(AudioUnitUninitialize(nil), kAudio_ParamError)
    same(AudioUnitReset(nil, 0, 0), kAudio_ParamError)
    same(AudioUnitGetPropertyInfo(nil, 14, 0, 0, nil, nil), kAudio_ParamError)
    same(AudioUnitSetParameter(nil, 0, 0, 0, 0, 0), kAudio_ParamError)
    same(AudioOutputUnitStart(nil), kAudio_ParamError)
    same(MusicDeviceMIDIEvent(nil, 0x90, 0, 0, 0), kAudio_ParamError)
  }
}
