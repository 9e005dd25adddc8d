// The gain at which players are to play a file, as tags hold it.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import Glibc

/// The values of a file's ReplayGain tags, or in Opus files of those of R 128.
public struct GainTags: Encodable, Sendable {
  /// Loudness and peak of a file or of an album.
  public struct Figures: Encodable, Sendable {
    /// The integrated loudness by EBU R 128, in LUFS.
    public var loudness: Double
    /// The highest true peak in dBTP; nil for silence.
    public var truePeakDecibels: Double?
    /// The gain that brings it to -18 LUFS (ReplayGain 2.0), in dB.
    public var gainDecibels: Double

    init(loudness: Double, truePeakDecibels: Double?) {
      self.loudness = loudness
      self.truePeakDecibels = truePeakDecibels
      gainDecibels = -18 - loudness
    }
  }

  /// The file as it was named.
  public var path: String
  /// Its own figures.
  public var track: Figures
  /// Those of its album; nil where it has none.
  public var album: Figures?
  /// Whether the file has these tags already and was left as it is.
  public var isSkipped = false
  /// Notes of attributes and links that the file lost; mostly none.
  public var notes: [String] = []

  /// The tags as a kind of file has them; an empty value removes an existing tag.
  func texts(of container: AudioContainer) -> [(key: String, value: String)] {
    // Opus has separate numbers (RFC 7845), and players would apply both.
    let isOpus = container == .opus
    return Self.texts("TRACK", track, isOpus) + Self.texts("ALBUM", album, isOpus)
  }

  /// Whether two texts of such a tag say the same: gains to a twentieth of a decibel, peaks to a half of a per cent.
  static func areSame(_ found: String, _ wanted: String) -> Bool {
    func number(_ text: String) -> (value: Double, unit: Substring)? {
      let digits = text.prefix { $0.isNumber || "+-.".contains($0) }
      return Double(digits).map { ($0, text[digits.endIndex...].drop { $0 == " " }) }
    }
    guard let one = number(found), let other = number(wanted),
      one.unit.lowercased() == other.unit.lowercased()
    else { return found == wanted }
    let isPeak = other.unit.isEmpty && wanted.contains(".")
    let most = isPeak ? other.value * 0.005 : other.unit.isEmpty ? 256 * 0.05 : 0.05
    return abs(one.value - other.value) <= most + 1e-9
  }

  private static func texts(
    _ name: String, _ figures: Figures?, _ isOpus: Bool
  ) -> [(key: String, value: String)] {
    let (gain, peak) = ("REPLAYGAIN_\(name)_GAIN", "REPLAYGAIN_\(name)_PEAK")
    guard !isOpus else {
      return [
        ("R128_\(name)_GAIN", figures.map { opusGain($0.loudness) } ?? ""), (gain, ""), (peak, ""),
      ]
    }
    let linear = figures.map { pow(10, ($0.truePeakDecibels ?? -.infinity) / 20) }
    return [
      (gain, figures.map { fixed($0.gainDecibels, 2) + " dB" } ?? ""),
      (peak, linear.map { fixed($0, 6) } ?? ""),
    ]
  }

  /// The gain that brings a loudness to -23 LUFS, in 256ths of a dB.
  private static func opusGain(_ loudness: Double) -> String {
    String(Int(max(-32_768, min(32_767, ((-23 - loudness) * 256).rounded()))))
  }

  private static func fixed(_ value: Double, _ places: Int) -> String {
    let scale = pow(10, Double(places))
    let whole = Int((abs(value) * scale).rounded())
    let rest = String(whole % Int(scale))
    let digits = String(repeating: "0", count: places - rest.count) + rest
    return (value < 0 && whole > 0 ? "-" : "") + "\(whole / Int(scale)).\(digits)"
  }
}
