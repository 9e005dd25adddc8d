// The numbers of frames of a loop's passes, so that many passes end at the right frame.
// SPDX-License-Identifier: Apache-2.0

/// The passes of a region: their frames at the rate of the output, the rest of a frame carried from one to the next.
@safe struct PassLength {
  private let exact: Double?
  private var rest = 0.0

  /// - Parameters:
  ///   - frames: Frames of the file in a pass; nil for all up to its end.
  ///   - ratio: Frames of the output to one of the file.
  init(frames: Int64?, ratio: Double) {
    exact = frames.map { Double($0) * ratio }
  }

  /// Whether passes have frames at all.
  var isAny: Bool { exact.map { $0 > 0 } ?? true }

  /// Frames of the next pass; the largest number where only the file knows.
  mutating func next() -> Int64 {
    guard let exact else { return .max }
    let frames = (exact + rest).rounded()
    rest += exact - frames
    return Int64(max(0, min(9e15, frames)))
  }
}
