/** The command {@code lb dnssec}. */
@NullMarked
package io.ballast.cli.dnssec;

import org.jspecify.annotations.NullMarked;
