// A row of the table of the contract: a question to a unit. The table itself holds each kind's answer.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// One row: a question that is put to every kind of unit.
struct Question: Sendable {
  /// Its name, once in the table.
  var row: String
  /// The constants of the headers that it is about.
  var constants: [String]
  /// Asks a new instance; the answer as the table writes it.
  var ask: @Sendable (UnitUnderTest) throws -> String

  init(
    _ row: String, _ constants: [String],
    _ ask: @escaping @Sendable (UnitUnderTest) throws -> String
  ) {
    self.row = row
    self.constants = constants
    self.ask = ask
  }

  /// The whole table, in its order.
  static let all: [Question] =
    selectors + deeds + scopes + properties + values + codes + states + parameterTraits
    + renderFlags

  /// The names that the columns of the table have.
  static let columns: [(subject: Subject, name: String)] = [
    (.shipped, "shipped"), (.plainC, "C"), (.calling, "C++"), (.lv2, "LV2"), (.mixer, "mixer"),
    (.converter, "converter"), (.output, "output"), (.writtenOutput, "C output"),
    (.callingOutput, "C++ output"), (.splitter, "splitter"), (.instrument, "instrument"),
    (.writtenInstrument, "C instrument"), (.callingMusicEffect, "C++ music effect"),
    (.lv2Instrument, "LV2 instrument"), (.musicEffect, "music effect"),
    (.lv2MusicEffect, "LV2 music effect"),
  ]

  /// The letter that the table writes for a scope.
  static func letter(_ scope: UInt32) -> String {
    let letters = ["g", "i", "o", "group", "part", "note", "layer", "item"]
    return Int(scope) < letters.count ? letters[Int(scope)] : "scope\(scope)"
  }
}
