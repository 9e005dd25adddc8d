// The load of rendering.
// SPDX-License-Identifier: Apache-2.0

public import CRealtime
import Synchronization

/// A meter of the load of one unit or graph: time of rendering over time rendered, smoothed.
///
/// One slice of sixty-four is measured, so that the clock costs next to nothing.
public struct RenderLoad: ~Copyable {
  @usableFromInline static var period: Int { @_noLocks get { 64 } }
  private let load = Atomic<Float>(0)
  @usableFromInline var countdown = 0
  private var isFresh = true

  /// A meter at 0.
  public init() {}

  /// The load: 0 for nothing rendered yet, 1 for all of the time. Context: any.
  public var value: Float {
    @_noLocks get { load.load(ordering: .relaxed) }
  }

  /// Begins a slice; pass the result to `end`, which need not be called if it is 0.
  ///
  /// Context: render.
  @inlinable @_noLocks public mutating func begin() -> UInt64 {
    if countdown > 0 {
      countdown -= 1
      return 0
    }
    countdown = Self.period - 1
    return AuricleNanoseconds()
  }

  /// Ends a slice of so many frames at a sample rate (Hz). Context: render.
  @_noLocks public mutating func end(_ begin: UInt64, frameCount: Int, sampleRate: Double) {
    guard begin != 0, frameCount > 0 else { return }
    let spent = Double(AuricleNanoseconds() &- begin) * 1e-9
    let present = Float(spent * sampleRate / Double(frameCount))
    let before = load.load(ordering: .relaxed)
    load.store(isFresh ? present : before + (present - before) * 0.25, ordering: .relaxed)
    isFresh = false
  }
}
