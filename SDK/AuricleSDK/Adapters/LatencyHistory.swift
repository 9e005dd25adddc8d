// What a plug-in told of its latency, and from when on that is to be believed.
// SPDX-License-Identifier: Apache-2.0

/// The latency of one instance of a plug-in, run by run. Context: render, except where it is said.
///
/// Some plug-ins tell their latency only after they have run for some time. An instance that takes the
/// place of another, made in the same way, is as late as that from its first run on: what the other one
/// told counts until this one has run for as long as it took the other to tell it.
public struct LatencyHistory: BitwiseCopyable {
  /// What the plug-in said after the last run.
  private var own = 0
  private var frames = 0
  private var runs = 0
  /// Frames and runs after which the plug-in said something new for the last time.
  private var settledFrames = 0
  private var settledRuns = 0
  /// What the instance before this one told, and for how many frames and runs that counts.
  private var former = 0
  private var formerFrames = 0
  private var formerRuns = 0

  /// Nothing was told yet.
  @_noLocks public init() {}

  /// Notes the latency that the plug-in reports after a run of so many frames.
  @_noLocks public mutating func add(_ latency: Int, _ frameCount: Int) {
    frames += frameCount
    runs += 1
    guard latency != own else { return }
    own = latency
    settledFrames = frames
    settledRuns = runs
  }

  /// The latency in frames that counts.
  public var reported: Int {
    @_noLocks get { believesFormer ? former : own }
  }

  private var believesFormer: Bool {
    @_noLocks get { own == 0 && formerRuns > 0 && (frames <= formerFrames || runs <= formerRuns) }
  }

  /// Takes over what another instance told. Context: control, while neither is run.
  public mutating func inherit(_ other: LatencyHistory) {
    former = other.reported
    formerFrames = max(other.settledFrames, other.believesFormer ? other.formerFrames : 0)
    formerRuns = max(other.settledRuns, other.believesFormer ? other.formerRuns : 0)
  }
}
