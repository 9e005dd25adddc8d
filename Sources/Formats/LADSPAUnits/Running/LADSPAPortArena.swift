// The memory of the audio ports of plug-ins that read beyond them.
// SPDX-License-Identifier: Apache-2.0

/// One block for all audio ports, in their order.
///
/// Two decoders of the CMT library read one input twice as fast as the others, and so the ports behind it. Hosts that
/// allocate one port after the other have these there. Here it is the same, and the sound repeats.
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
    // There is room behind the last port, which is read too.
    let count = (ports.count + 2) * stride
    unsafe memory = .allocate(capacity: count)
    unsafe memory.initialize(repeating: 0, count: count)
  }

  /// The memory of a port.
  func port(_ index: Int) -> UnsafeMutablePointer<Float>? {
    unsafe places[index].map { unsafe memory + $0 * stride }
  }
}
