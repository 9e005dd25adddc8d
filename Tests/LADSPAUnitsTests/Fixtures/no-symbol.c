// A library that is no plug-in.
// SPDX-License-Identifier: Apache-2.0
int auricle_fixture_no_plugin(void) { return 0; }
