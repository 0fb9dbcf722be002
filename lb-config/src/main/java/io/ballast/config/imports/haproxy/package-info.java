/** Imports HAProxy files of version 2.x: global, defaults, frontend, backend and listen sections. */
@NullMarked
package io.ballast.config.imports.haproxy;

import org.jspecify.annotations.NullMarked;
