// The sound of one input of a mixer in space: read at its speed, and dulled by obstacles before it.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// The playback of an input. Context: render; made and freed on a control thread.
///
/// As long as its speed is 1 its samples are the pulled ones. From the first other speed on, or the Doppler shift, it is
/// read by a windowed sinc, for which the last frames are kept.
@safe struct SourceFeed: ~Copyable {
  /// The speed of sound (m/s).
  private static var soundSpeed: Double { @_noLocks get { 343 } }

  private let channelCount: Int
  private let sampleRate: Double
  private let maximumFrames: Int
  private var reader: SpeedReader
  private let samples: UnsafeMutablePointer<Float>
  private let past: UnsafeMutablePointer<Float>
  private let pastCount: Int
  private var rate: ParameterGlide
  private var distance: ParameterGlide
  private var wantedRate: Float = 1
  private var wantedDistance: Float = 0
  private var hasDoppler = false
  private var inputTime = 0.0
  private var isFresh = true
  /// Whether the input is read at a speed.
  private(set) var reads = false

  /// Allocates. Context: control.
  init(channelCount: Int, _ format: RenderFormat) {
    self.channelCount = channelCount
    sampleRate = format.sampleRate
    maximumFrames = format.maximumFrames
    reader = SpeedReader(
      RateQuality(
        complexity: kAudioUnitSampleRateConverterComplexity_Normal,
        renderQuality: format.renderQuality), channelCount: channelCount, greatestStep: 4,
      maximumPush: format.maximumFrames)
    pastCount = reader.pastCount
    unsafe samples = .allocate(capacity: max(channelCount * maximumFrames, 1))
    unsafe samples.initialize(repeating: 0, count: channelCount * maximumFrames)
    unsafe past = .allocate(capacity: max(channelCount * pastCount, 1))
    unsafe past.initialize(repeating: 0, count: channelCount * pastCount)
    rate = ParameterGlide(sampleRate: sampleRate)
    distance = rate
  }

  deinit {
    unsafe samples.deallocate()
    unsafe past.deallocate()
  }

  /// Forgets the past.
  @_noLocks mutating func reset() {
    unsafe SampleRun.clear(past, channelCount * pastCount)
    reads = false
    isFresh = true
  }

  /// Sets the speed and the distance (m), whose change is one more speed with the Doppler shift.
  @_noLocks mutating func aim(rate: Float, distance: Float, hasDoppler: Bool) {
    wantedRate = rate
    if isFresh || !reads { self.distance.jump(to: distance) }
    wantedDistance = distance
    self.hasDoppler = hasDoppler
  }

  /// Returns memory for a channel of the slice: its input, or a kernel's result.
  @_noLocks func row(_ channel: Int) -> UnsafeMutablePointer<Float> {
    unsafe samples + channel * maximumFrames
  }

  /// Whether the input has to be read, rather than pulled. The caller's lists can only be had frame by frame.
  @_noLocks mutating func wantsReading(_ slice: borrowing RenderSlice) -> Bool {
    guard !reads else { return true }
    defer { isFresh = false }
    guard wantedRate != 1 || hasDoppler, !slice.detachedInput().isSupplied else { return false }
    reads = true
    reader.reset()
    for channel in 0..<channelCount {
      unsafe SampleCopy.copy(
        from: past + channel * pastCount, to: reader.past(channel), count: pastCount)
    }
    inputTime = slice.sampleTime
    rate.jump(to: isFresh ? wantedRate : 1)
    return true
  }

  /// Reads a slice of the input into the rows.
  ///
  /// - Returns: 0, or the error of the source.
  @_noLocks mutating func read(
    _ slice: borrowing RenderSlice, _ bus: Int, _ start: ControlClock
  ) -> OSStatus {
    var clock = start
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint {
        rate.advance(toward: wantedRate)
        distance.advance(toward: wantedDistance)
      }
      let run = clock.run(of: slice.frameCount - frame, isMoving: true)
      let away = hasDoppler ? Double(distance.slope) * sampleRate : 0
      let shift = Self.soundSpeed / max(Self.soundSpeed + away, 1)
      for index in 0..<run {
        let step = max(0.25, min(4, Double(rate.value(at: clock.phase + index)) * shift))
        let left = slice.frameCount - frame - index
        while reader.missing(1, step: step) > 0 {
          let status = fetch(slice, bus, reader.missing(left, step: step))
          guard status == 0 else { return status }
        }
        let isQuiet = reader.isSilent(step)
        let reach = reader.aim(step, isQuiet: isQuiet)
        for channel in 0..<channelCount {
          unsafe row(channel)[frame + index] =
            isQuiet ? 0 : reader.sample(channel, reach: reach)
        }
        reader.advance(step)
      }
      clock.advance(run)
      frame += run
    }
    return 0
  }

  /// Pulls so many frames, or as many as there may be at once.
  @_noLocks private mutating func fetch(
    _ slice: borrowing RenderSlice, _ bus: Int, _ wanted: Int
  ) -> OSStatus {
    let count = min(wanted, slice.maximumFrameCount)
    reader.makeRoom(count)
    let status = slice.pullInput(bus: bus, sampleTime: inputTime, frameCount: count)
    guard status == 0 else { return status }
    for channel in 0..<channelCount {
      let source = slice.pulled(channel, bus: bus, count: count)
      let target = unsafe reader.pushPointer(channel)
      for frame in source.indices { unsafe target[frame] = source[frame] }
    }
    reader.push(count, isSilent: slice.inputIsSilent(bus: bus))
    inputTime += Double(count)
    return 0
  }

  /// Keeps the last frames of a slice that was pulled, for a later change of speed.
  @_noLocks func remember(_ slice: borrowing RenderSlice, _ bus: Int) {
    let new = min(slice.frameCount, pastCount)
    for channel in 0..<channelCount {
      let kept = unsafe past + channel * pastCount
      let source = unsafe slice.input(bus: bus, channel: channel) + (slice.frameCount - new)
      unsafe SampleCopy.copy(from: kept + new, to: kept, count: pastCount - new)
      unsafe SampleCopy.copy(from: source, to: kept + (pastCount - new), count: new)
    }
  }
}
