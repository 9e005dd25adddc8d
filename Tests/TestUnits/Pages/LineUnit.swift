// A converter in a page: other rates by straight lines from sample to sample, with a gain.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AudioUnits
import AuricleSDK
import CAudioToolbox
import RealtimeSupport

@safe struct LineUnit: ConverterUnit, ~Copyable {
  static let component = Component("Test: Line", subtype: "line", manufacturer: "Test")

  struct Parameters: ParameterSet {
    @Parameter(1, "gain", 0...4, default: 1, unit: .linearGain) var gain: Ramp
  }

  private let parameters: Parameters
  /// Input frames for each output frame.
  private let ratio: Double
  private let channels: Int
  /// Input frames from `first` on, so many a channel, of which `count` are there.
  private let held: UnsafeMutablePointer<Float>
  private let room: Int
  private var first = 0
  private var count = 0
  /// Output frames since the start, and the time of the first input frame.
  private var made = 0
  private var start = 0.0

  init(_ setup: UnitSetup<Self>) {
    parameters = setup.parameters
    ratio = setup.inputSampleRate / setup.sampleRate
    channels = setup.inputChannelCount
    room = setup.maximumFrames + 1
    unsafe held = .allocate(capacity: channels * room)
    unsafe held.initialize(repeating: 0, count: channels * room)
  }

  deinit { unsafe held.deallocate() }

  @_noLocks mutating func reset() { (first, count, made) = (0, 0, 0) }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    if made == 0 { start = Double(Int64(slice.sampleTime * ratio)) }
    let gain = parameters.gain
    var frame = 0
    while frame < slice.frameCount {
      let place = Double(made) * ratio
      let before = Int(place)
      let part = Float(place - Double(before))
      if before + (part > 0 ? 1 : 0) >= first + count {
        let status = pull(slice, from: before, upTo: made + slice.frameCount - frame - 1)
        guard status == 0 else { return slice.fail(status) }
        continue
      }
      for channel in 0..<slice.channelCount {
        var samples = slice.samples(channel)
        let source = unsafe held + min(channel, channels - 1) * room + (before - first)
        let step = unsafe part > 0 ? source[1] - source[0] : 0
        unsafe samples[frame] = gain[frame] * (source[0] + part * step)
      }
      made += 1
      frame += 1
    }
  }

  /// Drops the input before a frame, and pulls the input for the output frames up to another.
  @_noLocks private mutating func pull(
    _ slice: RenderSlice, from frame: Int, upTo last: Int
  ) -> OSStatus {
    let dropped = min(count, frame - first)
    let end = Int(RealtimeMath.ceil(Double(last) * ratio)) + 1
    let wanted = min(end - first - count, slice.maximumFrameCount)
    let status = slice.pullInput(
      bus: 0, sampleTime: start + Double(first + count), frameCount: wanted)
    guard status == 0 else { return status }
    for channel in 0..<channels {
      let source = slice.pulled(channel, count: wanted)
      let target = unsafe held + channel * room
      for index in 0..<(count - dropped) { unsafe target[index] = target[index + dropped] }
      for index in source.indices { unsafe target[count - dropped + index] = source[index] }
    }
    first += dropped
    count += wanted - dropped
    return 0
  }
}

extension TestUnits {
  /// A converter between rates along straight lines; parameter 1 is a linear gain.
  public static func line() throws(AuricleError) -> AudioUnit {
    unsafe try open(
      LineUnit.self, makeUnit(LineUnit.self, nil) { unsafe render(LineUnit.self, $0, $1) })
  }
}
