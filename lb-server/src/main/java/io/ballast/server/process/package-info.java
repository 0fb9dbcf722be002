/**
 * The life of a server process: start, signals, reload triggers and end.
 */
@NullMarked
package io.ballast.server.process;

import org.jspecify.annotations.NullMarked;
