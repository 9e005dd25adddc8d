// The output of the mixer: its gains, meters and clipping.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import RealtimeSupport

extension MultiChannelMixerKernel {
  /// Notes the greatest magnitude of the output, and samples that are no finite numbers.
  @_noLocks private func noteClipping(_ slice: borrowing RenderSlice) {
    var peak = metering.value(at: ClippingPlace.peak)
    let before = peak
    for channel in 0..<channelCount {
      let samples = unsafe slice.channel(channel)
      for frame in 0..<slice.frameCount {
        let magnitude = unsafe abs(samples[frame])
        if magnitude > peak { peak = magnitude }
        if magnitude.isNaN { metering.setValue(1, at: ClippingPlace.notANumber) }
      }
    }
    guard peak > before else { return }
    if peak == .infinity { metering.setValue(1, at: ClippingPlace.infinity) }
    metering.setValue(peak, at: ClippingPlace.peak)
  }

  /// Applies the gains of the output to the sum.
  @_noLocks mutating func finish(_ slice: borrowing RenderSlice, _ isAudible: Bool) {
    let (volume, enable, pan) = plan.values(slice, kAudioUnitScope_Output, 0)
    let isMetered = metering.value(at: 0) != 0
    if isMetered { meters.measureOutput(slice, isPost: false) }
    var clock = self.clock
    var frame = 0
    if !slice.hasScheduledValues {
      // Nothing to search.
    } else if let ramp = plan.volumeRamp(slice, kAudioUnitScope_Output, 0) {
      frame = slice.frameCount
      let factors = output.follow(ramp.start + ramp.step * Float(frame), enable, pan)
      for channel in 0..<channelCount where isAudible {
        let factor = channel & 1 == 0 ? factors.left : factors.right
        unsafe SampleRun.scale(
          slice.channel(channel), start: ramp.start * factor, step: ramp.step * factor, frame)
      }
    } else if plan.isScheduled(slice, kAudioUnitScope_Output, 0) {
      output.jump(volume, enable, pan)
    }
    while frame < slice.frameCount {
      if clock.isAtGridPoint { output.advance(volume, enable, pan) }
      let left = slice.frameCount - frame
      let run = clock.run(of: left, isMoving: !output.isSettled(volume, enable, pan))
      if isAudible {
        for channel in 0..<channelCount {
          let gain = channel & 1 == 0 ? output.left : output.right
          let samples = unsafe slice.channel(channel) + frame
          if !gain.isSettled {
            for index in 0..<run { unsafe samples[index] *= gain.value(at: clock.phase + index) }
          } else if gain.value != 1 {
            unsafe SampleRun.scale(samples, gain: gain.value, run)
          }
        }
      }
      clock.advance(run)
      frame += run
    }
    if isMetered {
      meters.measureOutput(slice, isPost: true)
      noteClipping(slice)
    }
    if !isAudible { slice.markOutputSilent() }
  }
}
