// The order of bytes: BYTE_ORDER and its values, htonl and its kind.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MACHINE_ENDIAN_H
#define AURICLE_MACHINE_ENDIAN_H

#include <arpa/inet.h>
#include <endian.h>

#endif
