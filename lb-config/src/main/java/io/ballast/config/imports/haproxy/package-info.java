/** HAProxy's files, as of version 2.x: global, defaults, frontend, backend and listen. */
@NullMarked
package io.ballast.config.imports.haproxy;

import org.jspecify.annotations.NullMarked;
