// Sends a plug-in the transport position from the host's callbacks.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import ForeignPlugIns
internal import LV2Bundles

extension LV2RenderState {
  /// Reads the position at the start of a slice; it is sent to the plug-in if it is not the expected one.
  @_noLocks mutating func beginEvents(_ slice: borrowing RenderSlice) {
    guard events.timeInputs.count > 0 else { return }
    guard let position = position(slice) else { return }
    let expected = events.expected
    let isExpected =
      events.hasSentPosition && position.speed == expected.speed && position.tempo == expected.tempo
      && position.beatsPerBar == expected.beatsPerBar && position.beatUnit == expected.beatUnit
      && abs(position.frame - expected.frame) < 1 && abs(position.beat - expected.beat) < 1e-3
    events.position = position
    events.isPositionDue = !isExpected
    let frames = Double(slice.frameCount) * Double(position.speed)
    events.expected = position
    events.expected.frame += frames
    if position.beat >= 0 {
      events.expected.beat += frames / events.sampleRate * position.tempo / 60
    }
  }

  /// The position at the start of a slice; nil when the host provides none.
  ///
  /// A host with a tempo but no transport plays from the start: the frame is the sample time. Without either,
  /// nothing is sent to the plug-in.
  @_noLocks private func position(_ slice: borrowing RenderSlice) -> LV2SongPosition? {
    var position = LV2SongPosition()
    position.frame = slice.sampleTime
    position.speed = 1
    let transport = slice.transportState()
    let beat = slice.beatAndTempo()
    guard transport != nil || beat != nil else { return nil }
    let offset = Double(slice.cycleOffset)
    if let transport {
      position.speed = transport.isPlaying ? 1 : 0
      position.frame = transport.sampleInTimeLine + (transport.isPlaying ? offset : 0)
    }
    if let beat, beat.tempo > 0 {
      position.tempo = beat.tempo
      let passed = offset * Double(position.speed) / events.sampleRate * beat.tempo / 60
      position.beat = max(0, beat.beat + passed)
    }
    if let location = slice.musicalTimeLocation() {
      position.beatsPerBar = location.signatureNumerator
      position.beatUnit = location.signatureDenominator
      position.barBeat = location.barDownBeat
    }
    return position
  }

  /// Writes a time:Position to every port that supports it.
  @_noLocks mutating func writePosition(at frame: Int) {
    events.isPositionDue = false
    events.hasSentPosition = true
    let urids = events.urids
    let position = events.position
    for index in 0..<events.timeInputs.count {
      let buffer = unsafe atoms.elements[events.timeInputs.elements[index]]
      let hasBeat = position.beat >= 0
      let hasBar = position.beatsPerBar > 0
      let count = 2 + (hasBeat ? 2 : 0) + (hasBar ? 2 : 0) + (hasBeat && hasBar ? 2 : 0)
      guard
        let body = unsafe buffer.append(
          frame: frame, type: urids.object, size: LV2ObjectWriter.size(properties: count))
      else { continue }
      var writer = unsafe LV2ObjectWriter(body, type: urids.timePosition)
      let songFrame = abs(position.frame) < 1e15 ? Int64(position.frame) : 0
      writer.add(urids.timeFrame, urids.long, long: songFrame)
      writer.add(urids.timeSpeed, urids.float, float: position.speed)
      if hasBeat && hasBar {
        let inBar = max(0, position.beat - position.barBeat)
        let bar = position.barBeat / Double(position.beatsPerBar)
        writer.add(urids.timeBarBeat, urids.float, float: Float(inBar))
        writer.add(urids.timeBar, urids.long, long: abs(bar) < 1e15 ? Int64(bar + 0.5) : 0)
      }
      if hasBar {
        writer.add(urids.timeBeatUnit, urids.int, int: Int32(clamping: position.beatUnit))
        writer.add(urids.timeBeatsPerBar, urids.float, float: position.beatsPerBar)
      }
      if hasBeat {
        writer.add(urids.timeBeat, urids.double, double: position.beat)
        writer.add(urids.timeBeatsPerMinute, urids.float, float: Float(position.tempo))
      }
    }
  }
}
