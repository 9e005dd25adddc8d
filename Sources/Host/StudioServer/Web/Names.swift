// Names that other libraries have, too.
// SPDX-License-Identifier: Apache-2.0

import HostSystem

/// JSON as all of Auricle has it; FlyingFox has a type of the same name.
typealias JSONValue = HostSystem.JSONValue
