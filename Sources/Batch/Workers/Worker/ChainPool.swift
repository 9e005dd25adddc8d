// A new chain for every file, as long as chains leave nothing behind in the process.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import FileRendering
import HostSystem
import PlugInGuard
import RealtimeSupport
import RunLedgers
import UnitChains

/// Makes the chains of a worker.
///
/// No file may hear the one before it. The first chain of a process is always as it should be; for
/// later ones the supervisor says what its probe found out about chains of their format. Of a format
/// without a verdict, a process makes but one.
final class ChainPool {
  let makeChain: ChainMaker
  /// What the supervisor allows.
  var permission = ReusePermission()
  private var hasServed = false
  /// Whether what the first file left in static memory was noted.
  private var isInitialized = false
  /// Whether this process cannot do the file that was asked for last.
  private(set) var isSpent = false
  /// Whether that is because static memory has changed, against what was found out.
  private(set) var isRefuted = false
  /// Formats that chains were made for, and whether one of them came since memory was compared.
  private var formats: Set<ChainFormat> = []
  private var isUnsure = false
  /// What is so small is compared before every file; that takes less than 0.1 ms.
  private static let littleMemory = 1 << 19
  /// What the last chain was asked for.
  private(set) var lastRequest: ChainRequest?

  init(makeChain: @escaping ChainMaker) { self.makeChain = makeChain }

  /// A chain without a past.
  ///
  /// - Throws: What making it throws; anything when `isSpent` has become true.
  func chain(for request: ChainRequest) throws(AuricleError) -> UnitChain {
    let format = ChainFormat(request)
    lastRequest = request
    isSpent = false
    if hasServed {
      isRefuted = hasMemoryChanged()
      isSpent = isRefuted || !permission.allows(format)
      guard !isSpent else {
        throw AuricleError(.temporary, "another process has to do this file")
      }
    }
    hasServed = true
    if formats.insert(format).inserted { isUnsure = true }
    return try makeChain(request)
  }

  /// Whether chains left something in static memory, though they were found to leave nothing.
  private func hasMemoryChanged() -> Bool {
    guard permission.memory != .changing else { return false }
    if permission.memory == .initialized, !isInitialized {
      isInitialized = true
      LibraryMemory.settle()
      return false
    }
    guard isUnsure || LibraryMemory.byteCount < Self.littleMemory else { return false }
    isUnsure = false
    return !LibraryMemory.isUntouched
  }
}
