// The bad presets of random values and deliverables: one defect each.
// SPDX-License-Identifier: Apache-2.0

private let head = "auricle: 1\nname: x\n"
private let body = "units: [{unit: u}]\n"

/// One defect each, with the exact text of the report.
let badRenderPresets: [BadPreset] = [
  BadPreset(
    "random of one value",
    head + "units: [{unit: u, parameters: {a: {random: [1]}}}]\n",
    """
    p.yaml:3:44: error: 'random' takes [LOW, HIGH] or [LOW, HIGH, log], such as [200 Hz, 2 kHz, \
    log]
    units: [{unit: u, parameters: {a: {random: [1]}}}]
                                               ^
    """),
  BadPreset(
    "random is text",
    head + "units: [{unit: u, parameters: {a: {random: 1}}}]\n",
    """
    p.yaml:3:44: error: 'random' takes [LOW, HIGH] or [LOW, HIGH, log], such as [200 Hz, 2 kHz, \
    log]
    units: [{unit: u, parameters: {a: {random: 1}}}]
                                               ^
    """),
  BadPreset(
    "random with a strange word",
    head + "units: [{unit: u, parameters: {a: {random: [1, 2, gauss]}}}]\n",
    """
    p.yaml:3:51: error: 'random' takes [LOW, HIGH] or [LOW, HIGH, log]; the last word is linear or \
    log
    units: [{unit: u, parameters: {a: {random: [1, 2, gauss]}}}]
                                                      ^
    """),
  BadPreset(
    "choose and random",
    head + "units: [{unit: u, parameters: {a: {random: [1, 2], choose: [1]}}}]\n",
    """
    p.yaml:3:35: error: a random value is {random: [LOW, HIGH]} or {choose: [A, B]}, or {folder: PATH} \
    for a file, not several
    units: [{unit: u, parameters: {a: {random: [1, 2], choose: [1]}}}]
                                      ^
    """),
  BadPreset(
    "nothing to choose",
    head + "units: [{unit: u, parameters: {a: {choose: []}}}]\n",
    """
    p.yaml:3:44: error: 'choose' takes a list of values such as [Low Pass, High Pass]
    units: [{unit: u, parameters: {a: {choose: []}}}]
                                               ^
    """),
  BadPreset(
    "unknown kind of random",
    head + "units: [{unit: u, parameters: {a: {rnd: [1, 2]}}}]\n",
    """
    p.yaml:3:35: error: a random value is {random: [LOW, HIGH]} or {choose: [A, B]}, or {folder: PATH} \
    for a file
    units: [{unit: u, parameters: {a: {rnd: [1, 2]}}}]
                                      ^
    p.yaml:3:36: error: unknown key 'rnd' in a random value; the keys of a random value are random, \
    choose and folder
    units: [{unit: u, parameters: {a: {rnd: [1, 2]}}}]
                                       ^
    """),
  BadPreset(
    "render is a mapping",
    head + body + "render: {name: a}\n",
    """
    p.yaml:4:9: error: 'render' must be a list such as [{name: web, container: mp3}], not a mapping
    render: {name: a}
            ^
    """),
  BadPreset(
    "render is empty",
    head + body + "render: []\n",
    """
    p.yaml:4:9: error: 'render' is empty; leave it out for one file
    render: []
            ^
    """),
  BadPreset(
    "entry of render is text",
    head + body + "render: [mp3]\n",
    """
    p.yaml:4:10: error: an entry of 'render' is a mapping such as {name: web, container: mp3}, not \
    text
    render: [mp3]
             ^
    """),
  BadPreset(
    "entry of render without a name",
    head + body + "render: [{container: mp3}]\n",
    """
    p.yaml:4:10: error: the entry has no key 'name'
    render: [{container: mp3}]
             ^
    """),
  BadPreset(
    "two entries of one name",
    head + body + "render: [{name: web}, {name: Web}]\n",
    """
    p.yaml:4:30: error: 'Web' is the name of two entries of 'render'
    render: [{name: web}, {name: Web}]
                                 ^
    """),
  BadPreset(
    "name that leaves the folder",
    head + body + "render: [{name: ../web}]\n",
    """
    p.yaml:4:17: error: '../web' becomes a part of a file's name: at most 100 letters, digits, \
    spaces, '-', '_' and '.', which is not the first
    render: [{name: ../web}]
                    ^
    """),
  BadPreset(
    "hidden name",
    head + body + "render: [{name: .web}]\n",
    """
    p.yaml:4:17: error: '.web' becomes a part of a file's name: at most 100 letters, digits, \
    spaces, '-', '_' and '.', which is not the first
    render: [{name: .web}]
                    ^
    """),
  BadPreset(
    "tail in render",
    head + body + "render: [{name: web, tail: none}]\n",
    """
    p.yaml:4:22: error: 'tail' belongs to 'output': it is the same for all files
    render: [{name: web, tail: none}]
                         ^
    """),
  BadPreset(
    "unknown key of render",
    head + body + "render: [{name: web, contaner: mp3}]\n",
    """
    p.yaml:4:22: error: unknown key 'contaner' in an entry of 'render'; did you mean 'container'?
    render: [{name: web, contaner: mp3}]
                         ^
    """),
  BadPreset(
    "channels in words",
    head + body + "output: {channels: many}\n",
    """
    p.yaml:4:20: error: 'channels' is same, mono, stereo, or a number from 1 to 64, not 'many'
    output: {channels: many}
                       ^
    """),
  BadPreset(
    "loudness in Hz",
    head + body + "output: {loudness: 3 Hz}\n",
    """
    p.yaml:4:20: error: 'loudness' is none, or a level such as -16 LUFS, not '3 Hz'
    output: {loudness: 3 Hz}
                       ^
    """),
  BadPreset(
    "loudness above 0",
    head + body + "output: {loudness: 16}\n",
    """
    p.yaml:4:20: error: 'loudness' lies between -70 and 0 LUFS; 16 is outside
    output: {loudness: 16}
                       ^
    """),
  BadPreset(
    "input of another kind",
    head + "input: {peak: -1}\n" + body,
    """
    p.yaml:3:9: error: unknown key 'peak' in 'input'; the keys of 'input' are loudness
    input: {peak: -1}
            ^
    """),
  BadPreset(
    "input beyond full scale",
    head + "input: {loudness: 3 LUFS}\n" + body,
    """
    p.yaml:3:19: error: 'loudness' lies between -70 and 0 LUFS; 3 LUFS is outside
    input: {loudness: 3 LUFS}
                      ^
    """),
  BadPreset(
    "two levels of one file",
    head + body + "output: {loudness: -16, peak: -1}\n",
    """
    p.yaml:4:9: error: 'loudness' and 'peak' both set the level of a file: leave one out
    output: {loudness: -16, peak: -1}
            ^
    """),
  BadPreset(
    "two levels of a deliverable",
    head + body + "render: [{name: a, loudness: -16, peak: -1}]\n",
    """
    p.yaml:4:10: error: 'loudness' and 'peak' both set the level of a file: leave one out
    render: [{name: a, loudness: -16, peak: -1}]
             ^
    """),
  BadPreset(
    "true peak in words",
    head + body + "output: {true peak: high}\n",
    """
    p.yaml:4:21: error: 'true peak' is none, or a level such as -1 dBTP, not 'high'
    output: {true peak: high}
                        ^
    """),
  BadPreset(
    "unknown dither",
    head + body + "output: {dither: triangle}\n",
    """
    p.yaml:4:18: error: 'dither' is none, triangular, shaped or tpdf, not 'triangle'; did you mean \
    'triangular'?
    output: {dither: triangle}
                     ^
    """),
  BadPreset(
    "fade in dB",
    head + body + "output: {fade in: 3 dB}\n",
    """
    p.yaml:4:19: error: 'fade in' is a time such as 20 ms, not '3 dB'
    output: {fade in: 3 dB}
                      ^
    """),
]
