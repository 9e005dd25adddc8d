// Every error code of the headers: the situations that cause it, and its way back from a source.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox

extension Question {
  /// Numbers of codes with all their names.
  static let codeNames: [(code: OSStatus, names: [String])] = {
    let found = HeaderConstant.family {
      $0.contains("Err_") || $0.hasPrefix("kAudio_")
    }.filter { !$0.name.hasPrefix("kAuricle") }
    return Dictionary(grouping: found, by: \.value)
      .map { (OSStatus(truncatingIfNeeded: $0.key), $0.value.map(\.name)) }
      .sorted { $0.code > $1.code }
  }()

  /// Rows for every situation of a code, and one for its way back from a source.
  static let codes: [Question] = codeNames.flatMap { code, names in
    let situations = ErrorRow.all.filter { $0.code == code }
    var rows = situations.map { situation in
      Question("code \(code): \(situation.situation)", names) { test in
        guard situation.subjects?.contains(test.subject) == true else { return notApplicable }
        return String(try situation.provoke(test))
      }
    }
    rows.append(
      Question("code \(code): given by a source", names) { test in
        guard !test.subject.isInstrument else { return noInput }
        try test.start()
        test.sourceStatus = code
        let status = test.render(64)
        let last = test.get(kAudioUnitProperty_LastRenderError, OSStatus.self).value ?? -1
        test.sourceStatus = 0
        return "\(status), kept \(last), then \(test.render(64, at: 64))"
      })
    return rows
  }

  /// Codes that no call to one of these units returns, with their origin. All come back from a source.
  static let returnedElsewhere: [OSStatus: String] = {
    var all: [OSStatus: String] = [
      kAUVoiceIOErr_UnexpectedNumberOfInputChannels: "voice processing; none ships"
    ]
    let registry: [OSStatus] = [
      kAudioComponentErr_DuplicateDescription, kAudioComponentErr_UnsupportedType,
      kAudioComponentErr_NotPermitted, kAudioUnitErr_ExtensionNotFound,
    ]
    for code in registry { all[code] = "the functions of components: AudioToolboxTests" }
    let processes: [OSStatus] = [
      kAudioComponentErr_InstanceTimedOut, kAudioComponentErr_InstanceInvalidated,
      kAudioComponentErr_TooManyInstances, kAudioComponentErr_InitializationTimedOut,
      kAudioComponentErr_InvalidFormat, kAudioUnitErr_RenderTimeout,
      kAudioUnitErr_ComponentManagerNotSupported,
    ]
    for code in processes { all[code] = "units in other processes, and what is older; not here" }
    for code in [
      kAUGraphErr_NodeNotFound, kAUGraphErr_InvalidConnection, kAUGraphErr_OutputNodeErr,
      kAUGraphErr_InvalidAudioUnit,
    ] { all[code] = "a graph: Graph.c of AudioToolboxTests" }
    return all
  }()

  /// A situation that a kind of unit cannot come into: its type has no such input or format.
  static let notApplicable = "cannot arise"
  /// An instrument pulls nothing.
  static let noInput = "no input"
}
