// Commits results in groups: brings them to the disk, records them in the ledger, and names them.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
package import AudioTypes
import CHostSystem
import FileRendering
import Glibc
package import HostSystem
package import RunLedgers
import Synchronization

/// Work for the committer.
package enum CommitWork: @unchecked Sendable {
  // @unchecked because a part file passes from the supervisor's thread to the committer's.
  /// Complete results of a file; `replaces` says whether they replace existing files, `backup` how these are
  /// kept.
  case result(FileRecord, [PartFile], replaces: Bool, backup: String?)
  /// A record without results, or any other line.
  case line(FileRecord?, [JSONValue.Member])
}

/// The outcome of a piece of work.
package struct CommitOutcome: Sendable {
  /// The record; nil for a line without one.
  package var record: FileRecord?
  /// The error number and name of the step that failed; nil on success.
  package var failure: (number: Int32, step: String)?
}

/// A thread that commits.
///
/// For each group, all files are synchronized together, then the ledger announces their names. Then each is
/// renamed, the folders are synchronized, and the ledger confirms. The next group gathers meanwhile, so
/// the cost of a file falls with the load.
package final class Committer: Sendable {
  private struct State {
    var queue: [CommitWork] = []
    var outcomes: [CommitOutcome] = []
    var isClosed = false
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let ledger: LedgerWriter?
  /// Whether other processes may name the same results at the same time: then none is removed again.
  private let isShared: Bool
  /// Readable when outcomes are available.
  package let wake: WakeUpPipe
  private let call: WakeUpPipe
  private static let mostInGroup = 96
  /// The step that writes the ledger.
  package static let ledgerStep = "ledger"
  /// The step that synchronizes a folder.
  static let folderStep = "synchronize the folder of"

  /// Starts the thread.
  package init(ledger: LedgerWriter?, isShared: Bool = false) throws(AuricleError) {
    self.ledger = ledger
    self.isShared = isShared
    wake = try WakeUpPipe()
    call = try WakeUpPipe()
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(self).toOpaque()
    let status = unsafe pthread_create(
      &thread, nil,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Committer>.fromOpaque(context).takeRetainedValue().work()
        return nil
      }, context)
    guard status == 0 else {
      unsafe Unmanaged<Committer>.fromOpaque(context).release()
      throw AuricleError(.software, "no thread can be started: \(systemReason(status))")
    }
    pthread_detach(thread)
  }

  /// Enqueues work.
  package func submit(_ work: CommitWork) {
    state.withLock { $0.queue.append(work) }
    call.wakeUp()
  }

  /// Dequeues all outcomes since the last call.
  package func drainOutcomes() -> [CommitOutcome] {
    wake.drain()
    return state.withLock { state in
      defer { state.outcomes = [] }
      return state.outcomes
    }
  }

  /// Ends the thread once all work is done; `hasEnded` is true afterwards.
  package func close() {
    state.withLock { $0.isClosed = true }
    call.wakeUp()
  }

  /// Whether the thread has ended.
  package var hasEnded: Bool { state.withLock { $0.hasEnded } }

  // MARK: The thread

  private func work() {
    while true {
      let (group, isClosed) = state.withLock { state -> ([CommitWork], Bool) in
        let group = Array(state.queue.prefix(Self.mostInGroup))
        state.queue.removeFirst(group.count)
        return (group, state.isClosed)
      }
      guard !group.isEmpty else {
        // Nothing follows: the last lines have to be on the disk as well.
        let number = ledger?.synchronize() ?? 0
        if isClosed {
          finish(number)
          return
        }
        call.wait()
        call.drain()
        continue
      }
      let outcomes = commit(group)
      state.withLock { $0.outcomes += outcomes }
      wake.wakeUp()
    }
  }

  private func finish(_ number: Int32) {
    state.withLock { state in
      if number != 0 {
        state.outcomes.append(CommitOutcome(record: nil, failure: (number, Self.ledgerStep)))
      }
      state.hasEnded = true
    }
    wake.wakeUp()
  }

  private struct Item {
    var record: FileRecord
    var parts: [PartFile]
    var replaces: Bool
    var backup: String?
    var failure: (number: Int32, step: String)?
  }

  private func commit(_ group: [CommitWork]) -> [CommitOutcome] {
    var items: [Item] = []
    var lines: [[JSONValue.Member]] = []
    var outcomes: [CommitOutcome] = []
    for work in group {
      switch work {
      case .result(let record, let parts, let replaces, let backup):
        items.append(Item(record: record, parts: parts, replaces: replaces, backup: backup))
      case .line(let record, let line):
        lines.append(line)
        outcomes.append(CommitOutcome(record: record))
      }
    }
    for index in items.indices where items[index].replaces { adoptAttributes(&items[index]) }
    synchronize(&items)
    lines += items.filter { $0.failure == nil }.map { LedgerLine.file($0.record) }
    var failure = ledger?.append(lines) ?? 0
    if failure == 0, !items.isEmpty { failure = ledger?.synchronize() ?? 0 }
    if failure != 0 {
      for index in outcomes.indices { outcomes[index].failure = (failure, Self.ledgerStep) }
      return outcomes
        + items.map { CommitOutcome(record: $0.record, failure: (failure, Self.ledgerStep)) }
    }
    name(&items)
    let kept = items.filter { $0.failure == nil }.map { LedgerLine.kept($0.record.index) }
    if let ledger, !kept.isEmpty {
      let number = ledger.append(kept)
      // The names exist and the ledger announced them: a resumed run finds them.
      if number != 0 {
        outcomes.append(CommitOutcome(record: nil, failure: (number, Self.ledgerStep)))
      }
    }
    return outcomes + items.map { CommitOutcome(record: $0.record, failure: $0.failure) }
  }

  /// Adopts the attributes of the files that results replace.
  private func adoptAttributes(_ item: inout Item) {
    let isInput = Path.isSame(item.record.input, item.record.output)
    for part in item.parts {
      item.record.result?.notes += part.adoptAttributes(isInput: isInput)
    }
  }

  private func synchronize(_ items: inout [Item]) {
    let owners = items.indices.flatMap { index in items[index].parts.map { _ in index } }
    let descriptors = items.flatMap { $0.parts.map(\.descriptor) }
    var errors = [Int32](repeating: 0, count: descriptors.count)
    unsafe AuricleSynchronizeAll(descriptors, descriptors.count, &errors)
    for (place, number) in errors.enumerated() where number != 0 {
      items[owners[place]].failure = (number, "synchronize")
    }
  }

  private func name(_ items: inout [Item]) {
    var folders: [OpenFolder] = []
    for index in items.indices where items[index].failure == nil {
      items[index].failure = name(items[index])
      guard items[index].failure == nil else { continue }
      for part in items[index].parts where !folders.contains(where: { $0 === part.folder }) {
        folders.append(part.folder)
      }
    }
    for folder in folders {
      let number = folder.synchronize()
      guard number != 0 else { continue }
      for index in items.indices
      where items[index].failure == nil
        && items[index].parts.contains(where: { $0.folder === folder })
      {
        items[index].failure = (number, Self.folderStep)
      }
    }
  }

  /// Names all results of a file, or none; nil, or the failure.
  private func name(_ item: Item) -> (number: Int32, step: String)? {
    var named: [PartFile] = []
    for part in item.parts {
      if let backup = item.backup {
        let number = part.keepOriginal(as: backup)
        if number != 0 { return (number, "keep the original of") }
      }
      let number = part.publish(replacing: item.replaces)
      // If a ledger was lost, the same result may exist already.
      if number == EEXIST, part.isThereAlready { continue }
      if number != 0 {
        // New files are removed again; replaced ones cannot be restored.
        if !item.replaces, !isShared { named.forEach { $0.unpublish() } }
        return (number, "name")
      }
      named.append(part)
    }
    return nil
  }

}
