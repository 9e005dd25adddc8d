// Chains for one file after the other: reset, or made anew, as it was found to leave nothing behind.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
import PlugInGuard
import RealtimeSupport

/// Makes the chains of a worker, and keeps from file to file those that may serve again.
///
/// No file may hear the one before it. The first chain of a process is always as it should be; for
/// later ones the supervisor tells what was found out about chains of their format
/// (`ChainExamination`). Of a format that nothing is known of, a process makes but one.
final class ChainPool {
  let makeChain: BatchRun.ChainMaker
  /// With the frame of the file that each is made to begin with: breakpoints count in the file.
  private var kept: [(format: ChainFormat, start: Int, chain: any RenderChain)] = []
  private var hasServed = false
  /// What is done with chains between files, by their format.
  var habits = ChainHabits()
  /// What chains leave in static memory.
  var memory = ChainMemory.changing
  /// Whether what the first file left there was noted.
  private var isSettled = false
  /// Whether this process cannot do the file that was asked for last.
  private(set) var isSpent = false
  /// Whether that is because libraries of plug-ins kept something, against what was found out.
  private(set) var isTouched = false
  /// Formats that chains were made for, and whether one of them came since libraries were looked at.
  private var formats: Set<ChainFormat> = []
  private var isUnsure = false
  /// What is so small is looked at before every file; that takes less than 0.1 ms.
  private static let littleMemory = 1 << 19
  /// What the last chain was asked for.
  private(set) var lastRequest: ChainRequest?
  /// Formats whose chains are kept at once.
  private static let mostKept = 4

  /// Whether each file has a chain of its own kind, so that none is kept.
  private let makesOneForEach: Bool

  init(makeChain: @escaping BatchRun.ChainMaker, makesOneForEach: Bool) {
    self.makeChain = makeChain
    self.makesOneForEach = makesOneForEach
  }

  /// A chain without a past.
  ///
  /// - Throws: What making it throws; anything when `isSpent` has become true.
  func take(_ request: ChainRequest) throws(AuricleError) -> any RenderChain {
    let format = ChainFormat(request)
    lastRequest = request
    isSpent = false
    try makeSureNothingIsKept()
    if let place = kept.firstIndex(where: {
      $0.format == format && $0.start == request.inputStart
    }) {
      let used = kept.remove(at: place).chain
      if (try? used.reset()) != nil { return used }
    }
    if formats.insert(format).inserted { isUnsure = true }
    guard hasServed else {
      hasServed = true
      return try makeChain(request)
    }
    switch habits[format] {
    case .reopen: return try makeChain(request)
    case .reset:
      let chain = try makeChain(request)
      // What a unit keeps outside of its instances is cleared by this alone.
      guard (try? chain.reset()) != nil else { break }
      return chain
    case .process, nil: break
    }
    isSpent = true
    throw AuricleError(.temporary, "another process has to do this file")
  }

  /// Where chains are said to leave nothing in static memory, that has to be true in this process.
  private func makeSureNothingIsKept() throws(AuricleError) {
    guard hasServed, memory != .changing else { return }
    if memory == .settled, !isSettled {
      isSettled = true
      LibraryMemory.settle()
      return
    }
    guard isUnsure || LibraryMemory.byteCount < Self.littleMemory else { return }
    isUnsure = false
    guard !LibraryMemory.isUntouched else { return }
    isTouched = true
    isSpent = true
    throw AuricleError(.temporary, "another process has to do this file")
  }

  /// Takes a chain back after a file that went well; true when it is kept.
  func giveBack(_ chain: any RenderChain, for request: ChainRequest) -> Bool {
    let format = ChainFormat(request)
    // Each variant is another chain.
    guard request.variant == nil, !makesOneForEach, habits[format] == .reset else { return false }
    if kept.count >= Self.mostKept { kept.removeFirst() }
    kept.append((format, request.inputStart, chain))
    return true
  }

  /// The formats of the chains that are kept.
  var keptFormats: [ChainFormat] { kept.map(\.format) }
}

/// What is done with chains between files, as a supervisor told it.
struct ChainHabits {
  private var ofFormats: [ChainFormat: ChainHabit] = [:]
  private var ofOthers: ChainHabit?

  init() {}

  /// Reads the findings; one without a format holds for all that are not named.
  init(_ json: JSONValue?) {
    for element in json?.elements ?? [] {
      guard let habit = element["between"]?.text.flatMap(ChainHabit.init) else { continue }
      if let format = ChainFormat(json: element) {
        ofFormats[format] = habit
      } else {
        ofOthers = habit
      }
    }
  }

  subscript(format: ChainFormat) -> ChainHabit? { ofFormats[format] ?? ofOthers }
}
