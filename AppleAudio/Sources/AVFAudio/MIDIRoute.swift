// Connections of MIDI between the nodes of an engine.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The nodes that a node's MIDI goes to.
final class MIDIRoute: @unchecked Sendable {
  var destinations: [AVAudioUnit] = []
  var block: AUMIDIOutputEventBlock?
  /// The first frame of the source's cycle.
  var cycleStart: AUEventSampleTime = 0
  private var receiver: MIDIOutputReceiver?

  /// Has a unit's MIDI come here; false for a unit that sends none.
  func receive(from unit: AudioUnit) -> Bool {
    let made = MIDIOutputReceiver { [unowned self] time, cable, length, bytes in
      send(time, cable, length, bytes)
    }
    guard made.attach(to: unit) == noErr else { return false }
    receiver = made
    return true
  }
  /// Passes a message on. Render thread, in the engine's cycle.
  private func send(
    _ time: AUEventSampleTime, _ cable: UInt8, _ length: Int, _ bytes: UnsafePointer<UInt8>
  ) -> OSStatus {
    guard length > 0 else { return noErr }
    let frame = UInt32(clamping: time - cycleStart)
    for node in destinations {
      if bytes[0] == 0xF0 {
        MusicDeviceSysEx(node.audioUnit, bytes, UInt32(length))
      } else {
        MusicDeviceMIDIEvent(
          node.audioUnit, UInt32(bytes[0]), length > 1 ? UInt32(bytes[1]) : 0,
          length > 2 ? UInt32(bytes[2]) : 0, frame)
      }
    }
    return block?(time, cable, length, bytes) ?? noErr
  }
}

extension AVAudioEngine {
  /// Sends the MIDI of a node to an instrument or effect, and to a block; it replaces the node's block.
  public func connectMIDI(
    _ sourceNode: AVAudioNode, to destinationNode: AVAudioNode, format: AVAudioFormat?,
    block tapBlock: AUMIDIOutputEventBlock? = nil
  ) {
    connectMIDI(sourceNode, to: [destinationNode], format: format, block: tapBlock)
  }
  /// Sends the MIDI of a node to several, and to a block; it replaces the node's block.
  public func connectMIDI(
    _ sourceNode: AVAudioNode, to destinationNodes: [AVAudioNode], format: AVAudioFormat?,
    block tapBlock: AUMIDIOutputEventBlock? = nil
  ) {
    control.lock()
    defer { control.unlock() }
    auricleRequire(sourceNode.owner === self, "sourceNode.engine == self")
    auricleRequire(
      destinationNodes.allSatisfy { $0.owner === self && $0 is AVAudioUnit },
      "destinationNode.engine == self")
    guard let source = sourceNode as? AVAudioUnit, let route = source.makeRoute() else {
      auricleRaise("the source node sends MIDI")
    }
    let nodes = destinationNodes.compactMap { $0 as? AVAudioUnit }
    renderLock {
      route.destinations += nodes.filter { node in !route.destinations.contains { $0 === node } }
      route.block = tapBlock
    }
    if let format, let first = sourceNode.outputFormats.first, first != format {
      changeFormat(of: sourceNode) { sourceNode.setOutput(0, format) }
    }
    tapsChanged(sourceNode)
  }
  /// Ends the connection of two nodes.
  public func disconnectMIDI(_ sourceNode: AVAudioNode, from destinationNode: AVAudioNode) {
    disconnectMIDI(sourceNode, from: [destinationNode])
  }
  /// Ends the connections of a node to others.
  public func disconnectMIDI(_ sourceNode: AVAudioNode, from destinationNodes: [AVAudioNode]) {
    disconnect(from: sourceNode) { node in destinationNodes.contains { $0 === node } }
  }
  /// Ends all connections of MIDI to a node.
  public func disconnectMIDIInput(_ node: AVAudioNode) {
    for source in attachedNodes { disconnect(from: source) { $0 === node } }
  }
  /// Ends all connections of MIDI from a node, and forgets its block.
  public func disconnectMIDIOutput(_ node: AVAudioNode) {
    disconnect(from: node) { _ in true }
    guard let route = (node as? AVAudioUnit)?.presentRoute else { return }
    renderLock { route.block = nil }
  }
  private func disconnect(from node: AVAudioNode, _ isMeant: (AVAudioNode) -> Bool) {
    guard let route = (node as? AVAudioUnit)?.presentRoute else { return }
    let dropped = route.destinations
    renderLock { route.destinations.removeAll(where: isMeant) }
    withExtendedLifetime(dropped) {}
    tapsChanged(node)
  }
}

extension AVAudioUnit {
  /// Whether the unit's MIDI goes anywhere.
  var sendsMIDI: Bool { presentRoute.map { !$0.destinations.isEmpty || $0.block != nil } ?? false }
}
