// Sound from one end to the other in virtual time: bit for bit where nothing happens, in time where much does.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import NetworkSound
import TestSupport
import Testing

@Suite struct TransmissionTests {
  /// The first channel of all that is read.
  private func received(_ lab: SoundLab, seconds: Double) -> [Float] {
    var samples: [Float] = []
    lab.onSlice = { _, slice in
      for index in stride(from: 0, to: slice.count, by: lab.format.channelCount) {
        samples.append(slice[index])
      }
    }
    lab.run(seconds: seconds)
    return samples
  }

  /// The place of a run of samples in the sent sound, and how many frames from there are the same.
  private func match(_ received: [Float], _ lab: SoundLab) -> (start: Int, count: Int)? {
    // What fades in at first is left out.
    guard let first = received.firstIndex(where: { $0 != 0 }), first + 2000 < received.count else {
      return nil
    }
    let begin = first + 1000
    for frame in 0..<lab.sent
    where (0..<16).allSatisfy({ lab.sound(frame + $0) == received[begin + $0] }) {
      let same = (begin..<received.count).prefix { received[$0] == lab.sound(frame + $0 - begin) }
        .count
      return (begin, same)
    }
    return nil
  }

  @Test(
    "Linear and lossless sound arrives bit for bit, by one clock, whatever the slices",
    arguments: [
      SoundEncoding.float32, .linear24, .linear16, .lossless24, .lossless16,
    ])
  func equality(encoding: SoundEncoding) throws {
    for (send, read) in [(480, 256), (64, 1000), (1024, 37)] {
      let format = SoundFormat(encoding, sampleRate: 48_000, channelCount: 2)
      if let reason = format.absence {
        #expect(reason.contains("codec"), "\(reason)")
        return
      }
      let lab = try SoundLab(
        format, sendFrames: send, readFrames: read, sound: Self.exact(encoding))
      let samples = received(lab, seconds: 6)
      let found = try #require(match(samples, lab), "\(encoding) \(send) \(read)")
      #expect(found.count == samples.count - found.start)
      #expect(found.count > 4 * 48_000)
      #expect(lab.count("gaps") == 0 && lab.count("late") == 0 && lab.count("jumps") == 0)
      #expect(lab.board.status == .connected)
    }
  }

  /// Noise that an encoding keeps whole: all the bits that it has.
  private static func exact(_ encoding: SoundEncoding) -> (Int) -> Float {
    let fine = [SoundEncoding.float32, .linear24, .lossless24].contains(encoding)
    guard fine else { return SoundLab.noise }
    // 24 bits of a sample: those of the noise, and eight below them.
    return { frame in
      let below = Float((frame &* 37) & 0xFF) * 0x1p-23
      return SoundLab.noise(frame) + (SoundLab.noise(frame) < 0 ? -below : below)
    }
  }

  @Test("20 ms of jitter with packets that overtake each other and come twice change no bit")
  func jitter() throws {
    let relay = RelayTraits(copies: 0.05, jitter: 0.02)
    let lab = try SoundLab(
      SoundFormat(.linear16, sampleRate: 48_000, channelCount: 1), relay: relay)
    let samples = received(lab, seconds: 15)
    let found = try #require(match(samples, lab))
    #expect(found.count == samples.count - found.start)
    #expect(lab.count("gaps") == 0 && lab.count("duplicates") > 50)
  }

  @Test("Lost packets become a short fade, and nothing more", arguments: [0.01, 0.05])
  func loss(share: Double) throws {
    let relay = RelayTraits(loss: share, jitter: 0.02)
    let lab = try SoundLab(
      SoundFormat(.linear16, sampleRate: 48_000, channelCount: 1), relay: relay
    ) { Float(sin(Double($0) * 0.05)) * 0.5 }
    let samples = received(lab, seconds: 20)
    let missing = Double(lab.count("missing-frames")) / Double(samples.count)
    #expect(missing > share * 0.5 && missing < share * 2, "\(missing)")
    #expect(lab.count("jumps") == 0 && lab.count("late") == 0)
    // A fade over the mirrored past has no step that the sine itself does not come near to.
    let start = try #require(samples.firstIndex { $0 != 0 }) + 1000
    let steps = (start + 1..<samples.count).map { abs(samples[$0] - samples[$0 - 1]) }
    #expect((steps.max() ?? 1) < 0.06, "\(steps.max() ?? 1)")
  }

  @Test("AAC arrives at each rate that units offer, at the rates of sound that it has")
  func aacRates() throws {
    for sampleRate in [44_100, 48_000] {
      for kilobits in [128, 96, 80, 64, 48, 40, 32] {
        var format = SoundFormat(.aac, sampleRate: sampleRate, channelCount: 2)
        format.bitRate = kilobits * 2000
        if let reason = format.absence {
          #expect(reason.contains("codec"), "\(reason)")
          return
        }
        let lab = try SoundLab(format) { Float(sin(Double($0) * 0.05)) * 0.5 }
        let samples = received(lab, seconds: 1.5).suffix(sampleRate / 2)
        let power = samples.reduce(0) { $0 + Double($1 * $1) } / Double(samples.count)
        #expect(abs(power - 0.125) < 0.02, "\(sampleRate) \(kilobits): \(power)")
        #expect(lab.count("damaged") == 0 && lab.count("gaps") == 0)
      }
    }
  }

  /// Runs a link whose clocks differ; returns how far the true latency wanders after the loop has settled (s).
  private func drift(
    _ lab: SoundLab, minutes: Double
  ) -> (wander: Double, latency: Double) {
    // Each frame says its place, so that a frame that is read has an age.
    lab.sound = { Float($0 & 0x3FFF) * 0x1p-15 }
    var least = Double.infinity, most = -Double.infinity
    lab.onSlice = { time, slice in
      guard time > 13_000_000_000, slice.count > 8 else { return }
      let rises = (1..<8).allSatisfy { abs(slice[$0] - slice[$0 - 1] - 0x1p-15) < 0x1p-17 }
      guard rises else { return }
      let place = Double(slice[0]) * 0x1p15
      var age = lab.position(at: time).truncatingRemainder(dividingBy: 16_384) - place
      if age < 0 { age += 16_384 }
      (least, most) = (min(least, age), max(most, age))
    }
    beginCalmly(lab)
    lab.run(seconds: minutes * 60)
    let rate = Double(lab.format.sampleRate)
    return ((most - least) / rate, most / rate)
  }

  /// Joins both ends: sound that comes before the consent is nobody's, so the network is calm until then.
  private func beginCalmly(_ lab: SoundLab) {
    let traits = lab.traits
    lab.traits = RelayTraits()
    lab.run(seconds: 0.5)
    lab.traits = traits
  }

  /// Minutes of virtual time: AURICLE_NETWORK_MINUTES has more than the gate.
  private static let minutes =
    unsafe getenv("AURICLE_NETWORK_MINUTES").flatMap { Double(unsafe String(cString: $0)) } ?? 4

  @Test(
    "Clocks 100 ppm apart: received sound is played, and the latency stays, with any loss",
    arguments: [(100.0, 0.0), (-100, 0), (100, 0.01), (-100, 0.05)])
  func clocks(partsPerMillion: Double, loss: Double) throws {
    let lab = try SoundLab(
      SoundFormat(.float32, sampleRate: 48_000, channelCount: 1),
      relay: RelayTraits(loss: loss, jitter: 0.02), partsPerMillion: partsPerMillion)
    let (wander, latency) = drift(lab, minutes: Self.minutes)
    let missing = Double(lab.count("missing-frames")) / (Self.minutes * 60 * 48_000)
    print(
      "network: \(Self.minutes) min, \(partsPerMillion) ppm, loss \(loss * 100) %: \(lab.count("gaps")) gaps, "
        + "missing \(missing * 100) %, late \(lab.count("late")), jumps \(lab.count("jumps")), "
        + "wander \(wander * 1000) ms, latency \(latency * 1000) ms")
    #expect(lab.count("jumps") == 0 && lab.count("late") == 0, "\(lab.board.text)")
    #expect(missing <= loss * 1.2 && missing >= loss * 0.8, "\(missing)")
    #expect(loss > 0 || lab.count("gaps") == 0, "\(lab.board.text)")
    #expect(wander < (loss > 0 ? 0.01 : 0.005), "\(wander) s")
    #expect(latency < 0.12, "\(latency) s")
    #expect(abs(Double(lab.count("drift-ppb")) / 1000 - partsPerMillion) < 20)
  }

  @Test(
    "With one clock a long run stays bit for bit, with jitter and packets that overtake each other")
  func longEquality() throws {
    let lab = try SoundLab(
      SoundFormat(.linear16, sampleRate: 48_000, channelCount: 1), relay: RelayTraits(jitter: 0.02))
    var place: Int?
    var (same, other) = (0, 0)
    lab.onSlice = { time, slice in
      guard time > 6_000_000_000 else { return }
      if place == nil {
        place = (0..<lab.sent).first { start in
          slice.indices.allSatisfy { slice[$0] == lab.sound(start + $0) }
        }
      }
      guard let start = place else { return other += slice.count }
      for index in slice.indices {
        if slice[index] == lab.sound(start + index) { same += 1 } else { other += 1 }
      }
      place = start + slice.count
    }
    beginCalmly(lab)
    lab.run(seconds: Self.minutes * 15 + 6)
    print("network: \(Self.minutes / 4) min by one clock: \(same) samples the same, \(other) not")
    #expect(other == 0 && same > Int(Self.minutes * 15 * 47_900))
    #expect(lab.count("gaps") == 0 && lab.count("jumps") == 0)
  }

  @Test("Another rate at the receiver is converted")
  func rates() throws {
    let lab = try SoundLab(
      SoundFormat(.float32, sampleRate: 44_100, channelCount: 1), outputRate: 48_000
    ) { Float(sin(Double($0) * 2 * .pi * 441 / 44_100)) * 0.5 }
    let samples = received(lab, seconds: 8)
    let sine = samples.suffix(48_000)
    let turns = zip(sine, sine.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
    #expect((440...442).contains(turns), "\(turns)")
    #expect(lab.count("gaps") == 0)
  }

  @Test("A pause of the sender is silence, and the sound after it is received in time")
  func pause() throws {
    let lab = try SoundLab(SoundFormat(.linear16, sampleRate: 48_000, channelCount: 1))
    var samples = received(lab, seconds: 3)
    lab.isPlaying = false
    samples = received(lab, seconds: 3)
    #expect(samples.suffix(48_000).allSatisfy { $0 == 0 })
    #expect(lab.board.status == .connected)
    lab.isPlaying = true
    samples = received(lab, seconds: 3)
    let found = try #require(match(samples, lab))
    #expect(found.count == samples.count - found.start)
  }

  @Test(
    "Encoded sound arrives within the loss of its encoding",
    arguments: [
      (SoundEncoding.lossless16, 200.0), (.lossless24, 200), (.muLaw, 30), (.ima4, 25), (.aac, 20),
    ])
  func codecs(encoding: SoundEncoding, decibels: Double) throws {
    var format = SoundFormat(encoding, sampleRate: 48_000, channelCount: 2)
    if encoding == .aac { format.bitRate = 256_000 }
    if let reason = format.absence {
      // Without the codec of FFmpeg there is a reason, and the others work.
      #expect(encoding != .muLaw && reason.contains("codec"), "\(reason)")
      return
    }
    let lab = try SoundLab(format) {
      let wave = sin(Double($0) * 0.031) * 0.3 + sin(Double($0) * 0.11) * 0.2
      return Float((wave * 32_768).rounded()) * 0x1p-15
    }
    let samples = received(lab, seconds: 5)
    let window = Array(samples.suffix(9600))
    var best = -Double.infinity
    let middle = lab.sent - samples.count % 1
    for frame in max(0, middle - 40_000)..<middle - 9600 {
      guard abs(lab.sound(frame) - window[0]) < 0.1, abs(lab.sound(frame + 99) - window[99]) < 0.1
      else { continue }
      var (power, error) = (0.0, 1e-30)
      for index in 0..<9600 {
        let wanted = Double(lab.sound(frame + index))
        power += wanted * wanted
        error += (wanted - Double(window[index])) * (wanted - Double(window[index]))
      }
      best = max(best, 10 * log10(power / error))
    }
    #expect(best > decibels, "\(encoding): \(best) dB")
    #expect(lab.count("damaged") == 0 && lab.count("gaps") == 0 && lab.count("late") == 0)
  }
}
