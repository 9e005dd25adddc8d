// Both ends of a sound link in virtual time, with a relay between them that loses, delays and overtakes by a seed.
// SPDX-License-Identifier: Apache-2.0

import NetworkSound
import TestSupport

/// The behaviour of the network between both ends.
struct RelayTraits {
  /// The share of datagrams that are lost, and of those that come twice.
  var loss = 0.0
  var copies = 0.0
  /// The most that a datagram is late (s), beyond the usual delay: later ones overtake it.
  var jitter = 0.0
  /// The usual delay (s).
  var delay = 0.002
}

/// A sender, a receiver and its reader; an hour passes in seconds.
@safe final class SoundLab {
  let sender: SoundSender
  let receiver: SoundReceiver
  let board = SoundBoard()
  let feed: SoundFeed
  private let reader: UnsafeMutablePointer<PlayoutReader>
  private var random: SeededGenerator
  var traits: RelayTraits
  /// The surplus of the sender's clock, in parts per million.
  let partsPerMillion: Double
  let format: SoundFormat
  let sampleRate: Double
  /// Frames of a slice at either end.
  let sendFrames: Int
  let readFrames: Int
  /// The sound of a frame.
  var sound: (Int) -> Float

  /// The moment (ns), frames that were sent, and slices that were read.
  private(set) var now: UInt64 = 1_000_000_000
  private(set) var sent = 0
  private(set) var readSlices = 0
  private var flying: [(time: UInt64, toReceiver: Bool, bytes: [UInt8])] = []
  /// Called after each slice with its moment and its interleaved samples.
  var onSlice: ((UInt64, [Float]) -> Void)?
  /// Whether the sender sends sound.
  var isPlaying = true

  static let senderAddress = PeerAddress([2, 0, 0xCE, 0x40, 10, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
  static let receiverAddress = PeerAddress([2, 0, 0xCE, 0x41, 10, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0])

  init(
    _ format: SoundFormat, relay traits: RelayTraits = RelayTraits(), partsPerMillion: Double = 0,
    latency: Double = 0.06, outputRate: Double? = nil, sendFrames: Int = 480, readFrames: Int = 256,
    senderPassword: String = "", receiverPassword: String = "", seed: UInt64 = TestSeed.current,
    sound: @escaping (Int) -> Float = SoundLab.noise
  ) throws {
    self.format = format
    self.traits = traits
    self.partsPerMillion = partsPerMillion
    self.sendFrames = sendFrames
    self.readFrames = readFrames
    self.sound = sound
    sampleRate = outputRate ?? Double(format.sampleRate)
    random = SeededGenerator(seed: seed)
    sender = try SoundSender(
      SoundSender.Settings(format, password: PasswordKey(senderPassword)))
    feed = SoundFeed(
      sampleRate: sampleRate, channelCount: format.channelCount, board: board)
    var settings = SoundReceiver.Settings(password: PasswordKey(receiverPassword))
    settings.calls = true
    settings.waitLimit = latency / 2
    receiver = SoundReceiver(settings, feed)
    unsafe reader = .allocate(capacity: 1)
    unsafe reader.initialize(
      to: PlayoutReader(feed, latency: latency, maximumFrames: readFrames))
  }

  deinit {
    unsafe reader.deinitialize(count: 1)
    unsafe reader.deallocate()
  }

  /// Noise of 16 bits that follows from the number of the frame.
  static func noise(_ frame: Int) -> Float {
    var value = UInt64(bitPattern: Int64(frame)) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 29
    value = value &* 0xBF58_476D_1CE4_E5B9
    return Float(Int16(truncatingIfNeeded: value >> 32) >> 1) * 0x1p-15
  }

  /// Frames that the sender's clock has done.
  func position(at time: UInt64) -> Double {
    Double(time - 1_000_000_000) * 1e-9 * Double(format.sampleRate) * (1 + partsPerMillion * 1e-6)
  }

  /// Lets time pass.
  func run(seconds: Double) {
    let end = now + UInt64(seconds * 1e9)
    while now < end {
      let nextSend =
        1_000_000_000
        + UInt64(
          Double(sent + sendFrames) * 1e9 / Double(format.sampleRate)
            / (1 + partsPerMillion * 1e-6))
      let nextRead =
        1_000_000_000 + UInt64(Double((readSlices + 1) * readFrames) * 1e9 / sampleRate)
      let nextFlight = flying.first?.time ?? .max
      let next = max(now, min(nextSend, nextRead, nextFlight))
      now = next
      if next >= nextFlight {
        deliver()
      } else if next >= nextSend {
        send()
      } else {
        read()
      }
      carry()
    }
  }

  private func deliver() {
    let datagram = flying.removeFirst()
    if datagram.toReceiver {
      receiver.receive(datagram.bytes, from: Self.senderAddress, now: now)
    } else {
      sender.receive(datagram.bytes, from: Self.receiverAddress, now: now)
    }
  }

  private func send() {
    if isPlaying {
      var samples: [Float] = []
      for frame in sent..<sent + sendFrames {
        for channel in 0..<format.channelCount { samples.append(sound(frame + channel * 7919)) }
      }
      unsafe samples.withUnsafeBufferPointer {
        if let start = $0.baseAddress {
          unsafe sender.push(start, frameCount: sendFrames, now: now)
        }
      }
    }
    sent += sendFrames
    sender.advance(to: now)
  }

  private func read() {
    receiver.advance(to: now)
    var samples = [Float](repeating: 0, count: readFrames * format.channelCount)
    unsafe samples.withUnsafeMutableBufferPointer {
      if let start = $0.baseAddress {
        unsafe reader.pointee.read(start, frameCount: readFrames, now: now)
      }
    }
    readSlices += 1
    onSlice?(now, samples)
  }

  private func carry() {
    for datagram in sender.dequeueOutgoing() { launch(datagram.bytes, toReceiver: true) }
    for datagram in receiver.dequeueOutgoing() { launch(datagram.bytes, toReceiver: false) }
  }

  private func launch(_ bytes: [UInt8], toReceiver: Bool) {
    if traits.loss > 0, Double.random(in: 0..<1, using: &random) < traits.loss { return }
    let count =
      traits.copies > 0 && Double.random(in: 0..<1, using: &random) < traits.copies ? 2 : 1
    for _ in 0..<count {
      let late = traits.jitter > 0 ? Double.random(in: 0..<traits.jitter, using: &random) : 0
      let time = now + UInt64((traits.delay + late) * 1e9)
      let place = flying.firstIndex { $0.time > time } ?? flying.endIndex
      flying.insert((time, toReceiver, bytes), at: place)
    }
  }

  /// A count of the board.
  func count(_ name: String) -> Int {
    for line in board.text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.first == name[...], let value = words.last.flatMap({ Int($0) }) { return value }
    }
    return 0
  }
}
