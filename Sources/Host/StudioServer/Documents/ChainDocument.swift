// One chain that is open in the studio: its content, its history, its two settings, and where it is saved.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import HostSystem

/// A chain with its history.
struct ChainDocument: Sendable {
  /// A step that can be taken back.
  struct Step: Sendable {
    var label: String
    var state: ChainState
    /// The client and its gesture, of a step that goes on while a knob is turned.
    var gesture: String?
  }

  let id: String
  var revision = 1
  var state: ChainState
  var numbers: StageNumbers
  var undo: [Step] = []
  var redo: [Step] = []
  /// The name of the setting that is edited, and the other one.
  var setting = "A"
  var otherSetting: ChainState?
  /// The history of the other one.
  private var otherSteps: (undo: [Step], redo: [Step]) = ([], [])
  var solo: String?
  /// The file that it is saved in, and the state and stamp of that.
  var path: String?
  var savedState: ChainState?
  var savedStamp: FileStamp?
  /// The shipped or named preset that it was made from.
  var preset: String?
  /// The folder that relative paths are relative to.
  var folder: String?

  /// The most steps that are kept.
  static let mostSteps = 500

  init(id: String, state: ChainState, numbers: StageNumbers) {
    (self.id, self.state, self.numbers) = (id, state, numbers)
  }

  /// Whether the file has all that the chain has.
  var isSaved: Bool { savedState == state }

  /// Takes a new content as one step.
  mutating func adopt(_ editor: ChainEditor, gesture: String?) {
    numbers = editor.numbers
    solo = editor.solo.flatMap { editor.state.stage($0) == nil ? nil : $0 }
    revision += 1
    guard editor.state != state else { return }
    let isGoingOn = gesture != nil && undo.last?.gesture == gesture
    if !isGoingOn {
      undo.append(Step(label: editor.label, state: state, gesture: gesture))
      if undo.count > Self.mostSteps { undo.removeFirst() }
    }
    redo = []
    state = editor.state
  }

  /// Takes the last step back, or does it again.
  ///
  /// - Throws: `.conflict` when there is none.
  mutating func step(back: Bool) throws(StudioFault) {
    guard let step = back ? undo.popLast() : redo.popLast() else {
      throw StudioFault(
        .conflict, back ? "there is nothing to undo" : "there is nothing to do again")
    }
    let opposite = Step(label: step.label, state: state)
    if back { redo.append(opposite) } else { undo.append(opposite) }
    state = step.state
    if let solo, state.stage(solo) == nil { self.solo = nil }
    revision += 1
  }

  /// Goes on with the other setting.
  mutating func use(_ name: String) {
    guard name != setting else { return }
    let other = otherSetting ?? state
    otherSetting = state
    (state, setting) = (other, name)
    let steps = otherSteps
    otherSteps = (undo, redo)
    (undo, redo) = steps
    if let solo, state.stage(solo) == nil { self.solo = nil }
    revision += 1
  }

  /// The content of a setting.
  func content(of name: String?) -> ChainState {
    name == nil || name == setting ? state : otherSetting ?? state
  }

  /// The content of a setting as loops and renderings have it: with a stage in solo, that one alone.
  func audible(_ name: String?) -> ChainState {
    name == nil || name == setting ? state.soloed(solo) : content(of: name)
  }
}
