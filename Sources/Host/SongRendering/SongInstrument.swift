// The instrument of a song: opened for a format, sent messages, rendered in slices.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import ChainPresets
import FileRendering
import MIDIFiles
import PlugInGuard

/// An instrument that renders planar slices. Context: one control thread.
@safe final class SongInstrument {
  private let unit: AudioUnit
  private let channelCount: Int
  private let memory: PlanarBuffer
  private let list: UnsafeMutablePointer<AudioBufferList>
  private var time = 0.0
  /// SysEx that came in parts.
  private var begun: [UInt8] = []
  private(set) var refusedMessages = 0
  /// Frames by which it sounds late.
  let latencyFrames: Int

  static let sliceFrames = 512

  /// Opens an instrument.
  ///
  /// - Throws: What it refuses; `.usage` for a unit that takes no notes.
  init(
    _ stage: ResolvedStage, sampleRate: Double, channelCount: Int
  ) throws(AuricleError) {
    unit = try stage.makeUnit()
    self.channelCount = channelCount
    memory = PlanarBuffer(channelCount: channelCount, frameCapacity: Self.sliceFrames)
    let size = AudioBufferList.byteSize(bufferCount: channelCount)
    unsafe list = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      .bindMemory(to: AudioBufferList.self, capacity: 1)
    unsafe list.pointee.mNumberBuffers = UInt32(channelCount)
    guard unit.takesMIDI else {
      throw AuricleError(
        .usage,
        "\(stage.label) takes no notes: name an instrument first (auricle list aumu), effects behind it"
      )
    }
    try unit.setStreamFormat(
      AudioStreamFormat(sampleRate: sampleRate, channelCount: channelCount),
      scope: kAudioUnitScope_Output, element: 0)
    try unit.setMaximumFramesPerSlice(Self.sliceFrames)
    try unit.initialize()
    try stage.configure(unit)
    latencyFrames = Int((unit.latency * sampleRate).rounded())
  }

  deinit { unsafe UnsafeMutableRawPointer(list).deallocate() }

  /// Sends a message for a frame of the next slice.
  func send(_ message: MIDIFileMessage, atFrame frame: Int) {
    do throws(AuricleError) {
      switch message {
      case .channel(let status, let first, let second):
        try unit.sendMIDI(status: status, first, second, atFrame: frame)
      case .systemExclusive(let bytes):
        begun = [0xF0] + bytes
        try sendWhole()
      case .raw(let bytes):
        begun += bytes
        try sendWhole()
      case .meta: break
      }
    } catch { refusedMessages += 1 }
  }

  private func sendWhole() throws(AuricleError) {
    guard begun.last == 0xF7 else { return }
    let whole = begun
    begun = []
    guard whole.first == 0xF0 else { return }
    try unit.sendSystemExclusive(whole)
  }

  /// Renders frames; a pointer a channel, valid until the next call.
  func render(_ count: Int) throws(AuricleError) -> UnsafeMutablePointer<
    UnsafeMutablePointer<Float>
  > {
    let buffers = unsafe list.buffers
    for channel in 0..<channelCount {
      unsafe buffers[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(count * 4),
        mData: UnsafeMutableRawPointer(memory.rows[channel]))
    }
    var stamp = AudioTimeStamp(sampleTime: time)
    var flags: AudioUnitRenderActionFlags = 0
    let status = Heartbeat.during(.render, unit: unit.workNumber) {
      unsafe unit.render(
        flags: &flags, timeStamp: &stamp, frameCount: UInt32(count), buffers: list)
    }
    guard status == 0 else {
      throw AuricleError(
        .software, status: status, "\(unit.name) failed with status \(status) at frame \(Int(time))"
      )
    }
    time += Double(count)
    for channel in 0..<channelCount {
      if let made = unsafe buffers[channel].mData, unsafe made != memory.rows[channel] {
        unsafe UnsafeMutableRawPointer(memory.rows[channel]).copyMemory(
          from: made, byteCount: count * 4)
      }
    }
    return unsafe memory.rows
  }
}
