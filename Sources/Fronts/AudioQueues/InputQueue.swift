// A queue that records: the device's frames go into a ring, from which the queue's thread fills buffers.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import MacSystem
import RealtimeSupport
import Synchronization

/// The callback of a buffer that was filled.
@safe struct InputCallback: @unchecked Sendable {
  // @unchecked Sendable because it is a C function and a pointer, which the program keeps valid.
  let call:
    (
      OpaquePointer?, UnsafeMutablePointer<AudioQueueBuffer>, UnsafePointer<AudioTimeStamp>, UInt32,
      UnsafePointer<AudioStreamPacketDescription>?
    ) -> Void
}

/// An input queue.
@safe final class InputQueue: Queue, @unchecked Sendable {
  private let callback: InputCallback
  private var ring: SPSCRing?
  private var recorder: QueueRecorder?
  private var converter: AudioConverterRef?
  private let supplied: UnsafeMutablePointer<Float>
  private static let suppliedFrames = 1024
  /// Frames of the queue that the program received, in its rate.
  private var frames: Int64 = 0
  private var isDry = false

  /// Makes a queue; fields of the format that are 0 are completed when it starts, or now where they can be.
  init(
    _ format: AudioStreamBasicDescription, _ delivery: CallbackDelivery, _ callback: InputCallback
  ) throws(QueueFailure) {
    self.callback = callback
    var format = format
    if format.mSampleRate == 0 { format.mSampleRate = 44_100 }
    if format.mChannelsPerFrame == 0 { format.mChannelsPerFrame = 2 }
    unsafe supplied = .allocate(capacity: Self.suppliedFrames * Int(format.mChannelsPerFrame))
    super.init(isInput: true, format, delivery)
    // Says at once whether it can be recorded, and completes it.
    try openConverter(from: format.mSampleRate)
    closeConverter()
  }

  deinit {
    closeConverter()
    unsafe supplied.deallocate()
  }

  private func openConverter(from rate: Double) throws(QueueFailure) {
    var source = floats(rate)
    var target = format
    let status = unsafe AudioConverterNew(&source, &target, &converter)
    guard status == noErr, let converter = unsafe converter else { throw QueueFailure(status) }
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    unsafe _ = AudioConverterGetProperty(
      converter, kAudioConverterCurrentOutputStreamDescription, &size, &format)
  }

  private func closeConverter() {
    if let old = unsafe converter { unsafe _ = AudioConverterDispose(old) }
    unsafe converter = nil
  }

  /// A property of the encoder.
  func converterProperty(_ id: AudioConverterPropertyID) -> [UInt8]? {
    work.withLock { _ in
      let isOpen = unsafe converter != nil
      if !isOpen, (try? openConverter(from: format.mSampleRate)) == nil { return nil }
      defer { if !isOpen { closeConverter() } }
      guard let converter = unsafe converter else { return nil }
      var size: UInt32 = 0
      guard unsafe AudioConverterGetPropertyInfo(converter, id, &size, nil) == noErr, size > 0
      else {
        return nil
      }
      var bytes = [UInt8](repeating: 0, count: Int(size))
      guard unsafe AudioConverterGetProperty(converter, id, &size, &bytes) == noErr else {
        return nil
      }
      return Array(bytes.prefix(Int(size)))
    }
  }

  /// The largest packet.
  var largestPacket: UInt32 {
    if format.mBytesPerPacket > 0 { return format.mBytesPerPacket }
    guard let bytes = converterProperty(kAudioConverterPropertyMaximumOutputPacketSize),
      bytes.count >= 4
    else { return 0 }
    return unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: UInt32.self) }
  }

  // MARK: Running

  /// Starts, or goes on after a pause.
  func start(_ time: AudioTimeStamp?) throws(QueueFailure) {
    let run = state.withLock { $0.run }
    if run == .running || run == .ending { return }
    if run == .paused {
      recorder?.isPaused.store(false, ordering: .releasing)
      state.withLock { $0.run = .running }
      return
    }
    guard startThread() == noErr else { throw QueueFailure(kAudioQueueErr_CannotStart) }
    let recorder = QueueRecorder(self)
    var client = floats(format.mSampleRate)
    let made = unsafe try QueueDevice(
      isInput: true, uid: state.withLock { $0.deviceUID }, format: &client,
      assignments: state.withLock { $0.assignments }, callback: recorder.inputCallback)
    try work.withLock { _ throws(QueueFailure) in
      closeConverter()
      try openConverter(from: client.mSampleRate)
      ring = recorder.ring
      self.recorder = recorder
      frames = 0
      isDry = false
    }
    recorder.device = made
    frameTime.store(0, ordering: .releasing)
    state.withLock { $0.run = .running }
    try self.run(made, at: time, isPatient: recorder.isPatient)
  }

  override func stopWaiting() { recorder?.stop() }

  /// Pauses: frames that are recorded meanwhile are dropped.
  func pause() {
    recorder?.isPaused.store(true, ordering: .releasing)
    state.withLock { if $0.run == .running { $0.run = .paused } }
  }

  /// Fills one buffer, or returns the rest at the end.
  override func turn() -> Bool {
    let (run, next) = state.withLock { state -> (Run, EnqueuedBuffer?) in
      guard state.run == .running || state.run == .ending, !state.pending.isEmpty else {
        return (state.run, nil)
      }
      return (state.run, state.pending.removeFirst())
    }
    if let next {
      fill(next)
      return true
    }
    // The device ended by itself, or all was asked for that there is.
    if run == .ending || isDeviceOver {
      if closeDevice() { changed(kAudioQueueProperty_IsRunning) }
    }
    return false
  }

  /// Whether no more frames come.
  private var hasEnded: Bool {
    if state.withLock({ $0.isDisposed || $0.run == .ending || $0.run == .stopped }) { return true }
    return isDeviceOver
  }

  /// Fills a buffer with whole packets, and returns it to the program.
  private func fill(_ entry: EnqueuedBuffer) {
    let largest = max(1, largestPacket)
    let capacity = unsafe entry.buffer.pointee.mAudioDataBytesCapacity
    let room = unsafe Int(entry.buffer.pointee.mPacketDescriptionCapacity)
    var most = capacity / largest
    if format.mBytesPerPacket == 0, room > 0 { most = min(most, UInt32(room)) }
    var descriptions = [AudioStreamPacketDescription](
      repeating: AudioStreamPacketDescription(),
      count: format.mBytesPerPacket == 0 ? Int(max(1, most)) : 1)
    var start = AudioTimeStamp()
    start.mSampleTime = Double(frames)
    start.mFlags = kAudioTimeStampSampleTimeValid
    let (count, size) = work.withLock { _ in
      unsafe convert(entry.buffer, most, capacity, &descriptions)
    }
    unsafe entry.buffer.pointee.mAudioDataByteSize = size
    let packets = format.mBytesPerPacket == 0 ? Array(descriptions.prefix(Int(count))) : []
    if room > 0, !packets.isEmpty {
      unsafe entry.buffer.pointee.mPacketDescriptionCount = count
      for (index, packet) in packets.enumerated() where index < room {
        unsafe entry.buffer.pointee.mPacketDescriptions[index] = packet
      }
    }
    frames += Int64(count) * Int64(max(1, format.mFramesPerPacket))
    returnFilled(entry, start, format.mBytesPerPacket == 0 ? count : 0, packets, count: count)
  }

  private func returnFilled(
    _ entry: EnqueuedBuffer, _ start: AudioTimeStamp, _ described: UInt32,
    _ packets: [AudioStreamPacketDescription], count: UInt32
  ) {
    super.returnBuffer(entry)
    delivery.run { [self] in
      var start = start
      unsafe packets.withUnsafeBufferPointer { list in
        unsafe callback.call(
          handle, entry.buffer, &start, count, list.isEmpty ? nil : list.baseAddress)
      }
    }
  }

  private func convert(
    _ buffer: UnsafeMutablePointer<AudioQueueBuffer>, _ most: UInt32, _ capacity: UInt32,
    _ descriptions: inout [AudioStreamPacketDescription]
  ) -> (count: UInt32, size: UInt32) {
    guard let converter = unsafe converter, most > 0, !isDry else { return (0, 0) }
    var count = most
    var list = AudioBufferList()
    list.mNumberBuffers = 1
    unsafe list.mBuffers = AudioBuffer(
      mNumberChannels: UInt32(channelCount), mDataByteSize: capacity,
      mData: buffer.pointee.mAudioData)
    let status = unsafe AudioConverterFillComplexBuffer(
      converter,
      { _, packets, data, _, context in
        guard let context = unsafe context, let packets = unsafe packets, let data = unsafe data
        else { return kAudio_ParamError }
        return unsafe Unmanaged<InputQueue>.fromOpaque(context).takeUnretainedValue().supply(
          packets, data)
      }, Unmanaged.passUnretained(self).toOpaque(), &count, &list, &descriptions)
    if status != noErr {
      state.withLock { $0.converterError = status }
      isDry = true
    }
    if count < most { isDry = hasEnded }
    return unsafe (count, list.mBuffers.mDataByteSize)
  }

  /// Waits for frames from the ring. Context: the queue's thread.
  private func supply(
    _ packets: UnsafeMutablePointer<UInt32>, _ data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let ring else { return kAudio_ParamError }
    let frameSize = 4 * channelCount
    while true {
      let mark = signal.mark
      let ended = hasEnded
      let count = min(
        unsafe Int(packets.pointee), Self.suppliedFrames, ring.consumer.availableToRead / frameSize)
      if count > 0, unsafe ring.consumer.read(into: supplied, count: count * frameSize) {
        recorder?.noteRoom()
        if let tap = state.withLock({ $0.tap }) { unsafe tap.process(supplied, frameCount: count) }
        unsafe packets.pointee = UInt32(count)
        unsafe data.pointee.mNumberBuffers = 1
        unsafe data.pointee.mBuffers = AudioBuffer(
          mNumberChannels: UInt32(channelCount), mDataByteSize: UInt32(count * frameSize),
          mData: UnsafeMutableRawPointer(supplied))
        return noErr
      }
      if ended {
        unsafe packets.pointee = 0
        return noErr
      }
      signal.wait(since: mark, nanoseconds: 50_000_000)
    }
  }

  /// Returns all buffers at once, empty.
  func reset() {
    resetting {
      for entry in dequeuePending() {
        unsafe entry.buffer.pointee.mAudioDataByteSize = 0
        super.returnBuffer(entry)
        var start = AudioTimeStamp()
        unsafe callback.call(handle, entry.buffer, &start, 0, nil)
      }
    }
  }
}
