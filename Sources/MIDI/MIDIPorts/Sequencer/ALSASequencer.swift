// A client of the kernel's sequencer, through alsa-lib.
// SPDX-License-Identifier: Apache-2.0

import CALSA
import Glibc
import HostSystem
import Synchronization

/// The kernel's sequencer, where it is.
@safe final class ALSASequencer: SequencerDoor, @unchecked Sendable {
  // @unchecked Sendable because writing is done under a lock, reading on one thread, and the rest are calls of the kernel.
  private let sequencer: OpaquePointer
  private let decoder: OpaquePointer
  /// The coder of messages into the kernel's form: one message at a time.
  private let encoder: OpaquePointer
  private let writing = Mutex(())
  let client: Int32

  private static let device = "/dev/snd/seq"
  /// Long messages go in pieces that every receiver has room for (bytes).
  private static let piece = 256
  /// Events that may wait for this client: the most that the kernel grants.
  private static let room = 2000

  /// A client; nil where the machine has no sequencer, this user may not use it, or `AURICLE_SEQUENCER` is `off`.
  init?(name: String) {
    if let wish = unsafe getenv("AURICLE_SEQUENCER"), unsafe strcmp(wish, "off") == 0 { return nil }
    guard unsafe access(Self.device, R_OK | W_OK) == 0 else { return nil }
    auricle_alsa_silence()
    var opened: OpaquePointer?
    guard unsafe snd_seq_open(&opened, "default", SND_SEQ_OPEN_DUPLEX, SND_SEQ_NONBLOCK) == 0,
      let sequencer = unsafe opened
    else { return nil }
    let coders = unsafe (Self.coder(), Self.coder())
    guard let decoder = unsafe coders.0, let encoder = unsafe coders.1 else {
      unsafe snd_midi_event_free(coders.0)
      unsafe snd_midi_event_free(coders.1)
      unsafe snd_seq_close(sequencer)
      return nil
    }
    unsafe self.sequencer = sequencer
    unsafe self.decoder = decoder
    unsafe self.encoder = encoder
    unsafe snd_midi_event_no_status(decoder, 1)
    unsafe snd_seq_set_client_name(sequencer, name)
    unsafe snd_seq_set_client_pool_input(sequencer, Self.room)
    client = unsafe snd_seq_client_id(sequencer)
  }

  /// Makes a coder of short messages into the kernel's form, and back.
  private static func coder() -> OpaquePointer? {
    var made: OpaquePointer?
    unsafe snd_midi_event_new(16, &made)
    return unsafe made
  }

  deinit {
    unsafe snd_midi_event_free(decoder)
    unsafe snd_midi_event_free(encoder)
    unsafe snd_seq_close(sequencer)
  }
}

extension ALSASequencer {
  func ports() -> [SequencerPort] {
    var (client, port): (OpaquePointer?, OpaquePointer?) = (nil, nil)
    unsafe snd_seq_client_info_malloc(&client)
    unsafe snd_seq_port_info_malloc(&port)
    defer {
      unsafe snd_seq_client_info_free(client)
      unsafe snd_seq_port_info_free(port)
    }
    guard let client = unsafe client, let port = unsafe port else { return [] }
    var found: [SequencerPort] = []
    unsafe snd_seq_client_info_set_client(client, -1)
    while unsafe snd_seq_query_next_client(sequencer, client) == 0 {
      let number = unsafe snd_seq_client_info_get_client(client)
      let name = unsafe String(cString: snd_seq_client_info_get_name(client))
      unsafe snd_seq_port_info_set_client(port, number)
      unsafe snd_seq_port_info_set_port(port, -1)
      while unsafe snd_seq_query_next_port(sequencer, port) == 0 {
        if let one = unsafe Self.port(port, of: number, name) { found.append(one) }
      }
    }
    return found
  }

  /// The kernel's description of a port; nil for one that is not for others.
  private static func port(
    _ info: OpaquePointer, of client: Int32, _ clientName: String
  ) -> SequencerPort? {
    let abilities = unsafe snd_seq_port_info_get_capability(info)
    let readable = UInt32(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ)
    let writable = UInt32(SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE)
    let (reads, writes) = (abilities & readable == readable, abilities & writable == writable)
    guard abilities & UInt32(SND_SEQ_PORT_CAP_NO_EXPORT) == 0, reads || writes else { return nil }
    return SequencerPort(
      SequencerAddress(client, unsafe snd_seq_port_info_get_port(info)), client: clientName,
      name: unsafe String(cString: snd_seq_port_info_get_name(info)), isReadable: reads,
      isWritable: writes)
  }

  /// The abilities that others may use of a port.
  private static func abilities(_ use: SequencerPortUse, _ isShown: Bool) -> UInt32 {
    let read = SND_SEQ_PORT_CAP_READ | (isShown ? SND_SEQ_PORT_CAP_SUBS_READ : 0)
    let write = SND_SEQ_PORT_CAP_WRITE | (isShown ? SND_SEQ_PORT_CAP_SUBS_WRITE : 0)
    let hidden = isShown ? 0 : SND_SEQ_PORT_CAP_NO_EXPORT
    switch use {
    case .source: return UInt32(read | hidden)
    case .destination: return UInt32(write | hidden)
    case .link: return UInt32(read | write | hidden)
    }
  }

  func makePort(_ name: String, _ use: SequencerPortUse) -> Int32? {
    let kind = UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION)
    let port = unsafe snd_seq_create_simple_port(
      sequencer, name, Self.abilities(use, false), kind)
    return port < 0 ? nil : port
  }

  func show(_ port: Int32, _ use: SequencerPortUse, _ isShown: Bool) {
    var made: OpaquePointer?
    unsafe snd_seq_port_info_malloc(&made)
    guard let info = unsafe made else { return }
    defer { unsafe snd_seq_port_info_free(info) }
    let abilities = Self.abilities(use, isShown)
    guard unsafe snd_seq_get_port_info(sequencer, port, info) == 0,
      unsafe snd_seq_port_info_get_capability(info) != abilities
    else { return }
    // Kernels before 6.5 announce ports when they are made, not when they change.
    unsafe snd_seq_delete_simple_port(sequencer, port)
    unsafe snd_seq_port_info_set_capability(info, abilities)
    unsafe snd_seq_port_info_set_port(info, port)
    unsafe snd_seq_port_info_set_port_specified(info, 1)
    unsafe snd_seq_create_port(sequencer, info)
  }

  func removePort(_ port: Int32) { unsafe snd_seq_delete_simple_port(sequencer, port) }

  func connect(_ other: SequencerAddress, at port: Int32, _ isConnected: Bool) {
    if isConnected {
      unsafe snd_seq_connect_from(sequencer, port, other.client, other.port)
    } else {
      unsafe snd_seq_disconnect_from(sequencer, port, other.client, other.port)
    }
  }

  func open(_ other: SequencerAddress, for port: Int32) {
    unsafe snd_seq_connect_to(sequencer, port, other.client, other.port)
  }

  func send(_ message: [UInt8], from port: Int32, to other: SequencerAddress?) -> Bool {
    writing.withLock { _ in
      var place = 0
      while place < message.count {
        // Other messages have three bytes at most.
        let piece = Array(message[place..<min(place + Self.piece, message.count)])
        let status = unsafe auricle_seq_send(
          sequencer, encoder, piece, UInt32(piece.count), port, other?.client ?? -1,
          other?.port ?? 0)
        guard status >= 0 else { return false }
        place += piece.count
      }
      return true
    }
  }
}

extension ALSASequencer {
  func receive() -> [SequencerEvent]? {
    var entries = [pollfd()]
    guard unsafe snd_seq_poll_descriptors(sequencer, &entries, 1, Int16(POLLIN)) == 1 else {
      return nil
    }
    let ready = unsafe poll(&entries, 1, -1)
    guard ready > 0 else { return errno == EINTR ? [] : nil }
    guard entries[0].revents & Int16(POLLIN) != 0 else { return nil }
    let now = HostClock.now
    var events: [SequencerEvent] = []
    while true {
      var input: UnsafeMutablePointer<snd_seq_event_t>?
      let status = unsafe snd_seq_event_input(sequencer, &input)
      if status == -ENOSPC {
        events.append(.lost)
      } else if status < 0 {
        return events
      } else if let event = unsafe input, let known = unsafe known(event, now) {
        events.append(known)
      }
    }
  }

  /// Returns an event of the kernel; nil for one without a receiver here.
  private func known(_ event: UnsafeMutablePointer<snd_seq_event_t>, _ now: UInt64)
    -> SequencerEvent?
  {
    func address(_ place: snd_seq_addr_t) -> SequencerAddress {
      SequencerAddress(Int32(place.client), Int32(place.port))
    }
    switch unsafe UInt32(event.pointee.type) {
    case SND_SEQ_EVENT_CLIENT_START.rawValue...SND_SEQ_EVENT_PORT_CHANGE.rawValue:
      return unsafe event.pointee.data.addr.client == UInt8(truncatingIfNeeded: client)
        ? nil : .portsChanged
    case SND_SEQ_EVENT_PORT_UNSUBSCRIBED.rawValue:
      let connection = unsafe event.pointee.data.connect
      return .disconnected(from: address(connection.sender), to: address(connection.dest))
    default:
      let bytes = unsafe Self.bytes(event, decoder)
      guard !bytes.isEmpty else { return nil }
      return unsafe .message(
        from: address(event.pointee.source), to: Int32(event.pointee.dest.port), time: now, bytes)
    }
  }

  /// The bytes of a message; none for an event that is no MIDI.
  private static func bytes(
    _ event: UnsafeMutablePointer<snd_seq_event_t>, _ decoder: OpaquePointer
  ) -> [UInt8] {
    var long: UnsafeRawPointer?
    let count = unsafe auricle_seq_exclusive(event, &long)
    if let long = unsafe long {
      return unsafe Array(UnsafeRawBufferPointer(start: long, count: Int(count)))
    }
    var bytes = [UInt8](repeating: 0, count: 16)
    let short = unsafe snd_midi_event_decode(decoder, &bytes, bytes.count, event)
    return short > 0 ? Array(bytes.prefix(short)) : []
  }
}
