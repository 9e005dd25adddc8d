// Rendering: rates and slices, errors of sources, too many frames, changes meanwhile, no NaN.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitValidation {
  /// The rates (Hz) and slices that every unit is rendered at, with the greatest slice it is told of.
  private static let steps: [(rate: Double, frames: Int, maximum: Int)] = [
    (44_100, 512, 512), (44_100, 64, 512), (22_050, 64, 64), (96_000, 137, 137),
    (48_000, 4096, 4096), (192_000, 4096, 4096), (11_025, 4096, 4096), (44_100, 512, 512),
  ]

  /// Renders at all rates and slices, and does what should fail.
  mutating func checkRendering() {
    guard unit.busCount(scope: kAudioUnitScope_Output) > 0 else { return }
    let source = ValidationSource()
    feed(source)
    defer { withExtendedLifetime(source) {} }
    expect(
      render(64, at: 0).status != 0, "rendering", "it renders although it is not initialised")
    for step in Self.steps {
      let text = "\(step.frames) frames at \(Int(step.rate)) Hz"
      do throws(AuricleError) {
        try? unit.uninitialize()
        try unit.setMaximumFramesPerSlice(step.maximum)
        try setRate(step.rate)
        try unit.initialize()
      } catch {
        fault("rendering", "it cannot be made ready for \(text): \(error.message)")
        continue
      }
      source.most = step.frames
      for slice in 0..<3 {
        let (status, isFinite) = render(step.frames, at: slice * step.frames)
        guard status == 0 else {
          fault("rendering", "\(text) gave the error \(status)")
          break
        }
        guard isFinite else {
          fault("rendering", "\(text) have samples that are no finite numbers")
          break
        }
      }
      if let defect = source.consumeDefect() { fault("rendering", "with \(text), \(defect)") }
    }
    guard unit.isInitialized else { return }
    checkFailures(source)
    checkSchedules()
    checkPlaying(from: 500_000)
    checkConnections(source, from: 600_000)
    checkPlace(source, at: 700_000)
    checkHostCallbacks(from: 800_000)
  }

  /// Errors of sources come back, and more frames than the greatest slice are refused.
  private mutating func checkFailures(_ source: ValidationSource) {
    if isFed, type != kAudioUnitType_Mixer {
      source.status = -7531
      let status = render(512, at: 100_000).status
      expect(
        source.wasPulled == false || status == -7531, "rendering",
        "its input failed with -7531, and the caller was told \(status)")
      source.status = 0
    }
    _ = source.consumeDefect()
    let status = render(1024, at: 200_000).status
    expect(status != 0, "rendering", "it renders 1024 frames where 512 are the most")
    expect(
      source.consumeDefect() == nil, "rendering",
      "it pulls its input for 1024 frames where 512 are the most")
    expect(
      render(512, at: 300_000).status == 0, "rendering",
      "it does not go on after errors that were mended")
  }

  /// Scheduled changes are taken, and leave the parameter at their last value.
  private mutating func checkSchedules() {
    guard unit.implements(Int16(kAudioUnitScheduleParametersSelect)) else { return }
    let parameters = ((try? unit.parameters(scope: kAudioUnitScope_Global)) ?? []).filter {
      $0.isWritable && $0.isReadable && !$0.isMeter && $0.minimum < $0.maximum
    }
    for (index, parameter) in parameters.prefix(8).enumerated() {
      let time = 400_000 + 2048 * index
      var events: [AudioUnitParameterEvent] = []
      for isRamp in [false, true]
      where !isRamp || parameter.flags & kAudioUnitParameterFlag_CanRamp != 0 {
        var event = AudioUnitParameterEvent()
        event.parameter = parameter.id
        event.eventType = isRamp ? kParameterEvent_Ramped : kParameterEvent_Immediate
        if isRamp {
          unsafe event.eventValues.ramp.startBufferOffset = 64
          unsafe event.eventValues.ramp.durationInFrames = 128
          unsafe event.eventValues.ramp.startValue = parameter.minimum
          unsafe event.eventValues.ramp.endValue = parameter.defaultValue
        } else {
          unsafe event.eventValues.immediate.bufferOffset = 32
          unsafe event.eventValues.immediate.value = parameter.defaultValue
        }
        events.append(event)
      }
      do throws(AuricleError) {
        try unit.scheduleParameters(events)
      } catch {
        fault("parameters", "\(parameter.id) cannot be scheduled: \(error.message)")
        continue
      }
      let status = render(512, at: time).status
      expect(status == 0, "parameters", "a slice with scheduled changes gave the error \(status)")
    }
  }

  /// Has all inputs hear a source.
  func feed(_ source: ValidationSource) {
    for element in 0..<UInt32(unit.busCount(scope: kAudioUnitScope_Input)) {
      unsafe try? unit.setInputCallback(
        element: element, ValidationSource.procedure, refCon: source.pointer)
    }
  }

  private func setRate(_ rate: Double) throws(AuricleError) {
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      for element in 0..<UInt32(unit.busCount(scope: scope)) {
        try unit.setProperty(
          kAudioUnitProperty_SampleRate, scope: scope, element: element, rate)
      }
    }
  }

  /// Renders frames of output 0; whether they are finite.
  func render(_ frames: Int, at time: Int) -> (status: OSStatus, isFinite: Bool) {
    let channels = (try? unit.streamFormat(scope: kAudioUnitScope_Output))?.channelCount ?? 2
    let buffers = AudioBuffers(channelCount: channels, frameCapacity: frames)
    let status = render(into: buffers, frames, at: time)
    var isFinite = true
    for channel in 0..<channels where status == 0 {
      for frame in 0..<frames where unsafe !buffers.channel(channel)[frame].isFinite {
        isFinite = false
      }
    }
    return (status, isFinite)
  }

  /// Renders frames of output 0 into buffers.
  func render(into buffers: AudioBuffers, _ frames: Int, at time: Int) -> OSStatus {
    var flags: AudioUnitRenderActionFlags = 0
    var stamp = AudioTimeStamp(sampleTime: Double(time))
    return unsafe unit.render(
      flags: &flags, timeStamp: &stamp, frameCount: UInt32(frames), buffers: buffers.list)
  }
}
