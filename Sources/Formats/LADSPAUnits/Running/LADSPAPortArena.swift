// The memory of the ports of plug-ins that read beyond them.
// SPDX-License-Identifier: Apache-2.0

/// One block: the values of the control ports by index, then all audio ports in their order.
///
/// Two decoders of the CMT library read one input twice as fast as the others, and so the ports behind it. A slide of
/// the omins library reads a control port as if it were audio, and so the values behind it and the first input. Hosts
/// that allocate one after the other have these there. Here it is the same, and the sound repeats.
@safe struct LADSPAPortArena {
  /// The labels of the plug-ins.
  private static let labels: Set<String> = ["bf2cube", "bf2quad", "slide_tc"]
  /// Zeros between two audio ports, in samples.
  private static let gap = 4

  let memory: UnsafeMutablePointer<Float>
  private let stride: Int
  private let head: Int
  private let places: [Int: Int]

  /// Allocates the block; nil for a plug-in that needs none. Context: control.
  init?(_ description: LADSPADescription, maximumFrames: Int) {
    guard Self.labels.contains(description.label) else { return nil }
    let ports = description.ports.indices.filter { description.ports[$0].isAudio }
    stride = maximumFrames + Self.gap
    // The C library allocates 16 bytes at a time, of which 8 are its own.
    head = (description.ports.count * 4 + 8 + 15) / 16 * 4
    places = Dictionary(uniqueKeysWithValues: zip(ports, ports.indices))
    // There is room behind the last port, which is read too.
    let count = head + (ports.count + 2) * stride
    unsafe memory = .allocate(capacity: count)
    unsafe memory.initialize(repeating: 0, count: count)
  }

  /// Returns the memory of an audio port.
  func port(_ index: Int) -> UnsafeMutablePointer<Float>? {
    unsafe places[index].map { unsafe memory + head + $0 * stride }
  }

  /// Returns the memory of control ports with consecutive indices; nil for others.
  func controls(_ indices: [Int]) -> UnsafeMutablePointer<Float>? {
    guard let first = indices.first, indices == Array(first..<first + indices.count) else {
      return nil
    }
    return unsafe memory + first
  }
}
