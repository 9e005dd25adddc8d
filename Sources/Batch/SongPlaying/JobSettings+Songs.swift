// The settings of a run whose inputs are MIDI files.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
package import ResultSettings

extension JobSettings {
  /// Sets the job to MIDI files: rendered at the rate of the results, and ringing on as long as a tail may. Context: any.
  package mutating func play(_ song: SongSettings) {
    var song = song
    song.sampleRate = sampleRate ?? song.sampleRate
    song.channelCount = deliverables.compactMap(\.channelCount).max() ?? song.channelCount
    self.song = song
    for index in deliverables.indices where deliverables[index].container == nil {
      deliverables[index].container = .wav
    }
    switch tail {
    case .automatic: break
    case .none, .keepLength: tailLimits.maximum = 0
    case .seconds(let seconds): tailLimits.maximum = seconds
    }
    tail = .automatic
    addStems(song)
  }

  /// A file for each instrument beside the mix: as loud as it is played, in the format of the mix.
  private mutating func addStems(_ song: SongSettings) {
    guard !song.stems.isEmpty else { return }
    deliverables[0].firstChannel = 0
    deliverables[0].channelCount = song.channelCount
    for (index, name) in song.stems.enumerated() {
      var stem = deliverables[0]
      stem.name = name
      stem.firstChannel = (index + 1) * song.channelCount
      (stem.loudness, stem.randomLoudness, stem.truePeak) = (nil, nil, nil)
      (stem.peak, stem.randomPeak) = (nil, nil)
      deliverables.append(stem)
    }
  }
}
