// The numbers of channels that a unit accepts, with Core Audio's wildcards.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

extension AudioUnit {
  /// The pairs of channel counts that the unit lists; nil where it lists none.
  ///
  /// Context: control. The corresponding property is `kAudioUnitProperty_SupportedNumChannels`.
  public var channelCapabilities: [AUChannelInfo]? {
    let infos = try? propertyArray(
      kAudioUnitProperty_SupportedNumChannels, of: AUChannelInfo.self)
    return infos.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// True if the unit accepts so many channels on its first buses.
  ///
  /// A unit without a list accepts equal numbers if it is an effect, else anything on buses that it
  /// has: whether it does shows when the formats are set.
  ///
  /// Context: control.
  public func supports(inputChannels: Int, outputChannels: Int) -> Bool {
    if let infos = channelCapabilities {
      return infos.contains { $0.allows(inputs: inputChannels, outputs: outputChannels) }
    }
    switch description.componentType {
    case kAudioUnitType_Effect, kAudioUnitType_MusicEffect, kAudioUnitType_OfflineEffect,
      kAudioUnitType_RemoteEffect, kAudioUnitType_RemoteMusicEffect:
      return inputChannels == outputChannels && inputChannels > 0
    default:
      // An instrument without a list still has no input for channels.
      return (inputChannels == 0 || busCount(scope: kAudioUnitScope_Input) > 0)
        && (outputChannels == 0 || busCount(scope: kAudioUnitScope_Output) > 0)
    }
  }
}

extension AUChannelInfo {
  /// True if the pair of this info covers a pair of channel counts.
  ///
  /// A number from 0 up means itself, and 0 means that the scope has no bus. {-1, -1} is any
  /// number, the same on both sides; {-1, -2} and {-2, -1} are any two numbers; a -1 beside a
  /// number from 0 up is any number. Below -2 the number is a total over all buses of the scope,
  /// which one bus may use up to.
  ///
  /// Context: any.
  public func allows(inputs: Int, outputs: Int) -> Bool {
    if inChannels == -1 && outChannels == -1 { return inputs == outputs && inputs > 0 }
    return Self.allows(Int(inChannels), inputs) && Self.allows(Int(outChannels), outputs)
  }

  private static func allows(_ capability: Int, _ count: Int) -> Bool {
    switch capability {
    case 0...: count == capability
    case -1, -2: count > 0
    default: (1 ... -capability).contains(count)
    }
  }
}
