// Formats that a host may ask for on the buses of a unit: the samples are the same ones, in other clothes.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox
import Testing

/// A kind of linear PCM, and how its samples are written, from the meaning of its fields alone.
struct SampleKind: Sendable, CustomTestStringConvertible {
  var name: String
  var flags: UInt32
  var bytes: Int
  var bits: Int
  var testDescription: String { name }

  static let all: [SampleKind] = [
    .init(name: "float 32", flags: 0x9, bytes: 4, bits: 32),
    .init(name: "float 32, big endian", flags: 0xB, bytes: 4, bits: 32),
    .init(name: "float 64", flags: 0x9, bytes: 8, bits: 64),
    .init(name: "float 64, big endian", flags: 0xB, bytes: 8, bits: 64),
    .init(name: "signed 8", flags: 0xC, bytes: 1, bits: 8),
    .init(name: "unsigned 8", flags: 0x8, bytes: 1, bits: 8),
    .init(name: "signed 16", flags: 0xC, bytes: 2, bits: 16),
    .init(name: "signed 16, big endian", flags: 0xE, bytes: 2, bits: 16),
    .init(name: "signed 24, packed", flags: 0xC, bytes: 3, bits: 24),
    .init(name: "signed 24, packed, big endian", flags: 0xE, bytes: 3, bits: 24),
    .init(name: "signed 24, low in 32", flags: 0x4, bytes: 4, bits: 24),
    .init(name: "signed 24, high in 32", flags: 0x14, bytes: 4, bits: 24),
    .init(name: "signed 24, high in 32, big endian", flags: 0x16, bytes: 4, bits: 24),
    .init(name: "signed 32", flags: 0xC, bytes: 4, bits: 32),
    .init(name: "8.24", flags: 0xC | 24 << 7, bytes: 4, bits: 32),
    .init(name: "8.24, big endian", flags: 0xE | 24 << 7, bytes: 4, bits: 32),
  ]

  var isFloat: Bool { flags & 1 != 0 }
  var fraction: Int { flags >> 7 & 63 == 0 ? bits - 1 : Int(flags >> 7 & 63) }
  /// The largest error of a sample that went through it.
  var tolerance: Double { isFloat ? 1e-7 : 0.51 / Double(UInt64(1) << UInt64(fraction)) }

  func format(planar: Bool) -> AudioStreamBasicDescription {
    let frame = UInt32(planar ? bytes : 2 * bytes)
    return AudioStreamBasicDescription(
      mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: flags | (planar ? 0x20 : 0), mBytesPerPacket: frame, mFramesPerPacket: 1,
      mBytesPerFrame: frame, mChannelsPerFrame: 2, mBitsPerChannel: UInt32(bits), mReserved: 0)
  }

  /// The bytes of a sample.
  func encode(_ sample: Double) -> [UInt8] {
    var word: UInt64
    if isFloat {
      word = bits == 32 ? UInt64(Float(sample).bitPattern) : sample.bitPattern
    } else {
      let number = Int64((sample * Double(UInt64(1) << UInt64(fraction))).rounded())
      word = UInt64(bitPattern: flags & 4 != 0 ? number : number + (Int64(1) << Int64(bits - 1)))
      word &= (UInt64(1) << UInt64(bits)) - 1
      if flags & 0x10 != 0 { word <<= UInt64(8 * bytes - bits) }
    }
    let little = (0..<bytes).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
    return flags & 2 != 0 ? little.reversed() : little
  }

  /// The sample of some bytes.
  func decode(_ supplied: some Sequence<UInt8>) -> Double {
    let little = flags & 2 != 0 ? Array(supplied).reversed() : Array(supplied)
    var word = little.enumerated().reduce(UInt64(0)) {
      $0 | UInt64($1.element) << UInt64(8 * $1.offset)
    }
    if isFloat {
      return bits == 32
        ? Double(Float(bitPattern: UInt32(word))) : Double(bitPattern: word)
    }
    if flags & 0x10 != 0 { word >>= UInt64(8 * bytes - bits) }
    var number = Int64(word & ((UInt64(1) << UInt64(bits)) - 1))
    let half = Int64(1) << Int64(bits - 1)
    if flags & 4 == 0 { number -= half } else if number >= half { number -= 2 * half }
    return Double(number) / Double(UInt64(1) << UInt64(fraction))
  }
}

@Suite("Contract: formats")
struct FormatConformanceTests {
  /// The state of a source in some format.
  private final class Source {
    let kind: SampleKind
    let isPlanar: Bool
    var defect = ""
    init(_ kind: SampleKind, _ isPlanar: Bool) { (self.kind, self.isPlanar) = (kind, isPlanar) }

    static func sample(_ frame: Int, _ channel: Int) -> Double {
      Double((frame * 37 + channel * 11) % 101) / 101 - 0.5
    }

    func fill(_ list: UnsafeMutablePointer<AudioBufferList>, from first: Int, _ count: Int) {
      if unsafe list.bufferCount != (isPlanar ? 2 : 1) { return defect = "count of buffers" }
      for index in 0..<(unsafe list.bufferCount) {
        let buffer = unsafe list.buffer(index).pointee
        let channels = isPlanar ? 1 : 2
        guard let data = unsafe buffer.mData, unsafe Int(buffer.mNumberChannels) == channels,
          unsafe Int(buffer.mDataByteSize) == count * kind.bytes * channels
        else { return defect = "a buffer" }
        for frame in 0..<count {
          for channel in 0..<channels {
            let bytes = kind.encode(Self.sample(first + frame, isPlanar ? index : channel))
            let place = (frame * channels + channel) * kind.bytes
            for (offset, byte) in bytes.enumerated() {
              unsafe data.storeBytes(of: byte, toByteOffset: place + offset, as: UInt8.self)
            }
          }
        }
      }
    }
  }

  /// Feeds a unit in one format and reads its output in another; returns the largest error.
  private func run(
    _ test: UnitUnderTest, _ input: (SampleKind, Bool), _ output: (SampleKind, Bool),
    lacksMemory: Bool = false
  ) throws -> Double {
    let id = kAudioUnitProperty_StreamFormat
    same(test.set(id, input.0.format(planar: input.1), 1), 0, "\(input.0.name)")
    same(test.set(id, output.0.format(planar: output.1), 2), 0, "\(output.0.name)")
    same(
      test.read(id, 2, 0, room: 40).bytes,
      unsafe withUnsafeBytes(of: output.0.format(planar: output.1)) { unsafe Array($0) })
    let source = Source(input.0, input.1)
    let callback = unsafe AURenderCallbackStruct(
      inputProc: { reference, _, stamp, _, count, list in
        guard let reference = unsafe reference, let list = unsafe list, let stamp = unsafe stamp
        else { return -1 }
        let source = unsafe Unmanaged<Source>.fromOpaque(reference).takeUnretainedValue()
        unsafe source.fill(list, from: Int(stamp.pointee.mSampleTime), Int(count))
        return 0
      }, inputProcRefCon: Unmanaged.passUnretained(source).toOpaque())
    same(unsafe test.set(kAudioUnitProperty_SetRenderCallback, callback, 1), 0)
    same(unsafe AudioUnitInitialize(test.handle), 0)
    defer { _ = unsafe AudioUnitUninitialize(test.handle) }
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 2048)
    let memory = unsafe buffers.list
    let addresses = unsafe (0..<2).map { unsafe memory.buffer($0).pointee.mData }
    let channels = output.1 ? 1 : 2
    var worst = 0.0
    var time = 0
    for count in [64, 1, 300] {
      unsafe memory.pointee.mNumberBuffers = output.1 ? 2 : 1
      for index in 0..<(unsafe memory.bufferCount) {
        unsafe memory.buffer(index).pointee = AudioBuffer(
          mNumberChannels: UInt32(channels),
          mDataByteSize: UInt32(count * output.0.bytes * channels),
          mData: lacksMemory ? nil : addresses[index])
      }
      var flags: AudioUnitRenderActionFlags = 0
      var stamp = AudioTimeStamp(sampleTime: Double(time))
      same(unsafe AudioUnitRender(test.handle, &flags, &stamp, 0, UInt32(count), memory), 0)
      for channel in 0..<2 {
        let bytes = unsafe try #require(
          unsafe memory.buffer(output.1 ? channel : 0).pointee.mData)
        for frame in 0..<count {
          let place = (frame * channels + (output.1 ? 0 : channel)) * output.0.bytes
          let sample = output.0.decode(
            (0..<output.0.bytes).map {
              unsafe bytes.load(fromByteOffset: place + $0, as: UInt8.self)
            })
          worst = max(worst, abs(sample - Source.sample(time + frame, channel)))
        }
      }
      time += count
    }
    unsafe memory.pointee.mNumberBuffers = 2
    for index in 0..<2 { unsafe memory.buffer(index).pointee.mData = addresses[index] }
    same(source.defect, "", "\(test.subject.rawValue), what the source was asked for")
    return worst
  }

  /// The kinds that pass their input on as it is.
  static let plain: [Subject] = [.mixer, .lv2, .converter, .output, .splitter]

  @Test("a bus accepts any linear PCM, and converts", arguments: plain)
  func everyFormat(_ subject: Subject) throws {
    let float = SampleKind.all[0]
    let test = try UnitUnderTest(subject)
    if subject == .mixer { same(test.set(kAudioUnitProperty_ElementCount, UInt32(1), 1), 0) }
    if subject == .splitter { same(test.set(kAudioUnitProperty_ElementCount, UInt32(1), 2), 0) }
    for (index, kind) in SampleKind.all.enumerated() {
      let other = SampleKind.all[(index + 5) % SampleKind.all.count]
      for (input, output) in [(kind, float), (float, kind), (kind, other)] {
        let worst = try run(test, (input, index % 2 == 0), (output, index % 3 == 0))
        #expect(
          worst <= input.tolerance + output.tolerance + 1e-7,
          "\(subject.rawValue), \(input.name) to \(output.name): \(worst)")
      }
    }
    let worst = try run(
      test, (SampleKind.all[6], false), (SampleKind.all[14], false), lacksMemory: true)
    #expect(worst <= 2e-5, "\(subject.rawValue), memory of the unit: \(worst)")
  }

  @Test(
    "a unit for planar floats only says so, for every other format",
    arguments: [Subject.plainC, .calling])
  func planarOnly(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    for (index, kind) in SampleKind.all.enumerated() {
      for isPlanar in [true, false] where !(index == 0 && isPlanar) {
        for scope: UInt32 in 1...2 {
          same(
            test.set(kAudioUnitProperty_StreamFormat, kind.format(planar: isPlanar), scope),
            kAudioUnitErr_FormatNotSupported, "\(kind.name)")
        }
      }
    }
  }
}
