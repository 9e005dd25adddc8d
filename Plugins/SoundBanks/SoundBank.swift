// A sound bank: its presets, and its samples, which stay in memory while it does.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Glibc
import Synchronization

/// A preset of a bank.
struct BankPreset: Hashable, Sendable {
  /// 128 for drums.
  var bank: Int
  var program: Int
  var name: String

  /// As Core Audio numbers instruments: bank MSB, LSB, program, a byte each.
  var number: UInt32 {
    bank == 128
      ? UInt32(kAUSampler_DefaultPercussionBankMSB) << 16 | UInt32(program)
      : UInt32(kAUSampler_DefaultMelodicBankMSB) << 16 | UInt32(bank) << 8 | UInt32(program)
  }
}

/// A bank in memory. A synth that is never played holds it, so that further synths find its samples.
///
/// @unchecked Sendable because nothing changes after init.
@safe final class SoundBank: @unchecked Sendable {
  let path: String
  /// The path that FluidSynth reads: that of the bank, or of its conversion.
  let file: String
  /// In the order of banks and programs.
  let presets: [BankPreset]
  private let library: FluidLibrary
  private let keeper: (settings: FluidLibrary.Thing, synth: FluidLibrary.Thing)
  private let stamp: Stamp
  /// The file without a name that holds the conversion of a bank; −1 for none.
  private let descriptor: Int32

  /// The mark of a file's content.
  private struct Stamp: Equatable {
    var device: UInt64
    var file: UInt64
    var size: Int64
    var seconds: Int
    var nanoseconds: Int

    init?(_ path: String) {
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { return nil }
      (device, file, size) = (UInt64(status.st_dev), UInt64(status.st_ino), Int64(status.st_size))
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
  }

  private init(
    _ path: String, _ library: FluidLibrary, _ stamp: Stamp,
    made: (descriptor: Int32, path: String)?
  ) throws(UnitRefusal) {
    let file = made?.path ?? path
    guard unsafe library.isBank(file) != 0,
      let keeper = unsafe library.makeSynth(sampleRate: 44_100, voices: 1, hasReverb: false)
    else { throw Self.unreadable(path) }
    let id = unsafe library.loadBank(keeper.synth, file, 1)
    guard id >= 0, let font = unsafe library.bank(keeper.synth, id) else {
      unsafe library.deleteSynth(keeper.synth)
      unsafe library.deleteSettings(keeper.settings)
      throw Self.unreadable(path)
    }
    var found: [BankPreset] = []
    unsafe library.startPresets(font)
    while let preset = unsafe library.nextPreset(font) {
      let name = unsafe library.presetName(preset).map { unsafe String(cString: $0) } ?? ""
      found.append(
        BankPreset(
          bank: Int(unsafe library.presetBank(preset)),
          program: Int(unsafe library.presetProgram(preset)), name: name))
    }
    presets = found.sorted { ($0.bank, $0.program) < ($1.bank, $1.program) }
    self.path = path
    self.file = file
    descriptor = made?.descriptor ?? -1
    self.library = library
    unsafe self.keeper = unsafe keeper
    self.stamp = stamp
  }

  deinit {
    unsafe library.deleteSynth(keeper.synth)
    unsafe library.deleteSettings(keeper.settings)
    if descriptor >= 0 { close(descriptor) }
  }

  /// The bank that was opened last: the next unit in the process has it at once.
  private static let last = Mutex<SoundBank?>(nil)

  /// Opens a bank.
  ///
  /// - Throws: A sentence: no such file, no bank, no FluidSynth.
  ///
  /// Context: control.
  static func open(_ path: String) throws(UnitRefusal) -> SoundBank {
    let library = try FluidLibrary.shared.get()
    guard let stamp = Stamp(path) else {
      throw UnitRefusal(
        status: OSStatus(kAudio_FileNotFoundError),
        reason: "there is no sound bank \(path)")
    }
    guard unsafe access(path, R_OK) == 0 else {
      throw UnitRefusal(
        status: kAudioUnitErr_InvalidFile, reason: "the sound bank \(path) may not be read")
    }
    let present = last.withLock { $0 }
    if let present, present.path == path, present.stamp == stamp { return present }
    var made: (descriptor: Int32, path: String)?
    if DLSFile.isOne(path) {
      made = DLSFile.soundFont(path).flatMap(SoundFontBuilder.file)
      if made == nil { throw unreadable(path) }
    }
    let bank: SoundBank
    do throws(UnitRefusal) { bank = try SoundBank(path, library, stamp, made: made) } catch {
      if let made { close(made.descriptor) }
      throw error
    }
    last.withLock { $0 = bank }
    return bank
  }

  /// The bank of the system.
  ///
  /// - Throws: A sentence where there is none.
  ///
  /// Context: control.
  static func standard() throws(UnitRefusal) -> SoundBank {
    guard let path = BankPlaces.standard() else { throw BankPlaces.absence }
    return try open(path)
  }

  private static func unreadable(_ path: String) -> UnitRefusal {
    UnitRefusal(
      status: kAudioUnitErr_InvalidFile,
      reason:
        "\(path) is no sound bank that can be read, or is damaged: give a SoundFont (.sf2, .sf3) or a DLS file"
    )
  }

  /// The preset of a number, or the one that is nearest to it.
  func nearest(bank: Int, program: Int) -> BankPreset? {
    presets.min {
      ($0.bank == bank ? 0 : 1, abs($0.program - program), $0.bank)
        < ($1.bank == bank ? 0 : 1, abs($1.program - program), $1.bank)
    }
  }
}
