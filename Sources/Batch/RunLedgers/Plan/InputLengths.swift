// Lengths of inputs from their headers, as many as can be read in a moment.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing
import Glibc
import HostSystem

/// Reads lengths of inputs while a plan is made.
///
/// Among many files every eighth is read, and none when a second has gone by with it: the others count as
/// equally long.
struct InputLengths {
  private var count = 0
  private var left: Duration

  private let readsAll: Bool

  private static let (mostRead, step) = (2000, 8)

  /// - Parameter time: How many seconds may go by with it, 0 to read none; more than one reads them all.
  init(time: Double) {
    left = .seconds(time)
    readsAll = time > 1
  }

  /// The seconds of sound of a regular file, to the millisecond; nil where its header does not
  /// declare them, or is not read.
  mutating func seconds(of path: String, _ byteCount: Int) -> Double? {
    guard left > .zero else { return nil }
    count += 1
    guard readsAll || count <= Self.mostRead || count % Self.step == 0 else { return nil }
    let start = ContinuousClock.now
    defer { left -= ContinuousClock.now - start }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return SoundLength.seconds(of: descriptor, byteCount: byteCount).map {
      ($0 * 1000).rounded() / 1000
    }
  }
}
