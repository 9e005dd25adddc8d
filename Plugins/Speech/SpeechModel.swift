// A speaking unit's model beside its parameters: its text and voice.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Synchronization

/// The state of the speech unit.
struct SpeechModel: UnitModel {
  /// The text to speak.
  private(set) var passages: [SpeechPassage] = []
  /// A language, a name or a file of the synthesiser's.
  var voice = "en"
  private var hold = SpeechProgress.Hold()
  /// The progress of its speech; another one for each text.
  var progress: SpeechProgress { hold.progress }
  /// A number that no other unit of the process ever has.
  let number = counter.wrappingAdd(1, ordering: .relaxed).newValue

  private static let counter = Atomic<UInt64>(0)

  init() {}

  /// The spoken text, without settings.
  var text: String { passages.map(\.text).joined(separator: " ") }

  /// Sets another text to speak.
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
