// The devices of a live chain by their names, and their form: as one runs, and as it is likely to.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import AudioTypes

/// The names of the devices that a live chain plays on and is fed from.
struct LiveDeviceNames {
  /// The device that is played on.
  let output: String
  /// The device that is recorded from; nil where instruments need no sound that comes in.
  let input: String?

  /// - Parameter isBand: Whether the chain begins with an instrument that is played.
  init(_ request: LiveRequest, isBand: Bool) {
    output = request.output ?? request.input ?? DeviceListing.defaultName
    input = isBand && request.input == nil ? nil : request.input ?? output
  }

  /// Frames a second (Hz): as requested, or those of an input file, or usual ones.
  func sampleRate(_ request: LiveRequest) -> Double {
    let file = input.flatMap { try? DeviceKinds.device(named: $0) } as? FileDevice
    return request.sampleRate ?? file?.recordedRate ?? 48_000
  }

  /// Opens the devices. Context: control.
  func open(_ request: LiveRequest) throws(AuricleError) -> DeviceSession {
    var wanted = PCMRequest()
    wanted.sampleRate = sampleRate(request)
    wanted.periodFrames = request.periodFrames
    wanted.periodCount = request.periodCount
    let session =
      if let input {
        try DeviceSession(output: output, input: input, wanted)
      } else {
        try DeviceSession(output, .output, wanted)
      }
    try session.require(sampleRate: request.sampleRate)
    guard session.engine.output != nil, input == nil || session.engine.input != nil else {
      session.engine.end()
      throw AuricleError(
        .unavailable,
        "\(session.name) lacks an input or an output: choose the devices with "
          + "--input and --output")
    }
    return session
  }
}

/// The form of slices of a device.
struct LiveDeviceForm {
  /// Frames a second (Hz), and frames between two wakes.
  let sampleRate: Double
  let periodFrames: Int
  /// Channels; 0 for a side that is not used.
  let inputWidth: Int
  let outputWidth: Int
  /// Whether slices have to be done in time.
  let isRealTime: Bool

  /// The form of a device that is open.
  init(_ engine: DeviceEngine) {
    sampleRate = engine.sampleRate
    periodFrames = engine.periodFrames
    inputWidth = engine.input?.channelCount ?? 0
    outputWidth = engine.output?.channelCount ?? 0
    isRealTime = engine.isRealTime
  }

  /// The likely form of devices that are not open yet: in stereo, with what their names and the request ask for.
  ///
  /// - Throws: `.usage` for a name without meaning.
  init(likelyOf names: LiveDeviceNames, _ request: LiveRequest) throws(AuricleError) {
    let device = try DeviceKinds.device(named: names.output)
    if let input = names.input { _ = try DeviceKinds.device(named: input) }
    let file = device as? FileDevice
    sampleRate = file?.sampleRate ?? names.sampleRate(request)
    periodFrames = file?.periodFrames ?? request.periodFrames
    outputWidth = file?.channelCount ?? 2
    inputWidth = names.input == nil ? 0 : outputWidth
    isRealTime = device.isRealTime
  }
}
