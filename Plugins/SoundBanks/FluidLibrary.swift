// The door to FluidSynth, which is opened when the first bank is.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Glibc

/// The functions of libfluidsynth.so.3 that are called here. The library is found at run time, since its licence (LGPL)
/// and its dependencies are not this project's.
///
/// @unchecked Sendable because it holds nothing but addresses of functions.
@safe struct FluidLibrary: @unchecked Sendable {
  /// A thing of FluidSynth's: settings, a synth, a bank, a preset.
  typealias Thing = UnsafeMutableRawPointer
  typealias Text = UnsafePointer<CChar>

  let newSettings: @convention(c) () -> Thing?
  let deleteSettings: @convention(c) (Thing?) -> Void
  let setNumber: @convention(c) (Thing?, Text, Double) -> Int32
  let setInteger: @convention(c) (Thing?, Text, Int32) -> Int32
  let newSynth: @convention(c) (Thing?) -> Thing?
  let deleteSynth: @convention(c) (Thing?) -> Void
  let isBank: @convention(c) (Text) -> Int32
  let loadBank: @convention(c) (Thing?, Text, Int32) -> Int32
  let bank: @convention(c) (Thing?, Int32) -> Thing?
  let startPresets: @convention(c) (Thing?) -> Void
  let nextPreset: @convention(c) (Thing?) -> Thing?
  let presetName: @convention(c) (Thing?) -> Text?
  let presetBank: @convention(c) (Thing?) -> Int32
  let presetProgram: @convention(c) (Thing?) -> Int32
  let noteOn: @convention(c) (Thing?, Int32, Int32, Int32) -> Int32
  let noteOff: @convention(c) (Thing?, Int32, Int32) -> Int32
  let keyPressure: @convention(c) (Thing?, Int32, Int32, Int32) -> Int32
  let controller: @convention(c) (Thing?, Int32, Int32, Int32) -> Int32
  let program: @convention(c) (Thing?, Int32, Int32) -> Int32
  let selectBank: @convention(c) (Thing?, Int32, Int32) -> Int32
  let channelPressure: @convention(c) (Thing?, Int32, Int32) -> Int32
  let bend: @convention(c) (Thing?, Int32, Int32) -> Int32
  let bendRange: @convention(c) (Thing?, Int32, Int32) -> Int32
  let interpolation: @convention(c) (Thing?, Int32, Int32) -> Int32
  let exclusive:
    @convention(c) (
      Thing?, UnsafePointer<UInt8>?, Int32, Thing?, UnsafeMutablePointer<Int32>?,
      UnsafeMutablePointer<Int32>?, Int32
    ) -> Int32
  let systemReset: @convention(c) (Thing?) -> Int32
  let channelType: @convention(c) (Thing?, Int32, Int32) -> Int32
  let generator: @convention(c) (Thing?, Int32, Int32, Float) -> Int32
  let reverb: @convention(c) (Thing?, Double, Double, Double, Double) -> Int32
  let activeVoices: @convention(c) (Thing?) -> Int32
  /// Voices that play, those of a note or of all (−1), with nil behind them where there is room.
  let listVoices: @convention(c) (Thing?, UnsafeMutablePointer<Thing?>, Int32, Int32) -> Void
  /// The number of the note that a voice belongs to: a later note has a higher one.
  let voiceNote: @convention(c) (Thing?) -> UInt32
  let voiceIsHeld: @convention(c) (Thing?) -> Int32
  let voiceGenerator: @convention(c) (Thing?, Int32) -> Float
  let setVoiceGenerator: @convention(c) (Thing?, Int32, Float) -> Void
  let updateVoice: @convention(c) (Thing?, Int32) -> Void
  let endNote: @convention(c) (Thing?, UInt32) -> Int32
  let write:
    @convention(c) (
      Thing?, Int32, UnsafeMutablePointer<Float>, Int32, Int32, UnsafeMutablePointer<Float>, Int32,
      Int32
    ) -> Int32

  /// The library, or why it cannot be opened.
  static let shared = Result { () throws(UnitRefusal) in try FluidLibrary() }

  private init() throws(UnitRefusal) {
    let name = "libfluidsynth.so.3"
    guard let library = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
      throw UnitRefusal(
        status: kAudioUnitErr_FailedInitialization,
        reason:
          "sound banks are played by FluidSynth, whose library \(name) cannot be loaded: install it "
          + "(apt install libfluidsynth3)")
    }
    func find<Function>(_ name: String) throws(UnitRefusal) -> Function {
      try unsafe Self.find(name, in: library)
    }
    unsafe newSettings = try find("new_fluid_settings")
    unsafe deleteSettings = try find("delete_fluid_settings")
    unsafe setNumber = try find("fluid_settings_setnum")
    unsafe setInteger = try find("fluid_settings_setint")
    unsafe newSynth = try find("new_fluid_synth")
    unsafe deleteSynth = try find("delete_fluid_synth")
    unsafe isBank = try find("fluid_is_soundfont")
    unsafe loadBank = try find("fluid_synth_sfload")
    unsafe bank = try find("fluid_synth_get_sfont_by_id")
    unsafe startPresets = try find("fluid_sfont_iteration_start")
    unsafe nextPreset = try find("fluid_sfont_iteration_next")
    unsafe presetName = try find("fluid_preset_get_name")
    unsafe presetBank = try find("fluid_preset_get_banknum")
    unsafe presetProgram = try find("fluid_preset_get_num")
    unsafe noteOn = try find("fluid_synth_noteon")
    unsafe noteOff = try find("fluid_synth_noteoff")
    unsafe keyPressure = try find("fluid_synth_key_pressure")
    unsafe controller = try find("fluid_synth_cc")
    unsafe program = try find("fluid_synth_program_change")
    unsafe selectBank = try find("fluid_synth_bank_select")
    unsafe channelPressure = try find("fluid_synth_channel_pressure")
    unsafe bend = try find("fluid_synth_pitch_bend")
    unsafe bendRange = try find("fluid_synth_pitch_wheel_sens")
    unsafe interpolation = try find("fluid_synth_set_interp_method")
    unsafe exclusive = try find("fluid_synth_sysex")
    unsafe systemReset = try find("fluid_synth_system_reset")
    unsafe channelType = try find("fluid_synth_set_channel_type")
    unsafe generator = try find("fluid_synth_set_gen")
    unsafe reverb = try find("fluid_synth_set_reverb")
    unsafe activeVoices = try find("fluid_synth_get_active_voice_count")
    unsafe listVoices = try find("fluid_synth_get_voicelist")
    unsafe voiceNote = try find("fluid_voice_get_id")
    unsafe voiceIsHeld = try find("fluid_voice_is_on")
    unsafe voiceGenerator = try find("fluid_voice_gen_get")
    unsafe setVoiceGenerator = try find("fluid_voice_gen_set")
    unsafe updateVoice = try find("fluid_voice_update_param")
    unsafe endNote = try find("fluid_synth_stop")
    unsafe write = try find("fluid_synth_write_float")
    unsafe OneThread.arrange(library)
    // The results of the calls say the same as its messages.
    typealias Log = @convention(c) (Int32, Text?, Thing?) -> Void
    let setLog: @convention(c) (Int32, Log?, Thing?) -> Log? = unsafe try find(
      "fluid_set_log_function")
    for level in 0..<Int32(5) { unsafe _ = setLog(level, nil, nil) }
  }

  private static func find<Function>(
    _ name: String, in library: Thing
  ) throws(UnitRefusal) -> Function {
    guard let address = unsafe dlsym(library, name) else {
      throw UnitRefusal(
        status: kAudioUnitErr_FailedInitialization,
        reason:
          "FluidSynth has no \(name): install version 2.2 or later (apt install libfluidsynth3)")
    }
    return unsafe unsafeBitCast(address, to: Function.self)
  }

  /// A synth of sixteen channels, and its settings, which outlive it; nil where there is no memory.
  ///
  /// - Parameters:
  ///   - sampleRate: From 8,000 to 96,000 Hz.
  ///   - voices: The most that sound at once; of more, the softest is ended in no time.
  ///
  /// Context: control.
  func makeSynth(
    sampleRate: Double, voices: Int32, hasReverb: Bool, hasChorus: Bool = true
  ) -> (settings: Thing, synth: Thing)? {
    guard let settings = unsafe newSettings() else { return nil }
    unsafe _ = setNumber(settings, "synth.sample-rate", sampleRate)
    unsafe _ = setInteger(settings, "synth.polyphony", voices)
    for (rule, weight) in [
      ("age", 0.0), ("percussion", 0), ("released", 0), ("sustained", 0), ("volume", 10_000),
    ] { unsafe _ = setNumber(settings, "synth.overflow.\(rule)", weight) }
    unsafe _ = setInteger(settings, "synth.threadsafe-api", 0)
    unsafe _ = setInteger(settings, "synth.lock-memory", 0)
    if !hasReverb { unsafe _ = setInteger(settings, "synth.reverb.active", 0) }
    if !hasChorus { unsafe _ = setInteger(settings, "synth.chorus.active", 0) }
    guard let synth = unsafe newSynth(settings) else {
      unsafe deleteSettings(settings)
      return nil
    }
    return unsafe (settings, synth)
  }
}
