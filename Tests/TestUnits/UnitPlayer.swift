// Plays signals through a unit: the input comes from a callback, the output is gathered.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import AudioUnits
public import CAudioToolbox

/// A player that feeds a unit from memory and collects its output.
@safe public final class UnitPlayer {
  /// The unit.
  public let unit: AudioUnit
  /// The status that the input callback returns.
  public var inputStatus: OSStatus = 0
  /// Number of times the input callback was called.
  public private(set) var pulls = 0
  /// Frames of the input that were asked for since `play`.
  public private(set) var position = 0
  private var input: [[Float]] = []
  private var sampleTime = 0.0

  /// Sets formats and the input callback, and initialises the unit; `inputRate` is that of a converter's
  /// input (Hz).
  public init(
    _ unit: AudioUnit, inputs: Int = 2, outputs: Int = 2, sampleRate: Double = 48_000,
    inputRate: Double? = nil, maximumFrames: Int = 1024
  ) throws {
    self.unit = unit
    if unit.busCount(scope: kAudioUnitScope_Input) > 0 {
      try unit.setStreamFormat(
        AudioStreamFormat(sampleRate: inputRate ?? sampleRate, channelCount: inputs),
        scope: kAudioUnitScope_Input, element: 0)
    }
    try unit.setStreamFormat(
      AudioStreamFormat(sampleRate: sampleRate, channelCount: outputs),
      scope: kAudioUnitScope_Output, element: 0)
    try unit.setMaximumFramesPerSlice(maximumFrames)
    if unit.busCount(scope: kAudioUnitScope_Input) > 0 {
      try unsafe unit.setInputCallback(
        element: 0,
        { refCon, _, _, _, frames, list in
          guard let refCon = unsafe refCon, let list = unsafe list else { return kAudio_ParamError }
          return unsafe Unmanaged<UnitPlayer>.fromOpaque(refCon).takeUnretainedValue()
            .fill(list, Int(frames))
        }, refCon: Unmanaged.passUnretained(self).toOpaque())
    }
    try unit.initialize()
  }

  /// Renders the signal (a channel each) in slices; the output has as many frames, or `frames`.
  public func play(
    _ signal: [[Float]], outputs: Int = 2, slice: Int = 512, frames: Int? = nil
  ) -> (
    output: [[Float]], status: OSStatus
  ) {
    input = signal
    position = 0
    let total = frames ?? signal.first?.count ?? 0
    let buffers = AudioBuffers(channelCount: outputs, frameCapacity: slice)
    var output = [[Float]](repeating: [], count: outputs)
    var done = 0
    while done < total {
      let count = min(slice, total - done)
      buffers.setFrameCount(count)
      var flags: AudioUnitRenderActionFlags = 0
      var time = AudioTimeStamp(sampleTime: sampleTime)
      let status = unsafe unit.render(
        flags: &flags, timeStamp: &time, frameCount: UInt32(count), buffers: buffers.list)
      guard status == 0 else { return (output, status) }
      for channel in 0..<outputs {
        unsafe output[channel] += unsafe UnsafeBufferPointer(
          start: buffers.channel(channel), count: count)
      }
      done += count
      sampleTime += Double(count)
    }
    return (output, 0)
  }

  private func fill(_ list: UnsafeMutablePointer<AudioBufferList>, _ frames: Int) -> OSStatus {
    pulls += 1
    guard inputStatus == 0 else { return inputStatus }
    let buffers = unsafe UnsafeMutableRawPointer(list) + 8
    for channel in 0..<(unsafe Int(list.pointee.mNumberBuffers)) {
      let buffer = unsafe buffers.assumingMemoryBound(to: AudioBuffer.self)[channel]
      guard let data = unsafe buffer.mData?.assumingMemoryBound(to: Float.self) else {
        return kAudio_ParamError
      }
      for frame in 0..<frames {
        let source = input.isEmpty ? [] : input[min(channel, input.count - 1)]
        unsafe data[frame] = position + frame < source.count ? source[position + frame] : 0
      }
    }
    position += frames
    return 0
  }
}
