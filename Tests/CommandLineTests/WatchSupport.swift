// Shared by the tests of watched folders: sounds to put there, waiting, ending.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Glibc
import TestSupport
import Testing

/// Tests of watches in a folder of their own.
protocol WatchTesting {
  var box: Sandbox { get }
}

extension WatchTesting {
  func makeSound(_ name: String, seed: UInt64 = 1, frames: Int = 8000) throws {
    try Sound([TestSignal.noise(seed: seed, amplitude: 0.25, frameCount: frames)], sampleRate: 8000)
      .write(to: box(name), encoding: .pcm16)
  }

  func move(_ name: String, to other: String) throws {
    try #require(unsafe rename(box(name), box(other)) == 0, "\(name) → \(other)")
  }

  /// Waits until something is true.
  func wait(_ child: ChildProcess, _ what: String, until condition: () -> Bool) throws {
    let isTrue = child.waits(until: condition)
    try #require(
      isTrue, "\(what) did not happen: \(child.standardOutput) \(child.standardError)")
  }

  func end(_ child: ChildProcess, signal: Int32 = SIGTERM) throws -> ProcessResult {
    // Before that it does not listen to signals yet.
    try wait(child, "the beginning") { child.standardError.contains("watching ") }
    kill(child.id, signal)
    return child.wait()
  }
}
