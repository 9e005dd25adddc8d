// The lengths of the lines of a network, and the change to other lengths.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// Delays of the lines and the fade to the next ones.
///
/// A line that is read earlier or later than before must not play anything twice, or the loop would
/// gain energy. So the old tap fades out at once, and the new tap fades in when it has reached
/// unplayed samples: the fade is the same for each stored sample, and its two weights, squared,
/// never add up to more than 1.
///
/// Context: made and freed on a control thread, otherwise render.
@safe struct LineTaps: ~Copyable {
  private let lineCount: Int
  private let delays: UnsafeMutablePointer<Int>
  private let step: Float
  private let fadeFrames: Int
  /// Frames since the fade began.
  private(set) var elapsed = 0
  private var duration = 0
  private var mean = 0.0
  private var range = 0.0
  private var seed = 0
  private var isFresh = true

  /// Whether two taps of each line are audible.
  private(set) var isFading = false

  /// Makes taps that fade for a number of frames. Context: control.
  init(lineCount: Int, fadeFrames: Int) {
    self.lineCount = lineCount
    self.fadeFrames = max(fadeFrames, 1)
    step = 1 / Float(max(fadeFrames, 1))
    let count = 2 * lineCount
    unsafe delays = .allocate(capacity: count)
    unsafe delays.initialize(repeating: 64, count: count)
  }

  deinit { unsafe delays.deallocate() }

  /// Jumps to the next lengths.
  @_noLocks mutating func reset() {
    isFresh = true
    isFading = false
  }

  /// Sets new lengths, unless a fade is under way; returns whether it did.
  @_noLocks mutating func setDelays(
    mean: Double, range: Double, seed: Int, sampleRate: Double
  ) -> Bool {
    if isFading { return false }
    if !isFresh && mean == self.mean && range == self.range && seed == self.seed { return false }
    self.seed = seed
    self.mean = mean
    self.range = range
    let count = lineCount
    duration = fadeFrames
    for line in 0..<count {
      let delay = LineDelays.frames(
        line: line, of: lineCount, mean: mean, range: range, seed: seed,
        sampleRate: sampleRate)
      unsafe delays[count + line] = delay
      if isFresh { unsafe delays[line] = delay }
      duration = max(duration, fadeFrames + gap(line))
    }
    elapsed = 0
    isFading = !isFresh
    isFresh = false
    return true
  }

  /// Length of a line now.
  @inline(__always) @_noLocks func delay(_ line: Int) -> Int { unsafe delays[line] }

  /// Length of a line after the fade.
  @inline(__always) @_noLocks func nextDelay(_ line: Int) -> Int {
    unsafe delays[lineCount + line]
  }

  /// Frames for which a line that grows is silent.
  @_noLocks private func gap(_ line: Int) -> Int { max(0, nextDelay(line) - delay(line)) }

  /// Weight of the old tap some frames into the interval.
  @_noLocks func oldWeight(_ phase: Int) -> Float {
    1 - Self.smooth(Float(elapsed + phase) * step)
  }

  /// Weight of the new tap some frames into the interval.
  @_noLocks func newWeight(_ line: Int, _ phase: Int) -> Float {
    Self.smooth(Float(elapsed + phase - gap(line)) * step)
  }

  /// Fades from 0 to 1 without a bend at either end, which would be audible in quiet treble.
  @inline(__always) @_noLocks private static func smooth(_ part: Float) -> Float {
    let x = min(1, max(0, part))
    return x * x * (3 - 2 * x)
  }

  /// Counts frames.
  @_noLocks mutating func advance(_ frames: Int) {
    guard isFading else { return }
    elapsed += frames
    guard elapsed >= duration else { return }
    isFading = false
    for line in 0..<lineCount { unsafe delays[line] = nextDelay(line) }
  }
}
