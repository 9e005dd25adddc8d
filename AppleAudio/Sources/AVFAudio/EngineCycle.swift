// The part of an engine that its cycles use.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The nodes that a cycle reads, and its memory.
///
/// A render thread refers to this and never to the engine. Otherwise the engine would be freed on that thread when a
/// program releases it in a cycle.
final class EngineCycle: @unchecked Sendable {
  weak var engine: AVAudioEngine?
  let lock = RenderLock()
  let device = EngineDevice()
  var output: AVAudioOutputNode?
  /// Nodes with taps, sinks, and sources of MIDI, which are read also where nothing else reads them.
  var extras: [AVAudioNode] = []
  let isRunning = Atomic<Bool>(false)
  /// Whether the device ended the last run, and not the program.
  let hasLostDevice = Atomic<Bool>(false)
  /// The state of rendering by hand; nil while the engine renders to a device.
  var manual: ManualRendering?
  /// The time of the last cycle.
  var stamp: AudioTimeStamp?
  /// Sequences that play by the frames.
  var timelines: [SequenceTimeline] = []
  /// The frames a second of the present cycle, and their number. Render thread.
  var (rate, cycleFrames) = (0.0, 0)
  /// The number of effects that change time and read their input just now. Render thread.
  var stretches = 0
  /// Whether a node is read that nothing else reads: its frames are those of the cycle. Render thread.
  private(set) var isReadApart = false
  private var spare: PlanarMemory?

  /// Lets go of the nodes, when nothing renders any more.
  func close() {
    device.close()
    isRunning.store(false, ordering: .releasing)
    var dropped: (AVAudioNode?, [AVAudioNode], [SequenceTimeline]) = (nil, [], [])
    lock {
      dropped = (output, extras, timelines)
      (output, extras, timelines) = (nil, [], [])
    }
    withExtendedLifetime(dropped) {}
  }
  /// Sets the nodes that are read also where nothing else reads them.
  func setExtras(_ nodes: [AVAudioNode], maximumFrames: Int) {
    let memory = PlanarMemory(channels: 64, capacity: maximumFrames)
    var dropped = extras
    lock {
      swap(&dropped, &extras)
      extras = nodes
      if spare == nil || spare.map({ $0.capacity < maximumFrames }) ?? false { spare = memory }
    }
  }

  /// Returns when the blocks of taps and the callbacks of sequences have been called for what was rendered: offline,
  /// sound waits for the program.
  func deliver() {
    let (taps, sequences) = lock { (extras.flatMap { $0.outputs.compactMap(\.tap) }, timelines) }
    for tap in taps { tap.deliverAll() }
    for sequence in sequences { sequence.deliverUserEvents() }
  }

  /// Renders one cycle into a list of floats. Render thread.
  func run(
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
    _ list: UnsafeMutableAudioBufferListPointer
  ) -> OSStatus {
    lock {
      stamp = time.pointee
      beginSequences(time, frames)
      // Their MIDI is for this cycle.
      for node in extras where (node as? AVAudioUnit)?.sendsMIDI ?? false {
        read(node, time, frames)
      }
      var status = noErr
      if let output { status = output.render(0, time, frames, list) } else { clear(list, frames) }
      for node in extras {
        if let sink = node as? AVAudioSinkNode {
          sink.receive(time, frames)
        } else if !((node as? AVAudioUnit)?.sendsMIDI ?? false) {
          read(node, time, frames)
        }
      }
      return status
    }
  }
  /// Reads the busses of a node that nothing else reads. Render thread.
  private func read(_ node: AVAudioNode, _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int) {
    guard let spare, frames <= spare.capacity else { return }
    isReadApart = true
    defer { isReadApart = false }
    let isMIDISource = (node as? AVAudioUnit)?.sendsMIDI ?? false
    for bus in node.outputs.indices
    where node.outputs[bus].links.isEmpty && (node.outputs[bus].tap != nil || isMIDISource) {
      let part = spare.point(0, frames)
      part.count = Swift.min(Int(node.outputFormats[bus].channelCount), spare.channels)
      _ = node.output(bus, time, frames, part)
    }
  }
}
