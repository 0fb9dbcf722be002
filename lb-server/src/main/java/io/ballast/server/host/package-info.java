/**
 * The process and its machine: logging, data directory, file descriptors, memory, build information. {@link
 * io.ballast.server.host.Closer} closes the parts of the process.
 */
@NullMarked
package io.ballast.server.host;

import org.jspecify.annotations.NullMarked;
