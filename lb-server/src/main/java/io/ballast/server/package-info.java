/** The composition root: the command line, reading the configuration, wiring and signals. */
@NullMarked
package io.ballast.server;

import org.jspecify.annotations.NullMarked;
