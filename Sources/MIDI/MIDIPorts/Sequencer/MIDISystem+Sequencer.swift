// Sources that represent ports of the sequencer, and the ports of this process's endpoints.
// SPDX-License-Identifier: Apache-2.0

import MIDIMessages
import Synchronization

extension MIDISystem {
  /// Returns the number of an endpoint that receives the output of a sequencer port.
  func adoptSource(_ key: String) -> MIDIRef {
    tables.withLock { tables in
      let ref = tables.ref(of: key)
      tables.own[ref] = OwnEndpoint(
        client: Self.sequencerClient, key: key, isSource: true, form: .bytes, deliver: nil)
      return ref
    }
  }

  /// The owner of endpoints that represent ports of the sequencer: no client.
  static let sequencerClient: MIDIRef = 0

  /// Ends a source whose port is gone.
  func abandonSource(_ ref: MIDIRef) {
    guard let own = tables.withLock({ $0.own.removeValue(forKey: ref) }) else { return }
    try? end(own)
  }

  /// Ends the way to a destination whose port is gone.
  func abandonDestination(_ key: String) {
    guard let outlet = tables.withLock({ $0.outlets.removeValue(forKey: key) }) else { return }
    sender.end(outlet)
  }

  /// Whether a source of this process has receivers.
  func hasReceivers(_ ref: MIDIRef) -> Bool {
    tables.withLock { $0.own[ref]?.outlets.isEmpty == false }
  }

  /// Hides the ports of private endpoints of this process, and shows those of others.
  func updateShowing() {
    let all = tables.withLock { tables in
      tables.own.compactMap { ref, own in own.port.map { (ref, $0, own) } }
    }
    for (ref, port, own) in all {
      guard let record = registry.endpoint(own.key) else { continue }
      sequencer?.show(port, of: ref, isSource: own.isSource, !record.isPrivate)
    }
  }
}
