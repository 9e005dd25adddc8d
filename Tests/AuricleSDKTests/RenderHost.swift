// A host in miniature: renders a unit by hand, with every argument under the test's control.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

/// Memory for a buffer list of any layout.
@safe final class ListMemory {
  let list: UnsafeMutablePointer<AudioBufferList>
  private let memory: [UnsafeMutableRawPointer]
  private let channels: UInt32
  let bytes: Int

  /// Allocates `count` buffers of `channels` channels and `bytes` bytes, filled with 0xAA.
  init(_ count: Int, channels: Int = 1, bytes: Int) {
    let raw = UnsafeMutableRawPointer.allocate(byteCount: 8 + 16 * count, alignment: 16)
    unsafe list = raw.bindMemory(to: AudioBufferList.self, capacity: 1)
    unsafe list.pointee.mNumberBuffers = UInt32(count)
    unsafe memory = (0..<count).map { _ in
      let data = UnsafeMutableRawPointer.allocate(byteCount: max(bytes, 16), alignment: 16)
      unsafe data.initializeMemory(as: UInt8.self, repeating: 0xAA, count: max(bytes, 16))
      return unsafe data
    }
    self.channels = UInt32(channels)
    self.bytes = bytes
    prepare()
  }

  /// A planar float list holding a signal.
  convenience init(_ signal: [[Float]]) {
    self.init(signal.count, bytes: 4 * (signal.first?.count ?? 0))
    for (channel, samples) in signal.enumerated() {
      for (frame, sample) in samples.enumerated() { unsafe floats(channel)[frame] = sample }
    }
  }

  deinit {
    unsafe memory.forEach { unsafe $0.deallocate() }
    unsafe UnsafeMutableRawPointer(list).deallocate()
  }

  /// Sets every buffer to its memory and size again.
  func prepare(withMemory: Bool = true) {
    for index in unsafe memory.indices {
      unsafe buffer(index).pointee = AudioBuffer(
        mNumberChannels: channels, mDataByteSize: UInt32(bytes),
        mData: withMemory ? memory[index] : nil)
    }
  }

  func buffer(_ index: Int) -> UnsafeMutablePointer<AudioBuffer> {
    unsafe (UnsafeMutableRawPointer(list) + 8 + 16 * index).assumingMemoryBound(
      to: AudioBuffer.self)
  }

  func floats(_ index: Int) -> UnsafeMutablePointer<Float> {
    unsafe memory[index].assumingMemoryBound(to: Float.self)
  }

  func values<Value>(_ index: Int, as type: Value.Type) -> [Value] {
    unsafe Array(
      UnsafeBufferPointer(
        start: memory[index].assumingMemoryBound(to: Value.self),
        count: bytes / MemoryLayout<Value>.stride))
  }

  /// The floats of every buffer.
  var signal: [[Float]] { unsafe memory.indices.map { values($0, as: Float.self) } }
}

/// Methods of a unit by their selectors.
@safe struct UnitSelectors {
  let unit: AudioUnit
  var plugIn: UnsafeMutableRawPointer {
    unsafe UnsafeMutableRawPointer(unit.instance.pointee.plugIn)
  }

  init(_ unit: AudioUnit) { self.unit = unit }

  private func find<Procedure>(_ selector: Int16, _ type: Procedure.Type) -> Procedure? {
    guard let method = unsafe unit.instance.pointee.plugIn.pointee.Lookup?(selector) else {
      return nil
    }
    return unsafe unsafeBitCast(method, to: type)
  }

  func render(
    _ list: UnsafeMutablePointer<AudioBufferList>?, _ frames: Int, at time: Double, bus: UInt32 = 0,
    flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>? = nil
  ) -> OSStatus {
    guard let method = unsafe find(kAudioUnitRenderSelect, AudioUnitRenderProc.self) else {
      return kAudio_UnimplementedError
    }
    var stamp = AudioTimeStamp(sampleTime: time)
    return unsafe method(plugIn, flags, &stamp, bus, UInt32(frames), list)
  }

  func process(
    _ list: UnsafeMutablePointer<AudioBufferList>?, _ frames: Int, at time: Double = 0,
    flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>? = nil
  ) -> OSStatus {
    guard let method = unsafe find(kAudioUnitProcessSelect, AudioUnitProcessProc.self) else {
      return kAudio_UnimplementedError
    }
    var stamp = AudioTimeStamp(sampleTime: time)
    return unsafe method(plugIn, flags, &stamp, UInt32(frames), list)
  }

  func processMultiple(
    _ inputs: [UnsafeMutablePointer<AudioBufferList>?],
    _ outputs: [UnsafeMutablePointer<AudioBufferList>?], _ frames: Int
  ) -> OSStatus {
    guard
      let method = unsafe find(
        kAudioUnitProcessMultipleSelect, AudioUnitProcessMultipleProc.self)
    else { return kAudio_UnimplementedError }
    var stamp = AudioTimeStamp(sampleTime: 0)
    var supplied = unsafe inputs.map { unsafe UnsafePointer($0) }
    var wanted = unsafe outputs
    return unsafe method(
      plugIn, nil, &stamp, UInt32(frames), UInt32(supplied.count), &supplied, UInt32(wanted.count),
      &wanted)
  }

  func complexRender(
    _ list: UnsafeMutablePointer<AudioBufferList>?, _ packets: Int, at time: Double,
    _ produced: UnsafeMutablePointer<UInt32>?
  ) -> OSStatus {
    guard
      let method = unsafe find(kAudioUnitComplexRenderSelect, AudioUnitComplexRenderProc.self)
    else { return kAudio_UnimplementedError }
    var stamp = AudioTimeStamp(sampleTime: time)
    return unsafe method(
      plugIn, nil, &stamp, 0, UInt32(packets), produced, nil, list, nil, nil)
  }

  func output(_ selector: Int16) -> OSStatus {
    guard let method = unsafe find(selector, AudioOutputUnitStartProc.self) else {
      return kAudio_UnimplementedError
    }
    return unsafe method(plugIn)
  }
}

/// An input callback that plays a signal and may say that it is silent. One that is connected lives on: a unit
/// keeps nothing but its address.
@safe final class SignalSource {
  var samples: [[Float]]
  var isSilent = false
  var status: OSStatus = 0
  var position = 0
  var pulls = 0

  init(_ samples: [[Float]]) { self.samples = samples }

  func connect(to unit: AudioUnit, element: UInt32 = 0) throws {
    unsafe try unit.setInputCallback(
      element: element,
      { refCon, flags, _, _, frames, list in
        guard let refCon = unsafe refCon, let list = unsafe list else { return kAudio_ParamError }
        let source = unsafe Unmanaged<SignalSource>.fromOpaque(refCon).takeUnretainedValue()
        if source.isSilent { unsafe flags?.pointee |= kAudioUnitRenderAction_OutputIsSilence }
        return unsafe source.fill(list, Int(frames))
      }, refCon: Unmanaged.passRetained(self).toOpaque())
  }

  private func fill(_ list: UnsafeMutablePointer<AudioBufferList>, _ frames: Int) -> OSStatus {
    pulls += 1
    guard status == 0 else { return status }
    for channel in 0..<(unsafe list.bufferCount) {
      guard let data = unsafe list.samples(channel) else { return kAudio_ParamError }
      let source = samples.isEmpty ? [] : samples[min(channel, samples.count - 1)]
      for frame in 0..<frames {
        unsafe data[frame] =
          !isSilent && position + frame < source.count ? source[position + frame] : 0
      }
    }
    position += frames
    return 0
  }
}

/// Returns the status of a body's error, or 0.
func status(of body: () throws -> Void) -> OSStatus {
  do {
    try body()
    return 0
  } catch {
    return (error as? AuricleError)?.status ?? -1
  }
}
