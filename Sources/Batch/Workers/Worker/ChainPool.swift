// Makes a new chain for every file, as long as chains leave no state in the process.
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
/// No file may affect the next. The first chain of a process is always clean; later ones need the
/// supervisor's permission for their format. Without a verdict on a format, a process makes only one chain
/// for it.
final class ChainPool {
  let makeChain: ChainMaker
  /// Whether chains have units: only these may keep something from file to file.
  private let hasUnits: Bool
  /// The supervisor's permission.
  var permission = ReusePermission()
  private var hasServed = false
  /// Whether the static memory after the first file was recorded.
  private var isInitialized = false
  /// Whether this process cannot process the last requested file.
  private(set) var isSpent = false
  /// Whether that is because static memory changed against the verdict.
  private(set) var isRefuted = false
  /// Formats that chains were made for, and whether one was added since memory was compared.
  private var formats: [ChainFormat] = []
  private var isUnsure = false
  /// Memory up to this size is compared before every file, in less than 0.1 ms.
  private static let littleMemory = 1 << 19
  /// The request of the last chain.
  private(set) var lastRequest: ChainSpecification?

  init(hasUnits: Bool, makeChain: @escaping ChainMaker) {
    self.hasUnits = hasUnits
    self.makeChain = makeChain
  }

  /// A clean chain.
  ///
  /// - Throws: Errors of making it; any error when `isSpent` has become true.
  func chain(for request: ChainSpecification) throws(AuricleError) -> UnitChain {
    let format = ChainFormat(request)
    lastRequest = request
    isSpent = false
    if hasServed, hasUnits {
      isRefuted = hasMemoryChanged()
      isSpent = isRefuted || !permission.allows(format)
      guard !isSpent else {
        throw AuricleError(.temporary, "this file has to be processed by another worker")
      }
    }
    hasServed = true
    if !formats.contains(format) {
      formats.append(format)
      isUnsure = true
    }
    return try makeChain(request)
  }

  /// Whether chains changed static memory against the verdict.
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
