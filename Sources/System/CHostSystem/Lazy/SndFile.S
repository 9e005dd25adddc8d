// The functions of libsndfile that are used.
// SPDX-License-Identifier: Apache-2.0
#include "LazyLibrary.h"

LIBRARY "libsndfile.so.1"
FUNCTION sf_close
FUNCTION sf_command
FUNCTION sf_error
FUNCTION sf_format_check
FUNCTION sf_get_string
FUNCTION sf_open_virtual
FUNCTION sf_readf_float
FUNCTION sf_readf_int
FUNCTION sf_readf_short
FUNCTION sf_seek
FUNCTION sf_set_string
FUNCTION sf_strerror
FUNCTION sf_writef_float
FUNCTION sf_writef_int
FUNCTION sf_writef_short
END
