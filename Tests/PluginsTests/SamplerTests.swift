// The sampler: presets of banks, WAVE files at their keys, and its refusals.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

@Suite("Sampler") struct SamplerTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder("auricle-sampler")
    try folder.write(
      Data(SoundFontFixture.bytes([.init("Wave", 0, 3), .init("Kit", 128, 0)])), to: "test.sf2")
    // 480 Hz at 48 kHz, looped; keys by name, and by chunks.
    try folder.write(wave(period: 100, chunks: []), to: "Tone-A3.wav")
    try folder.write(wave(period: 100, chunks: []), to: "Tone-C5.wav")
    try folder.write(
      wave(period: 100, chunks: sampler(root: 69, loop: 100..<4000)), to: "Looped.wav")
    // Half a semitone flat, from key 60 to 69.
    let instrument = Array("inst".utf8) + little(7, 4) + [69, 50, 0, 60, 69, 1, 127, 0]
    try folder.write(wave(period: 100, chunks: instrument), to: "Ranged.wav")
    try folder.write("nothing", to: "bad.wav")
  }

  private func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// A WAVE file of silence in 16 bits.
  private func silence(_ channels: Int, frames: Int) -> Data {
    waveFile(channels, [UInt8](repeating: 0, count: 2 * channels * frames))
  }

  /// A WAVE file of 4800 frames in 16 bits.
  private func wave(period: Int, chunks: [UInt8]) -> Data {
    let samples = (0..<4800).flatMap { frame in
      little(Int(16_000 * sin(2 * .pi * Double(frame) / Double(period))), 2)
    }
    return waveFile(1, samples, chunks: chunks)
  }

  private func waveFile(_ channels: Int, _ samples: [UInt8], chunks: [UInt8] = []) -> Data {
    let format =
      little(1, 2) + little(channels, 2) + little(48_000, 4) + little(96_000 * channels, 4)
      + little(2 * channels, 2)
    let body =
      Array("WAVEfmt ".utf8) + little(16, 4) + format + little(16, 2) + chunks
      + Array("data".utf8) + little(samples.count, 4) + samples
    return Data(Array("RIFF".utf8) + little(body.count, 4) + body)
  }

  private func sampler(root: Int, loop: Range<Int>) -> [UInt8] {
    let body =
      little(0, 12) + little(root, 4) + little(0, 12) + little(1, 4) + little(0, 4) + little(0, 8)
      + little(loop.lowerBound, 4) + little(loop.upperBound - 1, 4) + little(0, 8)
    return Array("smpl".utf8) + little(body.count, 4) + body
  }

  /// Renders a key, released with a slice of 480 frames.
  private func render(
    _ unit: AudioUnit, key: UInt8, channel: UInt8 = 0, frames: Int = 48_000, release: Int? = nil
  ) throws -> [[Float]] {
    try unit.reset()
    try unit.sendMIDI(status: 0x90 | channel, key, 127, atFrame: 0)
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 480)
    var output: [[Float]] = [[], []]
    for slice in 0..<(frames / 480) {
      if slice == release { try unit.sendMIDI(status: 0x80 | channel, key, 0, atFrame: 0) }
      buffers.setFrameCount(480)
      var flags: AudioUnitRenderActionFlags = 0
      var time = AudioTimeStamp(sampleTime: Double(slice * 480))
      let status = unsafe unit.render(
        flags: &flags, timeStamp: &time, frameCount: 480, buffers: buffers.list)
      guard status == 0 else { throw AuricleError(.software, status: status, "render failed") }
      for channel in 0..<2 {
        unsafe output[channel].append(
          contentsOf: UnsafeBufferPointer(start: buffers.channel(channel), count: 480))
      }
    }
    return output
  }

  private func open() throws -> AudioUnit {
    let unit = try Shipped.open(name: "aumu:samp:appl")
    try unit.setStreamFormat(
      AudioStreamFormat(sampleRate: 48_000, channelCount: 2), scope: kAudioUnitScope_Output)
    try unit.initialize()
    return unit
  }

  /// Hertz by upward crossings of zero.
  private func frequency(_ samples: some RandomAccessCollection<Float>) -> Double {
    let part = Array(samples)
    let crossings = part.indices.dropFirst().filter { part[$0 - 1] < 0 && part[$0] >= 0 }
    guard let first = crossings.first, let last = crossings.last, crossings.count > 2 else {
      return 0
    }
    return Double(crossings.count - 1) * 48_000 / Double(last - first)
  }

  private func load(
    _ unit: AudioUnit, _ file: String, type: UInt8, msb: UInt8 = 121, program: UInt8 = 0
  ) throws(AuricleError) {
    let path = Array(folder(file).utf8)
    let url = unsafe CFURLCreateFromFileSystemRepresentation(nil, path, path.count, false)
    defer { unsafe url.map { unsafe CFRelease(UnsafeRawPointer($0)) } }
    try unsafe unit.setProperty(
      kAUSamplerProperty_LoadInstrument,
      AUSamplerInstrumentData(
        fileURL: url, instrumentType: type, bankMSB: msb, bankLSB: 0, presetID: program))
  }

  @Test("A preset is loaded from a bank as programs did before LoadInstrument, too")
  func presetFromBank() throws {
    let unit = try open()
    func load(program: UInt8) throws(AuricleError) {
      let path = Array(folder("test.sf2").utf8)
      let url = unsafe CFURLCreateFromFileSystemRepresentation(nil, path, path.count, false)
      defer { unsafe url.map { unsafe CFRelease(UnsafeRawPointer($0)) } }
      try unsafe unit.setProperty(
        kAUSamplerProperty_LoadPresetFromBank,
        AUSamplerBankPresetData(
          bankURL: url, bankMSB: 121, bankLSB: 0, presetID: program, reserved: 0))
    }
    let sine = try render(unit, key: 69)
    try load(program: 3)
    let loaded = try render(unit, key: 69)
    #expect(loaded != sine && peak(loaded[0]) > 0.001)
    #expect(throws: AuricleError.self) { try load(program: 99) }
  }

  @Test("A sound of more than 1 GiB is refused as such, and read no further")
  func tooLong() throws {
    try folder.write(wave(period: 100, chunks: []), to: "long.wav")
    #expect(unsafe truncate(folder("long.wav"), 1 << 30 + 4) == 0)
    let error = #expect(throws: AuricleError.self) {
      try open().setText("bank", folder("long.wav"))
    }
    #expect(error?.message.contains("longer than 1 GiB") == true, "\(error?.message ?? "")")
  }

  @Test("It begins as a sine, plays presets of a bank on any channel, and is tuned and placed")
  func presets() throws {
    let unit = try open()
    #expect(abs(frequency(try render(unit, key: 69)[0].suffix(24_000)) - 441) < 0.5)
    try load(unit, "test.sf2", type: 1, program: 3)
    let plain = try render(unit, key: 69, channel: 5)
    #expect(abs(frequency(plain[0].suffix(24_000)) - 441) < 0.5)
    try unit.setParameter(kAUSamplerParam_CoarseTuning, -12)
    #expect(abs(frequency(try render(unit, key: 69)[0].suffix(24_000)) - 220.5) < 0.5)
    try unit.setParameter(kAUSamplerParam_CoarseTuning, 0)
    try unit.setParameter(kAUSamplerParam_Pan, -1)
    let left = try render(unit, key: 69)
    #expect(peak(left[1]) < peak(left[0]) / 100)
  }

  @Test("WAVE files are at the keys of their chunks or names; a loop goes on while the key is down")
  func files() throws {
    let unit = try open()
    try load(unit, "Looped.wav", type: 3)
    let looped = try render(unit, key: 69)[0]
    #expect(abs(frequency(looped.suffix(24_000)) - 480) < 0.5)
    let octave = try render(unit, key: 57)[0]
    #expect(abs(frequency(octave.suffix(24_000)) - 240) < 0.5)
    try unit.setText("bank", folder("Ranged.wav"))
    let flat = try render(unit, key: 69, frames: 2400)[0]
    #expect(abs(frequency(flat.suffix(2000)) - 480 * pow(2, 50 / 1200.0)) < 3)
    #expect(peak(try render(unit, key: 70, frames: 2400)[0]) < 1e-5)
    // Two files by their names: A3 is 69, C5 is 84; each key plays the nearer one.
    let paths = ["Tone-A3.wav", "Tone-C5.wav"].map { Array(folder($0).utf8) }
    let urls = unsafe paths.map {
      unsafe CFURLCreateFromFileSystemRepresentation(nil, $0, $0.count, false).map {
        unsafe UnsafeRawPointer($0)
      }
    }
    let array = unsafe makeCFArray(takingOver: urls)
    try unsafe unit.setProperty(kAUSamplerProperty_LoadAudioFiles, array)
    unsafe array.map { unsafe CFRelease(UnsafeRawPointer($0)) }
    for (key, hertz) in [
      (UInt8(69), 480.0), (84, 480), (81, 480 * pow(2, -0.25)), (72, 480 * pow(2, 0.25)),
    ] {
      let sound = try render(unit, key: key, frames: 2400)[0]
      #expect(abs(frequency(sound.suffix(2000)) - hertz) < 3, "key \(key)")
    }
    // Without a loop it ends.
    let whole = try render(unit, key: 69)[0]
    #expect(peak(Array(whole.suffix(24_000))) < 1e-5)
    // A copy of its state sounds the same.
    let state = try unit.property(kAudioUnitProperty_ClassInfo, as: UInt.self)
    let other = try open()
    try other.setProperty(kAudioUnitProperty_ClassInfo, state)
    #expect(try render(other, key: 69)[0] == whole)
    unsafe UnsafeRawPointer(bitPattern: state).map { unsafe CFRelease($0) }
  }

  /// Sets a state of Apple's sampler: zones as property lists, and files by their numbers.
  private func setLayers(_ unit: AudioUnit, zones: String, files: String) throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>type</key><integer>1635085685</integer>
      <key>subtype</key><integer>1935764848</integer>
      <key>manufacturer</key><integer>1634758764</integer>
      <key>version</key><integer>0</integer><key>name</key><string>Layers</string>
      <key>file-references</key><dict>\(files)</dict>
      <key>Instrument</key><dict><key>Layers</key><array><dict>
      <key>Zones</key><array>\(zones)</array></dict></array></dict>
      </dict></plist>
      """
    let bytes = Array(text.utf8)
    let data = unsafe try #require(unsafe CFDataCreate(nil, bytes, bytes.count))
    defer { unsafe CFRelease(UnsafeRawPointer(data)) }
    let list = unsafe try #require(
      unsafe CFPropertyListCreateWithData(nil, data, 0, nil, nil))
    defer { unsafe CFRelease(UnsafeRawPointer(list)) }
    unsafe try unit.setProperty(
      kAudioUnitProperty_ClassInfo, CFDictionaryRef?(CFDictionaryRef(UnsafeRawPointer(list))))
  }

  @Test("A state of Apple's sampler plays its zones, and is refused without them or their files")
  func layers() throws {
    let unit = try open()
    let zone = """
      <dict><key>waveform</key><integer>268435457</integer>
      <key>root key</key><integer>69</integer><key>loop enabled</key><true/>
      <key>min key</key><integer>60</integer><key>max key</key><integer>72</integer>
      <key>coarse tune</key><integer>-12</integer></dict>
      """
    let file = "<key>Sample:268435457</key><string>\(folder("Looped.wav"))</string>"
    try setLayers(unit, zones: zone, files: file)
    let sound = try render(unit, key: 69)[0]
    #expect(abs(frequency(sound.suffix(24_000)) - 240) < 0.5)
    #expect(peak(try render(unit, key: 80, frames: 2400)[0]) < 1e-5)
    // The saved state holds the same.
    let state = try unit.property(kAudioUnitProperty_ClassInfo, as: UInt.self)
    let other = try open()
    try other.setProperty(kAudioUnitProperty_ClassInfo, state)
    #expect(try render(other, key: 69)[0] == sound)
    unsafe UnsafeRawPointer(bitPattern: state).map { unsafe CFRelease($0) }
    for (zones, files) in [("", file), (zone, "")] {
      #expect(throws: AuricleError.self) { try setLayers(open(), zones: zones, files: files) }
    }
  }

  @Test("An SFZ file lays sounds out by key and velocity, with levels and envelopes")
  func regions() throws {
    try folder.write(
      """
      // plain
      <group> sample=Looped.wav pitch_keycenter=69 loop_mode=loop_continuous loop_start=100 loop_end=3999
      <region> lokey=60 hikey=a4 lovel=1 hivel=63 volume=-12
      <region> lokey=60 hikey=69 lovel=64 ampeg_attack=0.5
      <region> sample=Tone-A3.wav key=72 tune=-1200 loop_mode=no_loop ampeg_release=0.2
      """, to: "plain.sfz")
    let unit = try open()
    try unit.setText("bank", folder("plain.sfz"))
    let loud = try render(unit, key: 69)[0]
    #expect(abs(frequency(loud.suffix(24_000)) - 480) < 0.5)
    // It comes up for half a second.
    #expect(peak(Array(loud.prefix(2400))) < 0.3 * peak(Array(loud.suffix(4800))))
    #expect(peak(try render(unit, key: 70, frames: 4800)[0]) < 1e-5)
    #expect(abs(frequency(try render(unit, key: 72, frames: 4800)[0].suffix(4000)) - 240) < 3)
    // 12 dB down and 6 dB up are 18 dB apart, and the louder one is twice as loud as without.
    try folder.write(
      """
      <group> sample=Looped.wav pitch_keycenter=69 loop_mode=loop_continuous loop_start=100 loop_end=3999
      <region> lokey=69 hikey=69 volume=-12
      <region> lokey=72 hikey=72 pitch_keycenter=72 volume=6
      <region> lokey=75 hikey=75 pitch_keycenter=75
      """, to: "levels.sfz")
    try unit.setText("bank", folder("levels.sfz"))
    let levels = try [69, 72, 75].map { try peak(render(unit, key: $0, frames: 24_000)[0]) }
    #expect(abs(decibels(levels[1] / levels[2]) - 6) < 0.1, "\(levels)")
    #expect(abs(decibels(levels[1] / levels[0]) - 18) < 0.1, "\(levels)")
    // 2.2 GB without contents are refused unread.
    let huge = folder("huge.wav")
    try folder.write("RIFF", to: "huge.wav")
    unsafe #expect(truncate(huge, 2_200_000_000) == 0)
    try folder.write("<region> sample=huge.wav", to: "huge.sfz")
    let tooMuch = try #require(throws: AuricleError.self) {
      try unit.setText("bank", folder("huge.sfz"))
    }
    #expect(tooMuch.message.contains("500000000 samples"), "\(tooMuch.message)")
    try folder.write("#include \"other.sfz\"", to: "includes.sfz")
    try folder.write("nothing", to: "empty.sfz")
    for (file, word) in [
      ("includes.sfz", "cannot be read"), ("empty.sfz", "no <region>"), ("gone.sfz", "there is no"),
    ] {
      let error = try #require(throws: AuricleError.self) {
        try unit.setText("bank", folder(file))
      }
      #expect(error.message.contains(word), "\(error.message)")
    }
  }

  @Test("A loop that is played while its key is down goes on to the end of its sound behind it")
  func sustainedLoop() throws {
    // 480 Hz, and an octave higher behind the loop.
    let samples = (0..<24_000).flatMap { frame in
      little(Int(16_000 * sin(2 * .pi * Double(frame) / (frame < 4800 ? 100 : 50))), 2)
    }
    try folder.write(waveFile(1, samples), to: "Two.wav")
    let unit = try open()
    func sound(_ mode: String, release: Int?) throws -> [Float] {
      try folder.write(
        """
        <region> sample=Two.wav key=69 loop_mode=\(mode) loop_start=1000 loop_end=3999 ampeg_release=20
        """, to: "\(mode).sfz")
      try unit.setText("bank", folder("\(mode).sfz"))
      return try render(unit, key: 69, release: release)[0]
    }
    for mode in ["loop_sustain", "loop_continuous"] {
      let held = try sound(mode, release: nil)
      #expect(abs(frequency(held.suffix(12_000)) - 480) < 1, "\(mode)")
    }
    let continuous = try sound("loop_continuous", release: 20)
    #expect(abs(frequency(continuous[36_000..<40_000]) - 480) < 2)
    // Let go at frame 9600: within a turn of the loop the rest of 20,000 frames begins.
    let sustained = try sound("loop_sustain", release: 20)
    #expect(abs(frequency(sustained[16_000..<20_000]) - 960) < 3)
    #expect(peak(Array(sustained[12_800..<20_000])) > 0.01)
    #expect(peak(Array(sustained[36_000...])) < 1e-5)
  }

  @Test("Sounds of an SFZ file may go on behind their keys, and fall in their time")
  func envelopes() throws {
    // A mark of its encoding comes first, and names are those of older files.
    try folder.write(
      """
      \u{FEFF}<region> sample=Tone-A3.wav key=69 loop_mode=one_shot
      <region> sample=Looped.wav key=72 loopmode=loop_continuous loopstart=100 loopend=3999
      ampeg_decay=0.5 ampeg_sustain=25
      """, to: "shaped.sfz")
    let unit = try open()
    try unit.setText("bank", folder("shaped.sfz"))
    let held = try render(unit, key: 69, frames: 4800)[0]
    let struck = try render(unit, key: 69, frames: 4800, release: 1)[0]
    #expect(peak(Array(held[3600..<4700])) > 0.02)
    #expect(abs(decibels(peak(Array(struck[3600..<4700])) / peak(Array(held[3600..<4700])))) < 0.2)
    let sound = try render(unit, key: 72)[0]
    let levels = [0, 12_000, 28_800, 43_200].map { peak(Array(sound[$0..<$0 + 240])) }
    #expect(abs(decibels(levels[1] / levels[0]) + 6) < 0.3, "\(levels)")
    #expect(abs(decibels(levels[2] / levels[0]) + 12) < 0.3, "\(levels)")
    #expect(abs(decibels(levels[3] / levels[2])) < 0.1, "\(levels)")
  }

  @Test(
    "A missing preset names the nearest; other files than instruments are refused with the reason")
  func refusals() throws {
    let unit = try open()
    #expect(throws: AuricleError.self) { try load(unit, "test.sf2", type: 1, program: 9) }
    #expect(unit.failureReason?.contains("the nearest is bank 0, program 3, Wave") == true)
    for (file, type, word) in [
      ("bad.wav", UInt8(3), "WAVE"), ("gone.wav", 3, "there is no"), ("test.sf2", 4, "EXS24"),
      ("test.sf2", 2, "Apple's sampler"),
    ] {
      #expect(throws: AuricleError.self) { try load(unit, file, type: type) }
      #expect(unit.failureReason?.contains(word) == true)
    }
    #expect(throws: AuricleError.self) { try unit.setText("bank", folder("bad.wav")) }
    // It goes on as it was.
    #expect(abs(frequency(try render(unit, key: 69)[0].suffix(24_000)) - 441) < 0.5)
  }
}
