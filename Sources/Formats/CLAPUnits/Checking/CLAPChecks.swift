// The rules of CLAP plug-ins beyond the common ones: their declarations, and the threads of their calls.
// SPDX-License-Identifier: Apache-2.0

internal import UnitValidation

/// The rules.
enum CLAPChecks {
  // Rules on a plug-in's declarations.

  static let features = ValidationCheck(
    "clap.features", level: 1, .warning, "The features name a main category, and each once.",
    remedy:
      "name one of instrument, audio-effect, note-effect, note-detector and analyzer, and none twice"
  )
  static let ports = ValidationCheck(
    "clap.ports", level: 1, .error,
    "The main port is the first of its direction, and the dialect that a note port prefers is one of its own.",
    remedy: "put the main port first, and prefer a dialect that the port supports")
  static let pair = ValidationCheck(
    "clap.in-place-pair", level: 1, .error,
    "Two ports that may share memory name each other, and have the same channels.",
    remedy: "write the id of the other port at both, or CLAP_INVALID_ID")
  static let range = ValidationCheck(
    "clap.range", level: 1, .error,
    "The range of a parameter is neither empty nor inverted, and has its default.",
    remedy: "correct min_value, max_value or default_value")
  static let initial = ValidationCheck(
    "clap.default", level: 1, .warning, "A fresh instance has the defaults of its parameters.",
    remedy: "return default_value from get_value until another value arrives")
  static let stepped = ValidationCheck(
    "clap.stepped", level: 1, .warning, "The range and default of a stepped parameter are whole.",
    remedy: "write whole numbers, or leave CLAP_PARAM_IS_STEPPED out")
  static let texts = ValidationCheck(
    "clap.texts", level: 2, .warning, "A value that is written as text is read back from it.",
    remedy: "have text_to_value read what value_to_text writes, units included")
  static let factory = ValidationCheck(
    "clap.factory", level: 1, .error,
    "The file makes nothing under a name that it does not list.",
    remedy: "compare the whole id in create_plugin and get_factory, and return NULL for others")
  static let presets = ValidationCheck(
    "clap.presets", level: 2, .error, "Each preset that the file lists can be loaded.",
    remedy: "have from_location load what the preset provider lists")
  static let voices = ValidationCheck(
    "clap.voices", level: 2, .error, "A plug-in plays no more voices than it can.",
    remedy: "report a voice_count of at most voice_capacity")

  // Rules on a plug-in's calls.

  static let threads = ValidationCheck(
    "clap.threads", level: 3, .error,
    "A function of the host is called on the threads that the standard names for it.",
    remedy: "ask for a callback, and call it from on_main_thread")
  static let times = ValidationCheck(
    "clap.times", level: 3, .error,
    "A function of the host is called when the standard allows it.",
    remedy: "ask for a restart first: ports, parameters and latency stay as they are while active")
  static let complaints = ValidationCheck(
    "clap.complaints", level: 3, .warning,
    "A plug-in logs no misbehaviour of its own or of the host.",
    remedy: "look at what its log says, and correct the code it is about")

  // Rules on a plug-in's behaviour.

  static let flush = ValidationCheck(
    "clap.flush", level: 3, .error,
    "A value that is flushed arrives as one that is processed does.",
    remedy: "read the events of params.flush as those of process")
  static let namespace = ValidationCheck(
    "clap.namespace", level: 3, .error, "An event of another namespace changes nothing.",
    remedy: "look at space_id before type")
  static let cookies = ValidationCheck(
    "clap.cookies", level: 3, .error, "A value without the parameter's cookie arrives as well.",
    remedy: "find the parameter by its id where the cookie is NULL")
  static let status = ValidationCheck(
    "clap.status", level: 3, .error, "The process call returns a status that there is.",
    remedy: "return one of CLAP_PROCESS_…")
  static let inPlace = ValidationCheck(
    "clap.in-place", level: 3, .error,
    "Sound in memory that ports share is the same as in memory apart.",
    remedy: "read a frame before it is written, or write CLAP_INVALID_ID as in_place_pair")
  static let emptyState = ValidationCheck(
    "clap.state-empty", level: 4, .error, "A state without bytes is refused.",
    remedy: "return false from load when the stream ends too early")
  static let statePieces = ValidationCheck(
    "clap.state-pieces", level: 4, .error, "A state is read from a stream in pieces of any size.",
    remedy: "read and write in a loop: a stream may move fewer bytes than it is asked for")
  static let stateSame = ValidationCheck(
    "clap.state-same", level: 4, .error, "A state that is loaded is saved as the same bytes.",
    remedy: "save all that load sets, and nothing that differs each time")

  /// All of them.
  static let all = [
    features, ports, pair, range, initial, stepped, texts, factory, presets, voices, threads, times,
    complaints, flush, namespace, cookies, status, inPlace, emptyState, statePieces, stateSame,
  ]
}
