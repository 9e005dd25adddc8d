// The instrument of a song: opened for a format, sent messages, rendered in slices.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import ChainPresets
import FileRendering
import Glibc
import MIDIFiles
import PlugInGuard

/// An instrument that renders planar slices. Context: one control thread.
@safe package final class SongInstrument {
  private let unit: AudioUnit
  private let channelCount: Int
  /// Channels that the unit makes: as many, or one, which is copied to all.
  private let madeCount: Int
  private let memory: PlanarBuffer
  private let list: UnsafeMutablePointer<AudioBufferList>
  private var time = 0.0
  private var transport: SongTransport?
  /// SysEx that came in parts.
  private var begun: [UInt8] = []
  private(set) var refusedMessages = 0
  /// Frames by which it sounds late.
  let latencyFrames: Int
  /// Frames of its speech; 0 for one that does not speak.
  let speechFrames: Int
  /// The bank that it plays; nil for one that lists no instruments.
  var bank: SongBank? { SongBank(unit) }
  /// Lines about the parts that it left out at loading.
  var loadNotes: [String] { unit.loadNotes }

  /// Frames rendered at once.
  package static let sliceFrames = 512

  /// Opens an instrument.
  ///
  /// - Parameter speaks: Whether it speaks a text, and gets no notes.
  /// - Throws: The unit's error; `.usage` for a unit that accepts no notes.
  init(
    _ stage: ResolvedStage, sampleRate: Double, channelCount: Int, speaks: Bool
  ) throws(AuricleError) {
    unit = try stage.makeUnit()
    self.channelCount = channelCount
    memory = PlanarBuffer(channelCount: channelCount, frameCapacity: Self.sliceFrames)
    let size = AudioBufferList.byteSize(bufferCount: channelCount)
    unsafe list = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      .bindMemory(to: AudioBufferList.self, capacity: 1)
    guard speaks || unit.acceptsMIDI else {
      throw AuricleError(
        .usage,
        "\(stage.label) takes no notes: name an instrument first (auricle list aumu), and effects after it"
      )
    }
    madeCount = try Self.setFormat(unit, sampleRate, channelCount)
    try unit.setMaximumFramesPerSlice(Self.sliceFrames)
    unsafe list.pointee.mNumberBuffers = UInt32(madeCount)
    // Its files are read before the next note, not beside.
    try? unit.setProperty(kAudioUnitProperty_OfflineRender, UInt32(1))
    try stage.configure(unit)
    try unit.initialize()
    latencyFrames = Int((unit.latency * sampleRate).rounded())
    speechFrames = Int(((unit.speechSeconds ?? 0) * sampleRate).rounded(.up))
  }

  /// Sets the rate of all buses, and on the first output the channels that are wanted, or one where the unit has no more;
  /// how many it makes.
  private static func setFormat(
    _ unit: AudioUnit, _ sampleRate: Double, _ channelCount: Int
  ) throws(AuricleError) -> Int {
    func set(_ count: Int, _ scope: AudioUnitScope, _ element: Int) throws(AuricleError) {
      try unit.setStreamFormat(
        AudioStreamFormat(sampleRate: sampleRate, channelCount: count), scope: scope,
        element: AudioUnitElement(element))
    }
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      for element in 0..<unit.busCount(scope: scope)
      where scope == kAudioUnitScope_Input || element > 0 {
        let present = try unit.streamFormat(scope: scope, element: AudioUnitElement(element))
        try set(present.channelCount, scope, element)
        guard scope == kAudioUnitScope_Input else { continue }
        // The audio inputs of an instrument are silent.
        try playSilence(unit, AudioUnitElement(element))
      }
    }
    let receives =
      unit.busCount(scope: kAudioUnitScope_Input) > 0
      ? try unit.streamFormat(scope: kAudioUnitScope_Input, element: 0).channelCount : 0
    let isMono =
      channelCount > 1 && !unit.supports(inputChannels: receives, outputChannels: channelCount)
      && unit.supports(inputChannels: receives, outputChannels: 1)
    try set(isMono ? 1 : channelCount, kAudioUnitScope_Output, 0)
    return isMono ? 1 : channelCount
  }

  /// Connects an input to silence. Context: control.
  private static func playSilence(
    _ unit: AudioUnit, _ element: AudioUnitElement
  ) throws(AuricleError) {
    try unsafe unit.setInputCallback(
      element: element,
      { _, flags, _, _, _, list in
        guard let list = unsafe list else { return kAudio_ParamError }
        let buffers = unsafe list.buffers
        for index in 0..<(unsafe Int(list.pointee.mNumberBuffers)) {
          guard let data = unsafe buffers[index].mData else { continue }
          unsafe memset(data, 0, Int(buffers[index].mDataByteSize))
        }
        unsafe flags?.pointee |= kAudioUnitRenderAction_OutputIsSilence
        return 0
      }, refCon: nil)
  }

  deinit { unsafe UnsafeMutableRawPointer(list).deallocate() }

  /// Makes it follow the song's timeline. Context: before the first slice.
  func follow(_ timeline: SongTimeline) {
    let transport = SongTransport(timeline) { [unowned self] in Int(time) }
    transport.notify(unit)
    self.transport = transport
  }

  /// Sends a message for a frame of the next piece; a SysEx acts at its start.
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

  /// The rendered frames: a pointer a channel, valid until the next call.
  var rows: ChannelRows { unsafe memory.rows }

  /// Renders frames behind so many of the same slice.
  func render(_ count: Int, from start: Int) throws(AuricleError) {
    let buffers = unsafe list.buffers
    for channel in 0..<madeCount {
      unsafe buffers[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(count * 4),
        mData: UnsafeMutableRawPointer(memory.rows[channel] + start))
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
    for channel in 0..<madeCount {
      let row = unsafe memory.rows[channel] + start
      if let made = unsafe buffers[channel].mData, unsafe made != row {
        unsafe UnsafeMutableRawPointer(row).copyMemory(from: made, byteCount: count * 4)
      }
    }
    for channel in madeCount..<channelCount {
      unsafe (memory.rows[channel] + start).update(from: memory.rows[0] + start, count: count)
    }
  }
}
