// The input buses of a mixer that were pulled in this cycle, for kernels that pull their inputs.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// A record of the input buses that were pulled in a cycle: each is pulled once, and only audible ones.
///
/// For mixers with `pullsInputs`, whose cycle may be divided into several slices:
///
/// ```swift
/// pulled.begin(slice)
/// for bus in 0..<slice.inputCount where slice.inputHasSource(bus: bus) {
///   if inputs[bus].isMuted { continue }
///   let status = pulled.pull(slice, bus)
///   guard status == 0 else { return slice.fail(status) }
///   unsafe SampleRun.add(
///     slice.input(bus: bus, channel: 0), gain: 1, to: slice.channel(0), slice.frameCount)
/// }
/// ```
///
/// Here `inputs` is the unit's `BusParameters`. The unit calls `deallocate()` in its `deinit`, and `reset()`
/// in its `reset()`. Context: render; made and freed on a control thread.
@safe public struct PulledBuses: BitwiseCopyable {
  /// Number of buses; indices are in `0..<count`.
  public let count: Int
  private let pulled: UnsafeMutablePointer<Bool>

  /// Allocates for so many buses. Context: control.
  public init(count: Int) {
    self.count = count
    unsafe pulled = .allocate(capacity: max(count, 1))
    unsafe pulled.initialize(repeating: false, count: count)
  }

  /// Frees the memory; no copy may be used afterwards. Context: control.
  public func deallocate() { unsafe pulled.deallocate() }

  /// Whether a bus was pulled in this cycle, so that its samples are in memory.
  @_noLocks public subscript(_ bus: Int) -> Bool { unsafe pulled[bus] }

  /// Begins a cycle: no bus was pulled.
  @_noLocks public func reset() {
    for bus in 0..<count { unsafe pulled[bus] = false }
  }

  /// Begins a cycle where the slice is the first of one; call it at the start of every `process`.
  @_noLocks public func begin(_ slice: borrowing RenderSlice) {
    if slice.isFirst { reset() }
  }

  /// Fills a bus that has a source, unless it was filled in this cycle.
  ///
  /// - Parameters:
  ///   - slice: The slice. The samples are at `input(bus:channel:)`, in later slices of the cycle as well.
  ///   - bus: Input bus, in `0..<count`.
  /// - Returns: 0, or the error of the source, to be passed on with `fail`.
  @_noLocks public func pull(_ slice: borrowing RenderSlice, _ bus: Int) -> OSStatus {
    guard unsafe !pulled[bus], slice.inputHasSource(bus: bus) else { return 0 }
    let status = slice.pullInput(bus: bus)
    if status == 0 { unsafe pulled[bus] = true }
    return status
  }
}
