// A situation and its required error code; the situations of all units, and every code.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// A situation, and its required code.
struct ErrorRow: Sendable {
  var code: OSStatus
  var situation: String
  /// The kinds of units it is meant for; nil: those of its group.
  var subjects: [Subject]?
  var provoke: @Sendable (UnitUnderTest) throws -> OSStatus

  init(
    _ code: OSStatus, _ situation: String, _ subjects: [Subject]? = nil,
    _ provoke: @escaping @Sendable (UnitUnderTest) throws -> OSStatus
  ) {
    self.code = code
    self.situation = situation
    self.subjects = subjects
    self.provoke = provoke
  }

  static let all: [ErrorRow] =
    rendering.meant(for: Subject.everyKind) + setting.meant(for: Subject.everyKind)
    + formats.meant(for: Subject.fed)
    + parameters.meant(for: Subject.allCases + [.instrument, .writtenInstrument, .musicEffect])
    + life.meant(for: Subject.everyKind) + notes + files

  /// All codes of the interface: a unit hands on any code of a source unchanged.
  static let codes: [OSStatus] = [
    -4, -43, -54, -42, 561_017_960, -50, -108, -10879, -10878, -10877, -10876, -10875, -10874,
    -10871, -10870, -10869, -10868, -10867, -10866, -10865, -10863, -10851, -10850, -10849, -10848,
    -10847, -66753, -66754, -66749, -66745, -66744, -66743, -66742, -66741, -66740, -66752, -66751,
    -66750, -66748, -66747, -66746, -10873, -10872, -66784, -10860, -10861, -10862, -10864,
  ]
}

extension [ErrorRow] {
  /// Returns the rows; each one without its own subjects gets these.
  fileprivate func meant(for subjects: [Subject]) -> [ErrorRow] {
    map { row in
      var row = row
      row.subjects = row.subjects ?? subjects
      return row
    }
  }
}
