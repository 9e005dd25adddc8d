// The memory of the audio ports of plug-ins that read beyond them.
// SPDX-License-Identifier: Apache-2.0

/// One block for all audio ports, in their order.
///
/// Two decoders of the CMT library step twice as fast through one input as through the others, beyond its end, and
/// into the ports behind it. Hosts that allocate a block a port, one after the other, give them those; here it is the
/// same, so that the sound does not depend on what lies elsewhere in memory.
@safe struct LADSPAPortArena {
  /// The labels of the plug-ins.
  private static let labels: Set<String> = ["bf2cube", "bf2quad"]
  /// Zeros between two ports, in samples.
  private static let gap = 4

  let memory: UnsafeMutablePointer<Float>
  private let stride: Int
  private let places: [Int: Int]

  /// Allocates the block; nil for a plug-in that needs none. Context: control.
  init?(_ description: LADSPADescription, maximumFrames: Int) {
    guard Self.labels.contains(description.label) else { return nil }
    let ports = description.ports.indices.filter { description.ports[$0].isAudio }
    stride = maximumFrames + Self.gap
    places = Dictionary(uniqueKeysWithValues: zip(ports, ports.indices))
    // Behind the last port there is room for what is read there.
    let count = (ports.count + 2) * stride
    unsafe memory = .allocate(capacity: count)
    unsafe memory.initialize(repeating: 0, count: count)
  }

  /// The memory of a port.
  func port(_ index: Int) -> UnsafeMutablePointer<Float>? {
    unsafe places[index].map { unsafe memory + $0 * stride }
  }
}
