// Numbers of channels: what a unit says that it can do, it does.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitValidation {
  /// Pairs of channels that the unit names can be set, initialised and rendered.
  mutating func checkChannels() {
    guard isEffect, unit.busCount(scope: kAudioUnitScope_Input) > 0 else { return }
    let source = ValidationSource()
    source.most = 256
    feed(source)
    defer { withExtendedLifetime(source) {} }
    let before = [kAudioUnitScope_Input, kAudioUnitScope_Output].map {
      try? unit.streamFormat(scope: $0)
    }
    for pair in unit.channelCapabilities ?? []
    where (1...64).contains(pair.inChannels) && (1...64).contains(pair.outChannels) {
      let text = "\(pair.inChannels) to \(pair.outChannels) channels"
      do throws(AuricleError) {
        for (scope, count) in [
          (kAudioUnitScope_Input, pair.inChannels), (kAudioUnitScope_Output, pair.outChannels),
        ] {
          try unit.setStreamFormat(
            AudioStreamFormat(sampleRate: 44_100, channelCount: Int(count)), scope: scope)
        }
        try unit.initialize()
        let (status, isFinite) = render(256, at: 0)
        expect(status == 0, "channels", "\(text), which it can do, give the error \(status)")
        expect(isFinite, "channels", "\(text) give samples that are no finite numbers")
        try unit.uninitialize()
      } catch {
        fault("channels", "it says that it can do \(text), and cannot: \(error.message)")
      }
    }
    for (scope, format) in zip([kAudioUnitScope_Input, kAudioUnitScope_Output], before) {
      if let format { try? unit.setStreamFormat(format, scope: scope) }
    }
  }
}
