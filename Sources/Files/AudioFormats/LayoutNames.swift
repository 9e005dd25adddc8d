// Names of layouts: "5.1", "Quadraphonic", and with their channels "5.1 (L R C LFE Ls Rs)".
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

extension ChannelLayout {
  /// The name without channels; nil where these are unknown.
  package var simpleName: String? {
    guard let labels, !labels.isEmpty else { return nil }
    if let tag = equivalentTag, let name = LayoutTags.name(of: tag) { return name }
    let count = labels.count
    if labels.allSatisfy({ $0 >= 0x1_0000 && $0 < 0x2_0000 }) {
      return count == 1 ? "1 Discrete Channel" : "\(count) Discrete Channels"
    }
    if let tag = equivalentTag, [0xBE_0000, 0xBF_0000].contains(tag & 0xFFFF_0000) {
      let order = Int(Double(count).squareRoot()) - 1
      return "Ambisonic, Order \(order)"
    }
    let roles = labels.compactMap(ChannelRole.named)
    guard roles.count == count else { return count == 1 ? "1 Channel" : "\(count) Channels" }
    let low = labels.count(where: ChannelRole.isLowFrequency)
    let high = roles.count { $0.elevation > 0 }
    return "\(count - low - high).\(low)" + (high > 0 ? ".\(high)" : "")
  }

  /// The name with the channels by their short names; nil where these are unknown.
  package var name: String? {
    guard let labels, let simpleName else { return nil }
    let names = labels.map { ChannelRole.name(of: $0, isShort: true) ?? "?" }
    return "\(simpleName) (\(names.joined(separator: " ")))"
  }
}
