// Words for properties and scopes in error messages.
// SPDX-License-Identifier: Apache-2.0

internal import CAudioToolbox

/// Names a reader understands: "the stream format of input 0", not "property 8, scope 1".
enum PropertyNames {
  static func text(_ id: AudioUnitPropertyID) -> String {
    let name: String? =
      switch id {
      case 0: "the state"
      case 1: "the connection"
      case 2: "the sample rate"
      case 3: "the parameter list"
      case 4: "the parameter info"
      case 8: "the stream format"
      case 10: "the reverb room type"
      case 11: "the element count"
      case 12: "the latency"
      case 13: "the supported channel counts"
      case 14: "the maximum frames per slice"
      case 16: "the parameter value strings"
      case 19: "the channel layout"
      case 20: "the tail time"
      case 21: "the bypass"
      case 23: "the render callback"
      case 24: "the factory presets"
      case 35: "the parameter clump name"
      case 36: "the present preset"
      case 37: "the offline rendering"
      case 64000: "the parameter symbol"
      case 64001: "the parameter value points"
      case 64002: "the failure reason"
      case 64003: "the identifier"
      case 64004: "the preset URI"
      case 64005: "the preset URIs"
      default: nil
      }
    return name ?? "property \(id)"
  }

  static func place(scope: AudioUnitScope, element: AudioUnitElement) -> String {
    switch scope {
    case kAudioUnitScope_Global: element == 0 ? "the unit" : "the unit (element \(element))"
    case kAudioUnitScope_Input: "input \(element)"
    case kAudioUnitScope_Output: "output \(element)"
    case kAudioUnitScope_Group: "group \(element)"
    case kAudioUnitScope_Part: "part \(element)"
    default: "scope \(scope), element \(element)"
    }
  }
}
