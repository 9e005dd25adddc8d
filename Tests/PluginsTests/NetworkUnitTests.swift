// The units that send and receive over the network: with each other bit for bit, with ffmpeg, and what they refuse.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

/// A sending unit and a receiving one, rendered in turn by the clock.
private final class NetworkPair {
  let sender: UnitRig
  let receiver: AudioUnit
  private let buffers = AudioBuffers(channelCount: 2, frameCapacity: 1156)
  private let start = Date()
  private var slices = 0
  let rows: [[Float]]
  private(set) var passed: [[Float]] = [[], []]
  private(set) var received: [[Float]] = [[], []]
  let port: UInt32

  init(_ port: UInt32, receives: Bool = true, rows: [[Float]]? = nil) throws {
    self.port = port
    // On the grid of 16 bits, so that every linear format holds it.
    self.rows =
      rows
      ?? [1, 2].map { seed in
        TestSignal.noise(seed: UInt64(seed), amplitude: 0.5, frameCount: 480_000).map {
          ($0 * 32_768).rounded() / 32_768
        }
      }
    sender = try UnitRig(Shipped.open(name: "aufx:nsnd:appl"))
    try sender.unit.setProperty(kAUNetSendProperty_PortNum, port)
    receiver = try Shipped.open(name: "augn:nrcv:appl")
    try receiver.setStreamFormat(
      AudioStreamFormat(sampleRate: 48_000, channelCount: 2), scope: kAudioUnitScope_Output)
    try receiver.initialize()
    if receives {
      try receiver.setStringProperty(kAUNetReceiveProperty_Hostname, "127.0.0.1:\(port)")
    }
  }

  /// Renders both until a condition holds, at most so many seconds.
  func run(seconds: Double = 20, until isDone: () throws -> Bool) throws {
    let limit = slices + Int(seconds * 100)
    while slices < limit, slices < 990, try !isDone() {
      let due = start.addingTimeInterval(Double(slices + 1) * 0.01)
      // A pace and no wait: the network's sound has that of the clock.
      Thread.sleep(until: due)
      let range = slices * 480..<(slices + 1) * 480
      let through = try sender.render(rows.map { Array($0[range]) }, slices: [480])
      let out = try renderInSlices(
        receiver, frames: 480, channels: 2, slices: [480], from: slices * 480, into: buffers)
      for channel in 0..<2 {
        passed[channel] += through[channel]
        received[channel] += out[channel]
      }
      slices += 1
    }
  }

  var receiverStatus: Float { (try? receiver.parameter(kAUNetReceiveParam_Status)) ?? -1 }
  var senderStatus: Float { (try? sender.unit.parameter(kAUNetSendParam_Status)) ?? -1 }
  /// The counts of the receiver.
  var counts: String { (try? receiver.stringProperty(64_100)) ?? "" }
}

/// The number of samples from the first match on that are those of a row; nil where nothing matches. A match is sought at
/// several places: where the machine was late there is a gap.
private func matched(_ received: [Float], _ row: [Float]) -> (count: Int, of: Int)? {
  guard let first = received.firstIndex(where: { $0 != 0 }) else { return nil }
  for begin in stride(from: first + 1200, to: received.count - 1200, by: 2400) {
    for frame in 0..<row.count - 64
    where (0..<32).allSatisfy({ row[frame + $0] == received[begin + $0] }) {
      let rest = min(received.count - begin, row.count - frame)
      return ((0..<rest).prefix { received[begin + $0] == row[frame + $0] }.count, rest)
    }
  }
  return nil
}

/// The least error of the last 4800 samples against a place of a row (dB below the sound).
private func likeness(_ received: [Float], _ row: [Float]) -> Double {
  let window = Array(received.suffix(4800))
  var best = -Double.infinity
  for frame in 0..<row.count - window.count
  where abs(row[frame] - window[0]) < 0.1 && abs(row[frame + 99] - window[99]) < 0.1 {
    var (power, error) = (0.0, 1e-30)
    for index in window.indices {
      let (wanted, made) = (Double(row[frame + index]), Double(window[index]))
      power += wanted * wanted
      error += (wanted - made) * (wanted - made)
    }
    best = max(best, 10 * log10(power / error))
  }
  return best
}

/// Samples of a file of 16 or 24 bits, the first of two channels.
private func firstChannel(_ data: Data, bytes width: Int) -> [Float] {
  stride(from: 0, to: data.count - 2 * width + 1, by: 2 * width).map { place in
    var value = 0
    for byte in 0..<width { value |= Int(data[data.startIndex + place + byte]) << (8 * byte) }
    let limit = 1 << (8 * width - 1)
    return Float(value >= limit ? value - 2 * limit : value) / Float(limit)
  }
}

@Suite("Network units", .serialized) struct NetworkUnitTests {
  private func port() -> UInt32 { UInt32(FreePorts.pair()) }

  @Test(
    "The receiving unit plays the sending unit's sound bit for bit",
    arguments: [0, 1, 2, 3, 4] as [UInt32])
  func equality(format: UInt32) throws {
    let pair = try NetworkPair(port())
    #expect(pair.senderStatus == 0 && pair.receiverStatus == 0)
    guard try hasFormat(format, pair.sender.unit) else { return }
    try pair.sender.unit.setProperty(kAUNetSendProperty_Disconnect, UInt32(0))
    try pair.run(seconds: 0.1) { false }
    #expect(pair.senderStatus == Float(kAUNetStatus_Listening))
    try pair.receiver.setProperty(kAUNetSendProperty_Disconnect, UInt32(0))
    try pair.run { pair.received[0].filter { $0 != 0 }.count > 72_000 }
    #expect(pair.senderStatus == Float(kAUNetStatus_Connected))
    #expect(pair.passed[0] == Array(pair.rows[0].prefix(pair.passed[0].count)))
    for channel in 0..<2 {
      let found = try #require(
        matched(pair.received[channel], pair.rows[channel]), "\(pair.counts)")
      // A machine that is late for longer than the latency has a gap there, which is counted.
      #expect(
        found.count == found.of || !pair.counts.contains("gaps 0\n"), "\(found) \(pair.counts)")
    }
    try pair.sender.unit.setProperty(kAUNetSendProperty_Disconnect, UInt32(1))
    try pair.run(seconds: 2) { pair.receiverStatus == Float(kAUNetStatus_Connecting) }
    #expect(pair.receiverStatus == Float(kAUNetStatus_Connecting))
    #expect(pair.senderStatus == Float(kAUNetStatus_NotConnected))
  }

  /// Sets a format; false where it needs a codec that is not there.
  private func hasFormat(_ format: UInt32, _ unit: AudioUnit) throws -> Bool {
    do {
      try unit.setProperty(kAUNetSendProperty_TransmissionFormatIndex, format)
    } catch {
      guard format > 2, unit.failureReason?.contains("codec") == true else { throw error }
      return false
    }
    return true
  }

  @Test(
    "Encoded sound arrives within the loss of its encoding: µ-law, IMA4, AAC",
    arguments: [(5, 30), (6, 25), (7, 20)] as [(UInt32, Double)])
  func encoded(format: UInt32, decibels: Double) throws {
    let rows = [0.031, 0.023].map { (step: Double) -> [Float] in
      (0..<480_000).map { (frame: Int) -> Float in
        let (low, high) = (sinf(Float(Double(frame) * step)), sinf(Float(Double(frame) * 0.11)))
        return low * 0.3 + high * 0.2
      }
    }
    let pair = try NetworkPair(port(), rows: rows)
    guard try hasFormat(format, pair.sender.unit) else { return }
    try pair.sender.unit.setProperty(kAUNetSendProperty_Disconnect, UInt32(0))
    try pair.receiver.setProperty(kAUNetSendProperty_Disconnect, UInt32(0))
    try pair.run { pair.received[0].filter { $0 != 0 }.count > 48_000 }
    #expect(pair.passed[0] == Array(rows[0].prefix(pair.passed[0].count)))
    for channel in 0..<2 {
      let found = likeness(pair.received[channel], rows[channel])
      // A machine that is late for longer than the latency has a gap there, which is counted.
      #expect(
        found > decibels || !pair.counts.contains("gaps 0\n"), "\(found) dB, \(pair.counts)")
    }
  }

  @Test("ffmpeg receives the unit's sound, L16 and L24", arguments: [2, 1] as [UInt32])
  func toProgram(format: UInt32) throws {
    let folder = try TemporaryFolder("auricle-net")
    let (own, theirs) = (port(), port())
    let pair = try NetworkPair(own, receives: false)
    let unit = pair.sender.unit
    try unit.setProperty(kAUNetSendProperty_TransmissionFormatIndex, format)
    try unit.setText("to", "127.0.0.1:\(theirs)")
    try unit.setProperty(kAUNetSendProperty_Disconnect, UInt32(0))
    let description = try #require(try unit.stringProperty(64_101))
    #expect(description.contains(format == 2 ? "L16/48000/2" : "L24/48000/2"))
    try folder.write(Data(description.utf8), to: "x.sdp")
    let code = format == 2 ? "s16le" : "s24le"
    let program = try ChildProcess(
      "ffmpeg",
      [
        "-v", "error", "-protocol_whitelist", "file,udp,rtp", "-analyzeduration", "0", "-i",
        "x.sdp",
        "-t", "1", "-f", code, "-y", "out.raw",
      ], in: folder.path)
    try pair.run { !program.isRunning }
    let result = program.wait()
    #expect(result.exitCode == 0, "\(result.summary)")
    let data = try Data(contentsOf: URL(fileURLWithPath: folder("out.raw")))
    let received = firstChannel(data, bytes: format == 2 ? 2 : 3)
    let found = try #require(matched(received, pair.rows[0]))
    #expect(found.count == found.of && found.of > 40_000, "\(found)")
  }

  @Test("The unit plays ffmpeg's sound")
  func fromProgram() throws {
    let folder = try TemporaryFolder("auricle-net")
    let theirs = port()
    let pair = try NetworkPair(port(), receives: false)
    var bytes = Data()
    for frame in 0..<192_000 {
      for row in pair.rows {
        let value = Int16(row[frame] * 32_768)
        bytes.append(UInt8(truncatingIfNeeded: value))
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
      }
    }
    try folder.write(bytes, to: "in.raw")
    let description = """
      v=0
      o=- 0 0 IN IP4 127.0.0.1
      s=x
      c=IN IP4 127.0.0.1
      t=0 0
      m=audio \(theirs) RTP/AVP 97
      a=rtpmap:97 L16/48000/2
      """
    try folder.write(Data(description.utf8), to: "x.sdp")
    try pair.receiver.setText("sdp", folder("x.sdp"))
    try pair.receiver.setProperty(kAUNetSendProperty_Disconnect, UInt32(0))
    let program = try ChildProcess(
      "ffmpeg",
      [
        "-v", "error", "-re", "-f", "s16le", "-ar", "48000", "-ac", "2", "-i", "in.raw", "-c:a",
        "pcm_s16be", "-f", "rtp", "rtp://127.0.0.1:\(theirs)",
      ], in: folder.path)
    try pair.run { pair.received[0].filter { $0 != 0 }.count > 72_000 }
    program.send(signal: SIGTERM)
    let found = try #require(matched(pair.received[0], pair.rows[0]), "\(pair.counts)")
    #expect(found.count == found.of || !pair.counts.contains("gaps 0\n"), "\(found) \(pair.counts)")
  }

  @Test(
    "Every transmission format is described as Core Audio does; those of low delay are refused by name"
  )
  func formats() throws {
    let unit = try Shipped.open(name: "aufx:nsnd:appl")
    let identities: [UInt32] =
      [
        kAudioFormatLinearPCM, kAudioFormatLinearPCM, kAudioFormatLinearPCM,
        kAudioFormatAppleLossless, kAudioFormatAppleLossless, kAudioFormatULaw,
        kAudioFormatAppleIMA4,
      ] + Array(repeating: kAudioFormatMPEG4AAC, count: 7)
    for (index, identity) in identities.enumerated() {
      do {
        try unit.setProperty(kAUNetSendProperty_TransmissionFormatIndex, UInt32(index))
      } catch {
        // Lossless, IMA4 and AAC need a codec, which the reason names.
        #expect(unit.failureReason?.contains("codec") == true && index > 2 && index != 5)
        continue
      }
      let described = try unit.property(
        kAUNetSendProperty_TransmissionFormat, as: AudioStreamBasicDescription.self)
      #expect(described.mFormatID == identity, "\(index)")
      #expect(described.mSampleRate == 44_100 && described.mChannelsPerFrame == 2)
      let bits: [UInt32] = [32, 24, 16]
      if index < 3 { #expect(described.mBitsPerChannel == bits[index]) }
    }
    for index in UInt32(14)...17 {
      #expect(throws: (any Error).self) {
        try unit.setProperty(kAUNetSendProperty_TransmissionFormatIndex, index)
      }
      #expect(unit.failureReason?.contains("AAC of low delay") == true)
    }
  }

  /// The lines of the sockets of UDP at a port: the address in hexadecimal, lowest byte first.
  private func sockets(at port: UInt32) throws -> [String] {
    let table = try String(contentsOfFile: "/proc/net/udp", encoding: .utf8)
    return table.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count > 1, words[1].hasSuffix(String(format: ":%04X", port)) else { return nil }
      return String(words[1].prefix(8))
    }
  }

  @Test("Nothing listens before it is asked to, and then at this computer alone")
  func listening() throws {
    let port = port()
    let sender = try UnitRig(Shipped.open(name: "aufx:nsnd:appl"))
    try sender.unit.setProperty(kAUNetSendProperty_PortNum, port)
    _ = try sender.render([[0.5], [0.5]], slices: [1])
    let receiver = try Shipped.open(name: "augn:nrcv:appl")
    try receiver.setText("listen", "127.0.0.1:\(port)")
    try receiver.initialize()
    #expect(try sockets(at: port).isEmpty)
    try sender.unit.setProperty(kAUNetSendProperty_Disconnect, UInt32(0))
    #expect(try sockets(at: port) == ["0100007F"])
    try sender.unit.setProperty(kAUNetSendProperty_Disconnect, UInt32(1))
    #expect(try sockets(at: port).isEmpty)
    try receiver.setProperty(kAUNetSendProperty_Disconnect, UInt32(0))
    #expect(try sockets(at: port) == ["0100007F"])
    try receiver.setProperty(kAUNetSendProperty_Disconnect, UInt32(1))
    #expect(try sockets(at: port).isEmpty)
  }

  @Test("Another password than the sender's is refused, and the right one joins")
  func passwords() throws {
    let pair = try NetworkPair(port())
    try pair.sender.unit.setStringProperty(kAUNetSendProperty_Password, "open sesame")
    try pair.sender.unit.setProperty(kAUNetSendProperty_Disconnect, UInt32(0))
    try pair.receiver.setStringProperty(kAUNetReceiveProperty_Password, "close sesame")
    try pair.receiver.setProperty(kAUNetSendProperty_Disconnect, UInt32(0))
    try pair.run(seconds: 1.2) { false }
    #expect(pair.receiverStatus == Float(kAUNetStatus_Connecting))
    #expect(pair.senderStatus == Float(kAUNetStatus_Listening))
    #expect(pair.received[0].allSatisfy { $0 == 0 })
    try pair.receiver.setProperty(kAUNetSendProperty_Disconnect, UInt32(1))
    try pair.receiver.setStringProperty(kAUNetReceiveProperty_Password, "open sesame")
    try pair.receiver.setProperty(kAUNetSendProperty_Disconnect, UInt32(0))
    try pair.run { pair.received[0].contains { $0 != 0 } }
    #expect(pair.receiverStatus == Float(kAUNetStatus_Connected))
  }

  @Test("Settings are kept without the password; impossible ones are refused with the reason")
  func settings() throws {
    let unit = try Shipped.open(name: "aufx:nsnd:appl")
    #expect(try unit.property(kAUNetSendProperty_PortNum, as: UInt32.self) == 52_800)
    #expect(try unit.property(kAUNetSendProperty_Disconnect, as: UInt32.self) == 1)
    #expect(try unit.stringProperty(kAUNetSendProperty_ServiceName) == "AUNetSend")
    for index in [UInt32(14), 17, 18] {
      #expect(throws: (any Error).self) {
        try unit.setProperty(kAUNetSendProperty_TransmissionFormatIndex, index)
      }
    }
    #expect(throws: (any Error).self) {
      try unit.setProperty(kAUNetSendProperty_PortNum, UInt32(70_000))
    }
    try unit.setProperty(kAUNetSendProperty_TransmissionFormatIndex, UInt32(1))
    let described = try unit.property(
      kAUNetSendProperty_TransmissionFormat, as: AudioStreamBasicDescription.self)
    #expect(described.mBitsPerChannel == 24 && described.mFormatID == kAudioFormatLinearPCM)
    // Each format that is read is itself when it is set again.
    for index in UInt32(0)...13 {
      guard (try? unit.setProperty(kAUNetSendProperty_TransmissionFormatIndex, index)) != nil
      else { continue }  // Without the codec.
      let format = try unit.property(
        kAUNetSendProperty_TransmissionFormat, as: AudioStreamBasicDescription.self)
      try unit.setProperty(kAUNetSendProperty_TransmissionFormat, format)
      #expect(
        try unit.property(kAUNetSendProperty_TransmissionFormatIndex, as: UInt32.self) == index)
    }
    // An address that is none of this computer's is refused when the unit connects, with where.
    try unit.setText("listen", "192.0.2.1")
    try unit.initialize()
    #expect(throws: (any Error).self) {
      try unit.setProperty(kAUNetSendProperty_Disconnect, UInt32(0))
    }
    #expect(unit.failureReason?.contains("192.0.2.1") == true)
    #expect(try unit.property(kAUNetSendProperty_Disconnect, as: UInt32.self) == 1)
  }
}
