// Kinds of sound files and the formats that each can be written with, from the table of AudioFileGetGlobalInfo.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFormats
import AudioTypes
import CAudioToolbox

/// A kind of sound file.
public struct SoundFileTypes: Encodable, Sendable {
  /// A way a format is stored.
  public struct Description: Encodable, Sendable {
    /// The flags of its AudioStreamBasicDescription.
    public var flags: UInt32
    /// Bits a sample; 0 where they are not known.
    public var bits: UInt32
    /// Its name.
    public var name: String
  }

  /// An encoding.
  public struct Format: Encodable, Sendable {
    /// Its code.
    public var code: String
    /// Its name.
    public var name: String
    /// The forms of its samples.
    public var descriptions: [Description]
  }

  /// Its code.
  public var code: String
  /// Its name.
  public var name: String
  /// The extensions of such files, the usual one first.
  public var extensions: [String]
  /// The formats that it can be written with.
  public var formats: [Format]

  /// All kinds that can be written.
  ///
  /// Context: control.
  public static func writable() -> [SoundFileTypes] {
    Containers.writableTypes.compactMap { type in
      guard let known = try? FileType.of(type) else { return nil }
      return SoundFileTypes(
        code: text(type), name: known.name, extensions: known.extensions,
        formats: FormatTables.formats(of: type).map { format(of: $0, in: type) })
    }
  }

  private static func format(of id: AudioFormatID, in type: AudioFileTypeID) -> Format {
    let descriptions = (try? FormatTables.descriptions(of: id, in: type)) ?? []
    var plain = AudioStreamBasicDescription()
    plain.mFormatID = id
    return Format(
      code: text(id), name: FormatNames.name(of: plain) ?? text(id),
      descriptions: descriptions.map {
        Description(
          flags: $0.mFormatFlags, bits: $0.mBitsPerChannel,
          name: FormatNames.name(of: $0) ?? text(id))
      })
  }

  private static func text(_ code: UInt32) -> String {
    FourCharacterCode(rawValue: code).description
  }
}
