// A voice made clean: the echo of played sound is removed, noise is suppressed, its level is kept.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Synchronization

/// Processes recorded sound in blocks of about 10 ms; the result is one block late.
///
/// Made and freed on a control thread; `process` is the device's thread's; settings may be changed from any.
///
/// @unchecked Sendable because one thread processes, and the settings are atomic.
@safe package final class VoiceProcessor: @unchecked Sendable {
  /// The settings that can be changed while it works.
  package struct Settings: Sendable, Equatable {
    /// Whether sound passes as it is.
    package var isBypassed = false
    /// Whether the level of the voice is kept.
    package var keepsLevel = true
    /// Whether the output is silent.
    package var isMuted = false
    /// Processes, and keeps the level.
    package init() {}
  }

  /// Frames of a block, by which the output is late.
  package let blockFrames: Int
  private let channels: [VoiceChannel]
  private let reference: UnsafeMutablePointer<Int16>
  private let flags = Atomic<UInt8>(0)
  private var present: Settings?
  private var position = 0

  /// Makes one.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames a second (Hz).
  ///   - channelCount: Channels of the recorded sound; each is cleaned by itself.
  ///   - quality: 0 to 127: how long an echo may be, 64 to 256 ms.
  /// - Throws: `.unavailable` where SpeexDSP is not installed, `.temporary` without memory.
  package init(sampleRate: Double, channelCount: Int, quality: UInt32) throws(AuricleError) {
    guard let library = SpeexDSP.installed else {
      throw AuricleError(.unavailable, SpeexDSP.absence)
    }
    var frames = 64
    while Double(frames * 2) <= sampleRate / 80 { frames *= 2 }
    blockFrames = frames
    let seconds = quality < 32 ? 0.064 : quality < 96 ? 0.128 : 0.256
    var made: [VoiceChannel] = []
    for _ in 0..<channelCount {
      guard
        let channel = VoiceChannel(
          library, blockFrames: frames, sampleRate: sampleRate,
          echoFrames: Int(sampleRate * seconds))
      else { throw AuricleError(.temporary, "there is no memory left for cancelling echoes") }
      made.append(channel)
    }
    channels = made
    unsafe reference = .allocate(capacity: frames)
    unsafe reference.initialize(repeating: 0, count: frames)
  }

  deinit { unsafe reference.deallocate() }

  /// The present settings. Context: any.
  package var settings: Settings {
    get {
      let bits = flags.load(ordering: .relaxed)
      var settings = Settings()
      settings.isBypassed = bits & 1 != 0
      settings.keepsLevel = bits & 2 == 0
      settings.isMuted = bits & 4 != 0
      return settings
    }
    set {
      let bits: UInt8 =
        (newValue.isBypassed ? 1 : 0) | (newValue.keepsLevel ? 0 : 2) | (newValue.isMuted ? 4 : 0)
      flags.store(bits, ordering: .relaxed)
    }
  }

  /// Replaces interleaved sound by the result of one block before.
  ///
  /// - Parameters:
  ///   - samples: Recorded frames of all channels.
  ///   - played: The sound that was played at the time of each frame, in one channel.
  package func process(
    _ samples: UnsafeMutablePointer<Float>, played: UnsafePointer<Float>, frameCount: Int
  ) {
    let settings = settings
    for frame in 0..<frameCount {
      unsafe reference[position] = VoiceChannel.word(played[frame])
      for (index, channel) in channels.enumerated() {
        let place = frame * channels.count + index
        unsafe samples[place] = channel.exchange(samples[place], at: position, settings)
      }
      position += 1
      if position == blockFrames {
        position = 0
        runBlock(settings)
      }
    }
  }

  private func runBlock(_ settings: Settings) {
    if settings != present {
      present = settings
      for channel in channels { channel.setLevelling(settings.keepsLevel) }
    }
    for channel in channels { unsafe channel.run(reference) }
  }
}
