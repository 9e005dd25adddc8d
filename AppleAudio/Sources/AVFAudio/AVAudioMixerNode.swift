// Mixers: any number of inputs of any rates, one output.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A mixer.
open class AVAudioMixerNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
  private let volumeBits = Atomic<UInt32>(Float(1).bitPattern)
  /// A mixer without connections.
  public override init() { super.init(inputs: 1, outputs: 1) }

  /// The factor of the output, 0 to 1.
  open var outputVolume: Float {
    get { Float(bitPattern: volumeBits.load(ordering: .relaxed)) }
    set { volumeBits.store(newValue.bitPattern, ordering: .relaxed) }
  }
  /// The first bus without a connection.
  open var nextAvailableInputBus: AVAudioNodeBus {
    locked { inputLinks.firstIndex { $0 == nil } ?? inputLinks.count }
  }
  override func makeFace() -> AUAudioUnit? {
    AVAudioNode.unitFace(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
  }
  override var convertsInputs: Bool { true }
  override func inputRate(_ bus: Int) -> Double { outputFormats[0].sampleRate }
  override func ensureInput(_ bus: Int) {
    while inputLinks.count <= bus {
      inputLinks.append(nil)
      inputFormats.append(outputFormats[0])
    }
  }

  override func render(
    _ bus: Int, _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
    _ list: UnsafeMutableAudioBufferListPointer
  ) -> OSStatus {
    clear(list, frames)
    var isFirst = true
    for case let link? in inputLinks {
      let status = link.pull(time, frames, link.scratch.point(0, frames))
      guard status == noErr else { continue }
      mix(link, frames, list, isFirst)
      isFirst = false
    }
    let level = outputVolume
    if level != 1 {
      for channel in 0..<list.count {
        guard let samples = floats(list, channel) else { continue }
        for frame in 0..<frames { samples[frame] *= level }
      }
    }
    return noErr
  }

  /// Adds a source's frames: one channel to all, two to one as their mean, others by number. The first source's replace
  /// the silence: a sum with zero would lose the sign of a zero.
  private func mix(
    _ link: InputLink, _ frames: Int, _ list: UnsafeMutableAudioBufferListPointer, _ isFirst: Bool
  ) {
    let (volume, pan) = (link.mixing.volume, link.mixing.pan)
    let channels = link.scratch.channels
    if list.count == 1, channels == 2, let to = floats(list, 0) {
      let (left, right) = (link.scratch[0], link.scratch[1])
      for frame in 0..<frames {
        let mean = volume * 0.5 * (left[frame] + right[frame])
        to[frame] = isFirst ? mean : to[frame] + mean
      }
      return
    }
    for channel in 0..<list.count {
      guard channels == 1 || channel < channels, let to = floats(list, channel) else { continue }
      let from = link.scratch[channels == 1 ? 0 : channel]
      let gain = volume * AVAudioMixerNode.panGain(pan, channel, list.count)
      for frame in 0..<frames {
        let sample = gain * from[frame]
        to[frame] = isFirst ? sample : to[frame] + sample
      }
    }
  }
  /// The gain of a side: of constant power, 1 in the middle.
  static func panGain(_ pan: Float, _ channel: Int, _ count: Int) -> Float {
    guard pan != 0, count >= 2, channel < 2 else { return 1 }
    let angle = (Swift.min(Swift.max(pan, -1), 1) + 1) * .pi / 4
    return Float(2).squareRoot() * (channel == 0 ? cos(angle) : sin(angle))
  }
}
