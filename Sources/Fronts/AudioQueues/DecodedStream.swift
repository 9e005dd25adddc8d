// Enqueued buffers as one stream of frames: decoded, trimmed, put at their times.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Synchronization

/// The decoder of an output queue. Context: one thread at a time, under the queue's `work`.
@safe final class DecodedStream {
  /// The frames of one buffer in the decoder's output.
  private struct Segment {
    /// Frames left.
    var left: Int64
    /// Frames to drop before the others, and behind them.
    var head: Int64
    var tail: Int64
  }

  // The queue makes this in its own initialiser, before there is a self to name.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  unowned var owner: OutputQueue!
  private var converter: AudioConverterRef?
  /// The buffer whose bytes the decoder has.
  private var present: EnqueuedBuffer?
  private var isHandedOver = false
  private var packetIndex = 0
  private var handed: [AudioStreamPacketDescription] = []
  private let description = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(
    capacity: packetsAtOnce)
  private static let packetsAtOnce = 512
  private var segments: [Segment] = []
  /// Frames of the stream that were returned, and silence that comes first.
  private var supplied: Int64 = 0
  private var silence: Int64 = 0
  /// Whether the decoder knows that nothing follows, and has returned all.
  private(set) var isAtEnd = true
  private var isEnding = false

  /// Nothing is enqueued, and more may come.
  private static let nothingYet: OSStatus = 0x6E6F_6E65

  init() {}

  deinit {
    if let converter = unsafe converter { unsafe _ = AudioConverterDispose(converter) }
    unsafe description.deallocate()
  }

  /// Makes the decoder.
  ///
  /// - Throws: The converter's error: `fmt?` for a format that it does not read.
  func open() throws(QueueFailure) {
    var source = owner.format
    var target = owner.floats(owner.player.sampleRate)
    let status = unsafe AudioConverterNew(&source, &target, &converter)
    guard status == noErr else { throw QueueFailure(status) }
  }

  /// Passes the cookie to the decoder.
  func setCookie(_ bytes: [UInt8]) -> OSStatus {
    guard let converter = unsafe converter else { return kAudioQueueErr_CodecNotFound }
    return unsafe bytes.withUnsafeBytes {
      unsafe AudioConverterSetProperty(
        converter, kAudioConverterDecompressionMagicCookie, UInt32($0.count),
        $0.baseAddress ?? UnsafeRawPointer(description))
    }
  }

  /// Frames of a buffer before it is trimmed; nil where they are unknown.
  private func frames(of entry: EnqueuedBuffer) -> Int64? {
    let format = owner.format
    let bytes = unsafe Int64(entry.buffer.pointee.mAudioDataByteSize)
    if format.mBytesPerPacket > 0 {
      return bytes / Int64(format.mBytesPerPacket) * Int64(max(1, format.mFramesPerPacket))
    }
    var sum: Int64 = 0
    for packet in entry.packets {
      let count =
        format.mFramesPerPacket > 0 ? format.mFramesPerPacket : packet.mVariableFramesInPacket
      guard count > 0 else { return nil }
      sum += Int64(count)
    }
    return sum
  }

  /// Decodes frames; 0 where there are none now.
  func decode(into target: UnsafeMutablePointer<Float>, frameCount: Int) -> Int {
    let channels = owner.channelCount
    while true {
      if silence > 0 {
        let count = Int(min(silence, Int64(frameCount)))
        unsafe target.update(repeating: 0, count: count * channels)
        silence -= Int64(count)
        supplied += Int64(count)
        return count
      }
      let count = unsafe convert(into: target, frameCount: limit(frameCount))
      guard count > 0 else { return 0 }
      let kept = unsafe trim(target, Int64(count), channels)
      supplied += Int64(kept)
      if kept > 0 { return kept }
    }
  }

  /// Returns the buffers without bytes that are next, behind the present one.
  private func passEmpty() {
    let empty = owner.state.withLock { state -> [EnqueuedBuffer] in
      let count = state.isResetting ? 0 : state.pending.prefix { $0.isEmpty }.count
      defer { state.pending.removeFirst(count) }
      return Array(state.pending.prefix(count))
    }
    for entry in empty { owner.returnBuffer(entry) }
  }

  /// Frames that belong to one segment.
  private func limit(_ frameCount: Int) -> Int {
    if let first = segments.first, first.left > 0 { return Int(min(Int64(frameCount), first.left)) }
    // The decoder reads the next buffer in this call.
    guard segments.isEmpty, let next = owner.state.withLock({ $0.pending.first { !$0.isEmpty } }),
      let count = frames(of: next), count > 0
    else { return frameCount }
    return Int(min(Int64(frameCount), count))
  }

  /// Drops the frames that a buffer wants dropped; returns the number that stay, at the beginning.
  private func trim(_ samples: UnsafeMutablePointer<Float>, _ count: Int64, _ channels: Int) -> Int
  {
    guard !segments.isEmpty, segments[0].left > 0 else { return Int(count) }
    let head = min(segments[0].head, count)
    segments[0].head -= head
    segments[0].left -= count
    let tail = min(max(0, segments[0].tail - max(0, segments[0].left)), count - head)
    if segments[0].left <= 0 { segments.removeFirst() }
    let kept = Int(count - head - tail)
    if head > 0, kept > 0 {
      unsafe samples.update(from: samples + Int(head) * channels, count: kept * channels)
    }
    return kept
  }

  /// Has the converter render frames.
  private func convert(into target: UnsafeMutablePointer<Float>, frameCount: Int) -> Int {
    guard let converter = unsafe converter else { return 0 }
    var count = UInt32(frameCount)
    var list = AudioBufferList()
    list.mNumberBuffers = 1
    unsafe list.mBuffers = AudioBuffer(
      mNumberChannels: UInt32(owner.channelCount),
      mDataByteSize: UInt32(frameCount * 4 * owner.channelCount),
      mData: UnsafeMutableRawPointer(target))
    let status = unsafe AudioConverterFillComplexBuffer(
      converter,
      { _, packets, data, descriptions, context in
        guard let context = unsafe context, let packets = unsafe packets, let data = unsafe data
        else { return kAudio_ParamError }
        return unsafe Unmanaged<DecodedStream>.fromOpaque(context).takeUnretainedValue().supply(
          packets, data, descriptions)
      }, Unmanaged.passUnretained(self).toOpaque(), &count, &list, nil)
    if status != noErr, status != Self.nothingYet {
      owner.state.withLock { $0.converterError = status }
      owner.changed(kAudioQueueProperty_ConverterError)
      finishPresent()
    }
    if count == 0, isEnding {
      // Ready for another stream.
      isAtEnd = true
      isEnding = false
      segments = []
      unsafe _ = AudioConverterReset(converter)
      owner.state.withLock { $0.wantsFlush = false }
    }
    return Int(count)
  }

  /// Returns the buffer that the decoder is done with.
  private func finishPresent() {
    guard let done = present, isHandedOver else { return }
    present = nil
    isHandedOver = false
    owner.returnBuffer(done)
  }

  /// Hands the decoder bytes of the next buffer.
  private func supply(
    _ packets: UnsafeMutablePointer<UInt32>, _ data: UnsafeMutablePointer<AudioBufferList>,
    _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
  ) -> OSStatus {
    finishPresent()
    if present == nil {
      passEmpty()
      // Between two buffers of which the second has a time the first one ends here.
      let (next, mayEnd) = owner.state.withLock { state -> (EnqueuedBuffer?, Bool) in
        guard let first = state.pending.first else {
          return (nil, state.run == .ending || state.wantsFlush)
        }
        if state.isResetting { return (nil, false) }
        if let start = first.start, !segments.isEmpty, Int64(start) > supplied {
          return (nil, false)
        }
        state.pending.removeFirst()
        return (first, false)
      }
      guard let next else {
        unsafe packets.pointee = 0
        guard mayEnd else { return Self.nothingYet }
        isEnding = true
        return noErr
      }
      begin(next)
    }
    guard let entry = present else { return kAudio_ParamError }
    return unsafe hand(entry, packets, data, descriptions)
  }

  private func begin(_ entry: EnqueuedBuffer) {
    present = entry
    packetIndex = 0
    isAtEnd = false
    if let start = entry.start, segments.isEmpty { silence = max(0, Int64(start) - supplied) }
    let count = frames(of: entry) ?? 0
    segments.append(Segment(left: count, head: entry.trimAtStart, tail: entry.trimAtEnd))
    for event in entry.parameters {
      let place = supplied + silence + segments.dropLast().reduce(0) { $0 + $1.left }
      owner.player.schedule(event, at: place)
    }
  }

  private func hand(
    _ entry: EnqueuedBuffer, _ packets: UnsafeMutablePointer<UInt32>,
    _ data: UnsafeMutablePointer<AudioBufferList>,
    _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
  ) -> OSStatus {
    let format = owner.format
    let bytes = unsafe entry.buffer.pointee.mAudioDataByteSize
    unsafe data.pointee.mNumberBuffers = 1
    unsafe data.pointee.mBuffers.mNumberChannels = format.mChannelsPerFrame
    unsafe data.pointee.mBuffers.mData = entry.buffer.pointee.mAudioData
    if format.mBytesPerPacket > 0 {
      unsafe packets.pointee = bytes / format.mBytesPerPacket
      unsafe data.pointee.mBuffers.mDataByteSize = unsafe packets.pointee * format.mBytesPerPacket
      isHandedOver = true
      return noErr
    }
    let count = min(entry.packets.count - packetIndex, Self.packetsAtOnce)
    for index in 0..<count {
      unsafe (description + index).initialize(to: entry.packets[packetIndex + index])
    }
    unsafe data.pointee.mBuffers.mDataByteSize = bytes
    unsafe descriptions?.pointee = unsafe description
    unsafe packets.pointee = UInt32(count)
    packetIndex += count
    isHandedOver = packetIndex >= entry.packets.count
    return noErr
  }

  /// Forgets everything; the buffer that was in use.
  func reset() -> [EnqueuedBuffer] {
    if let converter = unsafe converter { unsafe _ = AudioConverterReset(converter) }
    defer {
      present = nil
      isHandedOver = false
      segments = []
      silence = 0
      supplied = 0
      isEnding = false
      isAtEnd = true
    }
    return present.map { [$0] } ?? []
  }
}
