// The functions of serd that are used.
// SPDX-License-Identifier: Apache-2.0
#include "LazyLibrary.h"

LIBRARY "libserd-0.so.0"
FUNCTION serd_env_expand
FUNCTION serd_env_expand_node
FUNCTION serd_env_free
FUNCTION serd_env_new
FUNCTION serd_env_set_base_uri
FUNCTION serd_env_set_prefix
FUNCTION serd_node_free
FUNCTION serd_node_new_file_uri
FUNCTION serd_reader_free
FUNCTION serd_reader_new
FUNCTION serd_reader_read_string
FUNCTION serd_reader_set_error_sink
FUNCTION serd_uri_string_has_scheme
END
