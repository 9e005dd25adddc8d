// The effect of the voice processor on an echo and on a voice.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import VoiceProcessing

@Suite struct VoiceTests {
  @Test("A bypassed processor returns its input one block late; a muted one returns silence")
  func settings() throws {
    let processor = try VoiceProcessor(sampleRate: 48_000, channelCount: 2, quality: 64)
    let block = processor.blockFrames
    #expect(block == 512)
    var settings = VoiceProcessor.Settings()
    settings.isBypassed = true
    processor.settings = settings
    #expect(processor.settings == settings)
    let came = (0..<20_000).map { Float($0 % 977) / 977 - 0.5 }
    let played = [Float](repeating: 0, count: 100)
    var went: [Float] = []
    for start in stride(from: 0, to: 20_000, by: 200) {
      var part = Array(came[start..<(start + 200)])
      unsafe part.withUnsafeMutableBufferPointer { samples in
        unsafe played.withUnsafeBufferPointer {
          guard let target = samples.baseAddress, let reference = $0.baseAddress else { return }
          unsafe processor.process(target, played: reference, frameCount: 100)
        }
      }
      went += part
    }
    #expect(Array(went[(2 * block)...]) == Array(came[..<(20_000 - 2 * block)]))
    settings.isMuted = true
    processor.settings = settings
    var last = Array(came[..<200])
    unsafe last.withUnsafeMutableBufferPointer { samples in
      unsafe played.withUnsafeBufferPointer {
        guard let target = samples.baseAddress, let reference = $0.baseAddress else { return }
        unsafe processor.process(target, played: reference, frameCount: 100)
      }
    }
    #expect(last.allSatisfy { $0 == 0 })
  }
}
