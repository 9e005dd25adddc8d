// Sound cards that are not there: a plug-in of alsa-lib, compiled once, and a configuration that names cards of it.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Glibc

/// A set of simulated cards for one test; programs see them with `environment`.
@safe public final class SimulatedCards {
  /// A side of a card.
  public enum Side: Int32, Sendable {
    /// The playing side.
    case output = 0
    /// The recording side.
    case input = 1
  }

  private let folder: TemporaryFolder
  private let library: String
  private let commandCard: CommandCard
  private let isRunning: AskCard
  private var cards: [(name: String, settings: String)] = []
  private var others = ""

  private typealias CommandCard =
    @convention(c) (UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, Double) -> Int32
  private typealias AskCard = @convention(c) (UnsafePointer<CChar>, Int32) -> Int32

  /// The folder of the built plug-in, which goes with the process.
  private static let built = Result<TemporaryFolder, any Error> {
    let folder = try TemporaryFolder("auricle-card")
    let place = Places.inPackage("Tests/Fixtures/SimulatedCard")
    let sources = ["PCM", "Opening", "Mixer"].map { "\(place)/\($0).c" }
    try DefectUnitFixture.compile(
      sources, to: folder("card.so"), ["-Wall", "-Wextra", "-Werror", "-DPIC", "-lasound", "-lm"])
    return folder
  }

  /// No cards yet.
  public init() throws {
    library = try Self.built.get()("card.so")
    folder = try TemporaryFolder("auricle-cards")
    guard let handle = unsafe dlopen(library, RTLD_NOW | RTLD_LOCAL),
      let notify = unsafe dlsym(handle, "tellCard"), let ask = unsafe dlsym(handle, "cardRuns")
    else { throw FixtureError(description: "\(library) cannot be opened") }
    unsafe commandCard = unsafe unsafeBitCast(notify, to: CommandCard.self)
    unsafe isRunning = unsafe unsafeBitCast(ask, to: AskCard.self)
    try write()
  }

  /// The environment that shows these cards to programs, and no others.
  public var environment: [String: String?] {
    ["ALSA_CONFIG_PATH": folder("asound.conf"), "HOME": folder.path, "AURICLE_DEVICE": nil]
  }

  /// The file that a card's memory is in.
  private func memory(_ name: String) -> String { folder("\(name).card") }

  /// Adds a card, or changes its settings: `formats "S16_LE" faults "xrun@48000"`.
  public func add(_ name: String, _ settings: String = "") throws {
    cards.removeAll { $0.name == name }
    cards.append((name, settings))
    try write()
  }

  /// Removes a card from the list of cards.
  public func remove(_ name: String) throws {
    cards.removeAll { $0.name == name }
    try write()
  }

  /// Adds other text to the configuration.
  public func configure(_ text: String) throws {
    others += text + "\n"
    try write()
  }

  private func write() throws {
    var text = """
      </usr/share/alsa/alsa.conf>
      pcm_type.simulated { lib "\(library)" }
      ctl_type.simulated { lib "\(library)" }

      """
    for (name, settings) in cards {
      text += """
        pcm.\(name) {
          type simulated card "\(memory(name))" heard "\(folder("\(name).raw"))" \(settings)
          hint { show on description "Simulated \(name)" }
        }
        ctl.\(name) { type simulated card "\(memory(name))" }

        """
    }
    try folder.write(text + others, to: "asound.conf.new")
    unsafe rename(folder("asound.conf.new"), folder("asound.conf"))
  }

  /// Has something go wrong with a card, or be well again: `xrun`, `stall` (milliseconds), `hang`, `suspend`,
  /// `disconnect`, `busy`, `deny`, `back`.
  public func notify(_ name: String, _ fault: String, _ argument: Double = 0, side: Side = .output)
  {
    _ = unsafe commandCard(memory(name), side.rawValue, fault, argument)
  }

  /// Whether a side of a card runs now.
  public func runs(_ name: String, _ side: Side = .output) -> Bool {
    unsafe isRunning(memory(name), side.rawValue) != 0
  }

  /// The bytes that have left the card's connector so far.
  public func delivered(_ name: String) -> Data {
    FileManager.default.contents(atPath: folder("\(name).raw")) ?? Data()
  }
}

/// The part of a sound that arrived at the other end.
public struct Arrival: Sendable, Equatable {
  /// Frames that came, in order.
  public var frameCount = 0
  /// Frames that are missing in between.
  public var lostCount = 0
  /// Frames that are not of the sound, silence left out.
  public var foreignCount = 0
  /// Frames of silence between the first and the last that came.
  public var silentCount = 0

  /// Compares frames with the sent ones; frame 0 is silence, and no two neighbours are alike.
  ///
  /// - Parameter repeated: How many may come once more at a break.
  public init<Frame: Equatable>(
    _ found: [Frame], of sent: [Frame], silence: Frame, repeated: Int = 0
  ) {
    var next = 0
    var silent = 0
    for frame in found {
      if next < sent.count, frame == sent[next] {
        (frameCount, silentCount) = (frameCount + 1, silentCount + silent)
        (next, silent) = (next + 1, 0)
      } else if frame == silence {
        silent += frameCount > 0 ? 1 : 0
      } else if let place = sent[min(next + 1, sent.count)...].firstIndex(of: frame) {
        lostCount += frameCount > 0 ? place - next : 0
        (frameCount, silentCount) = (frameCount + 1, silentCount + silent)
        (next, silent) = (place + 1, 0)
      } else if let place = sent[max(0, next - repeated)..<next].lastIndex(of: frame) {
        frameCount -= next - place - 1
        next = place + 1
      } else {
        foreignCount += 1
      }
    }
  }
}
