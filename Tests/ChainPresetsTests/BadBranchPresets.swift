// The bad presets of branches: one defect each.
// SPDX-License-Identifier: Apache-2.0

private let head = "auricle: 1\nname: x\n"

/// One defect each, with the exact text of the report.
let badBranchPresets: [BadPreset] = [
  BadPreset(
    "parallel is text",
    head + "units: [{parallel: dry}]\n",
    """
    p.yaml:3:20: error: 'parallel' must be a list of branches such as [{gain: -6 dB}, {units: \
    [{unit: NAME}]}], not text
    units: [{parallel: dry}]
                       ^
    """),
  BadPreset(
    "parallel without branches",
    head + "units: [{parallel: []}]\n",
    """
    p.yaml:3:20: error: 'parallel' is empty; it has at least one branch
    units: [{parallel: []}]
                       ^
    """),
  BadPreset(
    "branch is text",
    head + "units: [{parallel: [dry]}]\n",
    """
    p.yaml:3:21: error: a branch is a mapping such as {gain: -6 dB, units: [{unit: NAME}]}, not \
    text
    units: [{parallel: [dry]}]
                        ^
    """),
  BadPreset(
    "parallel and unit",
    head + "units: [{unit: u, parallel: [{}]}]\n",
    """
    p.yaml:3:10: error: an entry is either a unit or 'parallel', not both
    units: [{unit: u, parallel: [{}]}]
             ^
    """),
  BadPreset(
    "misspelt parallel",
    head + "units: [{paralel: [{}]}]\n",
    """
    p.yaml:3:9: error: the entry has no key 'unit'
    units: [{paralel: [{}]}]
            ^
    p.yaml:3:10: error: unknown key 'paralel' in an entry of 'units'; did you mean 'parallel'?
    units: [{paralel: [{}]}]
             ^
    """),
  BadPreset(
    "unknown key of parallel",
    head + "units: [{parallel: [{}], gain: 1 dB}]\n",
    """
    p.yaml:3:26: error: unknown key 'gain' in an entry with 'parallel'; the keys of an entry with \
    'parallel' are parallel, name and bypass
    units: [{parallel: [{}], gain: 1 dB}]
                             ^
    """),
  BadPreset(
    "unknown key of a branch",
    head + "units: [{parallel: [{gian: 1 dB}]}]\n",
    """
    p.yaml:3:22: error: unknown key 'gian' in a branch; did you mean 'gain'?
    units: [{parallel: [{gian: 1 dB}]}]
                         ^
    """),
  BadPreset(
    "gain in Hz",
    head + "units: [{parallel: [{gain: 1 Hz}]}]\n",
    """
    p.yaml:3:28: error: 'gain' is a number of decibels such as -6 dB, not '1 Hz'
    units: [{parallel: [{gain: 1 Hz}]}]
                               ^
    """),
  BadPreset(
    "gain too high",
    head + "units: [{parallel: [{gain: 40 dB}]}]\n",
    """
    p.yaml:3:28: error: 'gain' lies between -120 dB and 24 dB; 40 dB is outside
    units: [{parallel: [{gain: 40 dB}]}]
                               ^
    """),
  BadPreset(
    "pan outside",
    head + "units: [{parallel: [{pan: 2}]}]\n",
    """
    p.yaml:3:27: error: 'pan' lies between -1 (left) and 1 (right), or between -100 % and 100 %; 2 \
    is outside
    units: [{parallel: [{pan: 2}]}]
                              ^
    """),
  BadPreset(
    "pan in words",
    head + "units: [{parallel: [{pan: left}]}]\n",
    """
    p.yaml:3:27: error: 'pan' lies between -1 (left) and 1 (right), or between -100 % and 100 %, \
    not 'left'
    units: [{parallel: [{pan: left}]}]
                              ^
    """),
  BadPreset(
    "nested too deep",
    head + "units: [" + String(repeating: "{parallel: [{units: [", count: 7) + "{unit: u}"
      + String(repeating: "]}]}", count: 7) + "]\n",
    """
    p.yaml:3:136: error: 'parallel' is nested more than 6 levels deep
    …arallel: [{units: [{parallel: [{units: [{parallel: [{units: [{parallel: [{units: [{unit: \
    u}]}]}]}]}]}]}]}]}]}]}]}]}]}]}]
                                                                   ^
    """),
  BadPreset(
    "65 branches",
    head + "units: [{parallel: [" + Array(repeating: "{}", count: 65).joined(separator: ", ")
      + "]}]\n",
    """
    p.yaml:3:20: error: 'parallel' has 65 branches; there may be 64
    units: [{parallel: [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, \
    {}, {}, {}, {}, {}, {}, {}, …
                       ^
    """),
  BadPreset(
    "two branches of one name",
    head + """
      units:
        - parallel: [{name: A}, {name: A}]

      """,
    """
    p.yaml:4:34: error: 'A' is the name of two branches
      - parallel: [{name: A}, {name: A}]
                                     ^
    """),
]
