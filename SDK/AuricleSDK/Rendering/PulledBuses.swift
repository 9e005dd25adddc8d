// The input buses of a mixer that were pulled in this cycle, for kernels that pull their inputs.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// Pulls each bus once a cycle, and only audible buses. Context: render; made and freed on a control thread.
@safe public struct PulledBuses: BitwiseCopyable {
  /// Number of buses.
  public let count: Int
  private let pulled: UnsafeMutablePointer<Bool>

  /// Allocates for so many buses. Context: control.
  public init(count: Int) {
    self.count = count
    unsafe pulled = .allocate(capacity: max(count, 1))
    unsafe pulled.initialize(repeating: false, count: count)
  }

  /// Frees the memory. Context: control.
  public func deallocate() { unsafe pulled.deallocate() }

  /// Whether a bus was pulled in this cycle.
  @_noLocks public subscript(_ bus: Int) -> Bool { unsafe pulled[bus] }

  /// Begins a cycle: no bus was pulled.
  @_noLocks public func reset() {
    for bus in 0..<count { unsafe pulled[bus] = false }
  }

  /// Begins a cycle where the slice is the first of one.
  @_noLocks public func begin(_ slice: borrowing RenderSlice) {
    if slice.isFirst { reset() }
  }

  /// Fills a bus that has a source, unless it was filled in this cycle.
  ///
  /// - Returns: 0, or the error of the source, to be passed on with `fail`.
  @_noLocks public func pull(_ slice: borrowing RenderSlice, _ bus: Int) -> OSStatus {
    guard unsafe !pulled[bus], slice.inputHasSource(bus: bus) else { return 0 }
    let status = slice.pullInput(bus: bus)
    if status == 0 { unsafe pulled[bus] = true }
    return status
  }
}
