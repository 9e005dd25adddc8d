// Edits of a graph, numbered, to be read beside the slices of another thread.
// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// The notes of one editor.
///
/// @unchecked Sendable because only the editing thread touches the notes while it edits; other threads
/// read the count.
@safe public final class EditJournal: @unchecked Sendable {
  /// The number of notes.
  public let count = Atomic<Int>(0)
  private var notes: [String] = []

  /// Makes an empty journal.
  public init() {}

  /// Records the next edit, or its outcome. Context: the editing thread.
  public func note(_ text: String) {
    notes.append(text)
    count.store(notes.count, ordering: .releasing)
  }

  /// The notes around a place, a line each. Context: once the editing is over.
  ///
  /// - Parameter place: How many notes there were at that moment; the line after them is marked.
  public func text(around place: Int) -> String {
    let first = max(0, place - 60)
    let last = min(notes.count, place + 4)
    guard first < last else { return "  no edits" }
    return (first..<last).map { index in
      (index == place - 1 ? "> " : "  ") + "\(index + 1): \(notes[index])"
    }.joined(separator: "\n")
  }
}
