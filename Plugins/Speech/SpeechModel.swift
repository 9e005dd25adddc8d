// What a unit that speaks keeps beside its parameters: what it says, and in which voice.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Synchronization

/// The state of the speech unit.
struct SpeechModel: UnitModel {
  /// What it says.
  private(set) var passages: [SpeechPassage] = []
  /// A language, a name or a file of the synthesiser's.
  var voice = "en"
  private var hold = SpeechProgress.Hold()
  /// How far it is with what it says; another one for each thing.
  var progress: SpeechProgress { hold.progress }
  /// A number that no other unit of the process ever has.
  let number = counter.wrappingAdd(1, ordering: .relaxed).newValue

  private static let counter = Atomic<UInt64>(0)

  init() {}

  /// What is said, without how.
  var text: String { passages.map(\.text).joined(separator: " ") }

  /// Has it say something else.
  mutating func say(_ passages: [SpeechPassage]) {
    self.passages = passages
    hold = SpeechProgress.Hold()
  }

  func save(to state: UnitState) {
    state.set("text", string: text)
    state.set("voice", string: voice)
  }

  init(restoring state: UnitState, version: Int32) {
    if let text = state.string("text"), !text.isEmpty { passages = [SpeechPassage(text)] }
    voice = state.string("voice") ?? "en"
  }
}
