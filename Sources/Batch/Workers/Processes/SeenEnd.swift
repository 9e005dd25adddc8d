// The end of a worker, as its supervisor observed it.
// SPDX-License-Identifier: Apache-2.0

import PlugInGuard

/// The end of a worker, as observed from outside.
struct SeenEnd {
  let end: WorkerEnd
  /// Whether it ended without its supervisor ending it.
  let isByItself: Bool
  /// Its last signs of life.
  let signs: WorkerSigns
  /// Whether it had reported its job as begun.
  let isBegun: Bool
  /// Whether units had rendered in it.
  let hasRendered: Bool
  /// The place of the crash as a part of a sentence; nil where it noted none.
  let place: String?
  /// The last line it printed; nil for none.
  var lastLine: String?

  /// Whether another process ended it.
  var isKilled: Bool { isByItself && end.isFromOutside }

  /// The end as a clause without a subject: `crashed with SIGSEGV while it was initialised`.
  var clause: String { "\(predicate) \(signs.phase.clause)" }

  /// The predicate for its cause: `crashed with SIGSEGV in the function burst of gain.so`.
  var predicate: String { place.map { "\(end.sentence) \($0)" } ?? end.sentence }

  /// The unit that was being prepared for rendering; nil when none was, or another process ended the worker.
  var unitInMaking: String? {
    !isKilled && !signs.isDamaged && signs.phase.isOfMaking ? signs.unit : nil
  }
}

extension WorkPhase {
  /// The step as a clause of a sentence: `while it rendered`.
  var clause: String {
    switch self {
    case .idle: "between two files"
    case .prepare: "while it was being set up"
    case .load: "while its binary was loaded"
    case .instantiate: "while it was instantiated"
    case .initialize: "while it was initialised"
    case .render: "while it rendered"
    case .reset: "while it was reset"
    case .close: "while it was closed"
    case .read: "while the input was decoded"
    case .write: "while the result was encoded"
    case .verify: "while the result was read back"
    }
  }

  /// Whether a unit is running that is not ready to render yet.
  var isOfMaking: Bool { [.load, .instantiate, .initialize].contains(self) }
}
