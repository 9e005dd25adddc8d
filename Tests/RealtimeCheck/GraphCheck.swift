// Edits a graph at random while another thread renders it inside realtime sections.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization
import TestUnits

/// The graph under the sanitizers: RealtimeSanitizer sees the slices, ThreadSanitizer both threads.
enum GraphCheck {
  /// Makes so many random edits; on a false sound, ends the process with a message and the edits
  /// before it.
  ///
  /// - Parameter longestPause: Microseconds that the editor sleeps at most before an edit and before
  ///   an update: slices then begin at other places of them.
  static func run(edits: Int, seed: UInt64, longestPause: Int) throws {
    let editor = try GraphEditor(seed: seed)
    editor.longestPause = longestPause
    let puller = try GraphPuller(
      editor.graph, seed: seed + 1, checksRealtime: true, journal: editor.journal)
    puller.start()
    for _ in 0..<edits { try editor.edit() }
    puller.stop()
    guard puller.status == 0, puller.largestStep < GraphEditor.largestStep else {
      print(
        "a graph edited at random (seed \(seed)): status \(puller.status), "
          + "largest step \(puller.largestStep)")
      for click in puller.clicks { print("a click in \(click)") }
      if let click = puller.clicks.first {
        print("the edits around the first:\n\(editor.journal.text(around: click.notesAfter))")
      }
      exit(1)
    }
    let slices = puller.slices.load(ordering: .acquiring)
    print("a graph of \(editor.nodeCount) nodes, \(edits) edits, \(slices) slices: no violation")
  }
}
