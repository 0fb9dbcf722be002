/**
 * The process and its machine: logging, data directory, file descriptors, memory, build information.
 */
@NullMarked
package io.ballast.server.host;

import org.jspecify.annotations.NullMarked;
