// The codecs as components, to be found like any unit.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
public import AudioComponents
import AudioFormats
import AudioTypes
import CAudioToolbox

/// The decoders (`adec`) and encoders (`aenc`) of this program.
public struct CodecComponentSource: AudioComponentSource {
  /// Makes the source.
  ///
  /// Context: any.
  public init() {}

  /// Lists the existing codecs; the library of most is searched for and not opened.
  ///
  /// Context: control.
  public func discover() -> ComponentDiscovery {
    ComponentDiscovery(
      components: KnownCodec.listed(encoders: false).map { Self.component($0, isEncoder: false) }
        + KnownCodec.listed(encoders: true).map { Self.component($0, isEncoder: true) })
  }

  /// Whether components of a type are codecs.
  ///
  /// Context: any.
  public static func isCodec(_ type: UInt32) -> Bool {
    [kAudioDecoderComponentType, kAudioEncoderComponentType, kAudioUnityCodecComponentType]
      .contains(type)
  }

  private static func component(_ codec: KnownCodec, isEncoder: Bool) -> AudioComponent {
    let name = KnownFormat.with(id: codec.id)?.name ?? "Codec"
    return unsafe AudioComponent(
      description: AudioComponentDescription(
        componentType: isEncoder ? kAudioEncoderComponentType : kAudioDecoderComponentType,
        componentSubType: codec.id, componentManufacturer: kAudioUnitManufacturer_Apple,
        componentFlags: 0, componentFlagsMask: 0),
      name: "Auricle: \(name) \(isEncoder ? "Encoder" : "Decoder")", version: 0x10000,
      origin: .builtIn, location: .process, tags: [isEncoder ? "Encoder" : "Decoder"]
    ) { (_) throws(AuricleError) in
      unsafe CodecPlugIn.make(codec.id, isEncoder: isEncoder)
    }
  }
}
