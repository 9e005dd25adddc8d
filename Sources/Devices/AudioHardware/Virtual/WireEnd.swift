// A cable from a port that plays to one that records.
// SPDX-License-Identifier: Apache-2.0

/// A cable: frames that are played at a time are recorded at that time.
package final class Wire {
  /// The played frames, with the time of each run.
  private var bytes: [UInt8] = []
  private var frameBytes = 0
  private var nanosecondsPerFrame = 0.0
  private var runs: [(first: Int, time: UInt64)] = []
  private var count = 0

  /// A cable that nothing is plugged into.
  package init() {}

  /// The end that a playback port is connected to.
  package var input: any PortEnd { WireInput(self) }
  /// The end that a capture port is connected to.
  package var output: any PortEnd { WireOutput(self) }

  fileprivate func begin(_ configuration: PCMConfiguration) {
    frameBytes = configuration.channelCount * configuration.format.byteCount
    nanosecondsPerFrame = 1e9 / configuration.sampleRate
  }

  fileprivate func put(_ data: UnsafeRawPointer, _ frames: Int, _ time: UInt64) {
    runs.append((count, time))
    unsafe bytes.append(
      contentsOf: UnsafeRawBufferPointer(start: data, count: frames * frameBytes))
    count += frames
  }

  fileprivate func get(_ data: UnsafeMutableRawPointer, _ frames: Int, _ time: UInt64) {
    for frame in 0..<frames {
      let target = unsafe data + frame * frameBytes
      let moment = Double(time) + Double(frame) * nanosecondsPerFrame
      guard let index = self.frame(at: moment) else {
        unsafe target.initializeMemory(as: UInt8.self, repeating: 0, count: frameBytes)
        continue
      }
      unsafe bytes.withUnsafeBytes { raw in
        guard let start = raw.baseAddress else { return }
        unsafe target.copyMemory(from: start + index * frameBytes, byteCount: frameBytes)
      }
    }
  }

  /// The frame that sounds at a time (ns); nil for silence.
  private func frame(at moment: Double) -> Int? {
    guard let run = runs.lastIndex(where: { Double($0.time) <= moment + 1 }) else { return nil }
    let last = run + 1 < runs.count ? runs[run + 1].first : count
    let offset = Int(((moment - Double(runs[run].time)) / nanosecondsPerFrame).rounded())
    let index = runs[run].first + offset
    return index < last ? index : nil
  }
}

private final class WireInput: PortEnd {
  private let wire: Wire
  init(_ wire: Wire) { self.wire = wire }
  func begin(_ configuration: PCMConfiguration) { wire.begin(configuration) }
  func consume(_ bytes: UnsafeRawPointer, frameCount: Int, time: UInt64) -> Int32 {
    unsafe wire.put(bytes, frameCount, time)
    return 0
  }
}

private final class WireOutput: PortEnd {
  private let wire: Wire
  init(_ wire: Wire) { self.wire = wire }
  func begin(_ configuration: PCMConfiguration) { wire.begin(configuration) }
  func produce(_ bytes: UnsafeMutableRawPointer, frameCount: Int, time: UInt64) -> Int {
    unsafe wire.get(bytes, frameCount, time)
    return frameCount
  }
}
