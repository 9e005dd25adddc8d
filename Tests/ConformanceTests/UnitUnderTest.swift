// One opened unit, driven through the functions that C code calls.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox
import Testing

/// A unit with an input and buffers; every call goes through libAudioToolbox's functions.
@safe final class UnitUnderTest {
  let subject: Subject
  let unit: AudioUnit
  let handle: AudioUnitHandle
  let buffers: AudioBuffers
  /// The output of the input callback: a sample by its time and channel.
  var source: (Int, Int) -> Float = { frame, _ in Float(frame % 97) / 97 - 0.5 }
  /// The status of the input callback, and its silence flag.
  var sourceStatus: OSStatus = 0
  var sourceIsSilent = false
  var pullCount = 0
  static let maximumFrames = 512

  init(_ subject: Subject) throws {
    self.subject = subject
    unit = try subject.open()
    unsafe handle = unit.instance
    buffers = AudioBuffers(channelCount: 2, frameCapacity: 4096)
    same(set(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(Self.maximumFrames)), 0)
  }

  /// Feeds input 0, where there is one, and initialises.
  func start() throws {
    if !subject.isInstrument { same(feed(), 0) }
    same(unsafe AudioUnitInitialize(handle), 0)
  }

  /// Sets the input callback of an element.
  func feed(_ element: UInt32 = 0) -> OSStatus {
    let reference = unsafe Unmanaged.passUnretained(self).toOpaque()
    let callback = unsafe AURenderCallbackStruct(
      inputProc: { reference, flags, stamp, _, count, list in
        guard let reference = unsafe reference, let list = unsafe list, let stamp = unsafe stamp
        else { return kAudio_ParamError }
        let test = unsafe Unmanaged<UnitUnderTest>.fromOpaque(reference).takeUnretainedValue()
        test.pullCount += 1
        guard test.sourceStatus == 0 else { return test.sourceStatus }
        let start = unsafe Int(stamp.pointee.mSampleTime)
        for channel in 0..<(unsafe list.bufferCount) {
          guard let data = unsafe list.samples(channel) else { return kAudio_ParamError }
          for frame in 0..<Int(count) {
            unsafe data[frame] = test.sourceIsSilent ? 0 : test.source(start + frame, channel)
          }
        }
        if test.sourceIsSilent {
          unsafe flags?.pointee |= kAudioUnitRenderAction_OutputIsSilence
        }
        return 0
      }, inputProcRefCon: reference)
    return unsafe set(
      kAudioUnitProperty_SetRenderCallback, callback, kAudioUnitScope_Input, element)
  }

  /// Sets a property to a value of the type's size.
  func set<Value: BitwiseCopyable>(
    _ id: UInt32, _ value: Value, _ scope: UInt32 = 0, _ element: UInt32 = 0
  ) -> OSStatus {
    unsafe withUnsafeBytes(of: value) {
      unsafe AudioUnitSetProperty(
        handle, id, scope, element, $0.baseAddress, UInt32($0.count))
    }
  }

  /// Sets a property to an object of CoreFoundation.
  func setObject(_ id: UInt32, _ object: AnyObject) -> OSStatus {
    let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    return withExtendedLifetime(object) { set(id, address) }
  }

  /// Sets a property to bytes.
  func setBytes(
    _ id: UInt32, _ bytes: [UInt8], _ scope: UInt32 = 0, _ element: UInt32 = 0
  ) -> OSStatus {
    unsafe bytes.withUnsafeBytes {
      unsafe AudioUnitSetProperty(
        handle, id, scope, element, $0.baseAddress, UInt32(bytes.count))
    }
  }

  /// Reads a property; nil with the status when it fails.
  func get<Value: BitwiseCopyable>(
    _ id: UInt32, _ type: Value.Type, _ scope: UInt32 = 0, _ element: UInt32 = 0
  ) -> (status: OSStatus, value: Value?) {
    let (status, bytes) = read(id, scope, element, room: MemoryLayout<Value>.size)
    guard status == 0, bytes.count == MemoryLayout<Value>.size else { return (status, nil) }
    return unsafe (0, bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: Value.self) })
  }

  /// Reads the bytes of a property into a buffer of a size.
  func read(
    _ id: UInt32, _ scope: UInt32, _ element: UInt32, room: Int, question: [UInt8] = []
  ) -> (status: OSStatus, bytes: [UInt8]) {
    var bytes = [UInt8](repeating: 0, count: max(room, question.count, 1))
    bytes.replaceSubrange(0..<question.count, with: question)
    var size = UInt32(room)
    let status = unsafe bytes.withUnsafeMutableBytes {
      unsafe AudioUnitGetProperty(handle, id, scope, element, $0.baseAddress, &size)
    }
    return (status, status == 0 ? Array(bytes.prefix(Int(size))) : [])
  }

  /// Size and writability of a property.
  func info(_ id: UInt32, _ scope: UInt32 = 0, _ element: UInt32 = 0) -> (
    status: OSStatus, size: UInt32, isWritable: Bool
  ) {
    var size: UInt32 = 0xDEAD
    var isWritable = false
    let status = unsafe AudioUnitGetPropertyInfo(handle, id, scope, element, &size, &isWritable)
    return (status, size, isWritable)
  }

  /// Renders into buffers of the test.
  func render(
    _ frames: Int, at time: Double = 0, bus: UInt32 = 0,
    flags: inout AudioUnitRenderActionFlags
  ) -> OSStatus {
    buffers.setFrameCount(frames)
    var stamp = AudioTimeStamp(sampleTime: time)
    return unsafe AudioUnitRender(handle, &flags, &stamp, bus, UInt32(frames), buffers.list)
  }

  /// Renders without interest in the flags.
  func render(_ frames: Int, at time: Double = 0, bus: UInt32 = 0) -> OSStatus {
    var flags: AudioUnitRenderActionFlags = 0
    return render(frames, at: time, bus: bus, flags: &flags)
  }

  /// The samples of a channel after a render.
  func output(_ channel: Int, _ count: Int) -> [Float] {
    unsafe Array(UnsafeBufferPointer(start: buffers.channel(channel), count: count))
  }

  /// The first parameter that a host may set: its scope, element and id.
  func firstParameter() throws -> UnitParameter {
    let scopes: [UInt32] =
      subject == .mixer ? [kAudioUnitScope_Input] : [kAudioUnitScope_Global]
    for scope in scopes {
      if let found = try unit.parameters(scope: scope, element: 0).first(where: {
        $0.isWritable && $0.maximum > $0.minimum
      }) {
        return found
      }
    }
    throw AuricleError(.software, "\(subject.rawValue) has no parameter")
  }
}

/// Expects a value to be another, naming the row of the table.
func same<Value: Equatable>(
  _ value: Value, _ expected: Value, _ row: @autoclosure () -> String = "",
  at location: SourceLocation = #_sourceLocation
) {
  if value != expected {
    Issue.record("\(row()): is \(value), not \(expected)", sourceLocation: location)
  }
}

/// Expects one of several values.
func oneOf(
  _ value: OSStatus, _ expected: [OSStatus], _ row: @autoclosure () -> String = "",
  at location: SourceLocation = #_sourceLocation
) {
  if !expected.contains(value) {
    Issue.record("\(row()): is \(value), not one of \(expected)", sourceLocation: location)
  }
}
