// The voices of the unit that speaks.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
public import AudioTypes
public import AudioUnits
import ChainPresets
import ResultSettings
import SongPlaying

extension AuricleInstallation {
  /// The voices of the unit that speaks.
  ///
  /// - Throws: `.unavailable` with the reason where it, or its speech engine, is not installed.
  ///
  /// Context: control; the plug-in runs in this process.
  public func speechVoices() throws(AuricleError) -> [SpeechVoice] {
    try host.makeRegistry().resolve(SpeechSettings.unit).instantiate().speechVoices()
  }

  /// Refuses a voice that is not there.
  ///
  /// - Throws: `.usage`, with the names that are near; as `speechVoices` does.
  ///
  /// Context: control; the plug-in runs in this process.
  public func checkVoice(_ voice: String) throws(AuricleError) {
    let voices = try speechVoices()
    let wanted = voice.prefix { $0 != "+" }.lowercased()
    let languages = voices.flatMap(\.languages)
    let names = languages + voices.map(\.identifier) + voices.map(\.name)
    guard !names.contains(where: { $0.lowercased() == wanted }) else { return }
    throw AuricleError(
      .usage,
      "there is no voice '\(voice)'\(suggestion(for: wanted, in: names)) (auricle say --list-voices lists them)",
      cause: .unknownName(voice, kind: .voice))
  }
}
