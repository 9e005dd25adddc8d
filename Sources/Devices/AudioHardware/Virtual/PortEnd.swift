// The end of a port without hardware: the destination of sound, or its source.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes

/// The far end of a port that is computed.
package protocol PortEnd: AnyObject {
  /// The format that is required; nil for any.
  var format: PCMFormat? { get }
  /// Frames a second (Hz) that it has; nil for any.
  var sampleRate: Double? { get }
  /// Channels that it has; nil for any.
  var channelCount: Int? { get }
  /// Begins with the negotiated configuration.
  func begin(_ configuration: PCMConfiguration) throws(AuricleError)
  /// The device starts: 0, or a negated `errno`. It may start again.
  func start() -> Int32
  /// Consumes played frames, at a time (ns) of the first of them; 0, or a negated `errno`.
  func consume(_ bytes: UnsafeRawPointer, frameCount: Int, time: UInt64) -> Int32
  /// Produces recorded frames, as many as there are; 0 at the end, or a negated `errno`.
  func produce(_ bytes: UnsafeMutableRawPointer, frameCount: Int, time: UInt64) -> Int
  /// Nothing more comes.
  func finish()
}

extension PortEnd {
  /// Any.
  package var format: PCMFormat? { nil }
  /// Any.
  package var sampleRate: Double? { nil }
  /// Any.
  package var channelCount: Int? { nil }
  /// Nothing.
  package func begin(_ configuration: PCMConfiguration) throws(AuricleError) {}
  /// Nothing.
  package func start() -> Int32 { 0 }
  /// Consumes nothing.
  package func consume(_ bytes: UnsafeRawPointer, frameCount: Int, time: UInt64) -> Int32 { 0 }
  /// Produces silence.
  package func produce(_ bytes: UnsafeMutableRawPointer, frameCount: Int, time: UInt64) -> Int {
    frameCount
  }
  /// Nothing.
  package func finish() {}
}

/// An end that keeps played frames, and produces silence: for tests.
package final class MemoryEnd: PortEnd {
  /// The played bytes.
  package private(set) var bytes: [UInt8] = []
  private var frameBytes = 0
  /// The most bytes kept.
  package let limit: Int

  /// Keeps up to so many bytes.
  package init(limit: Int = 1 << 28) { self.limit = limit }

  /// Notes the size of a frame.
  package func begin(_ configuration: PCMConfiguration) {
    frameBytes = configuration.channelCount * configuration.format.byteCount
  }

  /// Keeps frames.
  package func consume(_ data: UnsafeRawPointer, frameCount: Int, time: UInt64) -> Int32 {
    let count = min(frameCount * frameBytes, limit - bytes.count)
    unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: data, count: count))
    return 0
  }

  /// The played bytes as numbers of a type.
  package func values<Value: BitwiseCopyable>(_ type: Value.Type) -> [Value] {
    unsafe bytes.withUnsafeBytes { raw in
      (0..<(raw.count / MemoryLayout<Value>.size)).map {
        unsafe raw.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Value>.size, as: Value.self)
      }
    }
  }
}
