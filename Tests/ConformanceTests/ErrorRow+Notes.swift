// Situations of notes, and of the files that an instrument plays from, and their codes.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

extension ErrorRow {
  static let notes: [ErrorRow] = [
    .init(
      kAudioUnitErr_Uninitialized, "a note before Initialize",
      Subject.everyKind.filter { $0.acceptsNotes }
    ) { unsafe MusicDeviceMIDIEvent($0.handle, 0x90, 60, 100, 0) },
    .init(
      kAudioUnitErr_IllegalInstrument, "a note of an instrument that is not there",
      [.writtenInstrument, .callingMusicEffect]
    ) {
      try $0.start()
      var note: NoteInstanceID = 0
      var parameters = MusicDeviceNoteParams()
      parameters.argCount = 2
      return unsafe MusicDeviceStartNote($0.handle, 99, 0, &note, 0, &parameters)
    },
    .init(
      kAudio_MemFullError, "more notes than a slice has room for",
      Subject.everyKind.filter { $0.acceptsNotes }
    ) { test in
      try test.start()
      var status: OSStatus = 0
      for _ in 0..<100_000 where status == 0 {
        status = unsafe MusicDeviceMIDIEvent(test.handle, 0x90, 60, 100, 0)
      }
      return status
    },
    .init(
      kAudioUnitErr_MIDIOutputBufferFull, "more notes to be passed on than the host has room for",
      [.writtenInstrument]
    ) { test in
      try test.start()
      let output = unsafe AUMIDIOutputCallbackStruct(
        midiOutputCallback: { _, _, _, _ in 0 }, userData: nil)
      same(unsafe test.set(kAudioUnitProperty_MIDIOutputCallback, output), 0)
      same(test.set(kAudioUnitProperty_MIDIOutputBufferSizeHint, UInt32(4)), 0)
      for _ in 0..<4 { same(unsafe MusicDeviceMIDIEvent(test.handle, 0x90, 60, 100, 0), 0) }
      return unsafe MusicDeviceMIDIEvent(test.handle, 0x90, 60, 100, 0)
    },
    .init(
      kAudioUnitErr_MIDIOutputBufferFull, "more notes sent in a slice than the host has room for",
      [.instrument, .musicEffect]
    ) { test in
      try test.start()
      let output = unsafe AUMIDIOutputCallbackStruct(
        midiOutputCallback: { _, _, _, _ in 0 }, userData: nil)
      same(unsafe test.set(kAudioUnitProperty_MIDIOutputCallback, output), 0)
      same(test.set(kAudioUnitProperty_MIDIOutputBufferSizeHint, UInt32(8)), 0)
      for _ in 0..<2 { same(unsafe MusicDeviceMIDIEvent(test.handle, 0x90, 60, 100, 0), 0) }
      // The sound comes all the same.
      same(test.render(64), 0)
      return test.get(kAudioUnitProperty_LastRenderError, OSStatus.self).value ?? -1
    },
    .init(
      -4321, "a host that cannot take the notes that it is sent", [.instrument, .musicEffect]
    ) { test in
      try test.start()
      let output = unsafe AUMIDIOutputCallbackStruct(
        midiOutputCallback: { _, _, _, _ in -4321 }, userData: nil)
      same(unsafe test.set(kAudioUnitProperty_MIDIOutputCallback, output), 0)
      same(unsafe MusicDeviceMIDIEvent(test.handle, 0x90, 60, 100, 0), 0)
      same(test.render(64), 0)
      return test.get(kAudioUnitProperty_LastRenderError, OSStatus.self).value ?? -1
    },
  ]

  /// Situations of files; only the instrument in C reads some.
  static let files: [ErrorRow] = [
    file(kAudio_FileNotFoundError, "a file that is not there") { $0("none.level") },
    file(kAudio_FilePermissionError, "a file that nobody may read") { folder in
      try folder.write("level=1\n", to: "closed.level")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0], ofItemAtPath: folder("closed.level"))
      return folder("closed.level")
    },
    file(kAudio_BadFilePathError, "a path through a file") { folder in
      try folder.write("level=1\n", to: "a.level")
      return folder("a.level/b.level")
    },
    file(kAudioUnitErr_UnknownFileType, "a file of another kind") { folder in
      try folder.write("level=1\n", to: "a.txt")
      return folder("a.txt")
    },
    file(kAudioUnitErr_InvalidFile, "a file whose value is none") { folder in
      try folder.write("level=loud\n", to: "a.level")
      return folder("a.level")
    },
    file(kAudioUnitErr_MissingKey, "a file without the key that it must have") { folder in
      try folder.write("loudness=1\n", to: "a.level")
      return folder("a.level")
    },
    file(0, "a file as it should be") { folder in
      try folder.write("level=0.25\n", to: "a.level")
      return folder("a.level")
    },
    .init(kAudioUnitErr_InvalidFilePath, "a place that is no path of a file", [.writtenInstrument])
    { setURL(try #require(URL(string: "file:///" + String(repeating: "x", count: 9000))), $0) },
    .init(kAudioUnitErr_FileNotSpecified, "no file", [.writtenInstrument]) {
      $0.set(kMusicDeviceProperty_SoundBankURL, UInt(0))
    },
    .init(kAudio_TooManyFilesOpenError, "more files than instruments", [.writtenInstrument]) {
      let files = [URL](repeating: URL(fileURLWithPath: "/none.level"), count: 3) as NSArray
      return $0.setObject(kAUSamplerProperty_LoadAudioFiles, files)
    },
    .init(kAudioUnitErr_InstrumentTypeNotFound, "an instrument of no type", [.writtenInstrument]) {
      let none = unsafe AUSamplerInstrumentData(
        fileURL: nil, instrumentType: 99, bankMSB: 0, bankLSB: 0, presetID: 0)
      return unsafe $0.set(kAUSamplerProperty_LoadInstrument, none)
    },
    .init(
      kAudioUnitErr_IllegalInstrument, "a preset that a bank does not have", [.writtenInstrument]
    ) {
      let none = unsafe AUSamplerInstrumentData(
        fileURL: nil, instrumentType: UInt8(kInstrumentType_Audiofile), bankMSB: 0, bankLSB: 0,
        presetID: 9)
      return unsafe $0.set(kAUSamplerProperty_LoadInstrument, none)
    },
  ]

  /// Makes a situation with a file, in a separate folder, that the instrument is to read.
  private static func file(
    _ code: OSStatus, _ situation: String,
    _ make: @escaping @Sendable (TemporaryFolder) throws -> String
  ) -> ErrorRow {
    .init(code, situation, [.writtenInstrument]) { test in
      let folder = try TemporaryFolder("auricle-levels")
      return setURL(URL(fileURLWithPath: try make(folder)), test)
    }
  }

  private static func setURL(_ url: URL, _ test: UnitUnderTest) -> OSStatus {
    test.setObject(kMusicDeviceProperty_SoundBankURL, url as NSURL)
  }
}
